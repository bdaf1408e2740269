"""Codex: a rollout's JSONL, of old versions and new.

Exit codes stand in the text that the agent was given, in three forms, and since 0.171
in records of their own. A command that outlives its call gets its code from a later
`write_stdin`, or never.
"""

import re
from collections.abc import Iterator

import msgspec

from proctor.join.base import Reader, Source
from proctor.join.decoding import Shape, decoded, decoder_of, digest_of, parts_text
from proctor.join.pending import Pending, prints
from proctor.join.times import as_utc
from proctor.join.toolcall import Entry, Message, Told, ToolCall

AGENT = "codex"
_CLAIM = re.compile(
    rb'"type"\s*:\s*"(?:session_meta|turn_context|response_item|event_msg|compacted)"\s*,'
    rb'\s*"payload"\s*:|[{,]\s*"payload"\s*:\s*\{[^}]{0,4096}"(?:originator|cli_version)"\s*:'
)
_OLD = re.compile(
    rb'\A\s*\{(?=[^\n]{0,400}"id"\s*:)(?=[^\n]{0,400}"timestamp"\s*:)'
    rb'(?=[^\n]{0,4096}"(?:instructions|git)"\s*:)'
)
_SHELLS = ("exec_command", "shell", "shell_command", "local_shell_call", "container.exec")
_HEAD = re.compile(
    r"^(?:Process exited with code|Exit code:|Process running with session ID) ?(-?\d+)\s*$",
    re.MULTILINE,
)
_OUTPUT = re.compile(r"^Output:\s*$", re.MULTILINE)
_REFUSED = re.compile(
    r"\s*(?:exec_command failed|execution error|failed to spawn|.{0,40}rejected by user|"
    r"(?:command|exec) (?:was )?(?:rejected|denied|not approved)|failed to parse function arg)",
    re.IGNORECASE,
)
_SPAWNED = ("bash", "sh", "zsh", "dash")
Words = str | list[str | None] | None


class _Action(Shape):
    command: Words = None
    working_directory: str | None = None


class _Item(Shape):
    type: str | None = None
    id: str | None = None
    call_id: str | None = None
    command: Words = None
    cwd: str | None = None
    exit_code: int | None = None
    status: str | None = None
    aggregated_output: str | None = None


class _Payload(Shape):
    type: str | None = None
    id: str | None = None
    cwd: str | None = None
    source: msgspec.Raw = msgspec.Raw()
    call_id: str | None = None
    name: str | None = None
    arguments: str | None = None
    input: str | None = None
    action: msgspec.Raw = msgspec.Raw()
    output: msgspec.Raw = msgspec.Raw()
    role: str | None = None
    content: msgspec.Raw = msgspec.Raw()
    item: msgspec.Raw = msgspec.Raw()
    exit_code: int | None = None
    command: msgspec.Raw = msgspec.Raw()
    last_agent_message: str | None = None
    message: msgspec.Raw = msgspec.Raw()


class _Line(_Payload):
    """A record; the oldest rollouts have no payload around what it holds."""

    timestamp: str | None = None
    payload: _Payload | None = None


class _Arguments(Shape):
    cmd: Words = None
    command: Words = None
    workdir: str | None = None
    session_id: int | str | None = None


class _Metadata(Shape):
    exit_code: int | None = None


class _Wrapped(Shape):
    output: str | None = None
    content: str | None = None
    metadata: _Metadata | None = None
    success: bool | None = None


class _Source(Shape):
    subagent: msgspec.Raw = msgspec.Raw()


_LINE = msgspec.json.Decoder(_Line)
_NEEDED = (
    *(b'"function_call', b'"custom_tool_call', b'"local_shell_call', b'"message"'),
    *(b'"session_meta"', b'"turn_context"', b'"item_completed"', b'"exec_command_end"'),
    b'"task_complete"',
)
_arguments = decoder_of(_Arguments)
_action = decoder_of(_Action)
_wrapped = decoder_of(_Wrapped)
_item = decoder_of(_Item)
_source = decoder_of(_Source)


