"""What ran is not what the tool call says.

Proves that the call's text and the process that the operating system started for it
select different tests. Does not prove intent: an alias, a wrapper or a plugin may have
changed the arguments. Both are shown, and only the process is judged.

Likely cause: a shell function or a wrapper named like the runner.

Next: compare both: `proctor log --tests`.
"""

from collections.abc import Iterator

from proctor.classify.base import Classification
from proctor.findings import Level
from proctor.gate.attempts import not_a_run
from proctor.gate.base import Hit, Rule
from proctor.gate.calls import named, runs
from proctor.gate.case import Case
from proctor.gate.evidence import Call, Seen
from proctor.gate.words import shown

_DYNAMIC = frozenset("$`*?[{~\\")
"""What a shell replaces by other words."""
_SPREADING = ("xargs", "find", "parallel")
"""Wrappers that add words of their own."""


def _check(case: Case) -> Iterator[Hit]:
    for call in case.evidence.calls:
        for seen in (*call.tests, *call.beside):
            asked = _asked(call, seen)
            if asked is not None:
                beside = "" if seen in call.tests else "; it is not known to belong to it"
                yield Hit(
                    message=f"{named(call)} says {shown(asked.argv)}, "
                    f"the process is {shown(seen.span.argv)}{beside}",
                    cure="the process is what counts; see: proctor log --tests",
                    span=seen.span,
                )


def _asked(call: Call, seen: Seen) -> Classification | None:
    """Return what a call asks for where nothing in it can have become this process."""
    ran = seen.what
    if ran is None or seen.line is not None:
        return None  # a line that is the call's own text
    alike = [run.what for run in call.line if run.what.command_class == ran.command_class]
    if not alike or any(_may_become(what, ran) for what in alike):
        return None
    if any(run.what.kind == "driver" for run in call.line) and ran.kind != "driver":
        return None  # the driver chose it
    return next((run.what for run in runs(call) if run.what in alike), alike[0])


def _may_become(asked: Classification, ran: Classification) -> bool:
    """Return whether a shell may have made one command into the other."""
    if any(word.startswith(_SPREADING) for word in asked.wrappers):
        return True
    if bool(not_a_run(asked)) != bool(not_a_run(ran)):
        return False
    return _words_may_become(asked.selectors, ran.selectors) and _words_may_become(
        asked.narrowing, ran.narrowing
    )


def _words_may_become(asked: tuple[str, ...], ran: tuple[str, ...]) -> bool:
    if any(_DYNAMIC & set(word) or "***" in word for word in (*asked, *ran)):
        plain = [word for word in asked if not _DYNAMIC & set(word) and "***" not in word]
        return set(plain) <= set(ran) or any("***" in word for word in ran)
    return sorted(asked) == sorted(ran)


RULE = Rule(level=Level.WARNING, check=_check, hides=("orphan-span",))
