"""Which runs belong to the patch: by time, and by what they ran on."""

import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from proctor.assess.since import horizon, runs_of_patch
from proctor.gate.evidence import Base, Run, Seen
from proctor.records.span import Git, Span

NOW = datetime(2026, 3, 8, 12, 0, tzinfo=UTC)
MERGED = "2026-03-05T12:00:00.000000Z"
EARLY, LATE = "2026-03-04T00:00:00.000000Z", "2026-03-06T00:00:00.000000Z"


def _base(commit: str = "c", merged_at: str = MERGED) -> Base:
    return Base(
        name="main", commit=commit, tree="t", how="id", merge_base=commit, merge_tree="t",
        merged_at=merged_at,
    )  # fmt: skip


def _run(started_at: str, git: Git | None) -> Run:
    members: dict[str, Any] = {
        "span_id": "1", "run_id": "r", "argv": ("pytest",), "cwd": "/a", "exit_code": 0,
        "started_at": started_at, "duration_ms": 1, "duration_floor_ms": 0, "duration_ok": True,
        "denied_binary": False, "stdout_sha256": None, "stderr_sha256": None, "stdout_bytes": None,
        "stderr_bytes": None, "env_names": (), "witness": "tree", "git": git,
    }  # fmt: skip
    return Run(run_id="r", seen=(Seen(span=Span(**members)),))


def test_records_are_read_from_the_merge_base_on_but_at_least_for_a_week() -> None:
    week = "2026-03-01T12:00:00.000000Z"
    assert horizon(NOW, None) == week
    assert horizon(NOW, _base()) == week
    assert (
        horizon(NOW, _base(merged_at="2026-01-01T00:00:00.000000Z"))
        == "2026-01-01T00:00:00.000000Z"
    )


def test_only_early_runs_on_what_the_base_held_are_left_out(tmp_path: Path) -> None:
    def git(*words: str) -> str:
        command = ["git", "-c", "user.name=A", "-c", "user.email=a@x", *words]
        done = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "one")
    head, tree = git("rev-parse", "HEAD"), git("rev-parse", "HEAD^{tree}")
    facts = Git(root=str(tmp_path), repository=(head, "x"), head=head, tree=tree, tree_after=tree)
    mainline = _run(EARLY, facts)
    dirty = _run(EARLY, msgspec.structs.replace(facts, tree="1" * 40))
    gone = _run(EARLY, msgspec.structs.replace(facts, head="2" * 40))
    unborn = _run(EARLY, msgspec.structs.replace(facts, head=None))
    late, unknown = _run(LATE, facts), _run(EARLY, None)
    runs = (mainline, dirty, gone, unborn, late, unknown)
    assert runs_of_patch(runs, _base(head), str(tmp_path)) == (dirty, gone, unborn, late, unknown)
    assert runs_of_patch((late,), _base(head), str(tmp_path)) == (late,)


def test_where_git_gives_no_answer_every_run_counts(tmp_path: Path) -> None:
    facts = Git(root="/", repository=("a", "b"), head="c" * 40, tree="t", tree_after="t")
    runs = (_run(EARLY, facts),)
    assert runs_of_patch(runs, _base(), str(tmp_path)) == runs
