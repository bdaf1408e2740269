import pytest

from tests.unit.classify.runners.conftest import Read


@pytest.mark.parametrize(
    "line",
    [
        "pytest",
        "py.test -q",
        "/usr/bin/pytest-3 -q",
        "python -m pytest",
        "/usr/bin/python3.12 -m pytest -q",
        "python -Im pytest",
        "python -mpytest",
        "python -X dev -W error -m pytest",
        "python -Xdev -Werror -m pytest",
        "python --check-hash-based-pycs always -m pytest",
        "/venv/bin/python /venv/bin/pytest -q",
        "python /x/site-packages/pytest/__main__.py",
        "coverage run -m pytest",
        "coverage run --source=x --branch -p -mpytest -q",
        "coverage run --module pytest",
        "coverage run /venv/bin/pytest",
        "python -m coverage run --rcfile x -m pytest",
        "python3 -m cProfile -o out -m pytest",
        "python -m pdb -m pytest",
    ],
)
def test_however_pytest_is_started_it_is_a_leaf(read: Read, line: str) -> None:
    found = read(line)
    assert (found.command_class, found.role, found.kind) == ("pytest", "test", "leaf")
    assert found.not_a_run is None
    assert not found.narrowing


@pytest.mark.parametrize(
    ("line", "narrowing"),
    [
        ("pytest -k expr", ["-k=expr"]),
        ("pytest -kexpr", ["-k=expr"]),
        ("pytest -k=expr", ["-k=expr"]),
        ("pytest -xvsk 'a or b' -q", ["-k=a or b"]),
        ("pytest -m slow", ["-m=slow"]),
        ("pytest --deselect=a::b", ["--deselect=a::b"]),
        ("pytest --deselect a::b --ignore c", ["--deselect=a::b", "--ignore=c"]),
        ("pytest --lf", ["--lf"]),
        ("pytest --last-failed --sw", ["--lf", "--sw"]),
        ("pytest --ignore-glob='*x*'", ["--ignore-glob=*x*"]),
        ("pytest --ff -x --maxfail 1 --nf", []),
        ("pytest -n 4 --dist loadfile -ra --tb=short -vv", []),
        ("pytest --suppress-no-test-exit-code", ["--suppress-no-test-exit-code"]),
    ],
)
def test_narrowing_options_are_read(read: Read, line: str, narrowing: list[str]) -> None:
    assert list(read(line).narrowing) == narrowing


@pytest.mark.parametrize(
    ("line", "selectors"),
    [
        ("pytest tests/a.py::test_b tests/c", ["tests/a.py::test_b", "tests/c"]),
        ("pytest -q -- tests", ["tests"]),
        ("pytest @files.txt", ["@files.txt"]),
        ("pytest -c other.ini --rootdir=x", ["-c=other.ini", "--rootdir=x"]),
        ("pytest -o addopts= -o junit_family=xunit2", ["-o=addopts="]),
        ("pytest -p no:cacheprovider -p evil", ["-p=evil"]),
        ("pytest -p proctor.pytest --proctor-attempts out.jsonl", []),
        ("pytest -p proctor.pytest2", ["-p=proctor.pytest2"]),
        ("pytest -pno:python", ["-p=no:python"]),
        ("pytest --cov src tests", ["tests"]),
        ("pytest --pyargs pkg", ["pkg"]),
        ("pytest --durations 5 --cov=src", []),
    ],
)
def test_selectors_are_read(read: Read, line: str, selectors: list[str]) -> None:
    assert list(read(line).selectors) == selectors


@pytest.mark.parametrize(
    "option",
    [
        "--collect-only",
        "--co",
        "--collect-onl",
        "--version",
        "-V",
        "-h",
        "--help",
        "--fixtures",
        "--markers",
        "--setup-plan",
        "--setup-only",
        "-qh",
        "--fixtures-per-test",
        "--cache-show",
    ],
)
def test_what_executes_no_test_is_not_a_run(read: Read, option: str) -> None:
    assert read(f"pytest -q {option}").not_a_run is not None


@pytest.mark.parametrize(
    "option",
    ["--snapshot-update", "--force-regen", "--inline-snapshot=fix", "--inline-snapshot fix"],
)
def test_options_that_rewrite_expectations_are_updates(read: Read, option: str) -> None:
    assert read(f"pytest {option}").updates


def test_reviewing_snapshots_is_no_update(read: Read) -> None:
    assert read("pytest --inline-snapshot=report").updates == ()


@pytest.mark.parametrize("option", ["--junitxml=a.xml", "--junit-xml a.xml", "--junitx a.xml"])
def test_a_report_asked_for_is_found(read: Read, option: str) -> None:
    assert read(f"pytest {option}").report == ("junit", "a.xml")


def test_the_environment_narrows_too(read: Read) -> None:
    environ = {"PYTEST_ADDOPTS": "-q -k 'a b' --co -p evil tests/x"}
    assert read("pytest", environ).narrowing_env == (
        "PYTEST_ADDOPTS: -k=a b",
        "PYTEST_ADDOPTS: -p=evil",
        "PYTEST_ADDOPTS: (arguments)",
        "PYTEST_ADDOPTS: --collect-only",
    )


def test_a_variable_that_asks_for_new_expectations_is_an_update(read: Read) -> None:
    environ = {"UPDATE_SNAPSHOTS": "1", "UPDATE_GOLDEN": "0", "UPDATE_CHANNEL": "x"}
    assert read("pytest", environ).updates == ("UPDATE_SNAPSHOTS",)


def test_a_worker_of_xdist_is_no_run(read: Read) -> None:
    found = read('python -u -c "import sys;exec(eval(sys.stdin.readline()))"')
    assert (found.command_class, found.kind) == ("pytest", "worker")


@pytest.mark.parametrize(
    "line", ["/bin/sh /x/pytest -q", "bash /shims/pytest", "bash -e /x/pytest"]
)
def test_a_shell_script_named_pytest_is_a_driver(read: Read, line: str) -> None:
    assert read(line).kind == "driver"
