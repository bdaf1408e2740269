"""Tests ask less than they did at the base revision.

Proves that checks, cases or whole tests of the base are not found again in the patch,
are weaker there, can no longer fail, or are about a copy of what they were about. Does
not prove that this is wrong: behaviour that was taken out takes its tests with it.

Likely cause: a test was made to pass instead of the code.

Next: put the checks back, or tell the reviewer why they went; see each with
`git diff BASE -- tests`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.carried import Removed
from proctor.gate.case import Case
from proctor.gate.comparing import is_test_code, new_text, old_path, old_text
from proctor.gate.evidence import Change
from proctor.gate.standins import KINDS as STANDINS
from proctor.gate.standins import standins
from proctor.gate.weakening import KINDS, File, Weakening, weakenings
from proctor.gate.words import listed
from proctor.outline.base import Outline
from proctor.outline.read import lacks_grammar, outline
from proctor.requirements import patterns

_MOST = 12
"""Findings; of further files only the names are given."""
_MOST_FILES = 500
_INLINE = (".rs", ".zig", ".d")
"""Languages whose tests stand among the code."""


def _check(case: Case) -> Iterator[Hit]:
    changes = [c for c in case.evidence.changes if _may_hold_tests(c)][:_MOST_FILES]
    hidden = tuple(c.path for c in changes if old_text(c) is not None and new_text(c) is None)
    if hidden:
        verb = "is" if len(hidden) == 1 else "are"
        yield Hit(message=f"{listed(hidden)} {verb} no readable text any more", paths=hidden)
    collected = patterns([p for known in case.evidence.collects.values() for p in known])
    files = [
        _file(c, dropped=collected.match_file(old_path(c)) and not collected.match_file(c.path))
        for c in changes
    ]
    yield from _read_by_lines(changes)
    readable = [file for file in files if file is not None]
    found = [*weakenings(readable), *standins(readable)]
    removed = Removed(case.evidence.changes if any(w.kind == "removed" for w in found) else ())
    grouped: dict[tuple[str, str], list[Weakening]] = {}
    for one in found:
        why = removed.why(one.path, one.test) if one.kind == "removed" else ""
        if why:
            yield Hit(message=f"{_message([one])}; {why}", paths=(one.path,), remark=True)
            continue
        grouped.setdefault((one.path, one.kind), []).append(one)
    groups = list(grouped.values())
    most = _MOST if len(groups) <= _MOST else _MOST - 1
    for group in groups[:most]:
        yield Hit(
            message=_message(group),
            cure="put it back, or say in the change's description why it had to go",
            paths=(group[0].path,),
        )
    rest = tuple(dict.fromkeys(group[0].path for group in groups[most:]))
    if rest:
        yield Hit(message=f"tests ask less in {listed(rest)} too", paths=rest)


def _read_by_lines(changes: list[Change]) -> Iterator[Hit]:
    """Say that a grammar is not installed: what the patch takes away may go unseen."""
    paths = sorted(c.path for c in changes if c.new_text and lacks_grammar(c.path))
    if paths:
        yield Hit(
            message=f"{listed(paths)} read line by line: the grammar is not installed "
            "(pip install '.[diff]' in Proctor's clone)",
            paths=tuple(paths),
            remark=True,
        )


def _file(change: Change, *, dropped: bool) -> File | None:
    old, new = old_text(change), new_text(change)
    if old is None or new is None:
        return None
    now = Outline() if dropped or not new else outline(change.path, new)
    return File(path=change.path, old=outline(old_path(change), old) if old else Outline(), new=now)


def _may_hold_tests(change: Change) -> bool:
    return any(is_test_code(path) or path.endswith(_INLINE) for path in change.paths)


def _message(group: list[Weakening]) -> str:
    first = group[0]
    what = f"{first.path}:{first.line}: {first.test} {(KINDS | STANDINS)[first.kind]}"
    if first.before and first.after:
        what += f": {_quoted(first.before)} is now {_quoted(first.after)}"
    elif first.before or first.after:
        what += f": {_quoted(first.before or first.after)}"
    if len(group) == 1:
        return what
    others = listed([f"{one.test}:{one.line}" for one in group[1:]])
    return f"{what}; the same: {others}"


def _quoted(text: str) -> str:
    return (
        text if text[:1].isdigit() or text.startswith(("in a", "after", "below")) else f"`{text}`"
    )


RULE = Rule(level=Level.WARNING, check=_check, approvable=True)
