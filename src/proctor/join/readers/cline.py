"""Cline: a task's `api_conversation_history.json`, or its `ui_messages.json`.

No exit code is told, and results come back as plain text without an id: they belong to
the oldest open call of that command. The second file has the times; where both are there,
the first is read.
"""

import os
import re
from collections.abc import Iterator

import msgspec

from proctor.join.base import Reader, Source
from proctor.join.decoding import Shape, decoded, decoder_of, digest_of, parts_text
from proctor.join.pending import Pending
from proctor.join.times import as_utc
from proctor.join.toolcall import Entry, Message, Told, ToolCall

AGENT = "cline"
_HISTORY = re.compile(
    rb'[{,]\s*"name"\s*:\s*"(?:execute_command|attempt_completion|ask_followup_question|'
    rb'plan_mode_respond)"|\[execute_command for \'|<execute_command>|\[attempt_completion\] Result'
)
_SCREEN = re.compile(rb'[{,]\s*"(?:ask|say)"\s*:\s*"[a-z_]+"')
_TAGGED = re.compile(r"<execute_command>.*?<command>(.*?)</command>", re.DOTALL)
_RESULT = re.compile(r"\s*\[execute_command for '(.*?)'\] Result:\n?", re.DOTALL)
_CODE = re.compile(r"[^\n]{0,80}?\bexit code:? (-?\d+)\b", re.IGNORECASE)
_RUNNING = re.compile(r"[^\n]{0,40}Command is still running", re.IGNORECASE)
_REFUSED = re.compile(r"\s*The user denied this operation")


class _Input(Shape):
    command: str | None = None
    result: str | None = None


class _Block(Shape):
    type: str | None = None
    id: str | None = None
    name: str | None = None
    input: msgspec.Raw = msgspec.Raw()
    text: str | None = None
    tool_use_id: str | None = None
    content: msgspec.Raw = msgspec.Raw()


class _Record(Shape):
    """A message of the history, or a line of the screen."""

    role: str | None = None
    content: str | list[_Block | None] | None = None
    ts: int | float | None = None
    type: str | None = None
    ask: str | None = None
    say: str | None = None
    text: str | None = None


_RECORD = msgspec.json.Decoder(_Record)
_input = decoder_of(_Input)


class _Task:
    """What is known of one task while its records are read."""

    def __init__(self, session: str) -> None:
        self.session = session
        self.calls = Pending()
        self.waiting: list[str] = []
        """Calls whose result may come as text, oldest first."""

    def record(self, record: _Record, place: int) -> Iterator[Entry]:
        if record.role is None:
            yield from self._shown(record, place)
            return
        at = as_utc(record.ts)
        blocks = record.content
        if isinstance(blocks, str):
            blocks = [_Block(type="text", text=blocks)]
        for number, block in enumerate(blocks or ()):
            if block is None:
                continue
            if record.role == "assistant":
                yield from self._from_agent(block, f"{place}-{number}", place, at)
            else:
                yield from self._to_agent(block, at)

    def _from_agent(self, block: _Block, name: str, place: int, at: str | None) -> Iterator[Entry]:
        if block.type == "tool_use":
            given = _input(block.input) or _Input()
            shell = block.name == "execute_command"
            command = given.command if shell else None
            payload = digest_of(block.input)
            yield from self._open(block.id or name, block.name or "", command, payload, place, at)
            if given.result:
                yield self._message(given.result, place, at)
        elif block.text:
            yield self._message(block.text, place, at)
            for number, command in enumerate(_TAGGED.findall(block.text)):
                found = command.strip()
                tool = "execute_command"
                yield from self._open(f"{name}-{number}", tool, found, digest_of(found), place, at)

    def _open(
        self,
        call_id: str,
        tool: str,
        command: str | None,
        payload: str,
        place: int,
        at: str | None,
    ) -> Iterator[Entry]:
        if command is not None:
            self.waiting = [one for one in self.waiting if one in self.calls] + [call_id]
        yield from self.calls.open(
            ToolCall(
                call_id=call_id,
                agent=AGENT,
                session=self.session,
                tool=tool,
                command=command,
                started_at=at,
                payload_sha256=payload,
                line=place,
            )
        )

    def _to_agent(self, block: _Block, at: str | None) -> Iterator[Entry]:
        text = block.text or ""
        call = None
        if block.type == "tool_result":
            text = parts_text(block.content)
            call = self.calls.get(block.tool_use_id)
        found = _RESULT.match(text)
        if call is None and found:
            call = self._of_command(found[1])
        if call is not None:
            text = text[found.end() :] if found else text
            told = _told(text) if call.is_shell else Told(ending="ended")
            yield from self.calls.close(call.call_id, told, text=text, at=at)

    def _of_command(self, command: str) -> ToolCall | None:
        for call_id in self.waiting:
            call = self.calls.get(call_id)
            if call is not None and call.command == command:
                return call
        return None

    def _shown(self, record: _Record, place: int) -> Iterator[Entry]:
        at = as_utc(record.ts)
        if "command" in (record.ask, record.say):
            command = (record.text or "").removesuffix("REQ_APP")
            name = f"line-{place}"
            yield from self._open(name, "execute_command", command, digest_of(command), place, at)
        elif "command_output" in (record.ask, record.say):
            open_calls = [one for one in self.waiting if one in self.calls]
            if open_calls:
                told = Told(ending="ended")
                yield from self.calls.close(open_calls[0], told, text=record.text, at=at)
        elif record.say in ("text", "completion_result") and record.text:
            yield self._message(record.text, place, at)

    def _message(self, text: str, place: int, at: str | None) -> Message:
        return Message(session=self.session, text=text, said_at=at, line=place)


def _told(text: str) -> Told:
    if _REFUSED.match(text):
        return Told(failed=True, ending="not-run")
    if _RUNNING.match(text):
        return Told(ending="running")
    if found := _CODE.match(text):
        code = int(found[1])
        return Told(exit_code=code, failed=code != 0, ending="ended")
    return Told(ending="ended")


def _session_of(source: Source) -> str:
    """Return the task's id: the name of the folder that holds its files."""
    return os.path.basename(os.path.dirname(os.path.abspath(source.path)))


def _read(source: Source) -> Iterator[Entry]:
    task = _Task(_session_of(source))
    for place, record in decoded(source, _RECORD):
        yield from task.record(record, place)
    yield from task.calls.rest()


def _claims(head: bytes) -> bool:
    if _HISTORY.search(head) and b'"role"' in head:
        return True
    return _SCREEN.search(head) is not None and b'"ts"' in head


def _part_of(path: str) -> str | None:
    folder, name = os.path.split(path)
    history = os.path.join(folder, "api_conversation_history.json")
    return history if name == "ui_messages.json" and os.path.isfile(history) else None


_STORAGE = "User/globalStorage/saoudrizwan.claude-dev/tasks"

READER = Reader(
    name="Cline",
    claims=_claims,
    read=_read,
    folders=(
        ".cline/data/tasks",
        f".config/Code/{_STORAGE}",
        f".vscode-server/data/{_STORAGE}",
        f"Library/Application Support/Code/{_STORAGE}",
    ),
    part_of=_part_of,
)
