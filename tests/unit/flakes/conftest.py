"""Factories of runs."""

from collections.abc import Callable

import pytest

from proctor.flakes.history import Ran, RunFacts

Runs = Callable[..., list[Ran]]
_WORDS = {".": ("passed",), "F": ("failed",), "R": ("failed", "passed"), "s": ("skipped",)}


def make_runs(marks: str, tree: str | None = "t", **members: object) -> list[Ran]:
    """Return a run a mark: `.` passed, `F` failed, `R` passed on a retry, `s` skipped."""
    found = []
    for number, mark in enumerate(marks):
        facts = RunFacts(
            **{  # type: ignore[arg-type]
                "run_id": f"{tree}-{number}",
                "started": f"2026-03-01T10:{number // 60:02}:{number % 60:02}Z",
                "tree": tree,
                "command": "pytest",
                "toolchain": "linux",
                "tests": 100,
                "failed": int(mark == "F"),
                **members,
            }
        )
        print_ = ("00000000000000f1",) if mark in "FR" else ()
        found.append(Ran(run=facts, outcomes=_WORDS[mark], fingerprints=print_, message="boom"))
    return found


@pytest.fixture
def runs() -> Runs:
    """A factory: `runs("..F.", tree="t1")`."""
    return make_runs
