"""unittest, Django, scripts, tox, nox."""

from collections.abc import Callable

import pytest

from tests.unit.classify.runners.conftest import Read


@pytest.mark.parametrize(
    ("line", "selectors", "narrowing"),
    [
        ("python -m unittest", [], []),
        ("python -m unittest discover", [], []),
        ("python -m unittest discover -s tests", ["tests"], []),
        ("python -m unittest discover tests 'x*.py'", ["tests", "-p=x*.py"], []),
        ("python -m unittest discover -p 'test*.py' -t .", [], []),
        ("python -m unittest discover --start-dir .", [], []),
        ("python -m unittest tests.mod.Case.test_x -v", ["tests.mod.Case.test_x"], []),
        ("python -m unittest -k nothing", [], ["-k=nothing"]),
        ("python -m unittest -vknothing", [], ["-k=nothing"]),
    ],
)
def test_unittest(read: Read, line: str, selectors: list[str], narrowing: list[str]) -> None:
    found = read(line)
    assert (found.command_class, found.kind) == ("unittest", "leaf")
    assert (list(found.selectors), list(found.narrowing)) == (selectors, narrowing)


def test_help_of_unittest_is_not_a_run(read: Read) -> None:
    assert read("python -m unittest --help").not_a_run == "-h"


@pytest.mark.parametrize(
    ("line", "selectors"),
    [
        ("python manage.py test app.tests", ["app.tests"]),
        ("python manage.py --settings x test", []),
        ("./manage.py test", []),
        ("python -m django test app", ["app"]),
        ("django-admin test", []),
        ("python tests/runtests.py app --parallel 1", ["app"]),
        ("python runtests.py --testrunner=x", ["--testrunner=x"]),
    ],
)
def test_django(read: Read, line: str, selectors: list[str]) -> None:
    found = read(line)
    assert (found.command_class, found.kind) == ("django test", "leaf")
    assert list(found.selectors) == selectors


@pytest.mark.parametrize("line", ["python manage.py migrate", "python manage.py", "python x.py"])
def test_other_scripts_have_no_class(is_nothing: Callable[[str], bool], line: str) -> None:
    assert is_nothing(line)


@pytest.mark.parametrize(
    "line", ["python test_x.py", "python3 a/x_test.py -v", "python -u tests.py"]
)
def test_a_script_named_like_a_test_is_no_evidence(read: Read, line: str) -> None:
    found = read(line)
    assert (found.command_class, found.role, found.kind) == ("python script", "other", "driver")


@pytest.mark.parametrize("code", ["import pytest; pytest.main()", "unittest.main()"])
def test_code_that_starts_a_runner_is_a_script(read: Read, code: str) -> None:
    assert read(f"python -c '{code}'").command_class == "python script"


@pytest.mark.parametrize("line", ["python -c 'print(1)'", "python", "python -", "python -m"])
def test_an_interpreter_without_a_script_has_no_class(
    is_nothing: Callable[[str], bool], line: str
) -> None:
    assert is_nothing(line)


@pytest.mark.parametrize(
    ("line", "selectors", "narrowing", "role"),
    [
        ("tox", [], [], "test"),
        ("python -m tox", [], [], "test"),
        ("tox -e py311,lint", ["py311", "lint"], [], "test"),
        ("tox -e lint", ["lint"], [], "lint"),
        ("tox run -e py -- -k x", ["py"], ["-- -k", "-- x"], "test"),
        ("tox -e py -- -q", ["py"], [], "test"),
        ("tox p -e ALL", [], [], "test"),
        ("tox -c other.ini --skip-env x", ["-c=other.ini"], ["--skip-env=x"], "test"),
    ],
)
def test_tox(read: Read, line: str, selectors: list[str], narrowing: list[str], role: str) -> None:
    found = read(line)
    assert (found.command_class, found.kind, found.role) == ("tox", "driver", role)
    assert (list(found.selectors), list(found.narrowing)) == (selectors, narrowing)


@pytest.mark.parametrize(
    "line", ["tox -l", "tox list", "tox --notest", "tox config", "tox --version"]
)
def test_tox_that_starts_nothing_is_not_a_run(read: Read, line: str) -> None:
    assert read(line).not_a_run


def test_variables_choose_environments_of_tox(read: Read) -> None:
    environ = {"TOXENV": "py311", "TOX_SKIP_ENV": "x"}
    assert read("tox", environ).narrowing_env == ("TOXENV: -e=py311", "TOX_SKIP_ENV: --skip-env=x")


@pytest.mark.parametrize(
    ("line", "selectors", "narrowing", "role"),
    [
        ("nox", [], [], "test"),
        ("nox -s tests lint", ["tests", "lint"], [], "test"),
        ("nox -e docs", ["docs"], [], "lint"),
        ("nox -s tests -k x -- -k y", ["tests"], ["-k=x", "-- -k", "-- y"], "test"),
    ],
)
def test_nox(read: Read, line: str, selectors: list[str], narrowing: list[str], role: str) -> None:
    found = read(line)
    assert (found.command_class, found.kind, found.role) == ("nox", "driver", role)
    assert (list(found.selectors), list(found.narrowing)) == (selectors, narrowing)


@pytest.mark.parametrize(
    ("line", "selectors", "narrowing"),
    [
        ("hatch test", [], []),
        ("hatch -e x test -py 3.12 tests/a.py", ["tests/a.py"], ["--python=3.12"]),
        ("python -m hatch test --all -k x -- -m y", [], ["-k=x", "-- -m", "-- y"]),
    ],
)
def test_hatch_test(read: Read, line: str, selectors: list[str], narrowing: list[str]) -> None:
    found = read(line)
    assert (found.command_class, found.kind, found.role) == ("hatch test", "driver", "test")
    assert (list(found.selectors), list(found.narrowing)) == (selectors, narrowing)


def test_hatch_test_that_only_shows_is_not_a_run(read: Read) -> None:
    assert read("hatch test --show").not_a_run == "-s"


def test_nox_reads_its_variables(read: Read) -> None:
    environ = {"NOXSESSION": "a", "NOXPYTHON": "3.11"}
    assert read("nox", environ).narrowing_env == ("NOXSESSION: -s=a", "NOXPYTHON: -p=3.11")
    assert read("nox --list").not_a_run == "-l"
