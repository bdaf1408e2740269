"""OpenInference: a span to an object, as its SDKs write them to a file."""

import re
from collections.abc import Iterator

import msgspec

from proctor.join import tool_span
from proctor.join.base import Reader, Source
from proctor.join.decoding import Shape, decoded
from proctor.join.pending import answered
from proctor.join.times import as_utc
from proctor.join.toolcall import Entry, Message, Told, ToolCall

AGENT = "openinference"
_CLAIM = re.compile(rb'[{,]\s*"openinference\.span\.kind"\s*:')


class _Context(Shape):
    trace_id: str | None = None
    span_id: str | None = None


class _Status(Shape):
    status_code: str | None = None


class _Span(Shape):
    name: str | None = None
    context: _Context | None = None
    start_time: str | int | float | None = None
    end_time: str | int | float | None = None
    attributes: dict[str, object] | None = None
    status: _Status | None = None


_SPAN = msgspec.json.Decoder(_Span)


def _id(text: str | None) -> str:
    return (text or "").lower().removeprefix("0x")


def _read(source: Source) -> Iterator[Entry]:
    for place, span in decoded(source, _SPAN, b'"openinference.span.kind"'):
        attributes = span.attributes or {}
        context = span.context or _Context()
        failed = True if span.status and span.status.status_code == "ERROR" else None
        session = tool_span.first_text(attributes, "session.id") or _id(context.trace_id)
        at = as_utc(span.end_time)
        if not tool_span.is_tool(attributes):
            kind = str(attributes.get("openinference.span.kind", "")).upper()
            text = tool_span.printed_by(attributes) if kind in ("LLM", "AGENT") else None
            if text:
                yield Message(session=session, text=text, said_at=at, line=place)
            continue
        bare = ToolCall(
            call_id=_id(context.span_id) or f"span-{place}",
            agent=AGENT,
            session=session,
            tool=span.name or "",
            started_at=as_utc(span.start_time),
            finished_at=at,
            told=Told(failed=failed, ending="ended" if span.end_time else "unknown"),
            line=place,
            trace_id=_id(context.trace_id),
            tool_span=_id(context.span_id),
        )
        call = tool_span.tool_call(attributes, bare)
        yield from answered(call, call.told, text=tool_span.printed_by(attributes))


READER = Reader(
    name="OpenInference spans",
    claims=lambda head: _CLAIM.search(head) is not None,
    read=_read,
    lists=(("spans",), ("data",)),
)
