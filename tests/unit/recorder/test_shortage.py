"""What the recorder does without when the machine gives no more."""

import errno
import fcntl
import hashlib
import importlib.abc
import os
import subprocess
import sys
from pathlib import Path

import pytest

from proctor.errors import RecorderError
from proctor.recorder import streams
from proctor.recorder.image import Image
from proctor.recorder.leaf import Helpers
from proctor.recorder.streams import Stream
from tests.conftest import Proctor


def _raise(error: BaseException) -> None:
    raise error


class Full(streams._Digest):
    """A digest that finds no memory."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self._error = error

    def update(self, data: memoryview) -> None:
        del data
        raise self._error


class NoRoom(importlib.abc.MetaPathFinder):
    """Finds no room to load a module, as an interpreter short of memory tells it."""

    def find_spec(self, name: str, *_: object) -> None:
        if name == "hashlib":
            raise RuntimeError("can't allocate lock")


def _passed(data: bytes, target: int) -> Stream:
    """Pass `data` through a stream to its end."""
    stream = Stream(target, None)
    end = os.dup(stream.child_end)
    stream.start()
    os.write(end, data)
    os.close(end)
    assert stream.wait_end(20)
    return stream


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("can't allocate lock")])
def test_output_is_passed_on_when_it_cannot_be_digested(tmp_path: Path, error: Exception) -> None:
    with open(tmp_path / "out", "wb") as file:
        stream = Stream(file.fileno(), None)
        stream._digest = Full(error)
        end = os.dup(stream.child_end)
        stream.start()
        for _ in range(3):
            os.write(end, b"x" * 40_000)
        os.close(end)
        assert stream.wait_end(20)
    assert (tmp_path / "out").read_bytes() == b"x" * 120_000
    assert (stream.size, stream.hexdigest()) == (120_000, None)
    assert stream.fault == "passed on, but not digested: out of memory; allow more (ulimit -v)"


@pytest.mark.parametrize("is_known", [True, False])
def test_a_digest_without_openssl_is_the_same(
    monkeypatch: pytest.MonkeyPatch, *, is_known: bool
) -> None:
    digest, data = streams._Digest(), b"y" * (1 << 19)
    if is_known:
        monkeypatch.setitem(sys.modules, "hashlib", None)
    else:
        monkeypatch.delitem(sys.modules, "hashlib")
        monkeypatch.setattr(sys, "meta_path", [NoRoom(), *sys.meta_path])
    digest.update(memoryview(data))
    digest.update(memoryview(b"z"))
    monkeypatch.undo()
    assert digest.hexdigest() == hashlib.sha256(data + b"z").hexdigest()


def test_a_target_without_room_is_said_and_one_that_has_gone_is_not() -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    assert _passed(b"x", full).fault == "not passed on to its end: No space left on device"
    os.close(full)
    read, write = os.pipe()
    os.close(read)
    assert _passed(b"x", write).fault is None
    os.close(write)


def test_a_thread_that_cannot_be_started_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "_buffer", lambda: _raise(MemoryError()))
    with pytest.raises(RecorderError, match="no thread can be started"):
        Stream(1, None).start()


def test_a_small_buffer_does_where_memory_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "_BUFFER", 1 << 62)
    assert len(streams._buffer()) == 1 << 16


@pytest.mark.parametrize("call", ["memfd_create", "fork"])
def test_a_helper_that_cannot_be_started_is_said_once(
    monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    said: list[str] = []
    helpers = Helpers([], said.append)
    monkeypatch.setattr(
        os, call, lambda *_: _raise(OSError(errno.EAGAIN, "Resource temporarily unavailable"))
    )
    image = Image(os.getpid(), ["pytest"], None)
    assert [helpers.start(image, dict), helpers.start(image, dict)] == [0, 0]
    assert image.waiting == 0
    helpers.wait(0)
    (line,) = said
    assert line.startswith("a test leaf could not be examined: Resource temporarily unavailable")


LOSES_SIGHT = """
import sys
from proctor.recorder import launch
from proctor.recorder.session import Session
def started(self, image):
    if len(image.argv) == 3 and image.argv[2] == "exit 6":
        raise {error}
    return before(self, image)
before, Session.started = Session.started, started
sys.exit(launch.main("run", ["--keep", "all", "--", "sh", "-c", sys.argv[1]]))
"""


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        ("MemoryError()", "out of memory"),
        ("OSError(24, 'Too many open files')", "Too many open files"),
    ],
)
def test_a_recorder_that_loses_sight_sees_the_command_to_its_end(
    proctor: Proctor, error: str, reason: str
) -> None:
    code = LOSES_SIGHT.replace("{error}", error)
    line = "sh -c 'exit 5'; sh -c 'exit 6'; sleep 0.2; echo end; exit 7"
    done = subprocess.run(
        [sys.executable, "-c", code, line], env=proctor.env, capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (125, "end\n")
    assert done.stderr == (
        f"proctor: what the command starts is seen no more: {reason}; its own end still is\n"
    )
    assert [span["exit_code"] for span in proctor.spans()] == [5, 7]
    assert len(list(Path(f"{proctor.log}.pending").iterdir())) == 1


def test_a_program_is_traced_where_no_descriptor_is_left_to_watch_it(
    proctor: Proctor,
) -> None:
    code = (
        "import sys\nfrom proctor.recorder import launch, tree, untraced\n"
        "def refuse(pid): raise OSError(24, 'Too many open files')\n"
        "tree.Watched = refuse; untraced.reason = lambda exe: exe.endswith('true') or None\n"
        "sys.exit(launch.main('run', ['--keep', 'all', '--', 'sh', '-c', 'env true; exit 7']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=proctor.env, capture_output=True, text=True, timeout=60,
        check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (7, "")
    assert [s["exit_code"] for s in proctor.spans() if s["argv"] == ["true"]] == [0]


def test_a_lock_that_is_never_given_back_is_an_error_that_says_so(
    proctor: Proctor,
) -> None:
    code = (
        "import sys\nfrom proctor.records import append\nfrom proctor.recorder import launch\n"
        "append._LOCK_SILENCE_S, append._LOCK_PATIENCE_S = 0.02, 0.2\n"
        "sys.exit(launch.main('run', ['--', 'sh', '-c', 'exit 7']))\n"
    )
    proctor("run", "--", "true")
    with open(proctor.log, "rb") as holder:
        fcntl.flock(holder, fcntl.LOCK_EX)
        done = subprocess.run(
            [sys.executable, "-c", code], env=proctor.env, capture_output=True, text=True,
            timeout=60, check=False,
        )  # fmt: skip
    assert done.returncode == 125
    waiting, gone = done.stderr.splitlines()
    assert waiting.endswith("waiting for another process that holds its lock")
    assert "another process holds its lock for a minute" in gone
