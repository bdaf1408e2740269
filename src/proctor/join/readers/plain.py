"""Plain JSONL of tool spans: `span_id`, `name`, `arguments` or `argv`, `start`, `end`.

Optional: `exit_code`, `output`, `cwd`, `session_id`, `trace_id`.
"""

import re
from collections.abc import Iterator

import msgspec

from proctor.join.base import Reader, Source
from proctor.join.decoding import Shape, decoded, digest_of, parts_text
from proctor.join.pending import answered
from proctor.join.times import as_utc
from proctor.join.tool_span import asked
from proctor.join.toolcall import Entry, Told, ToolCall

AGENT = "plain"
_NEEDS = (
    re.compile(rb'[{,]\s*"span_id"\s*:'),
    re.compile(rb'[{,]\s*"(?:arguments|argv)"\s*:'),
    re.compile(rb'[{,]\s*"start"\s*:'),
)


class _Span(Shape):
    span_id: str | int | None = None
    name: str | None = None
    arguments: msgspec.Raw = msgspec.Raw()
    argv: list[str | None] | None = None
    start: str | int | float | None = None
    end: str | int | float | None = None
    exit_code: int | None = None
    output: msgspec.Raw = msgspec.Raw()
    cwd: str | None = None
    session_id: str | None = None
    trace_id: str | None = None
    tool_call_id: str | None = None


_SPAN = msgspec.json.Decoder(_Span)


def _read(source: Source) -> Iterator[Entry]:
    stem = source.stem
    for place, span in decoded(source, _SPAN):
        if span.span_id is None and span.name is None and span.argv is None:
            continue
        wanted = asked(span.name or "", span.arguments)
        argv = tuple(word or "" for word in span.argv) if span.argv else wanted.argv
        span_id = "" if span.span_id is None else str(span.span_id)
        code = span.exit_code
        failed = None if code is None else code != 0
        call = ToolCall(
            call_id=span.tool_call_id or span_id or f"line-{place}",
            agent=AGENT,
            session=span.session_id or span.trace_id or stem,
            tool=span.name or "",
            command=None if argv else wanted.command,
            argv=argv,
            cwd=span.cwd or wanted.cwd,
            started_at=as_utc(span.start),
            payload_sha256=digest_of(span.arguments),
            line=place,
            trace_id=(span.trace_id or "").lower().removeprefix("0x"),
            tool_span=span_id.lower().removeprefix("0x"),
        )
        at = as_utc(span.end)
        told = Told(exit_code=code, failed=failed, ending="ended" if at else "unknown")
        yield from answered(call, told, text=parts_text(span.output) or None, at=at)


READER = Reader(
    name="plain tool spans",
    claims=lambda head: b'"proctor.span/' not in head and all(n.search(head) for n in _NEEDS),
    read=_read,
    lists=(("spans",),),
)
