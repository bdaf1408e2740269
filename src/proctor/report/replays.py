"""What a replay of a receipt came to: as lines for people, as JSON, and as a verdict."""

from collections.abc import Iterator

import msgspec

from proctor.findings import Finding, Level, Outcome
from proctor.receipt.harness import Restored
from proctor.receipt.replay import COULD_NOT, REPRODUCED, Replayed
from proctor.report.answer import Answer
from proctor.report.page.base import page_of
from proctor.report.plain import visible
from proctor.report.summary import Case, Summary, Table

LIMITS = "A replay shows that a run comes out alike here. It does not show that the tests are good."


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """What `receipt replay --format json` writes."""

    schema: str = "proctor.replay/1"
    """1: the first version."""
    outcome: str
    command: str
    differences: tuple[str, ...]
    restored: tuple[Restored, ...]
    notes: tuple[str, ...]
    is_red: bool


def answer_of(found: Replayed) -> Answer:
    """Return what a replay came to, ready for every format."""
    summary = summary_of(found)
    return Answer(
        verdict=summary,
        document=Document(**msgspec.structs.asdict(found)),
        page=lambda: page_of(summary),
        own={"text": lambda _: "".join(f"{visible(line)}\n" for line in _lines(found))},
    )


def summary_of(found: Replayed) -> Summary:
    """Return a replay as a verdict: a finding for each difference."""
    outcome = Outcome.UNPROVEN if found.outcome == COULD_NOT else Outcome.FAIL
    if found.outcome == REPRODUCED and not found.is_red:
        outcome = Outcome.PASS
    rows = tuple((one.what, one.path) for one in found.restored)
    restored = Table(title="Put back as at the base", head=("What", "File"), rows=rows)
    notes = Table(title="Notes", head=("Note",), rows=tuple((note,) for note in found.notes))
    return Summary(
        command="receipt replay",
        outcome=outcome,
        sentence=f"{_head(found)}{f': `{found.command}`' if found.command else ''}",
        findings=tuple(_findings(found)),
        facts=(
            f"{len(found.differences):,} differences",
            f"{len(found.restored):,} files restored",
        ),
        cases=(Case(name=found.command or "replay", outcome=outcome, said=_head(found)),),
        tables=tuple(table for table in (restored, notes) if table.rows),
        limits=LIMITS,
    )


def _findings(found: Replayed) -> Iterator[Finding]:
    could = found.outcome != COULD_NOT
    level = Level.ERROR if could else Level.UNPROVEN
    for difference in found.differences:
        yield Finding(
            rule="replay-diverged" if could else "replay-failed", level=level, message=difference
        )
    if found.is_red and found.outcome == REPRODUCED:
        message = f"`{found.command}` fails there and here"
        yield Finding(rule="nonzero-exit", level=Level.ERROR, message=message)


def _head(found: Replayed) -> str:
    red = ", and red there and here" if found.is_red and found.outcome == REPRODUCED else ""
    return f"{found.outcome}{red}"


def _lines(found: Replayed) -> Iterator[str]:
    yield f"{_head(found)}: {found.command}".rstrip(": ")
    yield from (f"  {one}" for one in found.differences)
    yield from (f"  {one.what}: {one.path}" for one in found.restored)
    yield from (f"  note: {one}" for one in found.notes)
