"""The warnings and notes that need nothing but the records of the run."""

from typing import TYPE_CHECKING, Any

import pytest

from proctor.findings import Level, Outcome

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def test_a_copy_that_was_loaded_from_elsewhere_is_a_warning(bench: Bench) -> None:
    report = bench.report(foreign=(("app", "/x/site-packages/app/__init__.py"),))
    verdict = bench.verdict(bench.seen(report=report))
    assert verdict.outcome is Outcome.PASS
    found = bench.only(verdict, "foreign-code")
    assert "loaded app from /x/site-packages/app/__init__.py" in found.message
    assert "--editable" in found.cure


def test_a_compiled_file_that_does_not_fit_is_to_be_removed(bench: Bench) -> None:
    compiled = "/repo/__pycache__/app.cpython-311.pyc"
    report = bench.report(foreign=(("app", compiled),))
    found = bench.only(bench.verdict(bench.seen(report=report)), "foreign-code")
    assert found.cure.startswith(f"rm -f {compiled} && proctor run")


@pytest.mark.parametrize(
    ("argv", "more"),
    [
        ("pytest -q", {"odd_env": ("PYTHONOPTIMIZE",), "exe": "/usr/bin/python3.11"}),
        ("python -O -m unittest", {}),
        ("python -bOO -m unittest", {}),
    ],
)
def test_asserts_switched_off_leave_the_run_unproven(
    bench: Bench, argv: str, more: dict[str, Any]
) -> None:
    what = bench.what("pytest")
    verdict = bench.verdict(bench.seen(argv, what=what, **more))
    assert verdict.outcome is Outcome.UNPROVEN
    assert bench.only(verdict, "odd-environment").level is Level.UNPROVEN


@pytest.mark.parametrize("argv", ["python -m unittest -O", "python -X dev -m unittest", "python"])
def test_other_options_switch_no_asserts_off(bench: Bench, argv: str) -> None:
    verdict = bench.verdict(bench.seen(argv, what=bench.what("pytest")))
    assert "odd-environment" not in bench.rules(verdict)


@pytest.mark.parametrize(
    ("exe", "name", "level"),
    [
        ("/usr/bin/python3", "LD_PRELOAD", Level.WARNING),
        ("/usr/bin/python3", "PYTHONHOME", Level.WARNING),
        ("/usr/bin/python3", "PYTHONPATH", Level.NOTE),
        ("/usr/bin/python3", "NODE_OPTIONS", None),
        ("/usr/bin/python3", "ENV", None),
        ("/usr/bin/node", "NODE_OPTIONS", Level.WARNING),
        ("/usr/bin/node", "PYTHONOPTIMIZE", None),
        ("/usr/bin/node", "LD_LIBRARY_PATH", Level.NOTE),
    ],
)
def test_a_variable_weighs_as_much_as_it_matters_to_what_ran(
    bench: Bench, exe: str, name: str, level: Level | None
) -> None:
    runner = "pytest" if "python" in exe else "jest"
    verdict = bench.verdict(bench.seen(runner, exe=exe, odd_env=(name,)))
    found = [one.level for one in verdict.findings if one.rule == "odd-environment"]
    assert found == ([level] if level else [])


def test_each_kind_of_blind_spot_has_its_cure(bench: Bench) -> None:
    for spot, cure in (
        ("assume-unchanged:src/a.py", "git update-index --no-assume-unchanged src/a.py"),
        ("sparse-checkout", "git sparse-checkout disable"),
        ("git-error:fatal", "make these part of the tree"),
    ):
        git = bench.git(blind_spots=(spot,))
        found = bench.only(bench.verdict(bench.seen(git=git)), "tree-blind-spot")
        assert found.cure.startswith(cure)
        assert found.level is Level.WARNING
    assert found.paths == ()


def test_what_the_tree_id_sees_and_nobody_hides_is_a_note(bench: Bench) -> None:
    git = bench.git(blind_spots=("nested-repository:vendor/x", "symlink:src/x"))
    verdict = bench.verdict(bench.seen(git=git))
    found = [(one.level, one.paths) for one in verdict.findings]
    assert found == [(Level.WARNING, ("src/x",)), (Level.NOTE, ("vendor/x",))]


def roots(bench: Bench, *digests: str, **more: Any) -> tuple[Any, ...]:
    return tuple(bench.seen("pytest", stdout_sha256=digest, **more) for digest in digests)


def test_a_failure_with_the_same_output_is_a_real_one(bench: Bench) -> None:
    found = bench.only(bench.verdict(*roots(bench, "a", "a", exit_code=1)), "unstable-output")
    assert found.level is Level.NOTE
    assert "failed 2 times with the same output: a failing test, not a flaky one" in found.message
    assert "unstable-output" not in bench.rules(bench.verdict(*roots(bench, "a", "b", exit_code=1)))


def test_green_runs_that_print_something_else_are_a_note_with_what_to_pin(bench: Bench) -> None:
    found = bench.only(bench.verdict(*roots(bench, "a", "b", report=None)), "unstable-output")
    assert "2 green runs on the same files printed 2 different outputs" in found.message
    assert "-p no:randomly" in found.cure


def test_nothing_is_said_where_reports_or_digests_agree(bench: Bench) -> None:
    for seen in (
        roots(bench, "a", "b"),
        roots(bench, "a", "a", report=None),
        roots(bench, "a", report=None),
        (bench.seen("pytest", report=None), bench.seen("pytest", report=None)),
    ):
        assert "unstable-output" not in bench.rules(bench.verdict(*seen))


def test_tests_that_took_no_time_are_a_note(bench: Bench) -> None:
    for more in ({"report": bench.report(seconds=0.0)}, {"cpu_ms": 0}):
        found = bench.only(bench.verdict(bench.seen(**more)), "zero-time-suite")
        assert found.level is Level.NOTE
        assert "3 tests, but " in found.message
    assert bench.verdict(bench.seen(report=bench.report(seconds=0.1), cpu_ms=20)).findings == ()
