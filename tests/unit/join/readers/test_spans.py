"""Traces: OTLP/JSON, OpenInference and plain spans."""

import json
from collections.abc import Callable

import pytest

from proctor.join.toolcall import Told
from tests.unit.join.conftest import Read


@pytest.fixture
def trace(asset: Callable[[str], Read]) -> Read:
    """The OTLP trace."""
    return asset("otlp.json")


def test_a_tool_span_is_a_call(trace: Read) -> None:
    call = trace.calls["ot_1"]
    assert (trace.reader, trace.skipped) == ("otlp", [])
    assert (call.tool, call.command) == ("Bash", "pytest -q | tail -5")
    assert call.trace_id == "0af7651916cd43dd8448eb211c80319c"
    assert call.tool_span == "b7ad6b7169203331"
    assert call.started_at == "2026-08-29T10:40:03.000000Z"
    assert call.finished_at == "2026-08-29T10:40:06.300000Z"
    assert trace.outputs["ot_1"] == "1 failed"


def test_a_spans_status_is_no_exit_code(trace: Read) -> None:
    assert trace.calls["ot_1"].told == Told(failed=True, ending="ended")


def test_a_process_below_a_call_gives_it_its_folder(trace: Read) -> None:
    assert trace.calls["ot_1"].cwd == "/srv/till"
    assert "c8be7c827a314442" not in trace.calls


def test_a_process_without_a_call_is_one(trace: Read) -> None:
    call = trace.calls["aaaaaaaaaaaaaaa1"]
    assert (call.tool, call.argv) == ("process", ("make", "test"))
    assert call.told == Told(exit_code=2, failed=True, ending="ended")


def test_both_conventions_are_read(trace: Read) -> None:
    call = trace.calls["aaaaaaaaaaaaaaa3"]
    assert (call.tool, call.command) == ("terminal", "tox -e py")


def test_a_models_reply_is_what_the_agent_said(trace: Read) -> None:
    assert trace.said == ["All tests pass."]


def test_a_trace_of_lines_is_read_line_by_line(written: Callable[..., Read]) -> None:
    attributes = [
        {
            "key": "process.command_args",
            "value": {"arrayValue": {"values": [{"stringValue": "tox"}]}},
        }
    ]
    spans = [
        {"spanId": "aa", "attributes": [*attributes, None]},
        {"spanId": None, "attributes": None},
    ]
    line = json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]})
    assert written(f"{line}\n{line.replace('aa', 'bb')}\n".encode()).calls.keys() == {"aa", "bb"}


def test_processes_in_a_ring_are_told_once(written: Callable[..., Read]) -> None:
    attributes = [
        {
            "key": "process.command_args",
            "value": {"arrayValue": {"values": [{"stringValue": "tox"}]}},
        }
    ]
    spans = [
        {"spanId": "a", "parentSpanId": "b", "attributes": attributes},
        {"spanId": "b", "parentSpanId": "a", "attributes": attributes},
    ]
    trace = {"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}
    assert written(json.dumps(trace).encode()).calls.keys() == {"a", "b"}


def test_openinference_spans_are_calls_and_words(asset: Callable[[str], Read]) -> None:
    read = asset("openinference.jsonl")
    call = read.calls["b7ad6b7169203331"]
    assert (read.reader, read.skipped) == ("openinference", [])
    assert (call.tool, call.command) == ("Bash", "pytest -q | tail -5")
    assert call.trace_id == "0af7651916cd43dd8448eb211c80319c"
    assert call.told == Told(ending="ended")
    assert read.outputs[call.call_id] == "1 failed, 8 passed"
    assert read.said == ["All tests pass."]
    bare = read.calls["span-4"]
    assert (bare.command, bare.told.failed, bare.session) == ("make test", True, "1")


@pytest.fixture
def plain(asset: Callable[[str], Read]) -> Read:
    """The plain spans."""
    return asset("plain.jsonl")


def test_a_plain_span_is_a_call(plain: Read) -> None:
    call = plain.calls["s1"]
    assert (plain.reader, plain.skipped) == ("plain", [])
    assert (call.command, call.cwd, call.session) == ("pytest -q | tail", "/srv/till", "plain")
    assert call.told == Told(exit_code=0, failed=False, ending="ended")
    assert plain.outputs == {"s1": "1 failed"}


def test_a_plain_span_may_have_an_argv(plain: Read) -> None:
    call = plain.calls["s2"]
    assert (call.argv, call.command, call.session) == (("pytest", "-q"), None, "x")
    assert call.finished_at == "2026-09-09T10:00:04.500000Z"


@pytest.mark.parametrize(
    ("call_id", "command", "argv"),
    [
        ("3", "tox", None),
        ("s4", "make test", None),
        ("s5", None, ("go", "test")),
        ("s6", None, None),
    ],
)
def test_arguments_come_in_many_shapes(
    plain: Read, call_id: str, command: str | None, argv: tuple[str, ...] | None
) -> None:
    assert (plain.calls[call_id].command, plain.calls[call_id].argv) == (command, argv)


def test_a_number_is_a_time_in_its_own_unit(plain: Read) -> None:
    times = {plain.calls[name].started_at for name in ("s2", "s4", "s5")}
    assert times == {"2026-09-09T10:00:03.000000Z"}
