"""Writes synthetic transcripts of every format, as large as asked for.

    python bench/transcripts.py FOLDER [MEGABYTES] [NAME…]

Text is drawn from this repository's own files, so that it has the usual share of
newlines, quotes and long lines. One call in five is a shell's, one shell call in eight
runs tests: about the shares that were measured over public sessions.
"""

import itertools
import json
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TextIO

Record = dict[str, Any]
COMMANDS = (
    "cd /srv/shop && pytest -q 2>&1 | tail -5",
    "pytest -q",
    "npm test 2>&1 | tail -40",
    "go test ./... 2>&1 | grep -E 'FAIL|ok'",
    "ruff check . && pytest -q tests/test_cart.py",
)
PLAIN = (
    "grep -rn 'total' src/{} | head -50",
    "sed -n '1,{}p' src/cart.py",
    "git diff HEAD~{} --stat",
    "ls -la src/part{}",
    "python3 scripts/step{}.py && git status --short",
)
TIME = "2026-09-01T10:{:02}:{:02}.{:03}Z"


class Turn:
    """One tool call with its answer, and what the agent says beside it."""

    def __init__(self, number: int, draw: random.Random, text: str) -> None:
        self.number = number
        self.is_shell = number % 5 == 0
        tests = number % 40 == 0
        self.command = (
            draw.choice(COMMANDS) if tests else draw.choice(PLAIN).format(draw.randrange(9999))
        )
        start = draw.randrange(len(text) - 24_000)
        self.output = text[start : start + int(draw.paretovariate(0.9) * 900) % 24_000]
        if tests:
            self.output = self.output[:300] + "\n1 failed, 8 passed in 3.02s\n"
        start = draw.randrange(len(text) - 24_000)
        self.said = "All tests pass." if number % 200 == 0 else text[start : start + 160]
        self.time = TIME.format(number // 60 % 60, number % 60, number % 1000)


def claude_code(turns: Iterator[Turn]) -> Iterator[Record]:
    for turn in turns:
        tool, given = ("Bash", {"command": turn.command}) if turn.is_shell else (
            "Read", {"file_path": f"/srv/shop/src/file{turn.number}.py"}
        )  # fmt: skip
        base = {"parentUuid": f"u{turn.number}", "isSidechain": False, "userType": "external",
                "cwd": "/srv/shop", "sessionId": "5e55", "version": "2.1.197", "gitBranch": "main",
                "timestamp": turn.time}  # fmt: skip
        name = f"toolu_{turn.number}"
        use = {"type": "tool_use", "id": name, "name": tool, "input": given}
        said = {"type": "text", "text": turn.said}
        yield {**base, "type": "assistant", "message": {"role": "assistant", "content": [said, use],
               "usage": {"input_tokens": 5, "output_tokens": 99}}}  # fmt: skip
        result = {"type": "tool_result", "tool_use_id": name, "content": turn.output}
        yield {**base, "type": "user", "message": {"role": "user", "content": [result]},
               "toolUseResult": {"stdout": turn.output, "stderr": "", "interrupted": False}}  # fmt: skip


def codex(turns: Iterator[Turn]) -> Iterator[Record]:
    meta = {"id": "019a", "cwd": "/srv/shop", "originator": "codex", "cli_version": "0.171.0"}
    yield {"timestamp": TIME.format(0, 0, 0), "type": "session_meta", "payload": meta}
    for turn in turns:
        call = {"type": "function_call", "name": "exec_command" if turn.is_shell else "view_image",
                "arguments": json.dumps({"cmd": turn.command}), "call_id": f"c{turn.number}"}  # fmt: skip
        yield {"timestamp": turn.time, "type": "response_item", "payload": call}
        output = f"Wall time: 1.0 seconds\nProcess exited with code 0\nOutput:\n{turn.output}"
        done = {"type": "function_call_output", "call_id": f"c{turn.number}", "output": output}
        yield {"timestamp": turn.time, "type": "response_item", "payload": done}
        said = {"type": "message", "role": "assistant",
                "content": [{"type": "output_text", "text": turn.said}]}  # fmt: skip
        yield {"timestamp": turn.time, "type": "response_item", "payload": said}


def copilot_cli(turns: Iterator[Turn]) -> Iterator[Record]:
    start = {"sessionId": "c0de", "context": {"cwd": "/srv/shop"}}
    yield {"type": "session.start", "timestamp": TIME.format(0, 0, 0), "data": start}
    for turn in turns:
        name, tool = f"c{turn.number}", "bash" if turn.is_shell else "view"
        data = {"toolCallId": name, "toolName": tool, "arguments": {"command": turn.command}}
        yield {"type": "tool.execution_start", "timestamp": turn.time, "data": data}
        content = f"{turn.output}\n<shellId: 7 completed with exit code 0>"
        done = {"toolCallId": name, "success": True, "result": {"content": content}}
        yield {"type": "tool.execution_complete", "timestamp": turn.time, "data": done}
        said = {"content": turn.said, "toolRequests": []}
        yield {"type": "assistant.message", "timestamp": turn.time, "data": said}


def gemini_cli(turns: Iterator[Turn]) -> Iterator[Record]:
    for turn in turns:
        tool = "run_shell_command" if turn.is_shell else "read_file"
        answer = {"functionResponse": {"response": {"output": f"Output: {turn.output}"}}}
        call = {"id": f"c{turn.number}", "name": tool, "args": {"command": turn.command},
                "result": [answer], "status": "success", "timestamp": turn.time}  # fmt: skip
        yield {"id": f"m{turn.number}", "timestamp": turn.time, "type": "gemini",
               "content": turn.said, "toolCalls": [call]}  # fmt: skip


def opencode(turns: Iterator[Turn]) -> Iterator[Record]:
    for turn in turns:
        state = {"status": "completed", "input": {"command": turn.command}, "output": turn.output,
                 "metadata": {"exit": 0, "output": turn.output}, "time": {"start": 1788000000000}}  # fmt: skip
        call = {"type": "tool", "tool": "bash" if turn.is_shell else "read",
                "callID": f"c{turn.number}", "state": state}  # fmt: skip
        said = {"type": "text", "text": turn.said}
        info = {"id": f"m{turn.number}", "sessionID": "ses_1", "role": "assistant"}
        yield {"info": info, "parts": [said, call]}


def mini_swe_agent(turns: Iterator[Turn]) -> Iterator[Record]:
    for turn in turns:
        action = {"command": turn.command, "tool_call_id": f"c{turn.number}"}
        yield {"role": "assistant", "content": turn.said, "extra": {"actions": [action]}}
        yield {"role": "tool", "tool_call_id": f"c{turn.number}", "content": turn.output,
               "extra": {"raw_output": turn.output, "returncode": 0}}  # fmt: skip


def swe_agent(turns: Iterator[Turn]) -> Iterator[Record]:
    for turn in turns:
        action = turn.command if turn.is_shell else f"open file{turn.number}.py"
        yield {"action": action, "observation": turn.output, "thought": turn.said,
               "execution_time": 0.5, "state": {"open_file": "n/a", "working_dir": "/srv"}}  # fmt: skip


def cline(turns: Iterator[Turn]) -> Iterator[Record]:
    for turn in turns:
        tool = "execute_command" if turn.is_shell else "read_file"
        use = {"type": "tool_use", "id": f"c{turn.number}", "name": tool,
               "input": {"command": turn.command}}  # fmt: skip
        said = {"type": "text", "text": turn.said}
        yield {"role": "assistant", "content": [said, use]}
        text = f"[{tool} for '{turn.command}'] Result:\nCommand executed.\nOutput:\n{turn.output}"
        yield {"role": "user", "content": [{"type": "text", "text": text}]}


def otlp(turns: Iterator[Turn]) -> Iterator[Record]:
    for turn in turns:
        said = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "Bash" if turn.is_shell else "Read",
            "gen_ai.tool.call.id": f"c{turn.number}",
            "gen_ai.tool.call.arguments": json.dumps({"command": turn.command}),
            "gen_ai.tool.call.result": turn.output,
        }
        attributes = [{"key": key, "value": {"stringValue": text}} for key, text in said.items()]
        begin = 1788000000000000000 + turn.number * 10**9
        yield {"traceId": "ab" * 16, "spanId": f"{turn.number:016x}", "name": "execute_tool",
               "startTimeUnixNano": str(begin), "endTimeUnixNano": str(begin + 10**8),
               "attributes": attributes}  # fmt: skip


