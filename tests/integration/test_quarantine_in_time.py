"""A real flaky suite, from its history to the gate, until the quarantine is over."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from proctor.assess.gather import Question, assess
from proctor.findings import Outcome
from tests.cheats.flakes import flaky_failure
from tests.cheats.oracle import report_of
from tests.cheats.stage import Stage


@pytest.mark.heavy
def test_a_quarantined_failure_passes_for_seven_days_and_then_gates(tmp_path: Path) -> None:
    stage = Stage(tmp_path / "s")
    flaky_failure(stage)
    report = report_of(stage)

    def judged(days: int, oracle: tuple[str, ...] = (report,)) -> tuple[Outcome, str]:
        verdict = assess(
            Question(
                folder=str(stage.repo),
                environ=stage.env,
                now=datetime.now(UTC) + timedelta(days=days),
                base="origin/main",
                quarantine="quarantine.txt",
                oracle=oracle,
            )
        )
        return verdict.outcome, verdict.sentence

    assert judged(0) == (Outcome.PASS, "`pytest -q` passed by quarantine on these files")
    assert judged(7)[0] is Outcome.PASS
    assert judged(8)[0] is Outcome.FAIL
    assert judged(0, ())[0] is Outcome.FAIL
