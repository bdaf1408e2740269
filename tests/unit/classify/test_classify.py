import subprocess
import sys
import time

import pytest

from proctor.classify import index
from proctor.classify.classify import classify_argv, may_matter

TABLE = index.build()


@pytest.mark.parametrize(
    ("argv", "command_class", "role"),
    [
        (["git", "status"], "git", "vcs"),
        (["/usr/bin/git", "x"], "git", "vcs"),
        (["python", "-m", "pip", "install", "x"], "pip", "install"),
        (["pip3.11", "install"], "pip", "install"),
        (["python", "/v/bin/ruff", "check"], "ruff", "lint"),
        (["mypy", "--strict"], "mypy", "lint"),
        (["node", "/x/.bin/eslint", "."], "eslint", "lint"),
        (["node", "/x/typescript/bin/tsc"], "tsc", "build"),
        (["uv", "sync"], "uv sync", "install"),
        (["docker", "build", "."], "docker build", "build"),
    ],
)
def test_common_tools_have_a_role(argv: list[str], command_class: str, role: str) -> None:
    found = classify_argv(argv, peel=False)
    assert found is not None
    assert (found.command_class, found.role, found.kind) == (command_class, role, None)


@pytest.mark.parametrize(
    "argv",
    [
        [],
        [""],
        ["gitfoo"],
        ["uv"],
        ["uv", "tree"],
        ["perl", "x.pl"],
        ["perl", "-e", "1"],
        ["ruby"],
        ["bash", "-o", "errexit", "x.sh"],
        ["ls"],
        ["python", "-c"],
        ["python", "-mm"],
        ["coverage", "report"],
        ["coverage", "run"],
        ["python", "-m", "coverage"],
        ["bash", "-s"],
    ],
)
def test_what_is_not_known_has_no_class(argv: list[str]) -> None:
    assert classify_argv(argv, peel=False) is None
    assert classify_argv(argv, peel=True) is None


CLASSES: dict[str, dict[str, object]] = {
    "ci": {
        "match": [["ci-test"], ["scripts/test.sh", "all"]],
        "role": "test",
        "kind": "leaf",
        "report": "out.xml",
    },
    "odd": {"match": [[]], "role": "test", "kind": "driver", "report": None},
}


@pytest.mark.parametrize(
    ("argv", "selectors"),
    [
        (["ci-test", "-x"], ("-x",)),
        (["/opt/ci-test"], ()),
        (["./scripts/test.sh", "all", "a"], ("a",)),
        (["/bin/bash", "/repo/scripts/test.sh", "all"], ()),
    ],
)
def test_a_project_has_classes_of_its_own(argv: list[str], selectors: tuple[str, ...]) -> None:
    found = classify_argv(argv, peel=False, classes=CLASSES)
    assert found is not None
    assert (found.command_class, found.kind, found.report) == ("ci", "leaf", ("junit", "out.xml"))
    assert found.selectors == selectors


@pytest.mark.parametrize("argv", [["ci-tests"], ["scripts/test.sh", "some"], ["test.sh", "all"]])
def test_a_class_of_the_project_matches_whole_tokens(argv: list[str]) -> None:
    assert classify_argv(argv, peel=False, classes=CLASSES) is None


@pytest.mark.parametrize(
    "argv",
    [
        ["pytest"],
        ["/v/bin/python", "/v/bin/pytest"],
        ["python3.12", "-Im", "pytest"],
        ["python3.12", "-mpytest"],
        ["python", "-X", "dev", "-m", "pytest"],
        ["python", "-u", "-c", "import sys;exec(eval(sys.stdin.readline()))"],
        ["python", "-c", "import pytest; pytest.main()"],
        ["python", "test_x.py"],
        ["node", "--test"],
        ["sh", "./gradlew", "test"],
        ["/tmp/go-build/b001/x.test", "-test.v"],
        ["/t/target/debug/deps/x-0123456789abcdef"],
        ["java", "-Xmx1g", "-jar", "/x/surefirebooter-1_2.jar"],
        ["git", "status"],
        ["coverage", "run", "-m", "pytest"],
        ["python", "/x/pytest/__main__.py"],
    ],
)
def test_whatever_has_a_class_may_matter(argv: list[str]) -> None:
    assert may_matter(argv, frozenset(TABLE))
    assert classify_argv(argv, peel=False, table=TABLE) is not None


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["gcc", "-c", "x.c"],
        ["bash", "-c", "pytest | tail"],
        ["python", "x.py", "pytest"],
        ["sh", "-ec", "make"],
        ["perl", "a", "b"],
        ["python", "-W", "a", "-X", "b", "c"],
        ["python"],
    ],
)
def test_the_rest_is_passed_over(argv: list[str]) -> None:
    assert not may_matter(argv, frozenset(TABLE))


def test_the_table_imports_one_runner_only() -> None:
    code = (
        "import sys\n"
        "from proctor.classify.classify import classify_argv\n"
        "found = classify_argv(['pytest', '-q'], peel=False, environ={}, table={'pytest': 'pytest'})\n"
        "assert found.command_class == 'pytest'\n"
        "print(*sorted(m for m in sys.modules if 'runners.' in m or m in HEAVY))\n"
    ).replace("HEAVY", "('re', 'json', 'typing', 'enum', 'dataclasses', 'msgspec', 'shlex')")
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["proctor.classify.runners.pytest"]


def test_passing_over_costs_next_to_nothing() -> None:
    programs = frozenset(TABLE)
    argv = ["/usr/bin/python3", "/usr/share/x/y.py", "-a", "b"]
    best = min(_time_of(argv, programs) for _ in range(5))
    assert best < 50e-6  # a tenth of a fork; some 3 µs where nothing else runs


def _time_of(argv: list[str], programs: frozenset[str]) -> float:
    start = time.perf_counter()
    for _ in range(100):
        may_matter(argv, programs)
    return (time.perf_counter() - start) / 100


def test_a_shell_line_counts_by_its_first_runner() -> None:
    found = classify_argv(["bash", "-c", "cd x && tox -e py | tail; pytest"], peel=True)
    assert found is not None
    assert (found.command_class, found.wrappers) == ("tox", ("bash -c",))


def test_the_words_of_a_variable_are_not_written_out() -> None:
    environ = {"PYTEST_ADDOPTS": "--token hunter2"}
    found = classify_argv(["pytest"], peel=False, environ=environ)
    assert found is not None
    assert found.narrowing_env == ("PYTEST_ADDOPTS: (arguments)",)


def test_a_variable_that_the_runner_cannot_read_narrows_nothing() -> None:
    assert classify_argv(["git"], peel=False, environ={"PYTEST_ADDOPTS": "-k x"}) is not None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("-k 'a b'", "-k=a b"),
        ('-k "a \\" b"', '-k=a " b'),
        ('-k "a\\b"', "-k=a\\b"),
        ("-k a\\ b", "-k=a b"),
        ("-k 'a b", "-k=a b"),
        ("  -k  a\\", "-k=a\\"),
    ],
)
def test_a_variable_is_split_as_a_shell_would(value: str, expected: str) -> None:
    found = classify_argv(["pytest"], peel=False, environ={"PYTEST_ADDOPTS": value})
    assert found is not None
    assert found.narrowing_env == (f"PYTEST_ADDOPTS: {expected}",)
