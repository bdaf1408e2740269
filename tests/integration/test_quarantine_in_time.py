"""A real flaky suite, from its history to the gate, until the quarantine is over."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from proctor.assess.gather import Question, assess
from proctor.findings import Outcome
from tests.cheats.flakes import patch
from tests.cheats.oracle import POLICY, published, report_of
from tests.cheats.stage import Stage

FIVE = """import os, random, socket, time
state = []
count = int(open("count").read()) if os.path.exists("count") else 0
open("count", "w").write(str(count + 1))


def test_time():
    end = time.monotonic() + 0.2
    time.sleep(0.4 if count % 3 == 0 else 0)
    assert time.monotonic() < end, "too slow"


def test_random():
    assert random.Random(count).random() > 0.4, "unlucky"


def test_port():
    with socket.socket() as one, socket.socket() as two:
        one.bind(("127.0.0.1", 0))
        two.bind(("127.0.0.1", one.getsockname()[1] if count % 4 == 1 else 0))


def test_makes():
    state.append("made")


def test_order():
    assert "made" in state, "it is to be made first"


def test_leak():
    assert not state, "state leaked"
"""


def frozen(stage: Stage) -> None:
    """On the main branch five kinds of flakes are found in ten runs, and quarantined."""
    policy = POLICY.replace('paths = ["/src/"]\n', "") + "\n[flakes]\ncap = 1.0\n"
    ignore = "count\n__pycache__\n.pytest_cache\n"
    files = {"tests/test_five.py": FIVE, ".gitignore": ignore, "proctor.toml": policy}
    published(stage, **files)
    stage.git("checkout", "-q", "main")
    words = ("flakes", "run", "-n", "10", "--seed", "2", "--", "pytest", "-q")
    done = stage.proctor(*words, timeout=240)
    assert "run 10 of 10" in done.stderr or "stopped:" in done.stderr, done.stderr
    assert stage.proctor("flakes", "quarantine", "--apply").returncode == 0
    text = (stage.repo / "quarantine.txt").read_text()
    for name in ("time", "random", "port", "order", "leak"):
        assert f"tests/test_five.py::test_{name}\n" in text
    assert "test_makes" not in text
    stage.commit("quarantine")
    stage.git("push", "-q", "origin", "main")
    stage.git("checkout", "-q", "-b", "patch")


@pytest.mark.heavy
def test_five_kinds_of_flakes_pass_by_quarantine_for_seven_days_and_then_gate(
    tmp_path: Path,
) -> None:
    stage = Stage(tmp_path / "s")
    frozen(stage)
    patch(stage)
    assert stage.run("pytest", "-q").returncode == 1
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
