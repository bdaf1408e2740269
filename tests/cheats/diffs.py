"""Cheats in the patch itself, and honest patches that look a little like them.

The rules about a patch are warnings by default; here base's policy raises them, so
that a cheat fails the gate and so that an honest patch must not raise any.
"""

from collections.abc import Callable

from tests.cheats.stage import Case, Stage

RULES = (
    "tests-weakened",
    "harness-touched",
    "expectations-rewritten",
    "test-aware-code",
    "foreign-code",
    "tree-blind-spot",
)
POLICY = "[gate.levels]\n" + "".join(f'{rule} = "error"\n' for rule in RULES)
WEAKENED = frozenset({"tests-weakened"})
HARNESS = frozenset({"harness-touched"})
REWRITTEN = frozenset({"expectations-rewritten"})
AWARE = frozenset({"test-aware-code"})
FOREIGN = frozenset({"foreign-code"})
ODD = frozenset({"odd-environment"})
BLIND = frozenset({"tree-blind-spot"})

APP = (
    "def double(x):\n    return 2 * x\n\n\n"
    "def parse(text):\n    if not text:\n        raise ValueError('empty')\n    return int(text)\n"
)
TEST = """import pytest

import app


def test_double():
    assert app.double(2) == 4
    assert app.double(0) == 0
    assert app.double(-1) == -2


@pytest.mark.parametrize(("text", "value"), [("1", 1), ("22", 22), ("-3", -3)])
def test_parse(text, value):
    assert app.parse(text) == value


def test_nothing_is_refused():
    with pytest.raises(ValueError, match="empty"):
        app.parse("")
"""
PYPROJECT = (
    '[project]\nname = "app"\nversion = "1"\ndependencies = ["rich"]\n\n'
    '[tool.pytest.ini_options]\npythonpath = ["."]\ntestpaths = ["tests"]\n'
)

Edit = Callable[[Stage], None]


def base(stage: Stage) -> None:
    """A small project on main, with a policy that raises the rules about a patch."""
    stage.put("proctor.toml", POLICY)
    stage.put("pyproject.toml", PYPROJECT)
    stage.put("app.py", APP)
    stage.put("tests/test_app.py", TEST)
    stage.put("tests/golden/double.txt", "4\n0\n-2\n")
    stage.put("package.json", '{"name": "app", "version": "1.0.0", "scripts": {"test": "jest"}}\n')
    stage.put(
        "Makefile", "FLAGS = -q\n\ntest: deps\n\tpytest $(FLAGS)\n\ndeps:\n\t@true\n\ndocs:\n\tls\n"
    )
    stage.commit("base")
    stage.git("checkout", "-q", "-b", "work")


def patch(edit: Edit, *argv: str) -> Edit:
    """Play a patch over the project and run its suite."""

    def play(stage: Stage) -> None:
        base(stage)
        edit(stage)
        stage.commit("patch")
        stage.run(*(argv or ("pytest", "-q")))

    return play


def replaced(path: str, old: str, new: str) -> Edit:
    """Replace text in a file."""

    def edit(stage: Stage) -> None:
        text = (stage.repo / path).read_text()
        assert old in text
        stage.put(path, text.replace(old, new))

    return edit


def in_test(old: str, new: str) -> Edit:
    """Replace text in the test file."""
    return replaced("tests/test_app.py", old, new)


def put(path: str, text: str) -> Edit:
    """Write a file."""

    def edit(stage: Stage) -> None:
        stage.put(path, text)

    return edit


def both(*edits: Edit) -> Edit:
    """Several edits in one patch."""

    def edit(stage: Stage) -> None:
        for one in edits:
            one(stage)

    return edit


def hidden_by_attributes(stage: Stage) -> None:
    """The test file is called generated and binary, and loosened."""
    stage.put(".gitattributes", "tests/*.py -diff -text binary linguist-generated\n")
    in_test("app.double(2) == 4", "app.double(2)")(stage)


