"""The replay left out sequences that the base's corpus holds.

Proves that a sequence of the reviewed corpus was removed or altered. Does not prove
that it would have shown a delta. A corpus that has more than the base's is no drift.

Likely cause: the corpus was generated anew in the patch, or a sequence that showed a
delta was taken out.

Next: put the sequences back; `proctor oracle generate` keeps what is there.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.words import listed


def _check(case: Case) -> Iterator[Hit]:
    for report in case.evidence.oracle:
        if report.corpus_drift and not report.stale:
            yield Hit(
                message=listed(report.corpus_drift),
                cure="put the sequences back as the base has them, then check again",
            )


RULE = Rule(level=Level.ERROR, check=_check, approvable=True)
