"""The records as OpenTelemetry traces."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from proctor.errors import EvidenceError, UsageError
from proctor.records.span import Git, Report, Span
from proctor.report.base import RecordFormat, format_names, format_of
from proctor.report.formats import otlp

service: Any = pytest.importorskip(
    "opentelemetry.proto.collector.trace.v1.trace_service_pb2",
    reason="the extra otlp is not installed",
)

TRACE, CALLER = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
RUN = "ab" * 16


def span(number: int, above: int | None = None, **members: Any) -> Span:
    return Span(
        **{
            "span_id": f"{number:016x}", "run_id": RUN, "argv": ("pytest", "-q", "--token", "***"),
            "parent_span_id": None if above is None else f"{above:016x}",
            "host": {} if above is None else None, "exe": "/usr/bin/python3.11",
            "cwd": "/w", "exit_code": 0, "duration_ms": 1500, "duration_floor_ms": 0,
            "duration_ok": True, "denied_binary": False, "stdout_sha256": None,
            "stderr_sha256": None, "stdout_bytes": None, "stderr_bytes": None, "env_names": (),
            "started_at": "2026-03-01T10:00:00.000001Z", "pid": 100 + number,
            "finished_at": "2026-03-01T10:00:01.500001Z", **members,
        }
    )  # fmt: skip


def exported(*spans: Span, parents: Any = None) -> dict[int, dict[str, Any]]:
    """Every span that is written, by its number, attributes as a plain dictionary."""
    found = {}
    for line in format_of("otlp", RecordFormat).write(spans, parents or {}):
        for group in json.loads(line)["resourceSpans"]:
            for one in group["scopeSpans"][0]["spans"]:
                attributes = {a["key"]: next(iter(a["value"].values())) for a in one["attributes"]}
                found[int(one["spanId"], 16)] = {**one, "attributes": attributes}
    return found


def test_a_span_follows_the_conventions() -> None:
    report = Report(
        path="", sha256="", format="f", executed=5, passed=3, failed=2, skipped=1, ids_sha256=""
    )
    git = Git(root="/w", repository=(None, "c"), head=None, tree="t1")
    one = exported(span(1, exit_code=1, report=report, git=git))[1]
    assert (one["name"], one["kind"], one["status"]) == ("python3.11", 1, {"code": 2})
    assert one["startTimeUnixNano"] == "1772359200000001000"
    assert int(one["endTimeUnixNano"]) - int(one["startTimeUnixNano"]) == 1_500_000_000
    found = one["attributes"]
    assert found["process.executable.name"] == "python3.11"
    assert found["process.executable.path"] == "/usr/bin/python3.11"
    assert (found["process.pid"], found["process.exit.code"]) == ("101", "1")
    assert found["error.type"] == "1"
    words = [value["stringValue"] for value in found["process.command_args"]["values"]]
    assert words == ["pytest", "-q", "--token", "***"]
    assert found["process.working_directory"] == "/w"
    assert (found["proctor.tests.executed"], found["proctor.tree"]) == ("5", "t1")


def test_a_green_span_has_no_error_and_a_killed_one_names_the_signal() -> None:
    green, killed = (
        exported(span(1)),
        exported(span(1, exit_code=137, signal="SIGKILL", timed_out=True)),
    )
    assert "error.type" not in green[1]["attributes"]
    assert green[1]["status"] == {}
    assert killed[1]["attributes"]["error.type"] == "SIGKILL"
    assert killed[1]["attributes"]["proctor.timed_out"] is True


def test_a_run_is_a_trace_of_its_own_where_no_context_is_known() -> None:
    found = exported(span(2, 1), span(1))
    assert {one["traceId"] for one in found.values()} == {RUN}
    assert found[2]["parentSpanId"] == f"{1:016x}"
    assert "parentSpanId" not in found[1]
    assert found[2]["attributes"]["process.parent_pid"] == "101"


def test_a_run_is_a_child_of_the_agents_tool_call_where_the_trace_is_known() -> None:
    context = f"00-{TRACE}-{CALLER}-01"
    found = exported(span(3, 2), span(2, 1, traceparent=context), span(1, traceparent=context))
    assert {one["traceId"] for one in found.values()} == {TRACE}
    assert [found[n]["parentSpanId"] for n in (1, 2, 3)] == [CALLER, f"{1:016x}", f"{2:016x}"]


def test_each_tool_call_below_a_watched_agent_has_its_own_parent() -> None:
    one, two = (f"00-{TRACE}-{digit * 16}-01" for digit in "12")
    found = exported(
        span(3, 1, traceparent=two), span(2, 1, traceparent=one), span(1, traceparent=None)
    )
    assert (found[2]["parentSpanId"], found[3]["parentSpanId"]) == ("1" * 16, "2" * 16)
    assert found[1]["traceId"] == RUN


def test_a_transcript_that_is_a_trace_tells_parents_too() -> None:
    found = exported(span(3, 2), span(2, 1), span(1), parents={f"{2:016x}": (TRACE, CALLER)})
    assert found[2]["traceId"] == found[3]["traceId"] == TRACE
    assert (found[2]["parentSpanId"], found[3]["parentSpanId"]) == (CALLER, f"{2:016x}")


def test_a_run_without_an_end_is_written_too() -> None:
    lost = span(2, 1, exit_code=None, finished_at=None, exe=None, argv=(), run_id="")
    one = exported(lost)[2]
    assert one["name"] == "unknown"
    assert one["startTimeUnixNano"] == one["endTimeUnixNano"]
    assert one["traceId"] == f"{2:032x}"


def test_spans_that_name_each_other_as_parents_come_to_an_end() -> None:
    assert len(exported(span(1, 2), span(2, 1))) == 2


def test_many_spans_are_written_in_batches() -> None:
    spans = [span(n, 1) for n in range(2, otlp.BATCH + 10)]
    lines = list(format_of("otlp", RecordFormat).write([*spans, span(1)], {}))
    assert len(lines) == 2


def test_a_format_for_records_is_none_for_verdicts() -> None:
    assert "otlp" in format_names(RecordFormat)
    with pytest.raises(UsageError, match="takes one of: otlp"):
        format_of("text", RecordFormat)


# ── a collector ─────────────────────────────────────────────────────────────


class Collector(ThreadingHTTPServer):
    """Takes OTLP/HTTP and reads it with the official types."""

    def __init__(self, *answers: tuple[int, bytes, dict[str, str]]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers = list(answers)
        self.spans: list[Any] = []
        self.requests: list[tuple[str, dict[str, str]]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Be quiet."""

    def do_POST(self) -> None:
        collector = self.server
        assert isinstance(collector, Collector)
        body = self.rfile.read(int(self.headers["Content-Length"]))
        collector.requests.append((self.path, dict(self.headers)))
        code, answer, headers = collector.answers.pop(0) if collector.answers else (200, b"", {})
        if code == 200:
            message = service.ExportTraceServiceRequest.FromString(body)
            for group in message.resource_spans:
                collector.spans += group.scope_spans[0].spans
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


