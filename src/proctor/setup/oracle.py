"""A first set-up of the oracle: thirty sequences, one mask, an empty policy, a grammar.

The grammar is read from what the program prints for `--help`, as far as that has the
usual shape; what was guessed is for a person to look through.
"""

import json
import os
import re
import subprocess
import tomllib
from collections.abc import Iterator, Sequence

import msgspec

from proctor._whole import plain
from proctor.config import OracleCommandTable, OracleTable, load
from proctor.errors import ConfigError, UsageError
from proctor.oracle.corpus import line_of
from proctor.oracle.coverage import described
from proctor.oracle.generate import EDGES, generate
from proctor.setup.edit import Change, read_own

LINES = 30
_MOST_COMMANDS = 40
_COMMAND = re.compile(r"^ {1,8}([a-z][\w-]{1,30})(?:,? [\w\[<.]*)? {2,}\S", re.MULTILINE).findall
_CHOICES = re.compile(r"\{([a-z][\w-]*(?:,[a-z][\w-]*)+)\}").search
_OPTION = re.compile(r"(--[a-z][\w-]+)(?:[ =](<?[A-Z][A-Z_]+>?))?").findall
_ARGUMENT = re.compile(r"(?<![\w-])(\[?)<?([A-Z][A-Z_]{1,20}|(?<=<)[a-z][\w-]{1,20})>?\]?").findall
_LISTED = re.compile(r"^  ([a-z]\w{0,30})(?: {2,}|$)", re.MULTILINE).findall
_NOT_ARGUMENTS = frozenset(("OPTIONS", "OPTION", "ARGS", "COMMAND", "COMMANDS", "FLAGS"))


class Start(msgspec.Struct, frozen=True, kw_only=True):
    """What would be written."""

    root: str
    settings: Change
    files: dict[str, str]
    """Path, relative to the root → content."""
    described: list[str]

    def write(self) -> None:
        """Write all of it; what exists is left as it is.

        Raises:
            ConfigError: a file cannot be written.
        """
        if not self.settings.empty:
            self.settings.write()
        for name, text in self.files.items():
            path = os.path.join(self.root, name)
            try:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "x", encoding="utf-8") as file:
                    file.write(text)
            except FileExistsError:
                continue
            except OSError as error:
                raise ConfigError(f"{path}: cannot be written: {error.strerror}") from None


def start(root: str, argv: Sequence[str]) -> Start:
    """Return a first set-up for the program that `argv` starts.

    Raises:
        UsageError: no program is named, in words or in the configuration.
        ConfigError: the configuration cannot be understood.
    """
    own = load(root).oracle
    command = tuple(argv) or own.command or _declared(root)
    if not command:
        raise UsageError("name the program: proctor oracle init -- ./program")
    table = own if own.commands else _with_grammar(own, command, root)
    found = generate(table, [], LINES)
    path, before = read_own(root, "an [oracle] table, see docs/oracle.md")
    settings = Change(path=path, before=before, after=before)
    if own == OracleTable():
        after = "\n".join(filter(None, (before.rstrip("\n"), _settings(table))))
        _must_hold(path, after)
        settings = Change(path=path, before=before, after=after)
    files = {
        table.corpus: b"".join(map(line_of, found)).decode("utf-8"),
        table.policy: '{\n  "schema": "proctor.policy/1",\n  "allowed": []\n}\n',
    }
    return Start(root=root, settings=settings, files=files, described=described(table, found))


def _must_hold(path: str, text: str) -> None:
    try:
        tomllib.loads(text)
    except (ValueError, RecursionError):
        raise ConfigError(
            f"{path}: cannot be edited safely; add an [oracle] table by hand, see docs/oracle.md"
        ) from None


