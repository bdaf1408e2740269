"""What a new configuration asks more, or less."""

import pytest

from proctor.assess.effective import differences
from proctor.config import Config, parse

REQUIRE = '[[require]]\nname = "unit"\ncommand = ["pytest"]\n'


def config(text: str) -> Config:
    return parse(text.encode(), "proctor.toml")


def said(old: str, new: str) -> list[tuple[str, bool]]:
    return list(differences(config(old), config(new)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", "# a comment\n[gate]\nenforce = 'block'\n"),
        ("[floors]\npytest = 500\n", ""),
        ("[classes.ci]\nmatch = [['ci']]\n", "[classes.ci]\nmatch = [['ci']]\nkind = 'driver'\n"),
        ("[gate.levels]\nexpired = 'error'\n", ""),
        ("[deny]\nbinaries = ['a', 'b']\n", "[deny]\nbinaries = ['b', 'a']\n"),
        ("", "[oracle]\nbudget = 7\n[oracle.domains]\nkey = ['a']\n"),
        (REQUIRE + REQUIRE.replace("unit", "b"), REQUIRE.replace("unit", "b") + REQUIRE),
    ],
)
def test_what_has_no_effect_is_no_difference(old: str, new: str) -> None:
    assert said(old, new) == []


LOOSENING = [
    ("", "[oracle.masks]\na = 'x'\n", "[oracle] masks has a"),
    ("", "[oracle]\nignore = ['*.log']\n", "[oracle] ignore has *.log"),
    ("", "[oracle]\nreruns = 1\n", "[oracle] reruns is 1, was 3"),
    ("", "[oracle]\ncommand = ['true']\n", "[oracle] command was changed"),
    ("", "[log]\npath = 'x'\n", "[log] path is x"),
    ("[log]\npath = 'x'\n", "", "[log] path is the default"),
    ("", "[floors]\npytest = 1\n", "the floor of pytest is 1 ms, was 500 ms"),
    ("", "[classes.ci]\nmatch = [['ci']]\n", "[classes] 'ci' was added"),
    ("[classes.ci]\nmatch = [['ci']]\n", "", "[classes] 'ci' was removed"),
    ("[classes.ci]\nmatch = [['ci']]\n", "[classes.ci]\nmatch = [['c']]\n", "[classes] 'ci' was changed"),
    ("", "[deny]\nbinaries = ['echo']\n", "[deny] binaries lost cat, false, printf, true"),
    ("[redact]\nnames = ['A']\n", "", "[redact] names lost A"),
    ("", "[agent]\ntest_tools = []\n", "[agent] test_tools lost runTests, run_tests, test, tests"),
    ("", "[gate]\nenforce = 'observe'\n", "[gate] enforce is 'observe'"),
    ("", "[gate]\nignore_paths = ['*.py']\n", "[gate] ignore_paths has *.py"),
    ("[gate]\nignore_paths = ['a', '!b']\n", "[gate]\nignore_paths = ['a']\n", "[gate] ignore_paths lost !b"),
    ("[gate]\nignore_paths = ['a', '!b']\n", "[gate]\nignore_paths = ['!b', 'a']\n", "[gate] ignore_paths is in another order"),
    ("", "[gate.levels]\nexpired = 'note'\n", "expired is a note, was an error"),
    (REQUIRE, "", "[[require]] 'unit' was removed"),
    ("", REQUIRE + "paths = ['src/']\n", "[[require]] 'unit' was added"),
    ("", REQUIRE.replace('"pytest"', '"pytest", "tests/a"'), "[[require]] 'unit' was added"),
    ("", REQUIRE.replace('"pytest"', '"ci-test"'), "[[require]] 'unit' was added"),
    ("", REQUIRE.replace('"pytest"', '"pytest", "-k", "a"'), "[[require]] 'unit' was added"),
    (REQUIRE, REQUIRE + "paths = ['src/']\n", "[[require]] 'unit': paths was nothing, is src/"),
    (REQUIRE + "paths = ['a']\n", REQUIRE + "paths = ['a', '!b']\n", "[[require]] 'unit': paths was a, is a !b"),
    (REQUIRE, REQUIRE.replace('"pytest"', '"true"'), "[[require]] 'unit': command was pytest, is true"),
    (REQUIRE, REQUIRE + "folder = 'api'\n", "[[require]] 'unit': folder was nothing, is api"),
    (REQUIRE + "min_tests = 5\n", REQUIRE + "min_tests = 4\n", "[[require]] 'unit': min_tests was 5, is 4"),
    (REQUIRE + "min_tests = 5\n", REQUIRE, "[[require]] 'unit': min_tests was 5, is nothing"),
    (REQUIRE + "max_age = '1h'\n", REQUIRE + "max_age = '61m'\n", "[[require]] 'unit': max_age was 1h, is 61m"),
    (REQUIRE + "max_age = '1h'\n", REQUIRE, "[[require]] 'unit': max_age was 1h, is nothing"),
    (REQUIRE + "python = '3.12'\n", REQUIRE + "python = '3.11'\n", "[[require]] 'unit': python was 3.12, is 3.11"),
    (REQUIRE + "min_tests = 5\n", REQUIRE + "min_tests = 6\npaths = ['a']\n", "[[require]] 'unit': paths was nothing, is a, min_tests was 5, is 6"),
    ("", "[approvals]\ncode_owners = true\n", "[approvals] code_owners is true"),
]  # fmt: skip
TIGHTENING = [
    ("[oracle.masks]\na = 'x'\n", "", "[oracle] masks has less"),
    ("[oracle]\nreruns = 1\n", "", "[oracle] reruns is 3, was 1"),
    ("[log]\nenv_names = false\n", "", "[log] env_names is true"),
    ("", "[floors]\npytest = 900\n", "the floor of pytest is 900 ms, was 500 ms"),
    ("", "[redact]\nflags = ['--code']\n", "[redact] flags has --code"),
    ("[gate]\nenforce = 'observe'\n", "", "[gate] enforce is 'block'"),
    ("[gate]\nignore_paths = ['a', 'b']\n", "[gate]\nignore_paths = ['a']\n", "[gate] ignore_paths lost b"),
    ("[gate]\nignore_paths = ['a', 'b']\n", "[gate]\nignore_paths = ['b', 'a']\n", "[gate] ignore_paths is in another order"),
    ("", "[gate.levels]\nbelow-floor = 'error'\n", "below-floor is an error, was a note"),
    ("", REQUIRE, "[[require]] 'unit' was added"),
    ("", REQUIRE.replace('"pytest"', '"make", "test"'), "[[require]] 'unit' was added"),
    ("", '[[require]]\nname = "unit"\nclass = "pytest"\n', "[[require]] 'unit' was added"),
    (REQUIRE, REQUIRE + REQUIRE.replace("unit", "b") + "paths = ['a']\n", "[[require]] 'b' was added"),
    (REQUIRE + "paths = ['a']\n", REQUIRE + "paths = ['a', 'b']\n", "[[require]] 'unit': paths was a, is a b"),
    (REQUIRE + "paths = ['a']\n", REQUIRE, "[[require]] 'unit': paths was a, is nothing"),
    (REQUIRE, REQUIRE + "min_tests = 5\n", "[[require]] 'unit': min_tests was nothing, is 5"),
    (REQUIRE + "min_tests = 5\n", REQUIRE + "min_tests = 6\n", "[[require]] 'unit': min_tests was 5, is 6"),
    (REQUIRE + "max_age = '1h'\n", REQUIRE + "max_age = '59m'\n", "[[require]] 'unit': max_age was 1h, is 59m"),
    (REQUIRE, REQUIRE + "python = '3.11'\n", "[[require]] 'unit': python was nothing, is 3.11"),
    ("[approvals]\ncode_owners = true\n", "", "[approvals] code_owners is false"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "what"), LOOSENING)
def test_what_may_ask_less_loosens(old: str, new: str, what: str) -> None:
    assert said(old, new) == [(what, False)]


@pytest.mark.parametrize(("old", "new", "what"), TIGHTENING)
def test_what_can_only_ask_more_tightens(old: str, new: str, what: str) -> None:
    assert said(old, new) == [(what, True)]


@pytest.mark.parametrize(
    ("line", "tightens"),
    [
        ('rule = "literal"', False),
        ("window = 20", False),
        ("threshold = 3", True),
        ("threshold = 1", False),
        ("days = 3", True),
        ("days = 30", False),
        ("cap = 0.5", False),
        ("infra = 0.1", True),
    ],
)
def test_a_more_generous_quarantine_loosens(line: str, tightens: bool) -> None:
    ((said, found),) = differences(config(""), config(f"[flakes]\n{line}\n"))
    assert said.startswith("[flakes] ")
    assert found is tightens
