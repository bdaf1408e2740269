"""Reads transcripts: of the assets, or made of what a test writes."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from proctor.join.reading import read_transcript
from proctor.join.toolcall import Entry, Message, Output, Skipped, ToolCall

ASSETS = Path(__file__).parents[2] / "assets" / "transcripts"


class Read(NamedTuple):
    """A transcript, read to its end."""

    reader: str
    entries: list[Entry]

    @property
    def calls(self) -> dict[str, ToolCall]:
        """Every call by its id, each having come once."""
        found = [entry for entry in self.entries if isinstance(entry, ToolCall)]
        assert len({call.call_id for call in found}) == len(found)
        return {call.call_id: call for call in found}

    @property
    def call(self) -> ToolCall:
        """The only call."""
        (call,) = self.calls.values()
        return call

    @property
    def outputs(self) -> dict[str, str]:
        """What each call printed; each output follows its call at once."""
        found = {}
        for before, entry in zip([None, *self.entries], self.entries, strict=False):
            if isinstance(entry, Output):
                assert isinstance(before, ToolCall)
                assert before.call_id == entry.call_id
                found[entry.call_id] = entry.text
        return found

    @property
    def said(self) -> list[str]:
        """What the agent said."""
        return [entry.text for entry in self.entries if isinstance(entry, Message)]

    @property
    def skipped(self) -> list[Skipped]:
        """What could not be read."""
        return [entry for entry in self.entries if isinstance(entry, Skipped)]


def read_to_end(path: str | Path) -> Read:
    """Read the transcript at `path`."""
    transcript = read_transcript(str(path))
    return Read(transcript.reader, list(transcript.entries))


@pytest.fixture
def asset() -> Callable[[str], Read]:
    """Reads a transcript of `tests/assets/transcripts`."""
    return lambda name: read_to_end(ASSETS / name)


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., Read]:
    """Reads a transcript made of bytes."""

    def read(content: bytes, name: str = "t.jsonl") -> Read:
        path = tmp_path / name
        path.write_bytes(content)
        return read_to_end(path)

    return read