@contextmanager
def collecting(*answers: tuple[int, bytes, dict[str, str]]) -> Iterator[Collector]:
    with Collector(*answers) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def send(url: str, *spans: Span) -> int:
    found = format_of("otlp", RecordFormat)
    assert found.send is not None
    return found.send(spans or (span(1),), {}, url)


def test_a_collector_gets_what_was_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20x, tenant=7")
    with collecting() as collector:
        context = f"00-{TRACE}-{CALLER}-01"
        assert send(collector.url, span(2, 1, exit_code=1), span(1, traceparent=context)) == 2
    (path, headers), spans = collector.requests[0], collector.spans
    assert (path, headers["Content-Type"]) == ("/v1/traces", "application/x-protobuf")
    assert (headers["Authorization"], headers["Tenant"]) == ("Bearer x", "7")
    assert [one.trace_id.hex() for one in spans] == [TRACE, TRACE]
    assert [one.parent_span_id.hex() for one in spans] == [f"{1:016x}", CALLER]
    codes = {a.key: a.value.int_value for one in spans[:1] for a in one.attributes}
    assert codes["process.exit.code"] == 1


def test_a_path_of_ones_own_is_kept() -> None:
    with collecting() as collector:
        send(f"{collector.url}/otlp/v1/traces")
    assert collector.requests[0][0] == "/otlp/v1/traces"


def test_a_busy_collector_is_asked_again() -> None:
    busy = (503, b"", {"Retry-After": "0"})
    with collecting(busy, (429, b"", {})) as collector:
        assert send(collector.url) == 1
    assert len(collector.requests) == 3


def test_spans_that_are_refused_are_said() -> None:
    answer = service.ExportTraceServiceResponse()
    answer.partial_success.rejected_spans = 1
    answer.partial_success.error_message = "too old"
    with (
        collecting((200, answer.SerializeToString(), {})) as collector,
        pytest.raises(EvidenceError, match="1 spans were refused: too old"),
    ):
        send(collector.url)


def test_a_collector_that_refuses_or_is_not_there_is_one_line() -> None:
    with (
        collecting((401, b"", {})) as collector,
        pytest.raises(EvidenceError, match="answered 401"),
    ):
        send(collector.url)
    with pytest.raises(EvidenceError, match="cannot be reached"):
        send(collector.url)
    with collecting((200, b"<html>", {})) as other, pytest.raises(EvidenceError, match="no OTLP"):
        send(other.url)


@pytest.mark.parametrize("url", ["localhost:4318", "ftp://x", "http://", "x"])
def test_what_is_no_url_is_said(url: str) -> None:
    with pytest.raises(UsageError, match="give a URL such as"):
        send(url)


def test_without_the_extra_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "opentelemetry.proto.collector.trace.v1", None)
    with pytest.raises(UsageError, match=r"pip install '\.\[otlp\]'"):
        send("http://127.0.0.1:1")
