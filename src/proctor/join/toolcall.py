"""What a transcript says, as plain values.

A transcript is written by the agent: none of this is evidence. A tool call says what
was asked for, a result what the agent was told, a message what it told people. Only
`ToolCall` and `Told` ever reach the gate; they carry no prose.
"""

from typing import Literal

import msgspec

Ending = Literal["ended", "running", "not-run", "unknown"]


class Told(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What the agent was told of how a tool call ended."""

    exit_code: int | None = None
    """The number it was given; null where it was given none."""
    failed: bool | None = None
    """Whether it was told that the call failed; null where it was not told."""
    ending: Ending = "unknown"
    """`running`: it still ran when the agent was answered; `not-run`: refused or never
    started."""


class ToolCall(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One call of a tool, as the transcript has it."""

    call_id: str
    """The agent's id; where the format has none, one made of the place in the file."""
    agent: str
    """The reader that found it, as `claude_code`."""
    session: str
    tool: str
    command: str | None = None
    """Shell text; null where the tool is no shell, or takes an argv."""
    argv: tuple[str, ...] | None = None
    """Where the call names an argv rather than a shell line."""
    cwd: str | None = None
    started_at: str | None = None
    """RFC 3339, UTC; null where the transcript does not say."""
    finished_at: str | None = None
    told: Told = Told()
    background: bool = False
    subagent: str = ""
    """The id of the sub-agent that called; empty for the agent itself."""
    payload_sha256: str = ""
    """Over the call's arguments as they stand in the transcript."""
    line: int = 0
    """Where the call stands: a line, or the place in a list, from 1."""
    trace_id: str = ""
    """32 hex digits where the format is a trace; else empty."""
    tool_span: str = ""
    """The span id of the call in that trace; else empty."""

    @property
    def is_shell(self) -> bool:
        """Whether the call asked for a process."""
        return self.command is not None or self.argv is not None


class Output(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What a tool call printed, as the agent was shown it; for people, not the gate."""

    call_id: str
    text: str
    """At most the last 64 KiB."""


class Message(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What the agent said to people; for people, never for the gate."""

    session: str
    text: str
    said_at: str | None = None
    subagent: str = ""
    line: int = 0


class Skipped(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A part of the transcript that could not be read."""

    line: int
    why: str


Entry = ToolCall | Output | Message | Skipped
"""What a reader yields, in the transcript's order. A call is yielded once, when its
result is known or the transcript ends; its `Output` follows it at once."""
