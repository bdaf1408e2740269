"""Transcripts in the shapes that real agents write."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any


def now() -> str:
    """The time as Claude Code writes it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def earlier(seconds: float) -> str:
    """A time before now."""
    then = datetime.now(UTC) - timedelta(seconds=seconds)
    return then.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass
class Claude:
    """A session of Claude Code while it goes on; every call is one line and its answer."""

    cwd: Path | str
    session: str = "5e551011-0000-4000-8000-000000000001"
    subagent: str = ""
    lines: list[dict[str, Any]] = field(default_factory=list)

    def _line(self, kind: str, content: Any, at: str | None, **more: Any) -> None:
        self.lines.append(
            {
                "type": kind,
                "uuid": f"u{len(self.lines)}",
                "parentUuid": None,
                "isSidechain": bool(self.subagent),
                **({"agentId": self.subagent} if self.subagent else {}),
                "sessionId": self.session,
                "cwd": str(self.cwd),
                "timestamp": at or now(),
                "message": {"role": kind, "content": content},
                **more,
            }
        )

    def ask(self, call_id: str, command: str | None, at: str | None = None, **more: Any) -> None:
        """The agent calls a tool: Bash with a command, or the one that is named."""
        given = more.pop("input", {"command": command})
        name = more.pop("name", "Bash")
        block = {"type": "tool_use", "id": call_id, "name": name, "input": {**given, **more}}
        self._line("assistant", [block], at)

    def answer(self, call_id: str, text: str = "", at: str | None = None, **more: Any) -> None:
        """What it is told."""
        block = {"type": "tool_result", "tool_use_id": call_id, "content": text}
        failed = more.pop("is_error", False)
        self._line(
            "user", [{**block, "is_error": failed}], at, toolUseResult=more or {"stdout": text}
        )

    def call(self, call_id: str, command: str, at: str | None = None, text: str = "") -> None:
        """A whole call, at one time."""
        self.ask(call_id, command, at)
        self.answer(call_id, text, at)

    def say(self, text: str) -> None:
        """What the agent tells people."""
        self._line("assistant", [{"type": "text", "text": text}], None)

    def write(self, path: Path) -> str:
        """Write the transcript so far, and return its path."""
        path.write_text("".join(json.dumps(line) + "\n" for line in self.lines))
        return str(path)


def wrapped(command: str) -> Sequence[str]:
    """How Claude Code starts a shell for a command."""
    quoted = "'" + command.replace("'", "'\"'\"'") + "'"
    text = (
        f"shopt -u extglob 2>/dev/null || true && eval {quoted} < /dev/null && pwd -P >| /dev/null"
    )
    return ("bash", "-c", text)
