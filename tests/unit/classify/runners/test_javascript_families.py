"""npm and its kin, jest, vitest, mocha, node --test."""

from collections.abc import Callable

import pytest

from tests.unit.classify.runners.conftest import Read


@pytest.mark.parametrize(
    ("line", "command_class", "selectors", "narrowing"),
    [
        ("npm test", "npm test", [], []),
        ("npm t", "npm test", [], []),
        ("node /usr/bin/npm test", "npm test", [], []),
        ("node /x/npm/bin/npm-cli.js run test", "npm test", [], []),
        ("npm run test:unit", "npm test", ["test:unit"], []),
        ("npm test -- -t foo", "npm test", [], ["-- -t", "-- foo"]),
        ("npm test -- --run", "npm test", [], []),
        ("npm test -- --watch=false --runInBand", "npm test", [], []),
        ("npm test --if-present", "npm test", [], ["--if-present"]),
        ("npm -w pkg test", "npm test", [], ["--workspace=pkg"]),
        ("npm --prefix sub test", "npm test", ["--prefix=sub"], []),
        ("npm run lint", "npm run", ["lint"], []),
        ("pnpm test", "pnpm test", [], []),
        ("pnpm test -- -t x", "pnpm test", [], ["-- -t", "-- x"]),
        ("pnpm --filter web test", "pnpm test", [], ["--filter=web"]),
        ("pnpm --filter web vitest run", "pnpm exec", ["vitest", "run"], ["--filter=web"]),
        ("pnpm exec jest", "pnpm exec", ["jest"], []),
        ("pnpm test:ci", "pnpm test", ["test:ci"], []),
        ("yarn test", "yarn test", [], []),
        ("node /x/.yarn/releases/yarn-4.0.2.cjs test", "yarn test", [], []),
        ("yarn workspace web test", "yarn test", [], ["workspace=web"]),
        ("bun run test", "bun test", [], []),
        ("bun test a.test.ts -t x", "bun test", ["a.test.ts"], ["--testNamePattern=x"]),
    ],
)
def test_scripts(
    read: Read, line: str, command_class: str, selectors: list[str], narrowing: list[str]
) -> None:
    found = read(line)
    assert found.command_class == command_class
    assert (list(found.selectors), list(found.narrowing)) == (selectors, narrowing)


@pytest.mark.parametrize(
    ("line", "role"),
    [
        ("npm ci", "install"),
        ("yarn", "install"),
        ("pnpm add x", "install"),
        ("yarn build", "build"),
    ],
)
def test_other_words_of_package_managers(read: Read, line: str, role: str) -> None:
    assert read(line).role == role


@pytest.mark.parametrize(
    "line",
    ["npm run", "npm", "npm publish", "yarn --version", "pnpm foo", "pnpm exec tsc", "npm x"],
)
def test_what_is_no_script_has_no_class(is_nothing: Callable[[str], bool], line: str) -> None:
    assert is_nothing(line)


def test_npm_reads_its_variables(read: Read) -> None:
    environ = {"npm_config_if_present": "true", "npm_config_workspace": "a"}
    assert read("npm test", environ).narrowing_env == (
        "npm_config_workspace: --workspace=a",
        "npm_config_if_present: --if-present",
    )
    assert read("npm test", {"npm_config_if_present": "false"}).narrowing_env == ()


@pytest.mark.parametrize(
    ("line", "selectors", "narrowing"),
    [
        ("jest --ci", [], []),
        ("node /x/node_modules/jest/bin/jest.js src/a", ["src/a"], []),
        ("node --max-old-space-size=4096 -r x /x/.bin/jest", [], []),
        ("jest -t foo", [], ["--testNamePattern=foo"]),
        ("jest --test-name-pattern=foo", [], ["--testNamePattern=foo"]),
        ("jest --shard=1/2 -o", [], ["--shard=1/2", "--onlyChanged"]),
        ("jest --changedSince main", [], ["--changedSince=main"]),
        ("jest --passWithNoTests", [], ["--passWithNoTests"]),
        ("jest -c x.js", ["--config=x.js"], []),
    ],
)
def test_jest(read: Read, line: str, selectors: list[str], narrowing: list[str]) -> None:
    found = read(line)
    assert (found.command_class, found.kind) == ("jest", "leaf")
    assert (list(found.selectors), list(found.narrowing)) == (selectors, narrowing)


def test_jest_that_may_run_nothing_says_so(read: Read) -> None:
    assert read("jest --pass-with-no-tests").allows_empty == ("--passWithNoTests",)


@pytest.mark.parametrize(
    "option", ["--listTests", "--showConfig", "--version", "-h", "--clearCache"]
)
def test_jest_that_runs_nothing_is_not_a_run(read: Read, option: str) -> None:
    assert read(f"jest {option}").not_a_run


