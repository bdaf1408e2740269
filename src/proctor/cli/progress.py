"""Progress bars on stderr, for work that takes longer than a second."""

import time
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self, TextIO

from proctor.audit.look import Progress

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import ProgressColumn, TaskID

PATIENCE = 1.0
"""Seconds before a bar appears."""
_PAUSE = 0.1


class _Shown:
    """A bar for each thing that is done; only on a terminal, and only when it takes long."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._is_shown = stream.isatty()
        self._bar: RichProgress | None = None
        self._tasks: dict[str, TaskID] = {}
        self._began = time.monotonic()
        self._drawn = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def show(self, what: str, done: int, total: int) -> None:
        """Say how much of something is done."""
        now = time.monotonic()
        if not self._is_shown or now - self._began < PATIENCE or now - self._drawn < _PAUSE:
            return
        self._drawn = now
        if self._bar is None:
            self._bar = self._made()
            self._bar.start()
        if what not in self._tasks:
            self._tasks[what] = self._bar.add_task(what, total=total)
        self._bar.update(self._tasks[what], completed=min(done, total), total=total)

    def _made(self) -> "RichProgress":
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as RichProgress

        columns = (TextColumn("{task.description}"), BarColumn(), *self._columns())
        return RichProgress(*columns, console=Console(file=self._stream), transient=True)

    def _columns(self) -> "Sequence[ProgressColumn]":
        from rich.progress import MofNCompleteColumn

        return (MofNCompleteColumn(),)


class Counted(_Shown):
    """Shows how many of some things are done; called with what, done and total."""

    def __call__(self, what: str, done: int, total: int) -> None:
        """Say how much of something is done."""
        self.show(what, done, total)


class Bar(_Shown, Progress):
    """Shows how far an audit has come."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self._size = self._done = 0
        self._label = ""

    def begin(self, transcripts: int, size: int) -> None:
        """Say how much there is to be read."""
        self._size = size
        self._label = f"{transcripts:,} transcripts"

    def advance(self, size: int) -> None:
        """Say that so many bytes were read."""
        self._done += size
        self.show(self._label, self._done, self._size)

    def _columns(self) -> "Sequence[ProgressColumn]":
        from rich.progress import DownloadColumn, TimeRemainingColumn

        return (DownloadColumn(), TimeRemainingColumn())
