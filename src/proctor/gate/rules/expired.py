"""The deciding run is older than its requirement allows.

Proves how long ago the run began, by the clock of this machine. Does not prove that
anything has changed since.

Likely cause: the requirement has a `max_age`, and the tests were not run since.

Next: run them again: `proctor run -- pytest`.
"""

from collections.abc import Iterator
from datetime import timedelta

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.moments import moment
from proctor.gate.words import rerun

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}


def _check(case: Case) -> Iterator[Hit]:
    for decision, attempt in case.judged():
        item = decision.item
        if item is None or item.max_age is None:
            continue
        limit = timedelta(seconds=int(item.max_age[:-1]) * _SECONDS[item.max_age[-1]])
        # Of shards, the oldest counts.
        oldest = min((part.span for part in attempt.parts), key=lambda span: span.started_at)
        began, now = moment(oldest.started_at), moment(case.evidence.now)
        if began is None or now is None or now - began > limit:
            when = f"began at {began:%Y-%m-%d %H:%M} UTC" if began else "has no date"
            yield Hit(
                message=f"{item.name!r} may be {item.max_age} old; the run {when}",
                cure=rerun(attempt),
                span=oldest,
                requirement=item.name,
            )


RULE = Rule(level=Level.ERROR, check=_check, approvable=True)
