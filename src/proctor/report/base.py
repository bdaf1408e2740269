"""What a report format's file says."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeVar

import msgspec

from proctor import _family
from proctor.errors import UsageError
from proctor.findings import Verdict
from proctor.records.span import Span
from proctor.report.style import Style

if TYPE_CHECKING:
    from proctor.report.page.base import Page

PACKAGE = "proctor.report.formats"
Parents = Mapping[str, tuple[str, str | None]]
"""Span id → the trace and the span there that asked for it, as a transcript tells."""


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """What the file of a format for verdicts binds to `FORMAT`; the file's name is the format's.

    `render` takes the verdict and the look of the output it goes to, and returns
    text that ends with a newline.
    """

    render: Callable[[Verdict, Style], str]


class RecordFormat(msgspec.Struct, frozen=True, kw_only=True):
    """What the file of a format for the records themselves binds to `FORMAT`.

    `write` takes them in the order of the log and yields what is to be written, in flat
    memory; `send` hands them to a URL and returns how many were taken.
    """

    write: Callable[[Iterable[Span], Parents], Iterator[bytes]]
    send: Callable[[Iterable[Span], Parents, str], int] | None = None


class PageFormat(msgspec.Struct, frozen=True, kw_only=True):
    """What the file of a format that shows the verdict with the records binds to `FORMAT`."""

    render: "Callable[[Page], str]"


_Kind = TypeVar("_Kind", Format, RecordFormat, PageFormat)


def format_names(kind: type[_Kind]) -> list[str]:
    """Return the formats of one kind."""
    return [name for name, one in _family.members(PACKAGE, "FORMAT") if isinstance(one, kind)]


def format_of(name: str, kind: type[_Kind]) -> _Kind:
    """Return a format.

    Raises:
        UsageError: there is none of that kind and name.
    """
    known = name in _family.names(PACKAGE)
    # NOTE: only the one that is asked for is imported; some need libraries.
    if known and isinstance(one := _family.member(PACKAGE, name, "FORMAT"), kind):
        return one
    other = known and kind is Format
    hint = f"; {name} is written by `proctor report --format {name}`" if other else ""
    raise UsageError(f"--format takes one of: {', '.join(format_names(kind))}{hint}")
