"""A run ended and left processes behind.

Proves that processes it had started were still alive when its root ended. Does not
prove that they had anything to do with the tests.

Likely cause: a server or a watcher was started in the background.

Next: see which: `proctor log --tree`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.words import shown


def _check(case: Case) -> Iterator[Hit]:
    judged = {part.span.run_id for _, part in case.parts()}
    for seen in case.evidence.every_seen():
        count = (seen.span.tree or {}).get("left_running", 0)
        if count and seen.span.parent_span_id is None and seen.span.run_id in judged:
            noun = "1 process" if count == 1 else f"{count} processes"
            yield Hit(
                message=f"{shown(seen.span.argv)} left {noun} running",
                cure="proctor log --tree",
                span=seen.span,
            )


RULE = Rule(level=Level.WARNING, check=_check)
