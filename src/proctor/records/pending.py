"""Pending markers: a start that has no end yet.

Before a command starts, a marker is written in `<log>.pending/` and locked for
as long as its recorder lives. A marker that nobody locks is a start without an
end. Its first line describes the run; a line is added for every test leaf just
before its first instruction, so that a killed recorder leaves word of the tests
that it saw begin.
"""

import fcntl
import os

from proctor._digest import encode
from proctor._whole import write_fully
from proctor.errors import RecorderError
from proctor.records.place import make_private

_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW


class Marker:
    """A pending marker held by this process.

    Raises:
        RecorderError: the marker cannot be written.
    """

    __slots__ = ("_fd", "path")

    def __init__(self, log: str, run_id: str, start: dict[str, object]) -> None:
        folder = folder_of(log)
        self.path = os.path.join(folder, f"{run_id}.jsonl")
        try:
            make_private(folder)
            self._fd = os.open(self.path, _FLAGS, 0o600)
            try:
                fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self._write(start)
            except OSError:
                self.remove()
                raise
        except OSError as error:
            raise RecorderError(
                f"{self.path}: cannot write the pending marker: {error.strerror}; "
                "free some space, or choose another place with --log"
            ) from None

    def add(self, fact: dict[str, object]) -> None:
        """Add a line about a test leaf that is about to run.

        Raises:
            OSError: the line could not be written.
        """
        self._write(fact)

    def remove(self) -> None:
        """Take the marker away: the end has been recorded."""
        os.unlink(self.path)
        os.close(self._fd)

    def fileno(self) -> int:
        """Return the descriptor, for a forked helper to close."""
        return self._fd

    def _write(self, fact: dict[str, object]) -> None:
        write_fully(self._fd, encode(fact) + b"\n")


def folder_of(log: str) -> str:
    """Return the folder of the markers that belong to a log."""
    return f"{log}.pending"


def is_locked(path: str) -> bool:
    """Return whether the recorder that wrote the marker at `path` still lives.

    Raises:
        FileNotFoundError: the marker has gone, so its end has been recorded.
    """
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(fd)
    return False
