"""A progress bar on stderr, for work that takes longer than a second."""

import time
from types import TracebackType
from typing import TYPE_CHECKING, TextIO

from proctor.audit.look import Progress

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

PATIENCE = 1.0
"""Seconds before a bar appears."""
_PAUSE = 0.1


class Bar(Progress):
    """Shows how far an audit has come; only on a terminal, and only when it takes long."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._is_shown = stream.isatty()
        self._bar: RichProgress | None = None
        self._began = time.monotonic()
        self._drawn = 0.0
        self._size = self._done = 0
        self._label = ""

    def __enter__(self) -> "Bar":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def begin(self, transcripts: int, size: int) -> None:
        """Say how much there is to be read."""
        self._size = size
        self._label = f"{transcripts:,} transcripts"

    def advance(self, size: int) -> None:
        """Say that so many bytes were read."""
        self._done += size
        now = time.monotonic()
        if not self._is_shown or now - self._began < PATIENCE or now - self._drawn < _PAUSE:
            return
        self._drawn = now
        if self._bar is None:
            self._start()
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=min(self._done, self._size))

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress

        columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
        console = Console(file=self._stream)
        self._bar = RichProgress(*columns, TimeRemainingColumn(), console=console, transient=True)
        self._bar.start()
        self._bar.add_task(self._label, total=self._size)
