"""Drafted entries allow nothing until a person has finished them."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from proctor.errors import OracleError, UsageError
from proctor.oracle.draft import KEY_VARIABLE, draft, model_at, render
from tests.unit.oracle.traces import NEW, OLD, Bench


class Endpoint(BaseHTTPRequestHandler):
    asked: list[dict[str, object]] = []  # noqa: RUF012
    keys: list[str | None] = []  # noqa: RUF012
    answer: bytes = b""

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        self.asked.append(json.loads(self.rfile.read(length)))
        self.keys.append(self.headers.get("Authorization"))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.answer)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        del format, args


@pytest.fixture
def endpoint() -> Iterator[str]:
    Endpoint.asked, Endpoint.keys = [], []
    Endpoint.answer = json.dumps(
        {"choices": [{"message": {"content": "COLLATERAL: nobody\nasked for it"}}]}
    ).encode()
    server = HTTPServer(("127.0.0.1", 0), Endpoint)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_draft_names_everything_flagged_and_allows_nothing(bench: Bench) -> None:
    entries = draft(bench.diff(OLD, NEW))
    assert [(e["command"], e["path"]) for e in entries] == [
        ("set", "warn"), ("delete", "status"), ("delete", "error"), ("list", "order"),
        ("set", "status"), ("set", "error"), ("badcmd", "status"), ("get", "hit"),
    ]  # fmt: skip
    report = bench.diff(OLD, NEW, *entries)
    assert report.counts.allowed == 0
    assert {one.kind for one in report.remarks} == {"drafted"}


def test_a_draft_with_reasons_and_no_mark_allows_all(bench: Bench) -> None:
    entries = draft(bench.diff(OLD, NEW))
    done = [{**e, "reason": "looked at", "drafted": False} for e in entries]
    assert bench.diff(OLD, NEW, *done).counts.allowed == 6
    unfinished = [{**e, "drafted": False} for e in entries]
    assert bench.diff(OLD, NEW, *unfinished).counts.allowed == 0


def test_a_model_may_say_what_it_takes_a_change_for(
    endpoint: str, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "k")
    entries = draft(bench.diff(OLD, NEW), model_at(endpoint, "small"))
    assert {e["intent"] for e in entries} == {"COLLATERAL: nobody asked for it"}
    assert all(e["drafted"] and not e["reason"] for e in entries)
    assert (len(Endpoint.asked), Endpoint.asked[0]["model"]) == (6, "small")
    assert set(Endpoint.keys) == {"Bearer k"}
    assert json.loads(render(entries))["schema"] == "proctor.policy/1"


@pytest.mark.parametrize("answer", [b"", b"[]", b'{"choices": []}', b"\xff"])
def test_an_answer_that_is_none_is_said(answer: bytes, endpoint: str, bench: Bench) -> None:
    Endpoint.answer = answer
    with pytest.raises(OracleError, match="not the answer of a chat endpoint"):
        draft(bench.diff(OLD, NEW), model_at(endpoint, "m"))


def test_an_endpoint_that_is_not_there_is_said(bench: Bench) -> None:
    with pytest.raises(OracleError, match="no answer"):
        draft(bench.diff(OLD, NEW), model_at("http://127.0.0.1:1/v1", "m"))
    with pytest.raises(UsageError, match="takes the address"):
        model_at("file:///etc/passwd", "m")