def _declared(root: str) -> tuple[str, ...]:
    """Return the one program that the project itself declares, if it does."""
    try:
        with open(os.path.join(root, "pyproject.toml"), "rb", opener=plain) as file:
            scripts = tomllib.load(file).get("project", {}).get("scripts", {})
        if len(scripts) == 1:
            return (f"{{build}}/.venv/bin/{next(iter(scripts))}",)
    except (OSError, ValueError, RecursionError, AttributeError):
        pass
    try:
        with open(os.path.join(root, "package.json"), encoding="utf-8", opener=plain) as other:
            found = json.load(other).get("bin")
    except (OSError, ValueError, RecursionError, AttributeError):
        return ()
    paths = [found] if isinstance(found, str) else list(found.values()) if found else []
    return ("node", f"{{build}}/{paths[0]}") if len(paths) == 1 else ()


def _with_grammar(own: OracleTable, command: tuple[str, ...], root: str) -> OracleTable:
    """Return the table with the program and what its help says it takes."""
    words = [word.replace("{build}", root) for word in command]
    text = _help(words, root)
    names = _commands(text)
    commands = {name: _command(_help([*words, name], root)) for name in names}
    if not commands:
        commands = {"--help": OracleCommandTable(options=tuple(_options(text)))}
    domains = dict(own.domains)
    for one in commands.values():
        for name in (*one.args, *(o.partition("=")[2] for o in one.options)):
            if name.rstrip("?"):
                domains.setdefault(name.rstrip("?"), ("a", "b", *EDGES[:4]))
    inside = tuple(_inside(word, root) for word in command)
    return msgspec.structs.replace(own, command=inside, commands=commands, domains=domains)


def _inside(word: str, root: str) -> str:
    path = os.path.join(root, word) if "/" in word else ""
    if path and os.path.isfile(path) and os.path.abspath(path).startswith(root + os.sep):
        return f"{{build}}/{os.path.relpath(path, root)}"
    return word


def _help(words: Sequence[str], root: str) -> str:
    """Return what a program prints for `--help`; nothing where that fails."""
    try:
        done = subprocess.run(
            [*words, "--help"],
            cwd=root,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=20,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return (done.stdout or done.stderr).decode("utf-8", "replace")


def _commands(text: str) -> list[str]:
    choices = _CHOICES(text)
    found = choices[1].split(",") if choices else list(_COMMAND(text))
    return list(dict.fromkeys(found))[:_MOST_COMMANDS]


def _command(text: str) -> OracleCommandTable:
    usage = text.partition("\n\n")[0]
    bare = re.sub(r"\[?-[^\]\s]*(?:[ =]<?[A-Z_]+>?)?\]?", "", usage)
    arguments = [
        f"{name.lower()}{'?' if optional else ''}"
        for optional, name in _ARGUMENT(bare)
        if name not in _NOT_ARGUMENTS
    ]
    arguments += _positionals(text, bare)
    return OracleCommandTable(
        args=tuple(dict.fromkeys(arguments))[:4], options=tuple(_options(text))[:12]
    )


def _positionals(text: str, usage: str) -> Iterator[str]:
    """Yield the arguments that a page lists under `positional arguments`, as argparse does."""
    _, _, listed = text.partition("positional arguments:\n")
    for name in _LISTED(listed.partition("\n\n")[0]):
        yield f"{name}{'?' if f'[{name}' in usage else ''}"


def _options(text: str) -> Iterator[str]:
    seen = set()
    for name, value in _OPTION(text):
        if name not in seen and name not in ("--help", "--version"):
            seen.add(name)
            yield f"{name}={value.strip('<>').lower()}" if value else name


def _settings(table: OracleTable) -> str:
    """Return the table as TOML."""
    lines = ["", "[oracle]", f"command = {_list(table.command)}", ""]
    lines += ["[oracle.masks]", "# A token of this shape may differ between two runs.",
              'job = "job-\\\\d+"', ""]  # fmt: skip
    for name, one in table.commands.items():
        lines.append(f"[oracle.commands.{json.dumps(name)}]")
        if one.args:
            lines.append(f"args = {_list(one.args)}")
        if one.options:
            lines.append(f"options = {_list(one.options)}")
        lines.append("")
    lines.append("[oracle.domains]")
    lines += (f"{json.dumps(name)} = {_list(values)}" for name, values in table.domains.items())
    return "\n".join((*lines, ""))


def _list(words: Sequence[str]) -> str:
    return f"[{', '.join(json.dumps(word, ensure_ascii=False) for word in words)}]"