def test_reports_of_jest(read: Read) -> None:
    assert read("jest --json --outputFile=o.json").report == ("jest", "o.json")
    assert read("jest --reporters=jest-junit").report == ("junit", "junit.xml")
    assert read("jest -u").updates == ("--updateSnapshot",)


@pytest.mark.parametrize(
    ("line", "command_class"),
    [
        ("node /x/jest-worker/build/workers/processChild.js", "jest"),
        ("node /x/vitest/dist/workers/forks.js", "vitest"),
        ("node /x/tinypool/dist/entry/process.js", "vitest"),
    ],
)
def test_workers_are_no_runs(read: Read, line: str, command_class: str) -> None:
    found = read(line)
    assert (found.command_class, found.kind) == (command_class, "worker")


@pytest.mark.parametrize(
    "line", ["node /x/processChild.js", "node /x/process.js", "node /x/cli.js"]
)
def test_names_alone_make_no_worker(is_nothing: Callable[[str], bool], line: str) -> None:
    assert is_nothing(line)


@pytest.mark.parametrize(
    ("line", "selectors", "narrowing"),
    [
        ("vitest run", [], []),
        ("vitest --run src/a.test.ts", ["src/a.test.ts"], []),
        ("node /x/vitest/vitest.mjs run -t foo", [], ["--testNamePattern=foo"]),
        ("vitest related a.ts", ["a.ts"], ["related"]),
        ("vitest --project web --exclude x", [], ["--project=web", "--exclude=x"]),
    ],
)
def test_vitest(read: Read, line: str, selectors: list[str], narrowing: list[str]) -> None:
    found = read(line)
    assert (found.command_class, found.kind) == ("vitest", "leaf")
    assert (list(found.selectors), list(found.narrowing)) == (selectors, narrowing)


def test_reports_of_vitest(read: Read) -> None:
    line = "vitest run --reporter=junit --outputFile.junit=o.xml"
    assert read(line).report == ("junit", "o.xml")
    assert read("vitest run --reporter=junit").report is None
    assert read("vitest list").not_a_run == "list"


@pytest.mark.parametrize(
    ("line", "selectors", "narrowing"),
    [
        ("mocha test/a.js", ["test/a.js"], []),
        ("node /x/mocha/bin/mocha.js -g nothing", [], ["--grep=nothing"]),
        ("node /x/mocha/lib/cli/cli.js", [], []),
        ("mocha -i -f x --ignore y", [], ["--invert", "--fgrep=x", "--ignore=y"]),
    ],
)
def test_mocha(read: Read, line: str, selectors: list[str], narrowing: list[str]) -> None:
    found = read(line)
    assert (found.command_class, found.kind) == ("mocha", "leaf")
    assert (list(found.selectors), list(found.narrowing)) == (selectors, narrowing)


def test_reports_of_mocha(read: Read) -> None:
    assert read("mocha -R xunit -O output=o.xml").report == ("junit", "o.xml")
    assert read("mocha --dry-run").not_a_run == "--dry-run"


@pytest.mark.parametrize(
    ("line", "selectors", "narrowing"),
    [
        ("node --test", [], []),
        ("node --test --test-only a.js", ["a.js"], ["--test-only"]),
        ("node --test-name-pattern=x --test", [], ["--test-name-pattern=x"]),
        ("node --import x --test --test-shard 1/2", [], ["--test-shard=1/2"]),
    ],
)
def test_node_test(read: Read, line: str, selectors: list[str], narrowing: list[str]) -> None:
    found = read(line)
    assert (found.command_class, found.kind) == ("node --test", "leaf")
    assert (list(found.selectors), list(found.narrowing)) == (selectors, narrowing)


def test_the_processes_of_node_test_are_workers(read: Read) -> None:
    environ = {"NODE_TEST_CONTEXT": "child-v8", "NODE_OPTIONS": "--test-only"}
    assert read("node --test-name-pattern=x a.js", environ).kind == "worker"
    assert read("node --test", environ).narrowing_env == ("NODE_OPTIONS: --test-only",)


def test_reports_of_node_test(read: Read) -> None:
    line = "node --test --test-reporter=junit --test-reporter-destination=o.xml"
    assert read(line).report == ("junit", "o.xml")
    to_stdout = "node --test --test-reporter=junit --test-reporter-destination=stdout"
    assert read(to_stdout).report is None


@pytest.mark.parametrize("line", ["node a.js", "node -e 0", "node", "node --", "node -p 1 --test"])
def test_other_uses_of_node_have_no_class(is_nothing: Callable[[str], bool], line: str) -> None:
    assert is_nothing(line) or "--test" in line
