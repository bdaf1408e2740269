"""Starts a process while the other threads of this one go on.

`subprocess` and `os.posix_spawn` hold the interpreter until the new process has
loaded its program, which takes as long as many a step. Called through `ctypes`, the
C library's own function does not, and it can change the folder.
"""

import ctypes
import functools
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from typing import Any

_ROOM = 1024
"""Bytes for what the library keeps in places of the caller's; it needs 336 at most."""
_SET_GROUP, _SET_DEFAULT = 0x02, 0x04
_DEFAULT = (signal.SIGPIPE, signal.SIGXFSZ)
"""Signals that the interpreter ignores, and that what it starts must not."""
_NEEDED = (
    "posix_spawn",
    "posix_spawn_file_actions_addchdir_np",
    "posix_spawn_file_actions_addclosefrom_np",
)
Fds = tuple[int, int, int]


def begin(argv: Sequence[str], cwd: str, env: Mapping[str, str], fds: Fds) -> int:
    """Return the number of a new process, in a group of its own, with three streams.

    Whoever calls waits for its end.

    Raises:
        OSError: it cannot be started.
    """
    library = _library()
    # NOTE: a bare name is looked for in `env`'s PATH, and a stream below 3 may lie where
    # another is to go: `subprocess` knows both.
    if library is None or "/" not in argv[0] or min(fds) < 3:
        return _by_subprocess(argv, cwd, env, fds)
    return _by_library(library, argv, cwd, env, fds)


def see_ends() -> None:
    """Make sure that exit codes of what is started can be read, from whatever thread.

    NOTE: where the parent left SIGCHLD ignored the kernel throws them away, and
    `subprocess` then says 0. Python's own `signal` refuses other threads than the first.
    """
    if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:
        ctypes.CDLL(None).signal(int(signal.SIGCHLD), None)


def _by_subprocess(argv: Sequence[str], cwd: str, env: Mapping[str, str], fds: Fds) -> int:
    process = subprocess.Popen(
        argv, cwd=cwd, env=env, stdin=fds[0], stdout=fds[1], stderr=fds[2], process_group=0
    )
    # NOTE: else it would be waited for twice.
    process.returncode = 0
    return process.pid


def _by_library(
    library: Any, argv: Sequence[str], cwd: str, env: Mapping[str, str], fds: Fds
) -> int:
    words = [_bytes(word) for word in argv]
    actions = ctypes.create_string_buffer(_ROOM)
    library.posix_spawn_file_actions_init(actions)
    try:
        library.posix_spawn_file_actions_addchdir_np(actions, _bytes(cwd))
        for to, fd in enumerate(fds):
            library.posix_spawn_file_actions_adddup2(actions, fd, to)
        library.posix_spawn_file_actions_addclosefrom_np(actions, len(fds))
        pid = ctypes.c_int()
        number = library.posix_spawn(
            ctypes.byref(pid),
            words[0],
            actions,
            _attributes(),
            (ctypes.c_char_p * (len(words) + 1))(*words),
            _block(tuple(env.items())),
        )
    finally:
        library.posix_spawn_file_actions_destroy(actions)
    if number:
        raise OSError(number, os.strerror(number))
    return pid.value


def _bytes(text: str) -> bytes:
    data = os.fsencode(text)
    if b"\0" in data:
        raise ValueError("embedded null byte")
    return data


@functools.lru_cache(maxsize=64)
def _block(env: tuple[tuple[str, str], ...]) -> "ctypes.Array[ctypes.c_char_p]":
    """Return an environment as the kernel takes it."""
    lines = [_bytes(f"{name}={value}") for name, value in env]
    return (ctypes.c_char_p * (len(lines) + 1))(*lines)


@functools.cache
def _library() -> Any:
    """Return the C library; none where it lacks what is needed."""
    library = ctypes.CDLL(None)
    return library if all(hasattr(library, name) for name in _NEEDED) else None


@functools.cache
def _attributes() -> "ctypes.Array[ctypes.c_char]":
    """Return what is the same for each start: a group, and signals as they are by default."""
    library = _library()
    signals = ctypes.create_string_buffer(_ROOM)
    library.sigemptyset(signals)
    for number in _DEFAULT:
        library.sigaddset(signals, int(number))
    found = ctypes.create_string_buffer(_ROOM)
    library.posix_spawnattr_init(found)
    library.posix_spawnattr_setsigdefault(found, signals)
    library.posix_spawnattr_setflags(found, ctypes.c_short(_SET_GROUP | _SET_DEFAULT))
    library.posix_spawnattr_setpgroup(found, 0)
    return found
