from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def test_a_limit_of_proctors_own_is_named(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen(exit_code=143, signal="SIGTERM", timed_out=True))
    assert bench.rules(verdict) == ["timed-out"]


def test_the_timeout_program_above_is_a_time_limit(bench: Bench) -> None:
    limit = bench.seen("timeout 60 pytest", exit_code=124)
    leaf = bench.below(limit, "pytest", exit_code=143, signal="SIGTERM")
    assert bench.rules(bench.verdict(limit, leaf)) == ["timed-out"]


def test_a_limit_on_the_whole_run_is_one_too(bench: Bench) -> None:
    root = bench.seen("bash t.sh", exit_code=143, signal="SIGTERM", timed_out=True)
    leaf = bench.below(root, "pytest", exit_code=143, signal="SIGTERM")
    assert bench.rules(bench.verdict(root, leaf)) == ["timed-out"]


def test_a_suite_that_ends_within_its_limit_passes(bench: Bench) -> None:
    limit = bench.seen("timeout 60 pytest")
    assert bench.verdict(limit, bench.below(limit, "pytest")).findings == ()
