"""A JUnit file is not the one that a witnessed run wrote.

Proves that its bytes are those of no report that a recorded process wrote. Does not
prove who wrote it.

Likely cause: the file is from an earlier run, was written by hand, or was edited.

Next: delete the file and run the tests again: `proctor run -- pytest --junitxml=junit.xml`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.words import rerun


def _check(case: Case) -> Iterator[Hit]:
    written = {seen.span.report.sha256 for seen in case.evidence.every_seen() if seen.span.report}
    for decision, attempt in case.judged():
        item = decision.item
        if item is None or item.junit is None:
            continue
        found = case.evidence.junit.get(item.junit)
        if found is None or found not in written:
            why = "is missing" if found is None else "was written by no recorded run"
            yield Hit(
                message=f"{item.junit} {why}",
                cure=f"rm -f {item.junit} && {rerun(attempt)}",
                span=attempt.first.span,
                paths=(item.junit,),
                requirement=item.name,
            )


RULE = Rule(level=Level.ERROR, check=_check)
