"""A JUnit file is not the one that a witnessed run on these files wrote.

Proves that its bytes are those of no report that a recorded process wrote when it ran
on the current files. Does not prove who wrote it.

Likely cause: the file is from an earlier run, was written by hand, or was edited.

Next: delete the file and run the tests again: `proctor run -- pytest --junitxml=junit.xml`.
"""

import os
from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case, reports_of
from proctor.gate.words import rerun


def _check(case: Case) -> Iterator[Hit]:
    written = reports_of(seen.span for seen in case.evidence.every_seen())
    for decision, attempt in case.judged():
        item = decision.item
        if item is None or item.junit is None:
            continue
        why = _doubt(case.evidence.junit.get(item.junit), case.reports_here(item.paths), written)
        if why:
            yield Hit(
                message=f"{item.junit} {why}",
                cure=f"rm -f {item.junit} && {rerun(attempt)}",
                span=attempt.first.span,
                paths=(item.junit,),
                requirement=item.name,
            )
    for captured in case.evidence.captured:
        for run in captured.runs:
            for name, sha256 in run.junit.items():
                why = _doubt(sha256, case.reports_here(), written)
                if why:
                    path = os.path.join(captured.folder, name)
                    yield Hit(
                        message=f"{path} {why}",
                        cure="capture it again: proctor evidence capture",
                        paths=(path,),
                    )


def _doubt(sha256: str | None, here: set[str], written: set[str]) -> str:
    """Return why a file is not that of a run on the current files, '' if it is."""
    if sha256 is None:
        return "is missing"
    if sha256 in here:
        return ""
    return (
        "was written by a run on other files"
        if sha256 in written
        else "was written by no recorded run"
    )


RULE = Rule(level=Level.ERROR, check=_check)
