"""aider: the chat history, in Markdown.

`/run` and `/test` are the only commands it shows; it tells no exit code, and no times but
the chat's beginning.
"""

import re
from collections.abc import Iterator

from proctor.join.base import Reader, Source
from proctor.join.decoding import digest_of
from proctor.join.pending import KEPT, Pending
from proctor.join.times import as_utc
from proctor.join.toolcall import Entry, Message, Told, ToolCall

AGENT = "aider"
_CLAIM = re.compile(rb"^# aider chat started at \d", re.MULTILINE)
_BEGIN = re.compile(r"# aider chat started at (.+)")
_COMMAND = re.compile(r"#### (?:/(run|test)\b|!)(.*)")


class _Chat:
    """What is known of one chat while its lines are read."""

    def __init__(self, stem: str) -> None:
        self.stem = stem
        self.session = stem
        self.began: str | None = None
        self.calls = Pending()
        self.call_id = ""
        self.printed: list[str] = []
        self.said: list[str] = []
        self.said_line = 0
        self.held = 0

    def line(self, text: str, number: int) -> Iterator[Entry]:
        if found := _BEGIN.match(text):
            yield from self.settle()
            self.began = as_utc(found[1].strip())
            self.session = f"{self.stem} {found[1].strip()}"
        elif text.startswith("####"):
            yield from self.settle()
            if found := _COMMAND.match(text):
                yield from self._open(found[1] or "run", found[2].strip(" \t"), number)
        elif text.startswith(">"):
            if self.said:
                yield from self.settle()
            if self.call_id:
                self._keep(self.printed, text[1:].strip())
        elif text.strip():
            if self.call_id:
                yield from self.settle()
            self.said_line = self.said_line or number
            self._keep(self.said, text)

    def _keep(self, lines: list[str], text: str) -> None:
        lines.append(text)
        self.held += len(text) + 1
        while self.held > KEPT:
            self.held -= len(lines.pop(0)) + 1

    def _open(self, verb: str, command: str, number: int) -> Iterator[Entry]:
        self.call_id = f"line-{number}"
        yield from self.calls.open(
            ToolCall(
                call_id=self.call_id,
                agent=AGENT,
                session=self.session,
                tool=verb,
                command=command or None,
                started_at=self.began,
                payload_sha256=digest_of(command),
                line=number,
            )
        )

    def settle(self) -> Iterator[Entry]:
        """Yield the call or the message that ended."""
        if self.call_id:
            told = Told(ending="ended") if self.printed else Told()
            text = "\n".join(self.printed)
            yield from self.calls.close(self.call_id, told, text=text)
        elif self.said:
            yield Message(session=self.session, text="\n".join(self.said), line=self.said_line)
        self.call_id, self.printed, self.said, self.said_line, self.held = "", [], [], 0, 0


def _read(source: Source) -> Iterator[Entry]:
    chat = _Chat(source.stem)
    for number, line in enumerate(source.lines, 1):
        yield from chat.line(line.decode("utf-8", "replace").rstrip("\r"), number)
    yield from chat.settle()


READER = Reader(
    name="aider",
    claims=lambda head: _CLAIM.search(head) is not None,
    read=_read,
    folders=(".aider.chat.history.md",),
)
