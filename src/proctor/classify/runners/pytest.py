"""pytest, and the workers of pytest-xdist.

Options of pytest 7 to 9 and of widely used plugins.
"""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    style="abbreviated",
    aliases={
        "--collectonly": "--collect-only",
        "--co": "--collect-only",
        "--last-failed": "--lf",
        "--last-failed-no-failures": "--lfnf",
        "--stepwise": "--sw",
        "--stepwise-skip": "--sw-skip",
        "--stepwise-reset": "--sw-reset",
        "--failed-first": "--ff",
        "--new-first": "--nf",
        "--config-file": "-c",
        "--override-ini": "-o",
        "--junit-xml": "--junitxml",
        "--funcargs": "--fixtures",
        "-V": "--version",
        "--help": "-h",
    },
    valued=(
        *("-k", "-m", "-c", "-o", "-p", "-n", "-W", "-r", "--maxfail", "--tb", "--durations"),
        *("--pythonwarnings", "--rootdir", "--confcutdir", "--basetemp", "--import-mode"),
        *("--ignore", "--ignore-glob", "--deselect", "--lfnf", "--verbosity", "--capture"),
        *("--color", "--code-highlight", "--show-capture", "--pastebin", "--junitxml"),
        *("--junit-prefix", "--junitprefix", "--log-level", "--log-format", "--log-date-format"),
        *("--log-cli-level", "--log-cli-format", "--log-cli-date-format", "--log-file"),
        *("--log-file-mode", "--log-file-level", "--log-file-format", "--log-auto-indent"),
        *("--log-file-date-format", "--log-disable", "--doctest-report", "--doctest-glob"),
        *("--assert", "--pdbcls", "--durations-min", "--xfail-tb"),
        *("--numprocesses", "--dist", "--tx", "--maxprocesses", "--rsyncdir", "--px"),
        *("--max-worker-restart", "--testrunuid", "--loadscope-reorder"),
        *("--cov-report", "--cov-config", "--cov-fail-under", "--cov-context"),
        *("--timeout", "--timeout-method", "--session-timeout", "--reruns", "--reruns-delay"),
        *("--only-rerun", "--rerun-except", "--count", "--repeat-scope", "--html", "--css"),
        *("--randomly-seed", "--random-order-seed", "--random-order-bucket", "--asyncio-mode"),
        *("--hypothesis-profile", "--hypothesis-seed", "--hypothesis-verbosity", "--report-log"),
        *("--json-report-file", "--splits", "--group", "--store-durations-path", "--shard-id"),
        *("--num-shards", "--durations-path", "--splitting-algorithm", "--ds", "--dc"),
        *("--alluredir", "--browser", "--base-url", "--benchmark-json", "--benchmark-columns"),
        *("--record-mode", "--picked-mode", "--parent-branch", "--mode", "--ctrf", "--md"),
        *("--proctor-attempts", "--proctor-quarantine"),
    ),
    optional=("--cov", "--debug", "--cache-show", "--inline-snapshot"),
    flags=(
        *("-x", "-v", "-q", "-s", "-l", "-h", "-f", "-d", "--exitfirst", "--verbose", "--quiet"),
        *("--ff", "--nf", "--pyargs", "--strict", "--strict-config", "--strict-markers", "--pdb"),
        *("--trace", "--fulltrace", "--showlocals", "--no-showlocals", "--no-header"),
        *("--no-summary", "--cache-clear", "--runxfail", "--setup-show", "--trace-config"),
        *("--disable-warnings", "--disable-pytest-warnings", "--doctest-modules", "--full-trace"),
        *("--doctest-ignore-import-errors", "--doctest-continue-on-failure", "--no-cov"),
        *("--keep-duplicates", "--collect-in-virtualenv", "--continue-on-collection-errors"),
        *("--cov-append", "--cov-branch", "--no-cov-on-fail", "--cov-reset", "--looponfail"),
        *("--create-db", "--reuse-db", "--nomigrations", "--no-migrations", "--migrations"),
        *("--random-order", "--self-contained-html", "--json-report", "--force-short-summary"),
        *("--benchmark-disable", "--benchmark-enable", "--headed", "--sw-reset", "--strict-xfail"),
        *("--memray", "--nbval", "--forked", "--flake-finder", "--no-fold-skipped"),
    ),
    narrowing=(
        *("-k", "-m", "--lf", "--lfnf", "--sw", "--sw-skip", "--noconftest", "--picked"),
        *("--testmon", "--testmon-forceselect", "--splits", "--group", "--shard-id"),
        *(
            "--num-shards",
            "--benchmark-only",
            "--only-changed",
            "--suppress-tests-failed-exit-code",
        ),
        *("--doctest-only", "--nbval-lax"),
    ),
    excluding=(
        *("--deselect", "--ignore", "--ignore-glob", "--benchmark-skip", "--skip-slow"),
        *("--exclude-tests",),
    ),
    allows_empty=("--suppress-no-test-exit-code",),
    not_a_run=(
        *("--collect-only", "--version", "-h", "--fixtures", "--fixtures-per-test", "--markers"),
        *("--setup-plan", "--setup-only", "--cache-show"),
    ),
    updates=(
        *("--snapshot-update", "--update-snapshots", "--force-regen", "--regen-all"),
        *("--update-goldens", "--gen-files", "--update-golden", "--mpl-generate-path"),
    ),
    selecting=("-c", "-o", "-p", "--rootdir", "--confcutdir", "--pyargs", "--ds"),
    report={"--junitxml": "junit"},
)

