"""Passes a command's output through, byte for byte, and digests it on the way.

One thread for each stream, so that a reader who stops one does not stop the
other; order within a stream is kept, interleaving between the two cannot be.
Memory is bounded by one buffer a stream, whatever the size of the output.
"""

import _thread
import errno
import fcntl
import os
import select
import time

from proctor._digest import sha256
from proctor.errors import RecorderError

_BUFFER = 1 << 20
_F_SETPIPE_SZ = 1031
_SMALL = 1 << 18
_SHORT = 1 << 16
_STACK = 1 << 20
_PATIENCE_S = 5.0
_PAUSE_S = 0.01
_UNDIGESTED = "passed on, but not digested: out of memory; allow more (ulimit -v)"
_GONE = (errno.EPIPE, errno.EBADF, errno.EIO)


class _Digest:
    """A SHA-256 that loads OpenSSL only when there is enough to repay it."""

    __slots__ = ("_first", "_rest")

    def __init__(self) -> None:
        self._first: bytearray | None = bytearray()
        self._rest = sha256()

    def update(self, data: memoryview) -> None:
        """Add bytes; releases the interpreter while large pieces are digested."""
        if self._first is not None:
            self._first += data
            if len(self._first) <= _SMALL:
                return
            try:
                from hashlib import sha256 as fast

                self._rest = fast(self._first)
            except Exception:  # noqa: BLE001 - there is no room for OpenSSL: slower, not less
                self._rest.update(self._first)
            self._first = None
            return
        self._rest.update(data)

    def hexdigest(self) -> str:
        """Return the digest as 64 hex digits."""
        if self._first is not None:
            return sha256(self._first).hexdigest()
        return self._rest.hexdigest()


class Stream:
    """One of the command's output streams.

    `target` is the descriptor that the bytes go on to. At most `limit` bytes
    are digested (none: all). `ends` are ours and the command's, by default a new
    pipe's.
    """

    __slots__ = (
        "_begun",
        "_digest",
        "_done",
        "_limit",
        "_read",
        "_stop_read",
        "_stop_write",
        "_target",
        "child_end",
        "fault",
        "hashed",
        "is_digested",
        "open_after_stop",
        "size",
    )

    def __init__(
        self, target: int, limit: int | None, ends: "tuple[int, int] | None" = None
    ) -> None:
        self._read, self.child_end = ends or os.pipe()
        self._stop_read, self._stop_write = os.pipe()
        self._target = target
        self._limit = limit
        self._digest = _Digest()
        self._done = _thread.allocate_lock()
        self._begun = _thread.allocate_lock()
        self.size = 0
        self.hashed = 0
        self.open_after_stop = False
        self.is_digested = True
        """Whether the digest is of the first `hashed` bytes; false: memory ran out."""
        self.fault: str | None = None
        """Why not all of it could be passed on or digested; a reader who has gone is none."""
        try:
            fcntl.fcntl(self._read, _F_SETPIPE_SZ, _BUFFER)
        except OSError:
            return  # the user's share of pipe memory is used up: a smaller pipe will do

    def start(self) -> None:
        """Begin to pass bytes on, in a thread of its own.

        Raises:
            RecorderError: there is no room for one.
        """
        os.close(self.child_end)
        self._done.acquire()
        self._begun.acquire()
        _thread.stack_size(_STACK)
        try:
            _thread.start_new_thread(self._run, (_buffer(),))
            # NOTE: a thread for which there is no memory ends before it begins.
            begun = self._begun.acquire(timeout=_PATIENCE_S)
        except (RuntimeError, MemoryError):
            begun = False
        if not begun:
            raise RecorderError(
                "no thread can be started: out of processes or memory; "
                "allow more (ulimit -u, ulimit -v)"
            )

    def finish(self) -> None:
        """Pass on what has been written so far and stop.

        A process that was left running may still hold the pipe: then
        `open_after_stop` is true and the rest is `drain`'s.
        """
        os.write(self._stop_write, b".")
        self._done.acquire()

    def wait_end(self, seconds: float) -> bool:
        """Wait for the end of the stream; return whether it came in time."""
        if self._done.acquire(timeout=seconds):
            self._done.release()
            return True
        return False

    def hexdigest(self) -> str | None:
        """Return the SHA-256 of the first `hashed` bytes, none where it could not be taken."""
        return self._digest.hexdigest() if self.is_digested else None

    def drain(self) -> None:
        """Copy what is still written to the pipe, until nobody holds it."""
        while True:
            try:
                data = os.read(self._read, 65536)
                if not data:
                    return
                _write_all(self._target, memoryview(data))
            except OSError:
                return

    def restore(self) -> None:
        """Undo what starting changed outside; a pipe changes nothing."""

    def _run(self, buffer: bytearray) -> None:
        self._begun.release()
        view = memoryview(buffer)
        try:
            while True:
                try:
                    return self._pump(view)
                except Exception:  # noqa: BLE001 - the command must not wait for a reader
                    self.is_digested = False
                    self.fault = _UNDIGESTED
                    time.sleep(_PAUSE_S)
        finally:
            self._done.release()

    def _pump(self, view: memoryview) -> None:
        poller = select.poll()
        poller.register(self._read, select.POLLIN)
        poller.register(self._stop_read, select.POLLIN)
        left = -1
        while True:
            ready = dict(poller.poll())
            if self._stop_read in ready and left < 0:
                # What lies in the pipe now was written before the stop; a
                # process left behind may go on writing for ever.
                left = _BUFFER
            if self._read not in ready or left == 0:
                self.open_after_stop = True
                return
            try:
                count = os.readv(self._read, [view[:left] if left > 0 else view])
            except OSError:
                count = 0  # a terminal that nobody holds any more says EIO
            if count == 0:
                return
            left -= count if left > 0 else 0
            self._take(view[:count])
            refusal = _write_all(self._target, view[:count])
            if refusal is not None:
                # The reader has gone. The command must notice as it would
                # without us: closing our end brings it SIGPIPE.
                if refusal not in _GONE:
                    self.fault = f"not passed on to its end: {os.strerror(refusal)}"
                os.close(self._read)
                self._read = -1
                return

    def _take(self, data: memoryview) -> None:
        self.size += len(data)
        if self._limit is not None:
            data = data[: max(0, self._limit - self.hashed)]
        if not self.is_digested:
            return
        try:
            self._digest.update(data)
        except Exception:  # noqa: BLE001 - the command goes on all the same
            self.is_digested = False
            self.fault = _UNDIGESTED
            return
        self.hashed += len(data)


def _buffer() -> bytearray:
    """Return a buffer, a smaller one where memory is short."""
    try:
        return bytearray(_BUFFER)
    except MemoryError:
        return bytearray(_SHORT)


def _write_all(fd: int, data: memoryview) -> int | None:
    """Write everything; return the error number where nobody takes any more."""
    while data:
        try:
            data = data[os.write(fd, data) :]
        except BlockingIOError:
            select.select([], [fd], [])
        except OSError as error:
            return error.errno or errno.EIO
    return None