class _Rollout:
    """What is known of one rollout while its records are read."""

    def __init__(self) -> None:
        self.calls = Pending()
        self.cwd: str | None = None
        self.turn_cwd: str | None = None
        self.session = ""
        self.subagent = ""
        self.running: dict[str, str] = {}
        """A session of a running command → the call that started it."""
        self.poked: dict[str, str] = {}
        """A `write_stdin` call → the session it wrote to."""
        self.answered: dict[str, tuple[Told, str, str | None]] = {}
        """Calls whose answer told no code: a later record may."""
        self.codes: dict[str, int] = {}
        """Exit codes of records that came before the answer."""
        self.said = ""

    def read(self, source: Source) -> Iterator[Entry]:
        for place, line in decoded(source, _LINE, *_NEEDED):
            payload = line.payload
            if payload is None:  # the oldest form: the record is the payload
                payload = line
            elif line.type in ("session_meta", "turn_context"):
                self._place(line.type, payload)
                continue
            yield from self._record(payload, place, as_utc(line.timestamp))
        yield from self._settle()
        yield from self.calls.rest()

    def _place(self, kind: str | None, payload: _Payload) -> None:
        if kind == "turn_context":
            self.turn_cwd = payload.cwd or self.turn_cwd
            return
        self.session = self.session or payload.id or ""
        self.cwd = payload.cwd or self.cwd
        found = _source(payload.source)
        if found is not None and found.subagent:
            self.subagent = payload.id or "subagent"

    def _record(self, payload: _Payload, place: int, at: str | None) -> Iterator[Entry]:
        kind = payload.type
        if kind in ("function_call", "custom_tool_call", "local_shell_call"):
            yield from self._settle()
            yield from self.calls.open(self._call(payload, place, at))
        elif kind in ("function_call_output", "custom_tool_call_output"):
            if (call := self.calls.get(payload.call_id)) is not None:
                is_read = prints(call) or call.call_id in self.poked
                text = parts_text(payload.output) if is_read else ""
                yield from self._answer(call, text, at)
        elif kind == "item_completed":
            item = _item(payload.item)
            if item is not None and item.type == "CommandExecution":
                yield from self._ended(item, item.id or item.call_id, place, at)
        elif kind == "exec_command_end":
            yield from self._coded(payload.call_id or "", payload.exit_code, at)
        elif kind == "message" and payload.role == "assistant":
            yield from self._settle()
            yield from self._say(parts_text(payload.content), place, at)
        elif kind == "task_complete":
            yield from self._settle()
            yield from self._say(payload.last_agent_message or "", place, at)
        elif kind is None and payload.id and not self.session:
            self.session = payload.id  # the first line of the oldest rollouts

    def _say(self, text: str, place: int, at: str | None) -> Iterator[Entry]:
        """Yield what the agent said; a turn's last words are recorded twice."""
        if text and text != self.said:
            yield Message(
                session=self.session, text=text, said_at=at, subagent=self.subagent, line=place
            )
        self.said = text

    def _call(self, payload: _Payload, place: int, at: str | None) -> ToolCall:
        call_id = payload.call_id or payload.id or f"line-{place}"
        tool = payload.name or payload.type or ""
        given = _arguments(payload.arguments) or _Arguments()
        if payload.type == "local_shell_call":
            action = _action(payload.action) or _Action()
            given = _Arguments(command=action.command, workdir=action.working_directory)
        if tool == "write_stdin" and given.session_id is not None:
            self.poked[call_id] = str(given.session_id)
        command, argv = _asked(given.command or given.cmd) if tool in _SHELLS else (None, None)
        return ToolCall(
            call_id=call_id,
            agent=AGENT,
            session=self.session,
            tool=tool,
            command=command,
            argv=argv,
            cwd=given.workdir or self.turn_cwd or self.cwd,
            started_at=at,
            subagent=self.subagent,
            payload_sha256=digest_of(payload.arguments or payload.input or payload.action),
            line=place,
        )

    def _answer(self, call: ToolCall, text: str, at: str | None) -> Iterator[Entry]:
        call_id = call.call_id
        told, session, printed = _told(text)
        started = self.running.get(self.poked.pop(call_id, ""))
        if started in self.calls and told.ending == "ended":
            yield from self.calls.close(str(started), told, text=printed, at=at)
        if not call.is_shell:
            ended = Told(failed=None, ending="ended")
            yield from self.calls.close(call_id, ended, text=printed, at=at)
        elif call_id in self.codes:
            code = self.codes.pop(call_id)
            told = Told(exit_code=code, failed=code != 0, ending="ended")
            yield from self.calls.close(call_id, told, text=printed, at=at)
        elif session is not None:
            self.running[session] = call_id
            self.calls.tell(call_id, told, background=True)
        elif told.exit_code is None and told.ending != "not-run":
            self.answered[call_id] = (told, printed, at)
        else:
            yield from self.calls.close(call_id, told, text=printed, at=at)

    def _coded(self, call_id: str, code: int | None, at: str | None) -> Iterator[Entry]:
        """Take note of a code from a record of its own, which no text can contradict."""
        if code is None or call_id not in self.calls:
            return
        told = Told(exit_code=code, failed=code != 0, ending="ended")
        call = self.calls.get(call_id)
        if call_id in self.answered:
            _, printed, answered = self.answered.pop(call_id)
            yield from self.calls.close(call_id, told, text=printed, at=answered)
        elif call is not None and call.told.ending == "running":
            yield from self.calls.close(call_id, told, at=at)
        else:
            self.codes[call_id] = code

    def _ended(
        self, item: _Item, call_id: str | None, place: int, at: str | None
    ) -> Iterator[Entry]:
        """Take note of a command's record; one that no call asked for is a call itself."""
        if call_id in self.calls:
            yield from self._coded(str(call_id), item.exit_code, at)
            return
        command, argv = _asked(item.command)
        if command is None and argv is None:
            return
        code = item.exit_code
        call = ToolCall(
            call_id=call_id or f"line-{place}",
            agent=AGENT,
            session=self.session,
            tool="exec_command",
            command=command,
            argv=argv,
            cwd=item.cwd or self.turn_cwd or self.cwd,
            finished_at=at,
            subagent=self.subagent,
            line=place,
        )
        yield from self.calls.open(call)
        told = Told(exit_code=code, failed=None if code is None else code != 0, ending="ended")
        yield from self.calls.close(call.call_id, told, text=item.aggregated_output, at=at)

    def _settle(self) -> Iterator[Entry]:
        """Yield the calls whose answer told no code, now that no record will."""
        while self.answered:
            call_id, (told, printed, at) = self.answered.popitem()
            if call_id in self.calls:
                yield from self.calls.close(call_id, told, text=printed, at=at)


