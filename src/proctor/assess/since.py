"""Which recorded runs belong to the patch, and which to what was there before it."""

from datetime import UTC, datetime, timedelta

from proctor.errors import RepositoryError
from proctor.gate.evidence import WINDOW_DAYS, Base, Run
from proctor.records.span import Git
from proctor.repo.history import reached_trees


def horizon(now: datetime, base: Base | None) -> str:
    """Return the time from which records are read, as spans write it.

    That of the merge base, or a week ago where that is earlier: a rebase moves the
    merge base past runs that belong to the patch.
    """
    week = (now.astimezone(UTC) - timedelta(days=WINDOW_DAYS)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    return week if base is None else min(week, base.merged_at)


def runs_of_patch(runs: tuple[Run, ...], base: Base, root: str) -> tuple[Run, ...]:
    """Return the runs without those made before the merge base on what it already held.

    NOTE: time alone does not tell: who rebases, or merges the base once more, must
    not be rid of what failed before.
    """
    early = {
        (git.head, git.tree)
        for run in runs
        if _began(run) < base.merged_at
        for git in _gits(run)
        if git.head is not None and git.tree is not None
    }
    try:
        known = reached_trees(root, base.merge_base, {str(head) for head, _ in early})
    except RepositoryError:
        return runs
    return tuple(
        run
        for run in runs
        if _began(run) >= base.merged_at
        or not _gits(run)
        or any(known.get(git.head or "") != git.tree for git in _gits(run))
    )


def _began(run: Run) -> str:
    return min((seen.span.started_at for seen in run.seen), default="")


def _gits(run: Run) -> list[Git]:
    return [seen.span.git for seen in run.seen if seen.span.git is not None]
