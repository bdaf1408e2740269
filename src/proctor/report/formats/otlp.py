"""The records as OpenTelemetry traces: OTLP/JSON lines, or sent to a collector.

Each span follows the semantic conventions of CLI programs (name and
`process.executable.name`, `process.pid`, `process.exit.code`, `error.type`) and of
processes; what is Proctor's own stands under `proctor.`. argv is what the record holds,
secrets masked. A process that was given a trace context (`TRACEPARENT`) is a child of
that span, as an agent's `execute_tool`; what it started comes below it.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from itertools import islice
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import msgspec

from proctor.errors import EvidenceError, UsageError
from proctor.records.moments import moment
from proctor.records.span import Span
from proctor.report.base import Parents, RecordFormat

BATCH = 512
"""Spans in one request."""
TRIES = 4
"""How often a collector that is busy is asked."""
TIMEOUT_S = 10
_INTERNAL, _ERROR = 1, 2
_BUSY = frozenset((429, 502, 503, 504))
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_Context = tuple[str, str | None]
"""A trace, and the span in it that a process is a child of."""


def _requests(spans: Iterable[Span], parents: Parents) -> Iterator[dict[str, Any]]:
    """Yield export requests; a run is put in order once its root has ended."""
    waiting = (one for run in _runs(spans) for one in _of_run(run, parents))
    while batch := list(islice(waiting, BATCH)):
        yield {
            "resourceSpans": [
                {
                    "resource": {"attributes": _attributes({"service.name": "proctor"})},
                    "scopeSpans": [
                        {
                            "scope": {"name": "proctor", "version": version("proctor")},
                            "spans": batch,
                        }
                    ],
                }
            ]
        }


def _runs(spans: Iterable[Span]) -> Iterator[list[Span]]:
    open_runs: dict[str, list[Span]] = {}
    for span in spans:
        run = open_runs.setdefault(span.run_id, [])
        run.append(span)
        if span.parent_span_id is None and span.host is not None:
            yield open_runs.pop(span.run_id)
    yield from open_runs.values()


def _of_run(run: list[Span], parents: Parents) -> Iterator[dict[str, Any]]:
    by_id = {span.span_id: span for span in run}
    contexts: dict[str, _Context] = {}
    for span in run:
        trace, parent = _context(span, by_id, contexts, parents)
        yield _span(span, trace, parent, by_id.get(span.parent_span_id or ""))


def _context(
    span: Span, by_id: Mapping[str, Span], known: dict[str, _Context], parents: Parents
) -> _Context:
    """Return the trace of a span and its parent there.

    What its parent was given as well is inherited, and says nothing of its own.
    """
    path = []
    here: Span | None = span
    while here is not None and here.span_id not in known and here not in path:
        path.append(here)
        here = by_id.get(here.parent_span_id or "")
    for one in reversed(path):
        above = by_id.get(one.parent_span_id or "")
        own, inherited = _given(one, parents), None if above is None else _given(above, parents)
        if own is not None and own != inherited:
            known[one.span_id] = own
        elif above is not None and above.span_id in known:
            known[one.span_id] = (known[above.span_id][0], above.span_id)
        else:
            known[one.span_id] = own or (_trace_of(one), None)
    return known[span.span_id]


def _given(span: Span, parents: Parents) -> _Context | None:
    if span.span_id in parents:
        return parents[span.span_id]
    if span.traceparent is None:
        return None
    _, trace, parent, _ = span.traceparent.split("-")
    return trace, parent


def _trace_of(span: Span) -> str:
    """Return a trace of a run's own: its id."""
    return span.run_id if len(span.run_id) == 32 else span.span_id.rjust(32, "0")


def _span(span: Span, trace: str, parent: str | None, above: Span | None) -> dict[str, Any]:
    start = _nanos(span.started_at)
    end = _nanos(span.finished_at)
    name = os.path.basename(span.exe or (span.argv[0] if span.argv else "")) or "unknown"
    failed = bool(span.exit_code)
    found: dict[str, Any] = {
        "traceId": trace,
        "spanId": span.span_id,
        "name": name,
        "kind": _INTERNAL,
        "startTimeUnixNano": str(start),
        "endTimeUnixNano": str(max(start, end)),
        "attributes": _attributes(
            {
                "process.executable.name": name,
                "process.executable.path": span.exe,
                "process.pid": span.pid,
                "process.parent_pid": above.pid if above and above.pid != span.pid else None,
                "process.exit.code": span.exit_code,
                "process.command_args": list(span.argv),
                "process.working_directory": span.cwd,
                "error.type": (span.signal or str(span.exit_code)) if failed else None,
                **_own(span),
            }
        ),
        "status": {"code": _ERROR} if failed else {},
    }
    if parent is not None:
        found["parentSpanId"] = parent
    return found


