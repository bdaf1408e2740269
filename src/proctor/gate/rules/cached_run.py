"""A later run of the same tests was answered from a cache.

Proves that it returned 0 without starting a test program, after a real run on the
same files. Does not weaken that real run, which is what counts.

Likely cause: `go test` remembers results of unchanged packages.

Next: nothing; to run them all the same: `proctor run -- go test -count=1 ./...`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.words import shown


def _check(case: Case) -> Iterator[Hit]:
    for decision, attempt in case.judged():
        cached = [
            later
            for later in decision.covering
            if attempt.leaves
            and not later.leaves
            and later.first.span.exit_code == 0
            and later.started > attempt.started
        ]
        if cached:
            span = cached[-1].first.span
            yield Hit(
                message=f"{shown(span.argv)} started no test program; "
                f"the run at {attempt.first.span.started_at} counts",
                span=span,
                requirement=decision.item.name if decision.item else None,
            )


RULE = Rule(level=Level.NOTE, check=_check)
