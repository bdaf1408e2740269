from typing import TYPE_CHECKING, Any

from proctor.gate.evidence import Policy

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def _verdict(bench: Bench, max_age: str, began: str = "2026-03-01T11:00:00.000000Z") -> Any:
    policy = Policy(require=(bench.required("pytest", max_age=max_age),))
    run = bench.seen("pytest", started_at=began)
    return bench.verdict(run, policy=policy, now="2026-03-01T12:00:00+00:00")


def test_a_run_within_its_age_passes(bench: Bench) -> None:
    assert _verdict(bench, "2h").findings == ()


def test_an_older_run_is_an_error(bench: Bench) -> None:
    found = bench.only(_verdict(bench, "59m"), "expired")
    assert found.message.startswith("'checkout' may be 59m old; the run began at 2026-03-01 11:00")


def test_a_run_without_a_date_is_an_error(bench: Bench) -> None:
    assert "has no date" in bench.only(_verdict(bench, "2h", began="?"), "expired").message


def test_of_shards_the_oldest_counts(bench: Bench) -> None:
    policy = Policy(require=(bench.required("pytest", max_age="2h"),))
    runs = [
        bench.seen("pytest tests/test_a.py", started_at="2026-03-01T11:30:00.000000Z"),
        bench.seen("pytest tests/test_b.py", started_at="2026-03-01T09:00:00.000000Z"),
    ]
    verdict = bench.verdict(*runs, policy=policy, now="2026-03-01T12:00:00+00:00")
    assert "began at 2026-03-01 09:00" in bench.only(verdict, "expired").message
