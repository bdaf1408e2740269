"""What a command found, ready for every format.

Each format is one file of `report.formats` and takes the answer as a verdict. What a
command says better in words of its own, as its table on a terminal, it brings along.
"""

import functools
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from proctor import _family
from proctor.findings import Verdict
from proctor.report.base import PACKAGE, Format, PageFormat
from proctor.report.document import json_text
from proctor.report.style import Style

if TYPE_CHECKING:
    from proctor.report.page.base import Page


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What was found: once as a verdict, and once as the command's own document."""

    verdict: Verdict
    document: msgspec.Struct
    """What `--format json` writes; its schema names itself."""
    page: "Callable[[], Page]"
    """What `--format html` shows."""
    own: Mapping[str, Callable[[Style], str]] = {}
    """Format → the command's own words, where they say more."""


def own_formats(
    package: str, kind: type[Any], report: msgspec.Struct
) -> dict[str, Callable[[Style], str]]:
    """Return what each format of a family of its own says of a report; they are of `kind`."""
    own: dict[str, Callable[[Style], str]] = {}
    for name, form in _family.members(package, "FORMAT"):
        assert isinstance(form, kind)  # noqa: S101 - what the family's files bind
        own[name] = functools.partial(form.render, report)
    return own


def render(answer: Answer, name: str, style: Style) -> str:
    """Return an answer in a format for verdicts or pages."""
    if name in answer.own:
        return answer.own[name](style)
    if name == "json":
        return json_text(msgspec.to_builtins(answer.document))
    one = _family.member(PACKAGE, name, "FORMAT")
    if isinstance(one, PageFormat):
        return one.render(answer.page())
    assert isinstance(one, Format)  # noqa: S101 - the command line offers no other
    return one.render(answer.verdict, style)