def _own(span: Span) -> dict[str, Any]:
    """Return what the conventions have no name for."""
    report, git = span.report, span.git
    return {
        "proctor.run_id": span.run_id,
        "proctor.parent_tool_span": span.parent_tool_span,
        "proctor.command_class": span.command_class,
        "proctor.role": span.role,
        "proctor.kind": span.kind,
        "proctor.witness": span.witness,
        "proctor.ended_by": span.ended_by,
        "proctor.timed_out": span.timed_out or None,
        "proctor.denied_binary": span.denied_binary or None,
        "proctor.tree": git.tree if git else None,
        "proctor.tests.executed": report.executed if report else None,
        "proctor.tests.passed": report.passed if report else None,
        "proctor.tests.failed": report.failed if report else None,
        "proctor.tests.skipped": report.skipped if report else None,
    }


def _attributes(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key, "value": _value(v)} for key, v in values.items() if v is not None]


def _value(value: object) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, list):
        return {"arrayValue": {"values": [_value(one) for one in value]}}
    return {"stringValue": str(value)}


def _nanos(text: str | None) -> int:
    when = moment(text)
    return 0 if when is None else (when - _EPOCH) // _MICROSECOND * 1000


# ── written down, and sent ──────────────────────────────────────────────────


def _write(spans: Iterable[Span], parents: Parents) -> Iterator[bytes]:
    for request in _requests(spans, parents):
        yield msgspec.json.encode(request) + b"\n"


def _send(spans: Iterable[Span], parents: Parents, endpoint: str) -> int:
    """Send all spans to a collector by OTLP/HTTP and return how many it took.

    Raises:
        UsageError: the endpoint is no URL, or the extra is not installed.
        EvidenceError: the collector cannot be reached, or refuses.
    """
    url = _url(endpoint)
    try:
        from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as service
    except ImportError as error:
        raise UsageError(
            f"--endpoint needs an extra ({error.name} is missing): "
            "pip install '.[otlp]' in Proctor's clone; "
            "without it: --output FILE"
        ) from None
    from google.protobuf.json_format import ParseDict
    from google.protobuf.message import DecodeError

    taken = 0
    for request in _requests(spans, parents):
        message = ParseDict(_as_protobuf_json(request), service.ExportTraceServiceRequest())
        answer = service.ExportTraceServiceResponse()
        try:
            answer.ParseFromString(_post(url, message.SerializeToString()))
        except DecodeError:
            raise EvidenceError(f"{url}: what answers there is no OTLP collector") from None
        count = len(request["resourceSpans"][0]["scopeSpans"][0]["spans"])
        refused = answer.partial_success
        if refused.rejected_spans:
            why = refused.error_message or "it does not say why"
            raise EvidenceError(f"{url}: {refused.rejected_spans} spans were refused: {why}")
        taken += count
    return taken


def _as_protobuf_json(value: Any) -> Any:
    """Return OTLP/JSON as protobuf's own JSON: there, ids are base64."""
    from base64 import b64encode

    if isinstance(value, list):
        return [_as_protobuf_json(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        key: b64encode(bytes.fromhex(one)).decode("ascii")
        if key in ("traceId", "spanId", "parentSpanId")
        else _as_protobuf_json(one)
        for key, one in value.items()
    }


def _url(endpoint: str) -> str:
    parts = urlsplit(endpoint)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise UsageError(f"--endpoint {endpoint}: give a URL such as http://127.0.0.1:4318")
    path = parts.path if parts.path.strip("/") else "/v1/traces"
    return urlunsplit(parts._replace(path=path))


def _post(url: str, body: bytes) -> bytes:
    """Return a collector's answer; one that is busy is asked again."""
    import time
    import urllib.error
    import urllib.request

    headers = {"Content-Type": "application/x-protobuf", **_headers()}
    request = urllib.request.Request(url, body, headers, method="POST")  # noqa: S310 - checked
    for attempt in range(1, TRIES + 1):
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:  # noqa: S310 - as above
                found: bytes = answer.read()
                return found
        except urllib.error.HTTPError as error:
            if error.code not in _BUSY or attempt == TRIES:
                raise EvidenceError(f"{url}: the collector answered {error.code}") from None
            wait = error.headers.get("Retry-After", "")
            time.sleep(min(float(wait), TIMEOUT_S) if wait.isdigit() else 0.2 * 2**attempt)
        except (OSError, ValueError) as error:
            why = getattr(error, "reason", None) or error
            raise EvidenceError(f"{url}: the collector cannot be reached: {why}") from None
    raise AssertionError(url)


def _headers() -> dict[str, str]:
    """Return the headers that `OTEL_EXPORTER_OTLP_HEADERS` asks for, as SDKs read it."""
    from urllib.parse import unquote

    given = os.environ.get("OTEL_EXPORTER_OTLP_HEADERS", "")
    pairs = (part.partition("=") for part in given.split(",") if "=" in part)
    return {name.strip(): unquote(value.strip()) for name, _, value in pairs}


FORMAT = RecordFormat(write=_write, send=_send)
