"""A test command failed below something that returned 0.

Proves that whoever started the line was told 0 while the tests returned another
number. Does not prove intent: pipes into `tail` are an everyday habit.

Likely cause: a pipe, `|| true`, `;`, `&`, a condition or a trap in the shell line,
or a build tool that ignores errors.

Next: run the test command by itself: `proctor run -- pytest`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.ends import failed_by_number, masked_by
from proctor.gate.words import rerun_part, shown


def _check(case: Case) -> Iterator[Hit]:
    for decision, attempt in case.judged():
        for part in attempt.parts:
            mask = masked_by(part) if failed_by_number(attempt, part) else None
            if mask is not None:
                more = "; only quarantined tests failed" if attempt.explained else ""
                yield Hit(
                    message=f"{shown(part.span.argv)} returned {part.span.exit_code}, "
                    f"but {shown(mask.argv)} above it returned 0{more}",
                    cure=f"mend what fails, then run it unmasked: {rerun_part(part)}",
                    span=part.span,
                    requirement=decision.item.name if decision.item else None,
                    remark=attempt.explained,
                )


RULE = Rule(level=Level.ERROR, check=_check, hides=("nonzero-exit",))
