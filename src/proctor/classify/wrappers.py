"""Takes wrappers off an argv, arg by arg: `env X=1 timeout 60 pytest` is pytest.

On the light path: no imports.
"""

from proctor.classify.index import base_name, interpreter_of
from proctor.classify.options import split_words
from proctor.classify.wrapper_table import (
    DOCKER_EXEC,
    DOCKER_RUN,
    NODE_EXEC,
    NODE_WORDS,
    SPECS,
    Spec,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MOST = 16
"""Wrappers taken off at most; deeper nesting is nobody's honest command."""


class Layer:
    """One wrapper taken off."""

    __slots__ = ("argv", "assigned", "flags", "label", "remote", "status", "text")

    def __init__(self, label: str, argv: "Sequence[str]") -> None:
        self.label = label
        """As the wrapper is called, `env`, `uv run`, `bash -c`."""
        self.argv = list(argv)
        """What it starts; for shell text the positional parameters, `$0` first."""
        self.text: str | None = None
        """Shell text that it runs instead."""
        self.flags: tuple[str, ...] = ()
        """The shell's own options, `-e`, `-o pipefail`."""
        self.assigned: dict[str, str] = {}
        """Variables it sets."""
        self.status = "own"
        """What becomes of the command's exit code: own, altered, masked, unknown."""
        self.remote: str | None = None
        """The client's name, where the command runs elsewhere."""


def peel_all(argv: "Sequence[str]") -> "list[Layer]":
    """Return the wrappers of `argv`, outermost first; shell text ends the list."""
    layers: list[Layer] = []
    while len(layers) < MOST:
        layer = peel(argv)
        if layer is None:
            break
        layers.append(layer)
        if layer.text is not None:
            break
        argv = layer.argv
    return layers


def peel(argv: "Sequence[str]") -> Layer | None:  # noqa: PLR0911 - one return a kind
    """Return the outermost wrapper of `argv`, none where it has none."""
    if not argv:
        return None
    if _assigns(argv[0]):
        return _assignments(argv)
    name = base_name(argv[0])
    if name in _SPECIAL:
        return _SPECIAL[name](argv)
    if name in SPECS:
        return _plain(argv, SPECS[name], name)
    kind = interpreter_of(name)
    if kind == "shell":
        return _shell(argv, name)
    if kind in ("python", "node"):
        return _interpreted(argv)
    return None


def _plain(argv: "Sequence[str]", spec: Spec, name: str) -> Layer | None:
    valued = spec.valued | spec.after
    start, at = 1, _skip_options(argv, 1, valued)
    label = name
    if name == "command" and any(arg[:2] in ("-v", "-V") for arg in argv[1:at]):
        # It only says where a program is.
        return None
    if spec.subcommands:
        if at >= len(argv) or argv[at] not in spec.subcommands:
            return None
        label = f"{name} {argv[at]}"
        start, at = at + 1, _skip_options(argv, at + 1, valued)
    if spec.needs_dashes:
        if "--" not in argv[start:]:
            return None
        at = start + list(argv[start:]).index("--") + 1
    rest = _after_positionals(argv, at, spec.skip)
    behind = rest[:2] if rest and rest[0] in spec.after else ()
    text = _shell_text([*argv[start:at], *behind], spec)
    if text is not None:
        layer = Layer(label, ())
        layer.text = text
        return layer
    return _finish(name, label, argv[start:at], rest, spec) if rest else None


def _finish(
    name: str, label: str, options: "Sequence[str]", rest: "list[str]", spec: Spec
) -> Layer | None:
    if name == "uv" and ("-m" in options or "--module" in options):
        rest = ["python", "-m", *rest]
    elif name in ("uv", "rye") and rest[0].endswith(".py"):
        rest = ["python", *rest]
    elif name == "hatch":
        rest[0] = rest[0].rpartition(":")[2]
    elif name in ("uvx", "npx", "bunx"):
        rest[0] = _without_version(rest[0])
    layer = Layer(label, rest)
    layer.status = spec.status
    layer.remote = name if spec.remote else None
    if name == "setsid" and not {"-w", "--wait"} & set(options):
        # NOTE: a setsid that leads its process group forks and returns 0 at once.
        layer.status = "masked" if {"-f", "--fork"} & set(options) else "unknown"
    if name in ("sudo", "doas"):
        _take_assignments(layer)
    return layer


def _skip_options(argv: "Sequence[str]", at: int, valued: "frozenset[str]") -> int:
    while at < len(argv):
        arg = argv[at]
        if arg == "--":
            return at + 1
        if not arg.startswith("-") or arg == "-":
            return at
        at += 2 if arg in valued else 1
        if arg in ("-m", "--module") and arg not in valued:
            # What follows is the module itself.
            return at
    return at


def _after_positionals(argv: "Sequence[str]", at: int, skip: int) -> "list[str]":
    at += skip
    if skip and argv[at : at + 1] == ["--"]:
        at += 1
    return list(argv[at:])


def _shell_text(options: "Sequence[str]", spec: Spec) -> str | None:
    for at, arg in enumerate(options):
        name, bound, value = arg.partition("=")
        if name in spec.after:
            return value if bound else " ".join(options[at + 1 : at + 2])
    return None


def _without_version(name: str) -> str:
    """Return `jest` for `jest@29`, `@scope/x` for `@scope/x@1`, `pytest` for `pytest==8`."""
    head, at, _ = name[1:].partition("@")
    name = name[0] + head if at else name
    return name.partition("==")[0]


def _assigns(arg: str) -> bool:
    name, bound, _ = arg.partition("=")
    return bool(bound) and name.isidentifier()


def _take_assignments(layer: Layer) -> None:
    at = 0
    while at < len(layer.argv) and _assigns(layer.argv[at]):
        name, _, value = layer.argv[at].partition("=")
        layer.assigned[name] = value
        at += 1
    layer.argv = layer.argv[at:]


def _assignments(argv: "Sequence[str]") -> Layer | None:
    layer = Layer("VAR=", argv)
    _take_assignments(layer)
    return layer if layer.argv else None


def _env(argv: "Sequence[str]") -> Layer | None:
    tokens = list(argv[1:])
    while tokens and tokens[0].startswith("-"):
        arg = tokens.pop(0)
        if arg == "--":
            break
        if arg in ("-S", "--split-string"):
            tokens = split_words(tokens[0]) + tokens[1:] if tokens else []
        elif arg.startswith(("-S", "--split-string=", "-vS")):
            text = arg.partition("=")[2] if arg.startswith("--") else arg.partition("S")[2]
            tokens = split_words(text) + tokens if text else split_words(" ".join(tokens))
        elif arg in ("-u", "--unset", "-C", "--chdir"):
            tokens = tokens[1:]
    layer = Layer("env", tokens)
    _take_assignments(layer)
    return layer if layer.argv else None


def _find(argv: "Sequence[str]") -> Layer | None:
    for at, arg in enumerate(argv):
        if arg in ("-exec", "-execdir", "-ok"):
            rest = list(argv[at + 1 :])
            ends = [end for end in (";", "\\;", "+") if end in rest]
            cut = min((rest.index(end) for end in ends), default=len(rest))
            layer = Layer("find -exec", rest[:cut])
            layer.status = "altered" if rest[cut : cut + 1] == ["+"] else "masked"
            return layer if layer.argv else None
    return None


def _docker(argv: "Sequence[str]") -> Layer | None:
    name = base_name(argv[0])
    globals_valued = frozenset(
        ["-H", "--host", "-c", "--context", "-f", "--file", "-p", "--project-name"]
    )
    at = _skip_options(argv, 1, globals_valued)
    words = [name]
    if argv[at : at + 1] and argv[at] in ("compose", "container"):
        words.append(argv[at])
        at = _skip_options(argv, at + 1, globals_valued | {"--profile", "--env-file"})
    action = argv[at] if at < len(argv) else ""
    if action not in ("exec", "run"):
        return None
    start = at + 1
    at = _skip_options(
        argv, start, frozenset((DOCKER_EXEC if action == "exec" else DOCKER_RUN).split())
    )
    options = argv[start:at]
    layer = Layer(" ".join((*words, action)), argv[at + 1 :])
    layer.remote = name
    entry = _value_of(options, "--entrypoint")
    if entry:
        layer.argv.insert(0, entry)
    if any(_detaches(arg) for arg in options):
        layer.status = "masked"
    return layer if layer.argv else None


def _detaches(arg: str) -> bool:
    short = arg.startswith("-") and not arg.startswith("--") and arg[1:].isalpha()
    return arg == "--detach" or (short and "d" in arg and set(arg[1:]) <= set("ditPqT"))


def _value_of(options: "Sequence[str]", name: str) -> str | None:
    for at, arg in enumerate(options):
        if arg == name and at + 1 < len(options):
            return options[at + 1]
        if arg.startswith(name + "="):
            return arg.partition("=")[2]
    return None


def _ssh(argv: "Sequence[str]") -> Layer | None:
    valued = frozenset(
        [
            "-b",
            "-c",
            "-D",
            "-E",
            "-e",
            "-F",
            "-I",
            "-i",
            "-J",
            "-L",
            "-l",
            "-m",
            "-O",
            "-o",
            "-p",
            "-Q",
            "-R",
            "-S",
            "-W",
            "-w",
        ]
    )
    at = _skip_options(argv, 1, valued) + 1
    if at >= len(argv):
        return None
    layer = Layer("ssh", ())
    layer.text = " ".join(argv[at:])
    layer.remote = "ssh"
    return layer


def _su(argv: "Sequence[str]") -> Layer | None:
    text = _value_of(argv, "-c") or _value_of(argv, "--command")
    if text is None:
        return None
    layer = Layer("su -c", ())
    layer.text = text
    return layer


def _script(argv: "Sequence[str]") -> Layer | None:
    for at, arg in enumerate(argv[1:], 1):
        if arg.startswith("-") and not arg.startswith("--") and arg.endswith("c"):
            layer = Layer("script -c", ())
            layer.text = " ".join(argv[at + 1 : at + 2])
            returns = any(t.startswith("-") and "e" in t for t in argv[1 : at + 1])
            layer.status = "own" if returns or "--return" in argv else "masked"
            return layer
    return None


def _node_manager(argv: "Sequence[str]") -> Layer | None:
    """Take off `npm exec`, `pnpm exec|dlx`, `yarn exec|dlx`, `bun x` and their short forms."""
    name = base_name(argv[0]).partition(".")[0].rstrip("0123456789-")
    valued = frozenset(
        ["-C", "--dir", "--cwd", "--prefix", "-w", "--workspace", "-F", "--filter", "--loglevel"]
    )
    at = _skip_options(argv, 1, valued)
    action = argv[at] if at < len(argv) else ""
    if action == "workspace" and name == "yarn":
        at = _skip_options(argv, at + 2, valued)
        action = argv[at] if at < len(argv) else ""
    label = f"{name} {action}"
    if action in NODE_EXEC[name]:
        start = at + 1
        at = _skip_options(argv, start, valued | {"-p", "--package", "-c", "--call"})
        text = _value_of(argv[start:at], "-c") or _value_of(argv[start:at], "--call")
        layer = Layer(label, argv[at:])
        layer.text = text if name == "npm" else None
    elif action and name in ("pnpm", "yarn", "bun") and action not in NODE_WORDS:
        # A script or a program of node_modules/.bin: the script wins, if there is one.
        layer = Layer(name, argv[at:])
    elif action == "run" and name in ("yarn", "bun"):
        at = _skip_options(argv, at + 1, valued)
        layer = Layer(f"{name} run", argv[at:])
    else:
        return None
    if layer.argv:
        layer.argv[0] = _without_version(layer.argv[0])
    return layer if layer.argv or layer.text else None


def _shell(argv: "Sequence[str]", name: str) -> Layer | None:
    """Take off `bash -lc TEXT`."""
    flags: list[str] = []
    has_text = False
    at = 1
    while at < len(argv):
        arg = argv[at]
        if arg[:1] not in ("-", "+") or len(arg) < 2:
            break
        at += 1
        if arg == "--":
            break
        if arg[:2] == "--":
            at += arg in ("--rcfile", "--init-file")
            continue
        has_text = has_text or (arg[0] == "-" and "c" in arg)
        flags.append(arg)
        if arg[-1] in "oO":
            flags += argv[at : at + 1]
            at += 1
    if not has_text or at >= len(argv):
        return None
    layer = Layer(f"{name} -c", argv[at + 1 :])
    layer.text = argv[at]
    layer.flags = tuple(flags)
    return layer


def _interpreted(argv: "Sequence[str]") -> Layer | None:
    """Take off a wrapper that an interpreter runs, as `node …/npx-cli.js jest`."""
    from proctor.classify.interpreters import resolve

    program = resolve(argv)
    if program is None or not program.tokens:
        return None
    name = base_name(program.tokens[0])
    for suffix in (".js", ".cjs", ".mjs", ".py", "-cli"):
        name = name.removesuffix(suffix)
    if interpreter_of(name) is not None or name == "test_":
        return None
    return peel([name, *program.tokens[1:]])


_SPECIAL: "dict[str, Callable[[Sequence[str]], Layer | None]]" = {
    "env": _env,
    "find": _find,
    "docker": _docker,
    "podman": _docker,
    "docker-compose": _docker,
    "ssh": _ssh,
    "su": _su,
    "script": _script,
    "npm": _node_manager,
    "pnpm": _node_manager,
    "yarn": _node_manager,
    "bun": _node_manager,
}
