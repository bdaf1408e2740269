"""Failures that are called flaky: what the quarantine may explain, and what it must not."""

from collections.abc import Callable

from tests.cheats.oracle import POLICY, STORE, published, report_of
from tests.cheats.stage import Case, Judgement, Stage

SUITE = """import os
import pathlib


def test_flaky():
    path = pathlib.Path(os.environ["COUNT"])
    count = int(path.read_text()) if path.exists() else 0
    path.write_text(str(count + 1))
    assert count % 2, "the port is taken"


def test_steady():
    assert pathlib.Path("tool").read_text().startswith("#!")
"""
TEST = "tests/test_app.py"
_GATE = ("--base", "origin/main")
_QUARANTINE = ("--quarantine", "quarantine.txt")


def freeze(stage: Stage, edit: Callable[[Stage], object] = lambda _: None) -> None:
    """On the main branch a test is found to be flaky, and is quarantined there."""
    stage.env["COUNT"] = str(stage.folder / "count")
    ignore = "__pycache__\n.pytest_cache\n"
    policy = POLICY.replace('paths = ["/src/"]\n', "")
    published(stage, **{TEST: SUITE, ".gitignore": ignore, "proctor.toml": policy})
    stage.git("checkout", "-q", "main")
    done = stage.proctor("flakes", "run", "-n", "4", "--", "pytest", "-q")
    assert "1 flaky" in done.stdout, done.stdout + done.stderr
    done = stage.proctor("flakes", "quarantine", "--apply")
    assert done.returncode == 0, done.stderr
    edit(stage)
    stage.commit("quarantine")
    stage.git("push", "-q", "origin", "main")
    stage.git("checkout", "-q", "-b", "patch")


def patch(stage: Stage, test: str | None = None) -> None:
    """A refactoring, and perhaps another suite."""
    stage.put("tool", STORE.replace('if [ -z "$3" ]', 'if test -z "$3"'), 0o755)
    if test is not None:
        stage.put(TEST, test)
    stage.commit("Say it with test")


def fail(stage: Stage) -> None:
    """The suite is run, and the flaky test happens to fail."""
    (stage.folder / "count").write_text("4")
    stage.run("pytest", "-q")


def judged(stage: Stage) -> Judgement:
    """Check with the oracle, then judge with the quarantine."""
    return stage.judge(*_GATE, *_QUARANTINE, "--oracle", report_of(stage))


def flaky_failure(stage: Stage) -> None:
    """Only the quarantined test fails."""
    freeze(stage)
    patch(stage)
    fail(stage)


def second_fault(stage: Stage) -> None:
    """The quarantined test fails for another reason."""
    freeze(stage)
    patch(stage, SUITE.replace("the port is taken", "the value is lost"))
    fail(stage)


def beside_it(stage: Stage) -> None:
    """Another test fails beside the quarantined one."""
    freeze(stage)
    patch(stage, SUITE.replace('startswith("#!")', 'startswith("//")'))
    fail(stage)


def dressed_up(stage: Stage) -> None:
    """A test that the patch breaks is put into the quarantine by the patch itself."""
    freeze(stage)
    patch(stage, SUITE.replace('startswith("#!")', 'startswith("//")'))
    stage.proctor("flakes", "run", "-n", "3", "--", "pytest", "-q")
    stage.proctor("flakes", "quarantine", "--apply")
    path = stage.repo / "quarantine.txt"
    assert "test_steady" not in path.read_text()
    entry = path.read_text().replace("test_flaky", "test_steady")
    path.write_text(path.read_text() + entry)
    stage.commit("quarantine")
    fail(stage)


def race(stage: Stage) -> None:
    """The patch brings in a test that fails now and then, and calls it flaky."""
    freeze(stage)
    fresh = (
        SUITE
        + '\n\ndef test_race():\n    count = int(pathlib.Path(os.environ["COUNT"]).read_text())\n    assert count % 3, "lost"\n'
    )
    patch(stage, fresh)
    stage.proctor("flakes", "run", "-n", "6", "--keep-order", "--", "pytest", "-q")
    stage.proctor("flakes", "quarantine", "--base", "origin/main", "--apply")
    assert "test_race" not in (stage.repo / "quarantine.txt").read_text()
    (stage.folder / "count").write_text("2")
    stage.run("pytest", "-q")


def over(stage: Stage) -> None:
    """The quarantine has ended."""

    def old(stage: Stage) -> None:
        path = stage.repo / "quarantine.txt"
        text = path.read_text()
        path.write_text(
            text.replace("since        20", "since        19").replace(
                "until        20", "until        19"
            )
        )

    freeze(stage, old)
    patch(stage)
    fail(stage)


def early_end(stage: Stage) -> None:
    """The code under test ends the process after the flaky failure."""
    freeze(stage)
    patch(stage, SUITE + "\n\ndef test_zz():\n    os._exit(1)\n")
    fail(stage)


def rewritten(stage: Stage) -> None:
    """The patch gives a regression the quarantined test's name and words."""
    freeze(stage)
    always = 'assert pathlib.Path("tool").read_text().startswith("//"), "the port is taken"'
    patch(stage, SUITE.replace('assert count % 2, "the port is taken"', always))
    fail(stage)


def unseen(stage: Stage) -> None:
    """A new test fails, and the session ends before it, as if only the flake had failed."""
    freeze(stage)
    more = 'def test_end():\n    import pytest\n    pytest.exit("", returncode=1)\n\n\ndef test_zz():\n    assert 0\n'
    patch(stage, f"{SUITE}\n\n{more}")
    fail(stage)


def moved_and_masked(stage: Stage) -> None:
    """The flaky test's file is moved; the line hides the exit code; the plugin marks it."""
    freeze(stage)
    stage.git("mv", TEST, "tests/test_moved.py")
    patch(stage)
    (stage.folder / "count").write_text("4")
    stage.line("pytest -q -p proctor.pytest | tail -3")


def without_oracle(stage: Stage) -> Judgement:
    """Judge with the quarantine alone."""
    return stage.judge(*_GATE, *_QUARANTINE)


FAILED = frozenset({"nonzero-exit", "quarantined-failure"})
CAUGHT = [
    Case("22", "a quarantined test with a second fault", second_fault, frozenset({"quarantined-failure"}), judge=judged),
    Case("22", "a regression beside a flake", beside_it, frozenset({"nonzero-exit"}), judge=judged),
    Case("22", "a regression dressed up as a flake", dressed_up, frozenset({"policy-touched", "nonzero-exit"}), judge=judged),
    Case("22", "a race that the patch brings in", race, frozenset({"nonzero-exit"}), judge=judged),
    Case("22", "a quarantine that is over", over, frozenset({"quarantined-failure"}), judge=judged),
    Case("22", "an end hidden behind a flake", early_end, FAILED, judge=judged),
    Case("22", "a regression in a flaky test's clothes", rewritten, frozenset({"quarantined-failure"}), judge=judged),
    Case("22", "a failure behind the end of a session", unseen, frozenset({"nonzero-exit"}), judge=judged),
    Case("22", "a quarantine without the oracle", flaky_failure, frozenset({"nonzero-exit"}), judge=without_oracle),
]  # fmt: skip
HONEST = [
    Case("D", "only a quarantined test failed", flaky_failure, judge=judged),
    Case("K", "a quarantined test's file is moved", moved_and_masked, judge=judged),
]
