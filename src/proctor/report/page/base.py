"""What a page is made from."""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec

from proctor.findings import Verdict

if TYPE_CHECKING:
    from proctor.flakes.quarantine import Entry
    from proctor.flakes.states import Standing
    from proctor.oracle.result import Report
    from proctor.records.span import Span


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a page shows."""

    verdict: Verdict
    title: str
    """Name of the folder that was judged."""
    written_at: str
    """When the page was written, for people."""
    spans: "Sequence[Span]" = ()
    """What was recorded, run by run, the newest run first."""
    left_out: int = 0
    """Runs that are not shown."""
    oracle: "Sequence[Report]" = ()
    """What the oracle found, where its reports were given."""
    flakes: "Sequence[Standing]" = ()
    """The standing of tests, those that ask for attention first."""
    quarantine: "Sequence[Entry]" = ()
    """What explains failures of some of them."""


def page_of(verdict: Verdict, **members: Any) -> Page:
    """Return a page of the current folder, written now."""
    from proctor.records.place import find_clone

    return Page(
        verdict=verdict,
        title=os.path.basename(find_clone(os.getcwd()).root),
        written_at=f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        **members,
    )
