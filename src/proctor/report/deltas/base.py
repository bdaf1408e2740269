"""What a format of the oracle's report binds, and what several of them say alike."""

from collections.abc import Callable, Iterator

import msgspec

from proctor.oracle.atoms import first_word
from proctor.oracle.cluster import Cluster, say
from proctor.oracle.delta import Delta, Field
from proctor.oracle.result import Report
from proctor.report.style import Style


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """What a format's file binds to `FORMAT`; the file's name is the format's.

    `render` takes the report and the look of the output it goes to, and returns text
    that ends with a newline.
    """

    render: Callable[[Report, Style], str]


MOST_SAID = 4
"""Differences of one step that are said in a line."""


def what_of(delta: Delta) -> str:
    """Return what changed at a step, in one line."""
    lines = [line for field in delta.changed for line in say(field)]
    more = f"; and {len(lines) - MOST_SAID} more" if len(lines) > MOST_SAID else ""
    return "; ".join(lines[:MOST_SAID]) + more


def verdict_of(delta: Delta) -> str:
    """Return whether a delta is allowed, and why; of one in part, what is left."""
    if delta.allowed:
        return f"allowed: {'; '.join(delta.reasons)}"
    left = [field.path for field in delta.changed if field.allowed is None]
    partly = len(left) < len(delta.changed)
    return f"FLAGGED: {', '.join(left)}" if partly else "FLAGGED"


def command_of(delta: Delta) -> str:
    """Return the word that a step's command line begins with."""
    return first_word(delta.command)


def field_verdict(field: Field) -> str:
    """Return what is said of one field."""
    if field.change == "unstable":
        return "UNSTABLE"
    return f"allowed: {field.allowed}" if field.allowed else "FLAGGED"


def counted(report: Report) -> str:
    """Return the figures of a report, in one line."""
    counts = report.counts
    parts = [
        f"{counts.steps:,} steps compared",
        f"{counts.deltas:,} deltas",
        f"{counts.allowed:,} allowed",
        f"{counts.flagged:,} flagged",
        f"{counts.unstable:,} unstable",
        f"{counts.roots:,} root changes",
    ]
    return ", ".join(parts)


def cluster_verdict(cluster: Cluster) -> str:
    """Return whether a change is allowed, flagged, or follows from another."""
    if not cluster.flagged:
        return f"allowed: {cluster.reason}"
    if cluster.flagged == cluster.deltas:
        return "FLAGGED"
    return f"FLAGGED at {cluster.flagged:,} of {cluster.deltas:,} steps"


def _held_out(report: Report) -> Iterator[str]:
    """Yield what sequences beside the corpus showed, which decides nothing."""
    held = report.holdout
    if held is None:
        return
    noun = "sequence" if len(held.differing) == 1 else "sequences"
    yield (
        f"hold-out (decides nothing): {held.seeds:,} sequences, {held.steps:,} steps; "
        f"{len(held.differing):,} {noun} differ"
    )
    for one in held.differing[:HELD]:
        what = next((line for field in one.delta.changed for line in say(field)), "")
        yield f"hold-out: {one.delta.command}: {what}; a line for the corpus: {one.line}"


HELD = 5
"""Sequences of the hold-out sample that are named."""


def notes_of(report: Report) -> list[str]:
    """Return everything beside the deltas that must not go unsaid, a line each."""
    lines = [f"problem: {text}" for text in report.problems]
    lines += (f"fixture drift: {text}" for text in report.drift)
    lines += (f"corpus drift: {text}" for text in report.corpus_drift)
    lines += (f"policy ({one.kind}): {one.message}" for one in report.remarks)
    if report.dependencies:
        lines.append(f"dependencies changed: {'; '.join(report.dependencies)}")
    if report.masks:
        hits = ", ".join(f"{name} {count:,}" for name, count in report.masks.items())
        lines.append(f"not compared (masked tokens): {hits}")
    lines += (f"not reached: {text}" for text in report.reach)
    lines += _held_out(report)
    if report.replay is not None:
        used = report.replay
        lines.append(
            f"replayed {used.spawns:,} processes in {used.seconds:.1f} s "
            f"({used.engine}, {used.jobs} at a time, sandbox: {used.sandbox})"
        )
        lines += (f"replay: {text}" for text in used.remarks)
    return lines
