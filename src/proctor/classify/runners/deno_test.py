"""deno test."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.names import role_of
from proctor.classify.options import fill, handed_on, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    aliases={
        "-c": "--config",
        "-r": "--reload",
        "-h": "--help",
        "-q": "--quiet",
        "-L": "--log-level",
    },
    valued=(
        *("--filter", "--config", "--import-map", "--location", "--cert", "--seed", "--ext"),
        *("--reporter", "--junit-path", "--preload", "--require", "--conditions", "--log-level"),
    ),
    flags=(
        *("--parallel", "--no-check", "--check", "--allow-all", "-A", "--allow-read", "-R"),
        *("--allow-write", "-W", "--allow-net", "-N", "--allow-env", "-E", "--allow-run"),
        *("--allow-sys", "-S", "--allow-ffi", "--allow-import", "-I", "-P", "--permission-set"),
        *("--no-lock", "--frozen", "--cached-only", "--no-remote", "--no-npm", "--no-prompt"),
        *("--coverage", "--doc", "--fail-fast", "--shuffle", "--trace-leaks", "--watch"),
        *("--hide-stacktraces", "--quiet", "--reload", "--lock", "--env-file", "--no-config"),
        *("--inspect", "--inspect-brk", "--inspect-wait", "--v8-flags", "--sloppy-imports"),
        *("--clean", "--no-clear-screen", "--node-modules-dir", "--vendor"),
    ),
    narrowing=("--filter",),
    excluding=("--ignore",),
    allows_empty=("--permit-no-files",),
    not_a_run=("--no-run", "--help"),
    updates=("--update",),
    selecting=("--config", "--no-config"),
    report={"--junit-path": "junit"},
)
_ROLES = {
    **dict.fromkeys(("lint", "fmt", "check", "doc"), "lint"),
    **dict.fromkeys(("compile", "bundle"), "build"),
    **dict.fromkeys(("install", "add", "cache", "remove", "outdated"), "install"),
}


def _read(tokens: "Sequence[str]") -> Classification | None:
    at = 1
    while at < len(tokens) and tokens[at].startswith("-"):
        at += 2 if tokens[at] in ("-L", "--log-level", "-c", "--config") else 1
    word = tokens[at] if at < len(tokens) else ""
    if word == "test":
        return _tests(tokens, at)
    if word == "task":
        return _task(tokens, at)
    if word in _ROLES:
        return Classification(tokens, f"deno {word}", _ROLES[word], None)
    return None


def _tests(tokens: "Sequence[str]", at: int) -> Classification:
    found = Classification(tokens, "deno test", "test", "leaf")
    parsed = parse([*tokens[1:at], *tokens[at + 1 :]], OPTIONS)
    parsed.rest = None  # for the test files themselves
    fill(found, parsed, OPTIONS)
    if found.report is not None and found.report[1] == "-":
        found.report = None
    return found


def _task(tokens: "Sequence[str]", at: int) -> Classification | None:
    words = [word for word in tokens[at + 1 :] if not word.startswith("-")]
    role = role_of(words[0]) if words else None
    if role is None:
        return None
    found = Classification(tokens, "deno task", role, "driver")
    found.matching = "name"
    found.selectors = (words[0],)
    found.narrowing = handed_on(tokens[list(tokens).index(words[0]) + 1 :])
    return found


RUNNER = Runner(
    command_class="deno test",
    kind="leaf",
    programs=("deno",),
    read=_read,
    test_files=tuple(
        f"{stem}.{ending}"
        for stem in ("*_test", "*.test", "test", "__tests__/**/*")
        for ending in ("ts", "tsx", "mts", "js", "jsx", "mjs")
    ),
    harness=(
        "deno.json#test,tasks!",
        "deno.jsonc#test,tasks!",
    ),
)