Layout = tuple[Callable[[Iterator[Turn]], Iterator[Record]], str, str, str, int | None]
"""What yields the records; what stands before, between and behind them; the indent."""
LAYOUTS: dict[str, Layout] = {
    "claude_code.jsonl": (claude_code, "", "\n", "\n", None),
    "codex.jsonl": (codex, "", "\n", "\n", None),
    "copilot_cli.jsonl": (copilot_cli, "", "\n", "\n", None),
    "gemini_cli.jsonl": (
        gemini_cli, '{"sessionId":"51d0","projectHash":"cd01","kind":"main"}\n', "\n", "\n", None,
    ),
    "gemini_cli.json": (
        gemini_cli, '{\n  "sessionId": "51d0",\n  "projectHash": "cd01",\n  "messages": [\n',
        ",\n", "\n  ]\n}\n", 2,
    ),
    "opencode.json": (
        opencode, '{"info":{"id":"ses_1","directory":"/srv/shop"},\n"messages":[\n', ",\n", "]}\n", 2,
    ),
    "mini_swe_agent.traj.json": (
        mini_swe_agent, '{"info": {"mini_version": "2.2.7"}, "messages": [\n', ",\n", "]}\n", 2,
    ),
    "swe_agent.traj": (swe_agent, '{"environment": "x", "trajectory": [', ",", '], "info": {}}', 2),
    "cline.json": (cline, "[", ",", "]", None),
    "otlp.json": (
        otlp, '{"resourceSpans":[{"scopeSpans":[{"spans":[', ",", "]}]}]}", None,
    ),
}  # fmt: skip


def write(file: TextIO, layout: Layout, size: int, draw: random.Random, text: str) -> None:
    """Write one transcript of about `size` bytes."""
    records, before, between, behind, indent = layout
    written = file.write(before)
    turns = (Turn(number, draw, text) for number in itertools.count(1))
    for place, record in enumerate(records(turns)):
        separators = (",", ":") if indent is None else None
        line = json.dumps(record, ensure_ascii=False, indent=indent, separators=separators)
        written += file.write(between * bool(place) + line)
        if written >= size:
            break
    file.write(behind)


def main(folder: str, megabytes: str = "50", *names: str) -> None:
    """Write the named transcripts, or all, into a folder; together that large."""
    root = Path(__file__).parent.parent
    text = "\n".join(path.read_text() for path in sorted(root.glob("src/proctor/**/*.py"))[:200])
    wanted = names or tuple(LAYOUTS)
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name in wanted:
        with open(Path(folder) / name, "w", encoding="utf-8") as file:
            size = int(float(megabytes) * 1e6 / len(wanted))
            write(file, LAYOUTS[name], size, random.Random(name), text)


if __name__ == "__main__":
    main(*sys.argv[1:])
