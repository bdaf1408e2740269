"""A model on loopback that answers with a script.

It speaks as much of four protocols as real clients need: Anthropic's messages,
OpenAI's responses and chat completions, Gemini's generateContent; streamed where
the client asks for a stream. The n-th answer is chosen by the number of tool
results in the request, so that a client's side requests (titles, topics) and
repeated ones take nothing away.
"""

import json
import threading
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = dict[str, Any]


class Script:
    """Tool calls, each a shell command, and what is said after the last."""

    def __init__(self, commands: Sequence[str], words: str) -> None:
        self.commands = list(commands)
        self.words = words

    def step(self, results: int, *, may_call: bool) -> tuple[str, str]:
        """Return ("call", command) or ("say", words)."""
        if may_call and results < len(self.commands):
            return "call", self.commands[results]
        return "say", self.words if may_call else "Tests"


class Model:
    """The endpoint, while the `with` block lasts; `asked` are the requests' bodies."""

    def __init__(self, script: Script, tool: str = "") -> None:
        self.script = script
        self.tool = tool
        """The name of the client's shell tool, where the protocol does not fix it."""
        self.asked: list[tuple[str, Body]] = []

    def __enter__(self) -> "Model":
        model = self

        class Handler(_Handler):
            spoken_for = model

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    spoken_for: Model
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Be quiet."""

    def do_HEAD(self) -> None:
        self._send(b"", "text/plain")

    def do_GET(self) -> None:
        self._send(b'{"data": [], "models": []}', "application/json")

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = json.loads(data or b"{}")
        path = self.path.partition("?")[0]
        model = self.spoken_for
        model.asked.append((path, body))
        for end, answer in _PROTOCOLS.items():
            if path.endswith(end):
                events, whole = answer(model, body)
                if body.get("stream") or end == ":streamGenerateContent":
                    self._send(b"".join(_as_event(*event) for event in events), "text/event-stream")
                else:
                    self._send(json.dumps(whole).encode(), "application/json")
                return
        self._send(b"{}", "application/json")

    def _send(self, data: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


Event = tuple[str, Body | str]
Answer = tuple[list[Event], Body]


def _as_event(name: str, data: Body | str) -> bytes:
    text = data if isinstance(data, str) else json.dumps(data)
    return (f"event: {name}\n" if name else "").encode() + f"data: {text}\n\n".encode()


def _items(value: Any) -> Iterator[Body]:
    for one in value if isinstance(value, list) else []:
        if isinstance(one, dict):
            yield one


def _anthropic(model: Model, body: Body) -> Answer:
    tools = [tool.get("name") for tool in _items(body.get("tools"))]
    blocks = [b for m in _items(body.get("messages")) for b in _items(m.get("content"))]
    results = sum(block.get("type") == "tool_result" for block in blocks)
    kind, words = model.script.step(results, may_call="Bash" in tools)
    call = kind == "call"
    usage = {"input_tokens": 10, "output_tokens": 10}
    if call:
        whole = {"command": words, "description": "Run the tests"}
        start: Body = {"type": "tool_use", "id": f"toolu_{results:04}", "name": "Bash", "input": {}}
        delta: Body = {"type": "input_json_delta", "partial_json": json.dumps(whole)}
        block = {**start, "input": whole}
    else:
        start = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": words}
        block = {"type": "text", "text": words}
    reason = "tool_use" if call else "end_turn"
    message: Body = {
        "id": f"msg_{len(model.asked)}", "type": "message", "role": "assistant",
        "model": body.get("model", ""), "content": [], "stop_reason": None,
        "stop_sequence": None, "usage": usage,
    }  # fmt: skip
    events: list[tuple[str, Body]] = [
        ("message_start", {"message": message}),
        ("content_block_start", {"index": 0, "content_block": start}),
        ("content_block_delta", {"index": 0, "delta": delta}),
        ("content_block_stop", {"index": 0}),
        (
            "message_delta",
            {"delta": {"stop_reason": reason, "stop_sequence": None}, "usage": usage},
        ),
        ("message_stop", {}),
    ]
    whole_message = {**message, "content": [block], "stop_reason": reason}
    return [(name, {"type": name, **data}) for name, data in events], whole_message


def _responses(model: Model, body: Body) -> Answer:
    given = list(_items(body.get("input")))
    results = sum(item.get("type") == "function_call_output" for item in given)
    kind, words = model.script.step(results, may_call=bool(body.get("tools")))
    response: Body = {"id": f"resp_{len(model.asked)}", "object": "response"}
    if kind == "call":
        item: Body = {
            "type": "function_call", "id": f"fc_{results}", "call_id": f"call_{results:04}",
            "name": model.tool or "exec_command", "arguments": json.dumps({"cmd": words}),
        }  # fmt: skip
    else:
        content = [{"type": "output_text", "text": words, "annotations": []}]
        item = {"type": "message", "id": "msg_0", "role": "assistant", "content": content}
    usage = {
        "input_tokens": 10, "input_tokens_details": None, "output_tokens": 10,
        "output_tokens_details": None, "total_tokens": 20,
    }  # fmt: skip
    done = {**response, "status": "completed", "output": [item], "usage": usage}
    events: list[tuple[str, Body]] = [
        ("response.created", {"response": response}),
        ("response.output_item.added", {"output_index": 0, "item": item}),
        ("response.output_item.done", {"output_index": 0, "item": item}),
        ("response.completed", {"response": done}),
    ]
    return [(name, {"type": name, **data}) for name, data in events], done


def _chat(model: Model, body: Body) -> Answer:
    results = sum(message.get("role") == "tool" for message in _items(body.get("messages")))
    tools = list(_items(body.get("tools")))
    kind, words = model.script.step(results, may_call=bool(tools))
    message: Body = {"role": "assistant", "content": None}
    if kind == "call":
        arguments = {"command": words, "description": "Run the tests"}
        function = {"name": model.tool or "bash", "arguments": json.dumps(arguments)}
        call = {"id": f"call_{results:04}", "type": "function", "function": function}
        message["tool_calls"] = [call]
    else:
        message["content"] = words
    reason = "tool_calls" if kind == "call" else "stop"
    usage = {"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20}
    head: Body = {"id": f"chat_{len(model.asked)}", "created": 1, "model": body.get("model", "")}
    delta = {**message, "tool_calls": [{"index": 0, **c} for c in message.get("tool_calls", [])]}
    chunk = {**head, "object": "chat.completion.chunk"}
    events: list[Event] = [
        ("", {**chunk, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}),
        ("", {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}),
        ("", {**chunk, "choices": [], "usage": usage}),
        ("", "[DONE]"),
    ]
    choice = {"index": 0, "message": message, "finish_reason": reason}
    return events, {**head, "object": "chat.completion", "choices": [choice], "usage": usage}


def _gemini(model: Model, body: Body) -> Answer:
    parts = [p for content in _items(body.get("contents")) for p in _items(content.get("parts"))]
    results = sum("functionResponse" in part for part in parts)
    kind, words = model.script.step(results, may_call=bool(body.get("tools")))
    if kind == "call":
        arguments = {"command": words, "description": "Run the tests"}
        part: Body = {"functionCall": {"name": "run_shell_command", "args": arguments}}
    else:
        part = {"text": words}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 10, "totalTokenCount": 20}
    whole = {"candidates": [candidate], "usageMetadata": usage}
    return [("", whole)], whole


_PROTOCOLS = {
    "/messages": _anthropic,
    "/responses": _responses,
    "/chat/completions": _chat,
    ":streamGenerateContent": _gemini,
    ":generateContent": _gemini,
}
