"""Scripts of package.json: npm, pnpm, yarn; and bun, whose `bun test` is a runner of its own."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.index import base_name
from proctor.classify.names import role_of
from proctor.classify.options import fill, handed_on, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    valued=(
        *("-w", "--workspace", "--prefix", "-C", "--dir", "--cwd", "-F", "--filter", "--loglevel"),
        *("--script-shell", "--cache", "--registry", "--userconfig", "--filter-prod", "--reporter"),
        *("--test-pattern", "--changed-files-ignore-pattern", "--workspace-concurrency"),
        *("--include", "--exclude", "--from", "-j", "--jobs"),
    ),
    aliases={"-w": "--workspace", "-F": "--filter", "-h": "--help", "-v": "--version"},
    narrowing=("--workspace", "--filter", "--script-shell", "--filter-prod", "--include", "--from"),
    excluding=("--exclude",),
    allows_empty=("--if-present",),
    not_a_run=("--help", "--version"),
    selecting=("--prefix", "-C", "--dir", "--cwd"),
)
_INSTALLS = frozenset(
    ("install", "i", "add", "ci", "clean-install", "update", "up", "upgrade", "remove", "uninstall")
)
_TESTS = frozenset(("test", "t", "tst"))
_RUNS = frozenset(("run", "run-script", "rum", "urn"))
_PROGRAMS = frozenset(("jest", "vitest", "mocha", "ava", "playwright", "cypress", "tap", "jasmine"))


def _read(  # noqa: PLR0911 - one return a subcommand
    tokens: "Sequence[str]",
) -> Classification | None:
    name = base_name(tokens[0]).partition(".")[0].partition("-")[0]
    at = _subcommand(tokens, 1)
    if at is None:
        given = parse(tokens[1:], OPTIONS)
        installs = name == "yarn" and not given.has("--help", "--version")
        return Classification(tokens, "yarn install", "install", None) if installs else None
    word = tokens[at]
    if word in _INSTALLS:
        return Classification(tokens, f"{name} install", "install", None)
    if word in _TESTS:
        return _script(tokens, name, at, "test", at + 1)
    if word in _RUNS:
        script = _subcommand(tokens, at + 1)
        return None if script is None else _script(tokens, name, script, tokens[script], script + 1)
    if word in ("exec", "dlx", "x"):
        inner = _subcommand(tokens, at + 1)
        return _program(tokens, name, at, inner)
    if name in ("pnpm", "yarn", "bun"):
        if base_name(word) in _PROGRAMS:
            return _program(tokens, name, at, at)
        return _script(tokens, name, at, word, at + 1) if role_of(word) else None
    return None


def _subcommand(tokens: "Sequence[str]", at: int) -> int | None:
    """Return the place of the next word that is no option, `yarn workspace X` passed over."""
    while at < len(tokens):
        arg = tokens[at]
        if arg == "workspace":
            at += 2
        elif arg in ("workspaces", "foreach", "--"):
            at += 1
        elif arg.startswith("-"):
            at += 2 if arg in OPTIONS.valued else 1
        else:
            return at
    return None


def _script(tokens: "Sequence[str]", name: str, at: int, script: str, after: int) -> Classification:
    role = role_of(script) or "other"
    label = "test" if role == "test" else "run"
    found = Classification(tokens, f"{name} {label}", role, "driver")
    found.matching = "name"
    parsed = parse(tokens[1:at], OPTIONS)
    rest = list(tokens[after:])
    if name == "npm":
        # npm takes options up to `--` for itself and hands on what is left.
        own = parse(rest, OPTIONS)
        parsed.items += [item for item in own.items if item[0] is not None]
        rest = own.positionals() + (own.rest or [])
    elif rest[:1] == ["--"]:
        rest = rest[1:]
    parsed.items = [item for item in parsed.items if item[0] is not None or _is_workspace(tokens)]
    fill(found, parsed, OPTIONS)
    places = tuple(s for s in found.selectors if s.startswith("-"))
    found.selectors = places if script == "test" else (script, *places)
    if "workspace" in tokens[:at]:
        found.narrowing += (f"workspace={tokens[list(tokens).index('workspace') + 1]}",)
    found.narrowing += handed_on(rest)
    return found


def _is_workspace(tokens: "Sequence[str]") -> bool:
    return "workspace" in tokens


def _program(
    tokens: "Sequence[str]", name: str, at: int, inner: int | None
) -> Classification | None:
    """Return `pnpm exec jest` as a driver: whether jest runs shows below it."""
    if inner is None or base_name(tokens[inner]).partition("@")[0] not in _PROGRAMS:
        return None
    found = Classification(tokens, f"{name} exec", "test", "driver")
    found.matching = "name"
    fill(found, parse(tokens[1:at], OPTIONS), OPTIONS)
    found.selectors += tuple(tokens[inner:])
    return found


def _read_environment(name: str, value: str) -> "list[str]":
    option = "--" + name.removeprefix("npm_config_").replace("_", "-")
    if option in ("--workspace", "--filter", "--script-shell"):
        return [f"{option}={value}"]
    return [option] if value == "true" else []


RUNNER = Runner(
    command_class="npm test",
    kind="driver",
    programs=("npm", "npm-cli", "pnpm", "yarn", "yarnpkg"),
    read=_read,
    environment=(
        *("npm_config_workspace", "npm_config_if_present", "npm_config_script_shell"),
        *("npm_config_ignore_scripts", "npm_config_filter"),
    ),
    read_environment=_read_environment,
    harness=(
        "package.json#scripts!",
        ".npmrc~script-shell,ignore-scripts,node-options,if-present,workspace",
        ".yarnrc*~script-shell,nodeOptions,npmScripts",
    ),
)
