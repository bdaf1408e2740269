"""ava, tape, jasmine, karma, deno, playwright, cypress, bun."""

from collections.abc import Callable

import pytest

from tests.unit.classify.runners.conftest import Read

BIN = "node node_modules/.bin/"


@pytest.mark.parametrize(
    ("line", "command_class", "selectors", "narrowing"),
    [
        (f"{BIN}ava", "ava", [], []),
        (f"{BIN}ava --match x test/a.js -- --arg", "ava", ["test/a.js"], ["--match=x"]),
        (f"{BIN}ava --config o.js --fail-fast", "ava", ["--config=o.js"], []),
        (f"{BIN}tape -r x test/*.js", "tape", ["test/*.js"], []),
        (f"{BIN}tape --only test/a.js -i .ignore", "tape", ["test/a.js"], ["--only", "--ignore=.ignore"]),
        (f"{BIN}jasmine spec/a.js", "jasmine", ["spec/a.js"], []),
        (f"{BIN}jasmine --filter=x --filter-path=y", "jasmine", [], ["--filter=x", "--filterPath=y"]),
        (f"{BIN}jasmine --config=o.json --parallel=2", "jasmine", ["--config=o.json"], []),
        (f"{BIN}karma start karma.conf.js --single-run", "karma", ["karma.conf.js"], []),
        (f"{BIN}karma start -- --grep x", "karma", [], ["-- --grep"]),
        (f"{BIN}karma start --browsers X --grep=y", "karma", ["--browsers=X"], ["--grep=y"]),
        ("deno test", "deno test", [], []),
        ("deno -q test -A --filter x src/ -- --mine", "deno test", ["src/"], ["--filter=x"]),
        ("deno test --ignore=a --config o.json", "deno test", ["--config=o.json"], ["--ignore=a"]),
        ("deno -L debug test a.ts", "deno test", ["a.ts"], []),
        (f"{BIN}playwright test", "playwright test", [], []),
        (f"{BIN}playwright test -g x a.spec.ts", "playwright test", ["a.spec.ts"], ["--grep=x"]),
        (f"{BIN}playwright test --project chromium", "playwright test", [], ["--project=chromium"]),
        (f"{BIN}playwright test -c o.ts --grep-invert x", "playwright test", ["--config=o.ts"], ["--grepInvert=x"]),
        (f"{BIN}cypress run", "cypress run", [], []),
        (f"{BIN}cypress run -s a.cy.js,b.cy.js", "cypress run", ["a.cy.js", "b.cy.js"], []),
        (f"{BIN}cypress run -C o.js --parallel", "cypress run", ["--config-file=o.js"], ["--parallel"]),
        ("bun test", "bun test", [], []),
        ("bun --cwd sub test -t x a.test.ts", "bun test", ["--cwd=sub", "a.test.ts"], ["--testNamePattern=x"]),
    ],
)  # fmt: skip
def test_javascript_runners(
    read: Read, line: str, command_class: str, selectors: list[str], narrowing: list[str]
) -> None:
    found = read(line)
    assert (found.command_class, found.kind, found.role) == (command_class, "leaf", "test")
    assert (list(found.selectors), list(found.narrowing)) == (selectors, narrowing)


@pytest.mark.parametrize(
    "line",
    [
        *(f"{BIN}ava --help", f"{BIN}ava reset-cache", f"{BIN}ava debug a.js", f"{BIN}tape"),
        *(f"{BIN}jasmine init", f"{BIN}jasmine enumerate", f"{BIN}jasmine -v"),
        *(f"{BIN}karma start --detached", "deno test --no-run", "deno test --help"),
        *(f"{BIN}playwright test --list", f"{BIN}playwright test --ui", f"{BIN}cypress run -h"),
        "bun test --help",
    ],
)
def test_what_executes_nothing_is_not_a_run(read: Read, line: str) -> None:
    assert read(line).not_a_run


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("deno test --junit-path=o.xml", "o.xml"),
        ("bun test --reporter=junit --reporter-outfile=o.xml", "o.xml"),
        (f"{BIN}cypress run -r junit -o mochaFile=o.xml,toConsole=true", "o.xml"),
    ],
)
def test_reports_that_argv_asks_for(read: Read, line: str, path: str) -> None:
    assert read(line).report == ("junit", path)


@pytest.mark.parametrize(
    "line",
    [
        *("deno test --junit-path=-", "deno test --reporter=junit"),
        *(f"{BIN}cypress run -r junit -o mochaFile=[hash].xml", f"{BIN}cypress run -r junit"),
        f"{BIN}cypress run -r junit -o toConsole=true",
    ],
)
def test_reports_without_a_place_are_none(read: Read, line: str) -> None:
    assert read(line).report is None


@pytest.mark.parametrize(
    ("line", "option"),
    [
        (f"{BIN}karma start --no-fail-on-empty-test-suite", "--noFailOnEmptyTestSuite"),
        ("deno test --permit-no-files", "--permit-no-files"),
        (f"{BIN}playwright test --pass-with-no-tests", "--passWithNoTests"),
        ("bun test --pass-with-no-tests", "--passWithNoTests"),
    ],
)
def test_what_lets_an_empty_run_pass_is_known(read: Read, line: str, option: str) -> None:
    assert read(line).allows_empty == (option,)


@pytest.mark.parametrize(
    ("line", "updates"),
    [
        (f"{BIN}ava -u", ("--updateSnapshots",)),
        (f"{BIN}playwright test -u", ("--updateSnapshots",)),
        (f"{BIN}playwright test --update-snapshots=none", ()),
        ("bun test -u", ("--updateSnapshots",)),
    ],
)
def test_expectations_that_are_rewritten(read: Read, line: str, updates: tuple[str, ...]) -> None:
    assert read(line).updates == updates


@pytest.mark.parametrize(
    ("line", "command_class", "role", "kind"),
    [
        ("deno task test", "deno task", "test", "driver"),
        ("deno lint", "deno lint", "lint", None),
        ("bun run test", "bun test", "test", "driver"),
        ("bun install", "bun install", "install", None),
    ],
)
def test_other_words(
    read: Read, line: str, command_class: str, role: str, kind: str | None
) -> None:
    found = read(line)
    assert (found.command_class, found.role, found.kind) == (command_class, role, kind)


def test_what_is_handed_on_to_a_task_narrows_it(read: Read) -> None:
    assert read("deno task test a.ts").narrowing == ("-- a.ts",)


def test_a_karma_server_runs_tests_elsewhere(read: Read) -> None:
    assert read(f"{BIN}karma run").remote == "the karma server"


@pytest.mark.parametrize(
    "line",
    [
        *("deno run a.ts", "deno", "deno task x", "deno task", f"{BIN}karma init", f"{BIN}karma"),
        *(f"{BIN}playwright install", f"{BIN}cypress open", f"{BIN}cypress"),
    ],
)
def test_neighbours_have_no_class(is_nothing: Callable[[str], bool], line: str) -> None:
    assert is_nothing(line)


def test_variables_narrow_too(read: Read) -> None:
    found = read(f"{BIN}cypress run", {"CYPRESS_grepTags": "x", "CYPRESS_grep": "false"})
    assert found.narrowing_env == ("CYPRESS_grepTags: CYPRESS_grepTags",)
    found = read(f"{BIN}jasmine", {"JASMINE_CONFIG_PATH": "o.json"})
    assert found.narrowing_env == ("JASMINE_CONFIG_PATH: JASMINE_CONFIG_PATH",)
