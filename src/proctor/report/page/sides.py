"""What the oracle found, old beside new."""

from collections.abc import Sequence

import msgspec

from proctor.oracle.cluster import Cluster
from proctor.oracle.delta import Delta
from proctor.oracle.result import Report
from proctor.report.deltas.base import cluster_verdict, counted, field_verdict, notes_of, verdict_of
from proctor.report.page.words import shortened, words_of
from proctor.report.plain import visible

DELTAS = 200
ROOTS = 50
LONGEST = 4_000
"""Characters of one text."""


class Root(msgspec.Struct, frozen=True, kw_only=True):
    """A change that follows from no other."""

    commands: str
    what: str
    verdict: str
    flagged: bool
    causes: list[str]
    reproducer: str


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One field of a step in both builds."""

    path: str
    old: str
    new: str
    verdict: str


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """A step at which the builds differ."""

    name: str
    command: str
    allowed: bool
    verdict: str
    sides: list[Side]


def oracle_of(report: Report) -> dict[str, object]:
    """Return what the template shows of a report, by name."""
    steps = [_step(delta) for delta in report.deltas[:DELTAS]]
    return {
        "outcome": report.outcome.value,
        "sentence": words_of(report.sentence),
        "counted": counted(report),
        "old": visible(report.old.name),
        "new": visible(report.new.name),
        "roots": [_root(one) for one in report.clusters if one.follows is None][:ROOTS],
        "steps": steps,
        "asked": "proctor oracle check" if report.corpus is not None else "proctor oracle diff",
        "more": max(report.counts.deltas - len(steps), 0),
        "notes": [visible(note) for note in notes_of(report)],
    }


def _root(cluster: Cluster) -> Root:
    return Root(
        commands=visible(", ".join(cluster.commands[:4])),
        what=visible("; ".join(cluster.what[:4])),
        verdict=visible(cluster_verdict(cluster)),
        flagged=bool(cluster.flagged),
        causes=[visible(cause) for cause in cluster.causes[:3]],
        reproducer="\n".join(map(visible, cluster.reproducer)),
    )


def _step(delta: Delta) -> Step:
    whole = verdict_of(delta)
    return Step(
        name=visible(f"{delta.seed} {delta.step}"),
        command=shortened(visible(delta.command), LONGEST),
        allowed=delta.allowed,
        verdict=visible(whole),
        sides=[
            Side(
                path=visible(field.path),
                old=_side(field.old, [line for hunk in field.hunks for line in hunk.removed]),
                new=_side(field.new, [line for hunk in field.hunks for line in hunk.added]),
                verdict="" if whole.startswith(said := field_verdict(field)) else visible(said),
            )
            for field in delta.fields
        ],
    )


def _side(value: str | None, lines: Sequence[str]) -> str:
    """Return a field's text, line by line; of long ones what differs."""
    if value is None and not lines:
        return "(none)"
    text = "\n".join(map(visible, lines or (value or "").split("\n")))
    return shortened(text, LONGEST)