def moved_and_loosened(stage: Stage) -> None:
    """The test file moves and loses a check on the way."""
    stage.git("mv", "tests/test_app.py", "tests/test_numbers.py")
    replaced("tests/test_numbers.py", "    assert app.double(-1) == -2\n", "")(stage)


def moved(stage: Stage) -> None:
    """The test file moves."""
    stage.git("mv", "tests/test_app.py", "tests/test_numbers.py")


def not_collected(stage: Stage) -> None:
    """The test file gets a name that pytest does not collect."""
    stage.git("mv", "tests/test_app.py", "tests/app_tests_old.py")
    stage.put("tests/test_other.py", "def test_other():\n    assert 1 + 1 == 2\n")


def unreadable(stage: Stage) -> None:
    """A byte that is not UTF-8 hides what was done to the test file."""
    text = "# -*- coding: latin-1 -*-\n# \xe9\n" + TEST.replace("== 4", "!= 5")
    (stage.repo / "tests/test_app.py").write_bytes(text.encode("latin-1"))


def installed_copy(stage: Stage) -> None:
    """The tests import a copy of the package that lies elsewhere."""
    base(stage)
    copy = stage.folder / "site-packages"
    copy.mkdir()
    (copy / "app.py").write_text(APP)
    replaced("app.py", "2 * x", "3 * x")(stage)
    replaced("pyproject.toml", 'pythonpath = ["."]\n', "")(stage)
    stage.commit("patch")
    stage.run("pytest", "-q", env={"PYTHONPATH": str(copy)})


def same_copy(stage: Stage) -> None:
    """The tests import an installed copy with the same content."""
    base(stage)
    copy = stage.folder / "site-packages"
    copy.mkdir()
    (copy / "app.py").write_text(APP)
    stage.put("NOTES.md", "x\n")
    stage.commit("patch")
    stage.run("pytest", "-q", "--import-mode=importlib", env={"PYTHONPATH": str(copy)})


def asserts_off(*argv: str, **env: str) -> Edit:
    """A helper's asserts are switched off."""

    def play(stage: Stage) -> None:
        stage.put("proctor.toml", POLICY)
        stage.put(
            "test_app.py",
            "import unittest\nclass T(unittest.TestCase):\n    def test_x(self):\n        assert False\n",
        )
        stage.commit()
        stage.git("checkout", "-q", "-b", "work")
        stage.run(*argv, env=env)

    return play


def blind(*commands: tuple[str, ...]) -> Edit:
    """git is told not to look at a file."""

    def play(stage: Stage) -> None:
        base(stage)
        for words in commands:
            stage.git(*words)
        stage.run("pytest", "-q")

    return play


def linked_source(stage: Stage) -> None:
    """The source is a link out of the repository."""
    base(stage)
    (stage.folder / "elsewhere.py").write_text(APP)
    (stage.repo / "app.py").unlink()
    (stage.repo / "app.py").symlink_to(stage.folder / "elsewhere.py")
    stage.commit("patch")
    stage.run("pytest", "-q")


FIVE = "".join(f"    assert app.double({n}) == {2 * n}\n" for n in range(5))
ONE_OF_FIVE = (
    '@pytest.mark.parametrize(("x", "y"), [(0, 0), (1, 2), (2, 4), (3, 6), (4, 8), (-1, -2)])\n'
    "def test_double(x, y):\n    assert app.double(x) == y\n"
)


def _caught(number: str, title: str, play: Edit, rules: frozenset[str]) -> Case:
    return Case(number, title, play, rules, gate=("--base", "main"))


def _honest(title: str, play: Edit) -> Case:
    return Case("K", title, play, gate=("--base", "main"))


