"""cypress run: specs in a browser that it starts."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    aliases={
        "-b": "--browser",
        "-c": "--config",
        "-C": "--config-file",
        "-e": "--env",
        "-k": "--key",
        "-p": "--port",
        "-P": "--project",
        "-q": "--quiet",
        "-r": "--reporter",
        "-o": "--reporter-options",
        "-s": "--spec",
        "-t": "--tag",
        "-h": "--help",
        "-v": "--version",
    },
    valued=(
        *("--auto-cancel-after-failures", "--browser", "--ci-build-id", "--config"),
        *("--config-file", "--env", "--group", "--key", "--port", "--project", "--reporter"),
        *("--reporter-options", "--spec", "--tag"),
    ),
    optional=("--record",),
    flags=("--headed", "--headless", "--no-exit", "--quiet", "--runner-ui", "--no-runner-ui"),
    narrowing=("--parallel",),
    allows_empty=("--pass-with-no-tests",),
    not_a_run=("--help", "--version"),
    selecting=("--config", "--config-file", "--project", "--component", "--e2e", "--env"),
)


def _read(tokens: "Sequence[str]") -> Classification | None:
    parsed = parse(tokens[1:], OPTIONS)
    if parsed.positionals()[:1] != ["run"]:
        return None
    found = Classification(tokens, "cypress run", "test", "leaf")
    fill(found, parsed, OPTIONS)
    specs = [path for path in (parsed.value("--spec") or "").split(",") if path]
    found.selectors = (*(s for s in found.selectors if s.startswith("-")), *specs)
    if parsed.value("--reporter") == "junit":
        for word in (parsed.value("--reporter-options") or "").split(","):
            name, _, path = word.partition("=")
            if name == "mochaFile" and path and "[hash]" not in path:
                found.report = ("junit", path)
    return found


def _read_environment(name: str, value: str) -> "list[str]":
    return [name] if value.lower() not in ("0", "false") else []


RUNNER = Runner(
    command_class="cypress run",
    kind="leaf",
    programs=("cypress",),
    read=_read,
    environment=("CYPRESS_grep", "CYPRESS_grepTags", "CYPRESS_SPEC_PATTERN"),
    read_environment=_read_environment,
    test_files=(
        *("*.cy.js", "*.cy.jsx", "*.cy.ts", "*.cy.tsx", "cypress/integration/**/*.js"),
        *("cypress/integration/**/*.ts", "cypress/e2e/**/*.js", "cypress/e2e/**/*.ts"),
    ),
    harness=(
        "cypress.config.*",
        "cypress.json",
        "cypress/support/*",
    ),
)
