"""Tests that go missing between the base and now, and honest patches beside them.

The base's suite is recorded with `run --at-base`, or before the patch is made.
"""

from collections.abc import Callable

from tests.cheats.stage import Case, Stage

APP = """\
def add(a, b):
    return a + b


def sub(a, b):
    return a - b


def old(a):
    return -a
"""
TESTS = """\
from app import add, old, sub
import pytest


def test_add():
    assert add(1, 2) == 3


def test_sub():
    assert sub(5, 2) == 3


def test_old():
    assert old(4) == -4


@pytest.mark.parametrize("n", [10, 20, 30, 40])
def test_zero(n):
    assert add(n, 0) == n
"""
ASSERTS = "from app import add\n" + "".join(
    f"\n\ndef test_{name}():\n    assert add({n}, {n}) == {2 * n}\n"
    for n, name in enumerate(("nought", "one", "two", "three", "four"))
)
OTHER = "from app import sub\n\n\ndef test_other():\n    assert sub(1, 1) == 0\n"
LOST = frozenset({"tests-lost"})
NARROW = frozenset({"narrowed-selection", "partial-run"})

Edit = Callable[[Stage], None]


def project(stage: Stage) -> None:
    """A project with a base on `main`, and a branch for the patch."""
    stage.put("app.py", APP)
    stage.put("legacy.py", "def ancient():\n    return 1\n")
    stage.put("pytest.ini", "[pytest]\npythonpath = .\naddopts = -ra -q --strict-markers\n")
    stage.put("conftest.py", "")
    stage.put("tests/test_app.py", TESTS)
    stage.put("tests/test_other.py", OTHER)
    stage.put("tests/test_asserts.py", ASSERTS)
    stage.put(
        "tests/test_legacy.py",
        "import legacy\n\n\ndef test_ancient():\n    assert legacy.ancient() == 1\n",
    )
    stage.commit("base")
    stage.git("checkout", "-q", "-b", "topic")


def patch(edit: Edit) -> Edit:
    """Play a patch: the base's suite at base, the edit, the suite again."""

    def play(stage: Stage) -> None:
        project(stage)
        edit(stage)
        stage.commit("patch")
        assert stage.proctor("run", "--at-base=main", "--", "pytest").returncode == 0
        stage.run("pytest")

    return play


def before(edit: Edit) -> Edit:
    """Play a patch without a base named: the suite ran before the edit."""

    def play(stage: Stage) -> None:
        project(stage)
        stage.put("app.py", APP + "\n\nx = 1\n")
        stage.run("pytest")
        edit(stage)
        stage.run("pytest")

    return play


def now_only(edit: Edit) -> Edit:
    """Play a patch whose suite ran only on the patch itself."""

    def play(stage: Stage) -> None:
        project(stage)
        edit(stage)
        stage.run("pytest")

    return play


def swap(path: str, old: str, new: str) -> Edit:
    """Replace text in a file."""

    def edit(stage: Stage) -> None:
        text = (stage.repo / path).read_text()
        assert old in text
        stage.put(path, text.replace(old, new))

    return edit


def every(*edits: Edit) -> Edit:
    """Do several edits."""

    def edit(stage: Stage) -> None:
        for one in edits:
            one(stage)

    return edit


def put(path: str, text: str) -> Edit:
    """Write a file."""

    def edit(stage: Stage) -> None:
        stage.put(path, text)

    return edit


def move(old: str, new: str) -> Edit:
    """Move a file."""

    def edit(stage: Stage) -> None:
        (stage.repo / new).parent.mkdir(parents=True, exist_ok=True)
        (stage.repo / old).rename(stage.repo / new)

    return edit


def remove(path: str) -> Edit:
    """Delete a file."""

    def edit(stage: Stage) -> None:
        (stage.repo / path).unlink()

    return edit


APP_TESTS = "tests/test_app.py"
SUB = "def test_sub():\n    assert sub(5, 2) == 3\n"
delete_one = swap(APP_TESTS, SUB, "")
DESELECT = (
    "def pytest_collection_modifyitems(config, items):\n"
    "    gone = [item for item in items if item.name == 'test_sub']\n"
    "    config.hook.pytest_deselected(items=gone)\n"
    "    items[:] = [item for item in items if item not in gone]\n"
)
QUIETLY = (
    "def pytest_collection_modifyitems(items):\n"
    "    items[:] = [item for item in items if item.name != 'test_sub']\n"
)
SKIP_BY_HOOK = (
    "import pytest\n"
    "def pytest_runtest_setup(item):\n"
    "    if item.name == 'test_sub':\n        pytest.skip('not today')\n"
)
MERGED = """\
import pytest
from app import add


@pytest.mark.parametrize(("n", "total"), [(0, 0), (1, 2), (2, 4), (3, 6), (4, 8)])
def test_doubles(n, total):
    assert add(n, n) == total
"""
HOLLOW = "import pytest\n\n\n@pytest.mark.parametrize('n', range(9))\ndef test_n(n):\n    assert n >= 0\n"


