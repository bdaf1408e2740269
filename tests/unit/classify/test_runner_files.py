"""What every file of the family must keep to."""

import subprocess
import sys

import pytest

from proctor import _family
from proctor.classify import index
from proctor.classify.base import Classification, Runner

NAMES = _family.names(index.PACKAGE)
LIGHT = """
import sys
sys.path[:0] = {path!r}
before = set(sys.modules)
import proctor.classify.runners.{name}
print(*sorted(m for m in set(sys.modules) - before if not m.startswith("proctor")))
"""


@pytest.fixture(params=NAMES)
def runner(request: pytest.FixtureRequest) -> Runner:
    return index.load(request.param)


def test_a_runner_names_its_programs(runner: Runner) -> None:
    assert runner.programs or runner.modules
    assert runner.kind in ("leaf", "driver")
    assert runner.role in ("test", "other")


def test_a_runner_reads_its_bare_program(runner: Runner) -> None:
    for program in (*runner.programs, *runner.modules):
        found = runner.read([program])
        assert found is None or isinstance(found, Classification)


def test_a_leaf_says_where_its_tests_are(runner: Runner) -> None:
    assert runner.test_files or runner.kind == "driver"


def test_a_variable_without_options_narrows_nothing(runner: Runner) -> None:
    for name in runner.environment:
        if runner.read_environment is not None:
            assert isinstance(list(runner.read_environment(name, "x")), list)


def test_no_two_runners_claim_one_program() -> None:
    claims = [
        (program, name)
        for name in NAMES
        for program in {*index.load(name).programs, *index.load(name).modules}
    ]
    assert len({program for program, _ in claims}) == len(claims)


@pytest.mark.parametrize("name", NAMES)
def test_a_runner_imports_nothing_of_weight(name: str) -> None:
    code = LIGHT.format(path=sys.path, name=name)
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()) <= {"importlib", "importlib._abc", "importlib.machinery"}


def test_a_runner_that_does_not_exist_is_a_lookup_error() -> None:
    with pytest.raises(LookupError):
        index.load("no_such_runner")
