"""What a rule's file says, and how it is explained.

A rule is a question about a case; its file's docstring is its entry in the
documentation and what `proctor explain` prints:

1. the first line: what was found;
2. a paragraph that begins *Proves*, and says what it does not prove;
3. a paragraph that begins *Likely cause:*;
4. a paragraph that begins *Next:*, with the exact command.
"""

import importlib
from collections.abc import Callable, Iterator

import msgspec

from proctor import _family
from proctor.findings import Level
from proctor.gate.case import Case
from proctor.gate.evidence import Evidence, Policy
from proctor.join.toolcall import ToolCall
from proctor.records.span import Span

PACKAGE = "proctor.gate.rules"


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """One answer of a rule, not yet a finding."""

    message: str
    cure: str = ""
    span: Span | None = None
    call: ToolCall | None = None
    """The tool call it is about, where no span is."""
    paths: tuple[str, ...] = ()
    line: int | None = None
    """Where in the first of these files, where one line is meant."""
    requirement: str | None = None
    level: Level | None = None
    """Where this answer weighs less or more than the rule does by default."""
    digest: str | None = None
    """What a person may approve, where that is not the content of files."""
    remark: bool = False
    """Whether it accuses nobody: a note, to whatever the project raises the rule."""


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """What a rule's file binds to `RULE`; the file's name is the rule's.

    `check` asks the question of the default algorithm, `every` that of
    `--every`. `hides` names rules that would say the same thing about the same
    span with less reason. `approvable`: a person may let what it finds pass; not
    where that would turn a missing or red run into a pass.
    """

    level: Level
    check: Callable[[Case], Iterator[Hit]] | None = None
    every: Callable[[Evidence, Policy], Iterator[Hit]] | None = None
    hides: tuple[str, ...] = ()
    approvable: bool = False


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """A rule's entry in the documentation."""

    rule: str
    level: Level
    summary: str
    proves: str
    cause: str
    next: str


def rule_names() -> list[str]:
    """Return the identifiers of all rules, sorted."""
    return [name.replace("_", "-") for name in _family.names(PACKAGE)]


def rules() -> Iterator[tuple[str, Rule]]:
    """Yield each rule with its identifier, sorted by identifier."""
    for name, rule in _family.members(PACKAGE, "RULE"):
        assert isinstance(rule, Rule)  # noqa: S101 - what the family's files bind
        yield name.replace("_", "-"), rule


def explain(rule: str) -> Explanation:
    """Return what is known of the rule called `rule`.

    Raises:
        LookupError: there is no such rule.
    """
    if rule not in rule_names():
        raise LookupError(rule)
    module = importlib.import_module(f"{PACKAGE}.{rule.replace('-', '_')}")
    parts = [" ".join(part.split()) for part in (module.__doc__ or "").strip().split("\n\n")]
    summary, proves, cause, step = parts
    return Explanation(
        rule=rule,
        level=module.RULE.level,
        summary=summary,
        proves=proves,
        cause=cause.removeprefix("Likely cause: "),
        next=step.removeprefix("Next: "),
    )