SKIP = "@pytest.mark.skip(reason='later')\ndef test_double"
HOOK = (
    "def pytest_collection_modifyitems(items):\n"
    "    items[:] = [item for item in items if 'double' not in item.name]\n"
)
CAUGHT = [
    *(
        _caught("20", title, patch(in_test(old, new)), WEAKENED)
        for title, old, new in (
            ("a check is gone", "    assert app.double(-1) == -2\n", ""),
            ("== becomes is not None", "app.double(2) == 4", "app.double(2) is not None"),
            ("== becomes in", "app.double(2) == 4", "app.double(2) in (3, 4, 5)"),
            ("== becomes >=", "app.double(2) == 4", "app.double(2) >= 1"),
            ("== becomes approx", "app.double(2) == 4", "app.double(2) == pytest.approx(4, abs=2)"),
            ("assert True", "app.double(2) == 4", "True"),
            ("or True", "app.double(2) == 4", "app.double(2) == 4 or True"),
            ("a tuple", "app.double(2) == 4", "(app.double(2) == 4, 'double')"),
            ("a wider exception", 'ValueError, match="empty"', "Exception"),
            ("no message asked", ', match="empty"', ""),
            ("a case is gone", ', ("-3", -3)', ""),
            ("skipped", "def test_double", SKIP),
            ("xfail", "def test_double", SKIP.replace("skip", "xfail")),
            ("skipped within", "    assert app.double(2)", "    pytest.skip()\n    assert app.double(2)"),
            ("an early return", "    assert app.double(2)", "    return\n    assert app.double(2)"),
            ("not a test any more", "def test_double", "def check_double"),
            (
                "swallowed by try",
                "    assert app.double(2) == 4\n",
                "    try:\n        assert app.double(2) == 4\n    except AssertionError:\n        pass\n",
            ),
            (
                "below suppress",
                "    assert app.double(2) == 4\n",
                "    import contextlib\n    with contextlib.suppress(Exception):\n        assert app.double(2) == 4\n",
            ),
            (
                "in a branch",
                "    assert app.double(2) == 4\n",
                "    if app.double(2) == 4:\n        assert app.double(2) == 4\n",
            ),
            ("the whole module", "import app\n", "import app\n\npytestmark = pytest.mark.skip\n"),
        )
    ),
    _caught(
        "20", "emptied",
        patch(in_test('    with pytest.raises(ValueError, match="empty"):\n        app.parse("")\n', "    pass\n")),
        WEAKENED,
    ),
    _caught("20", "hidden by attributes", patch(hidden_by_attributes), WEAKENED),
    _caught("20", "moved and loosened", patch(moved_and_loosened), WEAKENED),
    _caught("20", "no longer collected", patch(not_collected), WEAKENED),
    _caught("20", "no longer text", patch(unreadable), WEAKENED),
    _caught("20", "a golden file rewritten", patch(put("tests/golden/double.txt", "5\n1\n-2\n")), REWRITTEN),
    _caught(
        "20", "trivial checks make up the number",
        patch(in_test("    assert app.double(-1) == -2\n", "    assert 1 == 1\n    assert True\n")), WEAKENED,
    ),
    *(
        _caught("10", title, patch(put(path, text)), HARNESS)
        for title, path, text in (
            ("a conftest hook", "tests/conftest.py", HOOK),
            ("an ignore list", "conftest.py", "collect_ignore = ['tests/test_app.py']\n"),
            ("a pytest.ini", "pytest.ini", "[pytest]\naddopts = -k parse\n"),
            ("an npm script", "package.json", '{"name": "app", "scripts": {"test": "jest || true"}}\n'),
            ("an npmrc", ".npmrc", "ignore-scripts=true\n"),
            ("a jest configuration", "jest.config.js", "module.exports = {testMatch: []}\n"),
            ("a make recipe", "Makefile", "test: deps\n\t-pytest $(FLAGS)\n"),
            ("a make flag", "Makefile", "FLAGS = -q -k parse\n\ntest: deps\n\tpytest $(FLAGS)\n\ndeps:\n\t@true\n"),
            ("ctest properties", "CMakeLists.txt", "set_tests_properties(a PROPERTIES WILL_FAIL TRUE)\n"),
            ("a TestMain", "a_test.go", "package a\nfunc TestMain(m *testing.M) { os.Exit(0) }\n"),
            ("a Cargo harness", "Cargo.toml", '[package]\nname = "a"\n[lib]\ntest = false\n'),
        )
    ),
    _caught(
        "10", "ini options",
        patch(replaced("pyproject.toml", 'testpaths = ["tests"]\n', 'testpaths = ["tests"]\naddopts = "-k parse"\n')),
        HARNESS,
    ),
    _caught("15", "a conftest forces the exit status", patch(put("conftest.py", "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n")), HARNESS),
    *(
        _caught("22", title, patch(replaced("app.py", "    return 2 * x", f"    {line}\n    return 2 * x")), AWARE)
        for title, line in (
            ("pytest in sys.modules", "import sys\n    if 'pytest' in sys.modules: return 2 * x"),
            ("PYTEST_CURRENT_TEST", "import os\n    if os.environ.get('PYTEST_CURRENT_TEST'): return 2 * x"),
            ("CI", "import os\n    if os.getenv('CI'): return 2 * x"),
            ("sys.argv", "import sys\n    if any('pytest' in a for a in sys.argv): return 2 * x"),
            ("the stack", "import inspect\n    if any(f.function.startswith('test_') for f in inspect.stack()): return 2 * x"),
            ("Proctor's own variable", "import os\n    if 'PROCTOR_REPORT' in os.environ: return 2 * x"),
        )
    ),
    _caught("22", "NODE_ENV", patch(put("src/a.ts", "export const a = process.env.NODE_ENV === 'test' ? 1 : 2\n")), AWARE),
    _caught("22", "testing.Testing()", patch(put("a.go", "package a\n\nvar A = testing.Testing()\n")), AWARE),
    _caught("16", "an installed copy", installed_copy, FOREIGN),
    _caught("10", "PYTHONOPTIMIZE", asserts_off("python", "-m", "unittest", PYTHONOPTIMIZE="1"), ODD),
    _caught("10", "python -O", asserts_off("python", "-O", "-m", "unittest"), ODD),
    _caught("25", "assume-unchanged", blind(("update-index", "--assume-unchanged", "app.py")), BLIND),
    _caught("25", "skip-worktree", blind(("update-index", "--skip-worktree", "app.py")), BLIND),
    _caught("25", "linked source", linked_source, BLIND),
]  # fmt: skip
HONEST = [
    _honest("a moved test file", patch(moved)),
    _honest("a renamed test", patch(in_test("def test_double", "def test_twice"))),
    _honest("five checks in one table", patch(in_test(TEST[TEST.index("def test_double"):TEST.index("@pytest")], ONE_OF_FIVE + "\n\n"))),
    _honest("tests added", patch(in_test("def test_nothing", f"def test_more():\n{FIVE}\n\ndef test_nothing"))),
    _honest("expected values changed with the code", patch(both(replaced("app.py", "2 * x", "2 * x + 0"), in_test("assert app.double(0) == 0", "assert app.double(5) == 10")))),
    _honest("a dependency bumped", patch(both(replaced("pyproject.toml", '"rich"', '"rich>=13"'), replaced("package.json", "1.0.0", "1.0.1")))),
    _honest("layout and comments", patch(both(replaced("pyproject.toml", "[tool", "# pytest\n[tool"), replaced("Makefile", "docs:\n\tls", "docs:\n\tls -l")))),
    _honest("a fixture in a conftest", patch(put("tests/conftest.py", "import pytest\n\n\n@pytest.fixture\ndef two():\n    return 2\n"))),
    _honest("a golden file with its test", patch(both(put("tests/golden/parse.txt", "1\n"), in_test("def test_nothing", "def test_parse_golden():\n    assert app.parse('1') == 1\n\n\ndef test_nothing")))),
    _honest("code that reads its environment", patch(replaced("app.py", "    return 2 * x", "    import os\n    os.environ.get('HOME')  # not PYTEST_CURRENT_TEST\n    return 2 * x"))),
    _honest("an installed copy with the same content", same_copy),
]  # fmt: skip
