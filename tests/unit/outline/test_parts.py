import sys

import pytest

from proctor.outline.parts import parts_of, pattern_of

CONFTEST = """
import os
from .hooks import *

LIMIT = 3  # used by the hook
OTHER = 4
collect_ignore = ["a.py"]
sys.path.insert(0, "x")


def pytest_collection_modifyitems(items):
    trim(items)


def trim(items):
    del items[LIMIT:]


def helper():
    return OTHER


@pytest.fixture
def two():
    return 2


@pytest.fixture
def ending():
    pytest.skip("no")


@pytest.fixture(autouse=True)
def always():
    pass
"""


def test_a_conftest_is_its_hooks_and_what_they_speak_of() -> None:
    found = parts_of("tests/conftest.py", CONFTEST, "conftest.py#hooks")
    assert set(found) == {
        "from .hooks import *",
        "collect_ignore",
        'sys.path.insert(0, "x")',
        "pytest_collection_modifyitems",
        "trim",
        "LIMIT",
        "ending",
        "always",
    }


def test_layout_and_comments_are_no_difference() -> None:
    before = "def pytest_x(a):\n    return a\n"
    after = "# a\ndef pytest_x( a ):\n\n    # b\n    return  a\n"
    inside = "def pytest_x(a):\n    if a:\n        b()\n        c()\n"
    moved = "def pytest_x(a):\n    if a:\n        b()\n    c()\n"
    found = [
        parts_of("conftest.py", t, "conftest.py#hooks") for t in (before, after, inside, moved)
    ]
    assert found[0] == found[1]
    assert found[2] != found[3]


def test_without_the_grammar_every_line_of_a_conftest_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "tree_sitter_python", None)
    assert parts_of("conftest.py", "# a\nx =  1\n", "conftest.py#hooks") == {"": "x = 1"}


PYPROJECT = '[project]\nname = "a"\n[tool.pytest.ini_options]\naddopts = "-q"\nmarkers = ["x"]\n'


def test_keys_are_chosen_by_dotted_name_and_left_out_by_their_last() -> None:
    spec = "pyproject.toml#tool.pytest,-markers"
    assert parts_of("pyproject.toml", PYPROJECT, spec) == {
        "tool.pytest.ini_options.addopts": '"-q"'
    }
    assert parts_of("pyproject.toml", PYPROJECT, "pyproject.toml#tool.pyt") == {}


def test_a_broken_file_is_compared_by_lines() -> None:
    assert parts_of("pyproject.toml", "[tool\nx", "pyproject.toml#tool.pytest") == {"": "[tool\nx"}
    assert parts_of("package.json", "{" * 5000, "package.json#jest") == {"": "{" * 5000}
    assert parts_of("pytest.ini", "addopts = -q\n", "pytest.ini#pytest") == {"": "addopts = -q"}


def test_sections_of_an_ini_file() -> None:
    text = "[tool:pytest]\naddopts =\n    -q\n    -x\nempty\n[metadata]\nname = a\n"
    found = parts_of("setup.cfg", text, "setup.cfg#tool:pytest")
    assert found == {"tool:pytest.addopts": '"\\n-q\\n-x"', "tool:pytest.empty": '""'}
    envs = parts_of(
        "tox.ini", "[testenv:py]\ncommands = x\n[flake8]\na = 1\n", "tox.ini#tox,testenv"
    )
    assert list(envs) == ["testenv:py.commands"]


def test_a_whole_file_with_keys() -> None:
    assert parts_of("pytest.toml", "[pytest]\nx = [1]\n", "pytest.toml") == {"pytest.x": "[1]"}


def test_scripts_called_like_tests_and_those_that_they_name() -> None:
    text = (
        '{"scripts": {"pretest": "a", "test": "npm run unit-all", "unit-all": "jest", "lint": "eslint",'
        ' "build": "tsc", "latest": "x"}}'
    )
    found = parts_of("package.json", text, "package.json#scripts!")
    assert set(found) == {"scripts.pretest", "scripts.test", "scripts.unit-all"}


MAKEFILE = """
# comment
include other.mk
FLAGS ?= -q
UNUSED := 1
.IGNORE:
export MAKEFLAGS = -i

test: deps \\
  more
\tpytest $(FLAGS) $(FLAGS)
test::
\tls

deps more:
\ttrue

docs:
\tmkdocs
ifdef X
endif
"""


def test_rules_called_like_tests_and_what_they_name() -> None:
    found = parts_of("Makefile", MAKEFILE, "Makefile#rules!")
    assert set(found) == {
        "include other.mk",
        "FLAGS",
        ".IGNORE",
        "MAKEFLAGS",
        "test",
        "deps",
        "more",
    }
    assert found["test"] == "deps more\npytest $(FLAGS) $(FLAGS)\n\nls"


def test_lines_that_hold_a_word() -> None:
    text = "a = 1\n ignore-scripts = true\n"
    assert set(parts_of(".npmrc", text, ".npmrc~ignore-scripts,x")) == {"ignore-scripts = true"}


def test_the_test_part_of_a_build_tool_s_configuration() -> None:
    text = "export default { plugins: [], test: { include: ['a'] } }\n"
    (name,) = parts_of("vite.config.ts", text, "vite.config.*#test")
    assert name == "test"
    assert list(parts_of("vite.config.ts", "export default x\n", "vite.config.*#test")) == [""]


def test_a_specification_begins_with_its_pattern() -> None:
    assert [pattern_of(one) for one in ("a.py", "a.py#b", "*.mk~b,c")] == ["a.py", "a.py", "*.mk"]