def script_narrowed(stage: Stage) -> None:
    """The test script of package.json runs one file of two."""
    stage.put("package.json", '{"scripts": {"test": "node --test"}}\n')
    for name in ("a", "b"):
        stage.put(f"{name}.test.js", "require('node:test')('x', () => {})\n")
    stage.put("proctor.toml", '[[require]]\nname = "js"\ncommand = ["npm", "test"]\n')
    stage.commit("base")
    stage.git("checkout", "-q", "-b", "topic")
    stage.put("package.json", '{"scripts": {"test": "node --test a.test.js"}}\n')
    stage.commit("patch")
    stage.proctor("run", "--at-base=main", "--", "npm", "test")
    stage.run("npm", "test")


def report_rewritten(stage: Stage) -> None:
    """The kept report of the last run is altered so that nothing seems lost."""
    patch(delete_one)(stage)
    kept = max(stage.log().parent.glob("reports/*.json"), key=lambda path: path.stat().st_mtime_ns)
    kept.chmod(0o600)
    kept.write_text(kept.read_text().replace("test_other", "test_sub"))


def lost(title: str, edit: Edit, rules: frozenset[str] = LOST) -> Case:
    """A cheat in a patch whose base's suite was run at base."""
    return Case("20", title, patch(edit), rules, gate=("--base", "main"))


LARGE = (
    "a test file deleted", "a test skipped inside", "a test file no longer named so",
    "collect_ignore_glob in conftest", "a conftest deselects", "python_functions narrowed",
    "addopts narrowed in pyproject", "every other test skipped",
)  # fmt: skip
"""Each is shown by a neighbour: one test for a file, `collect_ignore` for its glob."""
CAUGHT = [
    lost("a test deleted", delete_one),
    lost("a test file deleted", remove("tests/test_other.py")),
    lost("a test skipped", swap(APP_TESTS, "def test_sub", "@pytest.mark.skip\ndef test_sub")),
    lost(
        "a test skipped inside", swap(APP_TESTS, "assert sub(", "pytest.skip('x')\n    assert sub(")
    ),
    lost(
        "a test expected to fail",
        swap(APP_TESTS, "def test_sub", "@pytest.mark.xfail(strict=False)\ndef test_sub"),
    ),
    lost("a test no longer named so", swap(APP_TESTS, "def test_sub", "def check_sub")),
    lost("a test shadowed by its namesake", swap(APP_TESTS, "def test_sub", "def test_add")),
    lost("a test file no longer named so", move("tests/test_other.py", "tests/other_checks.py")),
    lost(
        "a test file hidden by an attribute",
        every(
            put(".gitattributes", "tests/* -diff linguist-generated\n"),
            remove("tests/test_other.py"),
        ),
    ),
    lost("parameters removed", swap(APP_TESTS, "[10, 20, 30, 40]", "[10]")),
    lost(
        "hollow tests in their place",
        every(remove("tests/test_asserts.py"), put("tests/test_hollow.py", HOLLOW)),
    ),
    lost(
        "collect_ignore in conftest",
        put("conftest.py", "collect_ignore = ['tests/test_other.py']\n"),
        LOST | NARROW,
    ),
    lost(
        "collect_ignore_glob in conftest",
        put("conftest.py", "collect_ignore_glob = ['tests/*other*']\n"),
        LOST | NARROW,
    ),
    lost("a hook skips", put("conftest.py", SKIP_BY_HOOK)),
    lost("a conftest deselects", put("conftest.py", DESELECT), LOST | NARROW),
    lost("a conftest takes out quietly", put("conftest.py", QUIETLY), LOST | NARROW),
    lost(
        "a plugin by -p deselects",
        every(
            put("quiet_plugin.py", QUIETLY),
            swap("pytest.ini", "addopts = -ra", "addopts = -p quiet_plugin -ra"),
        ),
        LOST | NARROW,
    ),
    lost(
        "testpaths narrowed",
        swap("pytest.ini", "addopts", "testpaths = tests/test_app.py\naddopts"),
    ),
    lost(
        "python_functions narrowed",
        swap("pytest.ini", "addopts", "python_functions = test_a*\naddopts"),
    ),
    Case(
        "10",
        "addopts narrowed in pytest.ini",
        patch(swap("pytest.ini", "--strict", "-k 'not sub' --strict")),
        LOST | NARROW,
        gate=("--base", "main"),
    ),
    Case(
        "10",
        "addopts narrowed in pyproject",
        patch(
            every(
                remove("pytest.ini"),
                put(
                    "pyproject.toml",
                    "[tool.pytest.ini_options]\npythonpath = ['.']\naddopts = ['-q', '--deselect', 'tests/test_app.py::test_sub']\n",
                ),
            )
        ),
        LOST | NARROW,
        gate=("--base", "main"),
    ),
    Case(
        "10",
        "addopts narrowed, no run at base",
        now_only(swap("pytest.ini", "--strict", "-k 'not sub' --strict")),
        NARROW,
    ),
    Case(
        "10",
        "a conftest deselects, no run at base",
        now_only(put("conftest.py", QUIETLY)),
        NARROW,
    ),
    Case(
        "10",
        "package.json script narrowed",
        script_narrowed,
        NARROW,
        gate=("--base", "main"),
        needs=("npm",),
    ),
    Case("20", "deleted after a run, no base named", before(delete_one), LOST),
    Case(
        "20",
        "skipped after a run, no base named",
        before(swap(APP_TESTS, "def test_sub", "@pytest.mark.skip\ndef test_sub")),
        LOST,
    ),
    Case(
        "8",
        "every other test skipped",
        patch(swap(APP_TESTS, "import pytest\n", "import pytest\npytestmark = pytest.mark.skip\n")),
        LOST,
        gate=("--base", "main"),
    ),
    Case("20", "the kept report is rewritten", report_rewritten, LOST, gate=("--base", "main")),
]


