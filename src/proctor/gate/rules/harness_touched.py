"""The patch changes which tests run, or how their result is reported.

Proves that parts of a file that runners take their settings from are not what they
were at the base revision; without a base, in the last commit. Does not prove that a test
was left out; layout, comments and unrelated settings are not compared. Of a test file
only lines that end its process with 0 are looked for.

Likely cause: a hook in a conftest, options in an ini file, a test script, a recipe, a
test file that ends its process.

Next: have a person look at these lines: `git diff BASE -- FILE`; to see which tests
are gone, compare with the tests that base executed.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.comparing import is_test_code, new_text, old_path, old_text
from proctor.gate.evidence import Change
from proctor.gate.words import listed
from proctor.outline.base import brief
from proctor.outline.ending import endings
from proctor.outline.parts import parts_of, pattern_of
from proctor.requirements import patterns

_MOST = 12
_INLINE = ".rs"
"""The language whose tests stand among the code."""


def _check(case: Case) -> Iterator[Hit]:
    touched = list(_touched(case))
    beside = "" if case.evidence.base is not None else "; that is not committed"
    most = _MOST if len(touched) <= _MOST else _MOST - 1
    for path, families, what in touched[:most]:
        yield Hit(
            message=f"{path} ({families}): {what}{beside}",
            cure="have a person look at it: no record shows what this setting leaves out",
            paths=(path,),
        )
    rest = tuple(path for path, _, _ in touched[most:])
    if rest:
        yield Hit(message=f"{listed(rest)} too", paths=rest)


def _touched(case: Case) -> Iterator[tuple[str, str, str]]:
    """Yield each file with what changed in it and the families that read it."""
    specifications = [
        (family, specification, patterns([pattern_of(specification)]))
        for family, given in sorted(case.evidence.harness.items())
        for specification in given
    ]
    for change in case.evidence.changes or case.evidence.uncommitted:
        found: dict[str, list[str]] = {}
        for family, specification, pattern in specifications:
            if any(pattern.match_file(path) for path in change.paths):
                what = _changed(change, specification)
                if what:
                    found.setdefault(what, []).append(family)
        ends = _ends(change)
        if ends:
            found.setdefault(ends, []).append("a test file")
        for what, families in found.items():
            yield change.path, listed(families), what


def _ends(change: Change) -> str:
    """Return what ends a test file's process with 0, and did not before."""
    new = new_text(change)
    if not new or not (is_test_code(change.path) or change.path.endswith(_INLINE)):
        return ""
    before = endings(old_path(change), old_text(change) or "")
    come = [line for line in endings(change.path, new) if line not in before]
    return f"`{brief(come[0])}` is new: what follows it may never run" if come else ""


def _changed(change: Change, specification: str) -> str:
    """Return what differs in the deciding parts; nothing where they are as they were."""
    before, after = old_text(change), new_text(change)
    if before is None or after is None:
        return "it cannot be compared: it is binary or too large"
    old = parts_of(old_path(change), before, specification) if before else {}
    new = parts_of(change.path, after, specification) if after else {}
    differing = [
        key
        for key in (*old, *(key for key in new if key not in old))
        if old.get(key) != new.get(key)
    ]
    if not differing:
        return ""
    said = "; ".join(_said(key, old.get(key), new.get(key)) for key in differing[:2])
    more = len(differing) - 2
    return said if more <= 0 else f"{said}; and {more} more"


def _said(name: str, old: str | None, new: str | None) -> str:
    if old is None or new is None:
        verb = "is new" if old is None else "is gone"
        value = (new if old is None else old) or ""
        shown = brief(value.lstrip("\n").partition("\n")[0])
        if not name:
            return f"the file {verb}"
        bare = name == value or value.count("\n(")
        return f"`{brief(name)}` {verb}" if bare or not shown else f"`{name}` {verb}: `{shown}`"
    if not name:
        gone = [line for line in old.splitlines() if line not in new.splitlines()]
        come = [line for line in new.splitlines() if line not in old.splitlines()]
        return (
            " and ".join(
                f"{verb} `{brief(lines[0])}`"
                for verb, lines in (("lost", gone), ("has", come))
                if lines
            )
            or "its lines are in another order"
        )
    first, second = _first_difference(old, new)
    return f"`{name}` was `{brief(first)}`, is `{brief(second)}`"


def _first_difference(old: str, new: str) -> tuple[str, str]:
    """Return both texts from shortly before the place where they part."""
    at = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), 0)
    start = max(0, at - 20)
    return old[start:], new[start:]


RULE = Rule(level=Level.WARNING, check=_check, approvable=True)
