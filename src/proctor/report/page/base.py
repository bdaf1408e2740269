"""What a page is made from."""

from collections.abc import Sequence

import msgspec

from proctor.findings import Verdict
from proctor.oracle.result import Report
from proctor.records.span import Span


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a page shows."""

    verdict: Verdict
    title: str
    """Name of the folder that was judged."""
    written_at: str
    """When the page was written, for people."""
    spans: Sequence[Span] = ()
    """What was recorded, run by run, the newest run first."""
    left_out: int = 0
    """Runs that are not shown."""
    oracle: Sequence[Report] = ()
    """What the oracle found, where its reports were given."""
