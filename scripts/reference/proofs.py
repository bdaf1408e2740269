"""docs/what-it-proves.md: what each file proves and what it does not, as the program says it."""

import re

from proctor.capture.show import _NO_FILE, _ROWS
from proctor.report.page.evidence import _KINDS, LEVELS
from reference.table import table

_HEAD = """\
# What each file proves

Made by `make pages` from the tables that the program itself prints: `proctor report --format html` and `proctor evidence
show` say the same beside each file.

A file proves something only together with what it is held against. Nothing here says that the tests are good tests.

## The inputs of a verdict

"""
_EVIDENCE = """\
## The files of an evidence folder

`proctor evidence capture` writes them ([evidence.md](evidence.md)). They become more than a claim where `proctor gate
--evidence` holds them against the records.

"""
_INSTEAD = """\
## What people offer instead

"""
_LEVELS = """\
## The levels

How far an input can be trusted depends on who could have written it ([threat-model.md](threat-model.md)).

"""


def page() -> str:
    """Return the page."""
    head = ("file", "proves", "does not prove")
    kinds = [(f"`{kind}`", proves, does_not) for kind, (proves, does_not) in _KINDS.items()]
    rows = [(", ".join(_names(row[0])), *row[1:]) for row in _ROWS]
    levels = [(str(level), text) for level, text in LEVELS.items()]
    return "\n".join(
        [
            _HEAD + table(("input", *head[1:]), kinds),
            _EVIDENCE + table(head, rows),
            _INSTEAD + table(("offered", *head[1:]), _NO_FILE),
            _LEVELS + table(("level", "what it means"), levels),
        ]
    )


def _names(pattern: str) -> list[str]:
    """Return a pattern of file names as names, optional parts left out."""
    plain = re.sub(r"\(\?:[^()|]*\)\?", "", pattern).replace("\\.", ".").replace(".+", "NAME")
    choice = re.search(r"\(\?:([^()]*)\)", plain)
    if choice is None:
        return [f"`{plain}`"]
    return [f"`{plain.replace(choice[0], one)}`" for one in choice[1].split("|")]