_HARMLESS_INI = (
    *(
        "junit_",
        "log_",
        "cache_dir",
        "console_output_style",
        "tmp_path_",
        "asyncio_",
        "xfail_strict",
    ),
    *("faulthandler_", "filterwarnings", "verbosity_", "truncation_", "timeout", "color"),
)
_HARMLESS_PLUGINS = frozenset(
    (
        *("no:cacheprovider", "no:randomly", "no:random_order", "no:warnings", "no:xdist", "xdist"),
        *("no:cov", "no:sugar", "no:faulthandler", "no:logging", "no:junitxml", "no:rerunfailures"),
        *("no:pastebin", "no:recwarn", "no:terminalreporter", "no:timeout", "no:benchmark"),
        *("no:flaky", "no:html", "no:metadata", "no:pretty", "no:instafail", "no:stepwise"),
        *("pytest_cov", "pytest_randomly", "randomly", "cov", "asyncio", "pytest_asyncio"),
        *("pytest_timeout", "timeout", "pytester", "anyio", "xdist.plugin", "no:nose"),
        *("pytest_cov.plugin", "pytest_asyncio.plugin", "no:hypothesispytest", "no:setuponly"),
        *("proctor.pytest", "pytest_rerunfailures", "rerunfailures", "pytest_forked", "subtests"),
        *("pytest_subtests", "no:subtests", "no:forked"),
    )
)
"""Plugins that, loaded or blocked, leave the selection of tests alone."""


def _read(tokens: "Sequence[str]") -> Classification | None:
    if tokens[0] == "execnet":
        return Classification(tokens, "pytest", "test", "worker")
    found = Classification(tokens, "pytest", "test", "leaf")
    parsed = parse(tokens[1:], OPTIONS)
    fill(found, parsed, OPTIONS)
    found.selectors = tuple(s for s in found.selectors if not _is_harmless(s))
    ini = [value for name, value in parsed.items if name == "--inline-snapshot"]
    if any(word in (value or "") for value in ini for word in ("create", "fix", "update", "trim")):
        found.updates += ("--inline-snapshot",)
    return found


def _is_harmless(selector: str) -> bool:
    if selector.startswith("-o="):
        return selector[3:].startswith(_HARMLESS_INI)
    if selector.startswith("-p="):
        return selector[3:] in _HARMLESS_PLUGINS
    return selector == "--pyargs"


RUNNER = Runner(
    command_class="pytest",
    kind="leaf",
    programs=("pytest", "py.test", "execnet"),
    modules=("pytest", "py.test"),
    read=_read,
    environment=("PYTEST_ADDOPTS", "PYTEST_PLUGINS:-p"),
    test_files=("test_*.py", "*_test.py"),
    harness=(
        "conftest.py#hooks",
        "pytest.toml",
        ".pytest.toml",
        "pytest.ini#pytest,-markers,-log_cli,-log_level,-junit_family,-asyncio_mode",
        ".pytest.ini#pytest,-markers,-log_cli,-log_level,-junit_family,-asyncio_mode",
        "pyproject.toml#tool.pytest,-markers,-log_cli,-log_level,-junit_family,-asyncio_mode",
        "setup.cfg#tool:pytest,-markers,-log_cli,-log_level,-junit_family,-asyncio_mode",
        "tox.ini#pytest,-markers,-log_cli,-log_level,-junit_family,-asyncio_mode",
        "sitecustomize.py",
        "usercustomize.py",
    ),
)