def _asked(words: Words) -> tuple[str | None, tuple[str, ...] | None]:
    """Return shell text, or else an argv."""
    if not isinstance(words, list):
        return words, None
    argv = tuple(word or "" for word in words)
    if len(argv) == 3 and argv[0].rpartition("/")[2] in _SPAWNED and argv[1] in ("-c", "-lc"):
        return argv[2], None
    return None, argv or None


def _told(text: str) -> tuple[Told, str | None, str]:
    """Return what an answer tells, the session it leaves running, and what was printed."""
    if text.lstrip().startswith("{") and (wrapped := _wrapped(text)) is not None:
        printed = wrapped.output or wrapped.content or ""
        if wrapped.metadata is not None and wrapped.metadata.exit_code is not None:
            return _of_code(wrapped.metadata.exit_code), None, printed
        if wrapped.output is None and wrapped.content is not None:
            text = wrapped.content
    head, printed = text[:400], text
    if (split := _OUTPUT.search(head)) is not None:
        head, printed = head[: split.start()], text[split.end() :].removeprefix("\n")
    for found in _HEAD.finditer(head):
        if found[0].startswith("Process running"):
            return Told(ending="running"), found[1], printed
        return _of_code(int(found[1])), None, printed
    if _REFUSED.match(text):
        return Told(failed=True, ending="not-run"), None, printed
    return Told(), None, printed


def _of_code(code: int) -> Told:
    return Told(exit_code=code, failed=code != 0, ending="ended")


def _claims(head: bytes) -> bool:
    if _CLAIM.search(head):
        return True
    return _OLD.match(head) is not None and b'"function_call' in head


READER = Reader(
    name="Codex",
    claims=_claims,
    read=lambda source: _Rollout().read(source),
    folders=(".codex/sessions", ".codex/archived_sessions"),
)
