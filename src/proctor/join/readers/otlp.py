"""OTLP/JSON: spans by the GenAI, process and OpenInference conventions.

A process's span below a tool call's adds its folder to the call; one without a call above
it counts as a call of its own. A span's status is not an exit code.
"""

import re
from collections import OrderedDict
from collections.abc import Iterator

import msgspec

from proctor.join import tool_span
from proctor.join.base import Reader, Source
from proctor.join.decoding import Shape, decoded, decoder_of
from proctor.join.pending import KEPT, MOST, answered, prints
from proctor.join.times import as_utc
from proctor.join.toolcall import Entry, Message, Told, ToolCall

AGENT = "otlp"
_CLAIM = re.compile(rb'[{,]\s*"(?:resourceSpans|scopeSpans)"\s*:')
_MOST_TEXT = 8 << 20
_ERROR = (2, "2", "STATUS_CODE_ERROR")


class _Value(Shape, rename="camel"):
    string_value: str | None = None
    int_value: int | str | None = None
    bool_value: bool | None = None
    double_value: float | None = None
    array_value: msgspec.Raw = msgspec.Raw()


class _Array(Shape):
    values: list[_Value | None] | None = None


class _Attribute(Shape):
    key: str | None = None
    value: _Value | None = None


class _Status(Shape):
    code: int | str | None = None


class _Span(Shape, rename="camel"):
    trace_id: str | None = None
    span_id: str | None = None
    parent_span_id: str | None = None
    name: str | None = None
    start_time_unix_nano: str | int | None = None
    end_time_unix_nano: str | int | None = None
    attributes: list[_Attribute | None] | None = None
    status: _Status | None = None


class _Said(Shape):
    role: str | None = None
    parts: list[dict[str, object]] | None = None
    content: str | None = None


_SPAN = msgspec.json.Decoder(_Span)
_array = decoder_of(_Array)
_said = decoder_of(list[_Said])


class _Trace:
    """The calls and processes that were read and not yet told."""

    def __init__(self) -> None:
        self.calls: dict[str, tuple[ToolCall, str | None]] = {}
        self.processes: dict[str, tuple[str, ToolCall]] = {}
        """By span id: the span above, and the process."""
        self.words: list[Message] = []
        self.held = 0
        """Characters of the outputs that are kept."""
        self.told: OrderedDict[str, None] = OrderedDict()
        """Spans of calls already told."""

    def span(self, span: _Span, place: int) -> Iterator[Entry]:
        attributes = {
            one.key: _plain(one.value)
            for one in span.attributes or ()
            if one is not None and one.key and one.value is not None
        }
        bare = _bare(span, place)
        if tool_span.is_tool(attributes):
            call = tool_span.tool_call(attributes, bare)
            printed = tool_span.printed_by(attributes) if prints(call) else None
            printed = printed and printed[-KEPT:]
            self.calls[bare.tool_span or bare.call_id] = (call, printed)
            self.held += len(printed or "")
        elif tool_span.is_process(attributes):
            process = tool_span.process_call(attributes, bare)
            self.processes[bare.tool_span or bare.call_id] = (span.parent_span_id or "", process)
        elif words := tool_span.first_text(attributes, "gen_ai.output.messages"):
            self.words += _messages(words, bare)
            self.held += len(words)
        held = len(self.calls) + len(self.processes) + len(self.words)
        if held > MOST or self.held > _MOST_TEXT:
            yield from self.settle()

    def settle(self) -> Iterator[Entry]:
        """Yield every call with the folder of its process, and the processes without one.

        A span is written when it ends, its children first: all are put in order of time.
        """
        told: list[tuple[str, Message | ToolCall, str | None]] = []
        for span_id, (above, process) in self.processes.items():
            owner = self._owner(above, {span_id})
            if owner in self.calls:
                call, printed = self.calls[owner]
                if call.cwd is None and call.is_shell:
                    call = msgspec.structs.replace(call, cwd=process.cwd)
                    self.calls[owner] = (call, printed)
            elif owner not in self.told:
                told.append((_when(process), process, None))
        told += [(_when(call), call, printed) for call, printed in self.calls.values()]
        told += [(words.said_at or "~", words, None) for words in self.words]
        for _, entry, printed in sorted(told, key=lambda one: one[0]):
            if isinstance(entry, ToolCall):
                yield from answered(entry, entry.told, text=printed)
            else:
                yield entry
        self.told.update(dict.fromkeys(self.calls))
        while len(self.told) > MOST:
            self.told.popitem(last=False)
        self.calls.clear()
        self.processes.clear()
        self.words.clear()
        self.held = 0

    def _owner(self, above: str, seen: set[str]) -> str:
        """Return the nearest span above that is no process; each is visited once."""
        while above in self.processes and above not in seen:
            seen.add(above)
            above = self.processes[above][0]
        return above


def _when(call: ToolCall) -> str:
    return call.finished_at or call.started_at or ""


def _bare(span: _Span, place: int) -> ToolCall:
    failed = True if span.status and span.status.code in _ERROR else None
    return ToolCall(
        call_id=span.span_id or f"span-{place}",
        agent=AGENT,
        session=span.trace_id or "",
        tool=(span.name or "").removeprefix("execute_tool "),
        started_at=as_utc(span.start_time_unix_nano),
        finished_at=as_utc(span.end_time_unix_nano),
        told=Told(failed=failed, ending="ended" if span.end_time_unix_nano else "unknown"),
        line=place,
        trace_id=(span.trace_id or "").lower(),
        tool_span=(span.span_id or "").lower(),
    )


def _plain(value: _Value) -> object:
    if value.string_value is not None:
        return value.string_value
    if value.int_value is not None:
        return value.int_value
    if (array := _array(value.array_value)) is not None:
        return [_plain(one) for one in array.values or () if one is not None]
    return value.double_value if value.bool_value is None else value.bool_value


def _messages(words: str, bare: ToolCall) -> Iterator[Message]:
    for one in _said(words) or ():
        parts = [str(part.get("content") or "") for part in one.parts or ()]
        text = "\n".join(filter(None, (one.content, *parts)))
        if text and one.role != "user":
            yield Message(session=bare.session, text=text, said_at=bare.finished_at, line=bare.line)


def _read(source: Source) -> Iterator[Entry]:
    trace = _Trace()
    for place, span in decoded(source, _SPAN):
        yield from trace.span(span, place)
    yield from trace.settle()


READER = Reader(
    name="OpenTelemetry traces (OTLP/JSON)",
    claims=lambda head: _CLAIM.search(head) is not None,
    read=_read,
    lists=(("resourceSpans", "scopeSpans", "spans"), ("scopeSpans", "spans")),
)
