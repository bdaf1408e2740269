"""nose2, behave, Robot Framework, stestr."""

import pytest

from tests.unit.classify.runners.conftest import Read


@pytest.mark.parametrize(
    ("line", "command_class", "selectors", "narrowing"),
    [
        ("nose2", "nose2", [], []),
        ("python -m nose2 -v pkg.tests.TestA", "nose2", ["pkg.tests.TestA"], []),
        ("nose2 -s tests -A slow", "nose2", ["tests"], ["-A=slow"]),
        ("nose2 -s tests a.B", "nose2", ["a.B"], []),
        ("nose2 -s .", "nose2", [], []),
        ("nose2 --plugin nose2.plugins.mp -N 2", "nose2", [], []),
        ("nose2 --plugin mine -c other.cfg", "nose2", ["--plugin=mine", "-c=other.cfg"], []),
        ("behave", "behave", [], []),
        ("behave -t @wip features/a.feature:3", "behave", ["features/a.feature:3"], ["--tags=@wip"]),
        ("python -m behave -n first -e slow", "behave", [], ["--name=first", "--exclude=slow"]),
        ("behave --stage dev --wip", "behave", ["--stage=dev"], ["--wip"]),
        ("robot tests", "robot", ["tests"], []),
        ("robot -i smoke --Exclude slow tests", "robot", ["tests"], ["--include=smoke", "--exclude=slow"]),
        ("python -m robot --no-status-rc tests", "robot", ["tests"], ["--nostatusrc"]),
        ("robot -A args.txt tests", "robot", ["--argumentfile=args.txt", "tests"], []),
        ("pabot --processes 2 --command robot --end-command -t x tests", "robot", ["tests"], ["--test=x"]),
        ("stestr run", "stestr", [], []),
        ("stestr --test-path t run -E slow api", "stestr", ["--test-path=t", "api"], ["--exclude-regex=slow"]),
        ("python -m stestr run --failing", "stestr", [], ["--failing"]),
    ],
)  # fmt: skip
def test_python_runners(
    read: Read, line: str, command_class: str, selectors: list[str], narrowing: list[str]
) -> None:
    found = read(line)
    assert (found.command_class, found.kind, found.role) == (command_class, "leaf", "test")
    assert (list(found.selectors), list(found.narrowing)) == (selectors, narrowing)


@pytest.mark.parametrize(
    "line",
    [
        *(
            "nose2 --collect-only",
            "nose2 --help",
            "behave --dry-run",
            "behave -d",
            "behave --versio",
        ),
        *("robot --dryrun tests", "robot --DryRun tests", "robot -h", "pabot --version"),
        "stestr run --help",
    ],
)
def test_what_executes_nothing_is_not_a_run(read: Read, line: str) -> None:
    assert read(line).not_a_run


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("nose2 -X", "nose2-junit.xml"),
        ("nose2 --junit-xml --junit-xml-path out.xml", "out.xml"),
        ("robot -x out.xml tests", "out.xml"),
        ("robot -d results --xunit out.xml tests", "results/out.xml"),
        ("robot -d results --xunit /tmp/out.xml tests", "/tmp/out.xml"),
    ],
)
def test_reports_that_argv_asks_for(read: Read, line: str, path: str) -> None:
    assert read(line).report == ("junit", path)


def test_a_report_called_none_is_none(read: Read) -> None:
    assert read("robot -x NONE tests").report is None


def test_what_lets_an_empty_suite_pass_is_known(read: Read) -> None:
    assert read("robot --runemptysuite tests").allows_empty == ("--runemptysuite",)


def test_robot_takes_options_from_a_variable(read: Read) -> None:
    environ = {"ROBOT_OPTIONS": "--include smoke --dryrun"}
    expected = ("ROBOT_OPTIONS: --include=smoke", "ROBOT_OPTIONS: --dryrun")
    assert read("robot tests", environ).narrowing_env == expected
    assert read("robot tests", {"ROBOT_OPTIONS": "--name x"}).narrowing_env == ()


@pytest.mark.parametrize("line", ["stestr list", "stestr last", "stestr"])
def test_other_words_of_stestr_have_no_class(read: Read, line: str) -> None:
    with pytest.raises(AssertionError):
        read(line)
