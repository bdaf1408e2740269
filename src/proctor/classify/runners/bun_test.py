"""bun test, bun's own runner; what else bun starts is read as npm's commands are."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.index import load
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    style="camel",
    aliases={
        "-t": "--testNamePattern",
        "-u": "--updateSnapshots",
        "-h": "--help",
        "-c": "--config",
    },
    valued=(
        *("--testNamePattern", "--timeout", "--rerunEach", "--preload", "--reporterOutfile"),
        *("--seed", "--maxConcurrency", "--coverageReporter", "--coverageDir", "--config"),
        *("--reporter", "--cwd", "--envFile", "--pathIgnorePatterns", "--retry", "--shard"),
    ),
    optional=("--bail", "--changed"),
    flags=("--coverage", "--todo", "--randomize", "--concurrent", "--watch", "--hot", "--silent"),
    narrowing=("--testNamePattern", "--only", "--changed", "--shard"),
    excluding=("--pathIgnorePatterns",),
    allows_empty=("--passWithNoTests",),
    not_a_run=("--help", "--version"),
    updates=("--updateSnapshots",),
    selecting=("--config", "--cwd"),
    report={"--reporterOutfile": "junit"},
)


def _read(tokens: "Sequence[str]") -> Classification | None:
    at = 1
    while at < len(tokens) and tokens[at].startswith("-"):
        at += 2 if tokens[at] in OPTIONS.valued or tokens[at] == "-c" else 1
    if at >= len(tokens) or tokens[at] != "test":
        return load("npm").read(tokens)
    found = Classification(tokens, "bun test", "test", "leaf")
    found.matching = "pattern"
    return fill(found, parse([*tokens[1:at], *tokens[at + 1 :]], OPTIONS), OPTIONS)


RUNNER = Runner(
    command_class="bun test",
    kind="leaf",
    programs=("bun",),
    read=_read,
    test_files=tuple(
        f"{stem}.{ending}"
        for stem in ("*.test", "*_test", "*.spec", "*_spec")
        for ending in ("ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs")
    ),
    harness=("bunfig.toml#test",),
)
