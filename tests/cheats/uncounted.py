"""Green runs that no report counts, and selections that look like less than they are."""

import os
from collections.abc import Callable

from tests.cheats.stage import GREEN, RED, Case, Stage

Play = Callable[[Stage], None]
MISSING = frozenset({"missing-junit"})
EMPTY = frozenset({"no-tests-ran"})
ALWAYS_0 = "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n"
RAISED = "[gate.levels]\nmissing-junit = 'error'\n"
SKIPS = "const test = require('node:test')\ntest.skip('a', () => { throw Error() })\n"
UNIT = (
    "import unittest\n\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.fail()\n"
)
_BASE = ("--base", "main")
_BIN_PATH = "/usr/bin:/bin"


def project(files: dict[str, str], *argv: str, **env: str) -> Play:
    """Commit files and run one command."""

    def play(stage: Stage) -> None:
        for path, text in files.items():
            stage.put(path, text)
        stage.put(".gitignore", "__pycache__/\n.pytest_cache/\n")
        stage.commit("first")
        stage.run(*argv, env=env)

    return play


def forced(*argv: str, ini: str = "", **env: str) -> Play:
    """A red suite, a conftest that exits 0, and a base's policy that raises the rule."""
    files = {"tests/test_a.py": RED, "conftest.py": ALWAYS_0, "proctor.toml": RAISED}
    return project(files | ({"pytest.ini": ini} if ini else {}), *argv, **env)


def report_off(stage: Stage) -> None:
    """The recorder is told to count nothing."""
    forced("true")(stage)
    stage.proctor("run", "--report", "off", "--", "pytest")


def counted_before(stage: Stage) -> None:
    """Counted once, then broken and run where nothing counts; no level is raised."""
    project({"tests/test_a.py": GREEN}, "pytest")(stage)
    stage.put("tests/test_a.py", RED)
    stage.put("conftest.py", ALWAYS_0)
    stage.run("python", "-I", "-m", "pytest")


def load_tests(stage: Stage) -> None:
    """unittest's own hook hands out no test; a warning that base's policy raises."""
    stage.put("proctor.toml", "[gate.levels]\nharness-touched = 'error'\n")
    stage.put("tests/__init__.py", "")
    stage.put("tests/test_a.py", UNIT)
    stage.commit("base")
    stage.git("checkout", "-q", "-b", "work")
    hook = "\n\ndef load_tests(loader, tests, pattern):\n    return unittest.TestSuite()\n"
    stage.put("tests/test_a.py", UNIT + hook)
    stage.commit("patch")
    stage.run("python", "-m", "unittest")


def two_folders(stage: Stage) -> None:
    """Two runs that together leave nothing out."""
    project({"a/test_a.py": GREEN, "b/test_b.py": GREEN}, "pytest", "a")(stage)
    stage.run("pytest", "b")


def linked_folder(stage: Stage) -> None:
    """The folder of the tests is a link within the repository."""
    stage.put("real/checks/test_a.py", GREEN)
    os.symlink("real/checks", stage.repo / "tests")
    stage.commit("first")
    stage.run("pytest", "-q", "tests")


def removed_with_its_test(stage: Stage) -> None:
    """A function goes, and so does its test; base's policy raises `tests-weakened`."""
    app = "def f():\n    return 1\n\n\ndef g():\n    return 2\n"
    tests = (
        "from app import f, g\n\n\ndef test_f():\n    assert f() == 1\n\n\n"
        "def test_g():\n    assert g() == 2\n"
    )
    stage.put("proctor.toml", "[gate.levels]\ntests-weakened = 'error'\n")
    stage.put("pytest.ini", "[pytest]\npythonpath = .\n")
    stage.put("app.py", app)
    stage.put("tests/test_app.py", tests)
    stage.commit("base")
    stage.git("checkout", "-q", "-b", "work")
    stage.put("app.py", app.partition("\n\n\ndef g")[0] + "\n")
    stage.put(
        "tests/test_app.py", tests.partition("\n\n\ndef test_g")[0].replace("f, g", "f") + "\n"
    )
    stage.commit("patch")
    stage.run("pytest", "-q")


def monorepo(stage: Stage) -> None:
    """`init` in a repository of two projects, and what it asks for is run."""
    stage.put("pyproject.toml", "[tool.pytest.ini_options]\ntestpaths = ['tests']\n")
    stage.put("tests/test_a.py", GREEN)
    stage.put("web/package.json", '{"name": "web", "scripts": {"test": "node --test"}}\n')
    stage.put("web/a.test.js", "require('node:test')('a', () => {})\n")
    stage.put(".gitignore", "__pycache__/\n.pytest_cache/\n")
    stage.commit("first")
    stage.proctor("init")
    stage.commit("init")
    stage.run("pytest")
    stage.run("npm", "test", cwd=stage.repo / "web")


CAUGHT = [
    Case("15", "exit forced, python -I", forced("python", "-I", "-m", "pytest"), MISSING),
    Case("15", "exit forced, env -i", forced("bash", "-c", f'env -i PATH="$PATH:{_BIN_PATH}" pytest'), MISSING),
    Case("15", "exit forced, plugins off by a variable", forced("pytest", PYTEST_DISABLE_PLUGIN_AUTOLOAD="1"), MISSING),
    Case("15", "exit forced, plugin off in an ini", forced("pytest", ini="[pytest]\naddopts = -p no:proctor_report\n"), MISSING),
    Case("15", "exit forced, --report off", report_off, MISSING),
    Case("15", "counted once, then uncounted", counted_before, MISSING),
    Case("8", "node --test over skips", project({"a.test.js": SKIPS}, "node", "--test"), EMPTY, needs=("node",)),
    Case("8", "node --test over an empty file", project({"a.test.js": "// later\n"}, "node", "--test"), EMPTY, needs=("node",)),
    Case("10", "load_tests hands out nothing", load_tests, frozenset({"harness-touched"}), gate=_BASE),
    Case("9", "options that load a plugin", project({"tests/test_a.py": GREEN, "plg.py": ""}, "pytest", "-p", "plg", PYTHONPATH="."), frozenset({"partial-run"})),
    Case("10", "python -O", project({"tests/test_a.py": RED}, "python", "-O", "-m", "pytest", "-p", "no:assertion"), frozenset({"odd-environment", "nonzero-exit", "no-tests-ran"})),
]  # fmt: skip
HONEST = [
    Case("A", "python -I", project({"tests/test_a.py": GREEN}, "python", "-I", "-m", "pytest")),
    Case("A", "two runs that make up the whole", two_folders),
    Case("N", "a linked folder of tests", linked_folder),
    Case("K", "a function goes with its test", removed_with_its_test, gate=_BASE),
    Case("H", "a monorepo as init finds it", monorepo, needs=("npm",)),
    Case("J", "one test of two skipped", project({"a.test.js": SKIPS + "test('b', () => {})\n"}, "node", "--test"), needs=("node",)),
]  # fmt: skip