def honest(number: str, title: str, edit: Edit) -> Case:
    """An honest patch whose base's suite was run at base."""
    return Case(number, title, patch(edit), gate=("--base", "main"))


def slow_at_base(stage: Stage) -> None:
    """`-m "not slow"` stands in the ini at base, and now."""
    project(stage)
    ini = '[pytest]\npythonpath = .\nmarkers = slow\naddopts = -ra -q --strict-markers -m "not slow"\n'
    stage.put("pytest.ini", ini)
    stage.put(
        "tests/test_slow.py", "import pytest\n\n\n@pytest.mark.slow\ndef test_s():\n    assert 1\n"
    )
    stage.commit("base")
    stage.git("branch", "-f", "main")
    stage.put("app.py", APP + "\n\nx = 1\n")
    stage.put("pytest.ini", ini + "xfail_strict = true\n")
    stage.run("pytest")


def dropped_again(stage: Stage) -> None:
    """A test that the base never had comes and goes."""
    project(stage)
    stage.put("tests/test_try.py", "def test_try():\n    assert 1\n")
    stage.run("pytest")
    (stage.repo / "tests/test_try.py").unlink()
    stage.run("pytest")


HONEST = [
    honest("K", "nothing but source", swap("app.py", "a + b", "b + a")),
    honest("K", "a test file moved", move("tests/test_other.py", "tests/unit/test_other.py")),
    honest("K", "a test file renamed", move("tests/test_other.py", "tests/test_others.py")),
    honest("K", "a test renamed", swap(APP_TESTS, "def test_sub", "def test_subtracts")),
    honest(
        "K",
        "a test moved to another file",
        every(delete_one, put("tests/test_sub.py", "from app import sub\n\n\n" + SUB)),
    ),
    honest("K", "five asserts merged", put("tests/test_asserts.py", MERGED)),
    honest(
        "K",
        "tests added",
        put(
            "tests/test_more.py",
            "from app import add\n\n\ndef test_more():\n    assert add(2, 2) == 4\n",
        ),
    ),
    honest(
        "K",
        "tests put in a class",
        swap(
            APP_TESTS,
            SUB,
            "class TestSub:\n    def test_sub(self):\n        assert sub(5, 2) == 3\n",
        ),
    ),
    honest(
        "K", "parameters named", swap(APP_TESTS, "[10, 20, 30, 40]", "[10, 20, 30, 40], ids='abcd'")
    ),
    honest("K", "a parameter more", swap(APP_TESTS, "[10, 20,", "[10, 15, 20,")),
    honest(
        "K",
        "a function and its test removed",
        every(
            swap("app.py", "\n\ndef old(a):\n    return -a\n", ""),
            swap(APP_TESTS, "def test_old():\n    assert old(4) == -4\n", ""),
            swap(APP_TESTS, "add, old, sub", "add, sub"),
        ),
    ),
    honest(
        "K",
        "a module and its tests removed",
        every(remove("legacy.py"), remove("tests/test_legacy.py")),
    ),
    honest(
        "K",
        "everything at once",
        every(
            move("tests/test_other.py", "tests/unit/test_other.py"),
            swap(APP_TESTS, "def test_sub", "def test_subtracts"),
            put("tests/test_asserts.py", MERGED),
            put("tests/test_more.py", "def test_more():\n    assert 1 + 1 == 2\n"),
        ),
    ),
    Case("J", "not slow in the ini at base", slow_at_base, gate=("--base", "main")),
    Case("J", "not slow in the ini, no base named", slow_at_base),
    Case(
        "K",
        "renamed after a run, no base named",
        before(swap(APP_TESTS, "def test_sub", "def test_subtracts")),
    ),
    Case(
        "D",
        "a test of one's own dropped again",
        dropped_again,
    ),
]
