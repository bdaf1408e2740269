"""Starts steps from within a sandbox that is made once, in place of one for each step.

Making a sandbox costs more than starting most programs. The keeper is its first
process: it starts each step with the limits that it has itself, waits for it, and
then kills whatever the step left and empties the folders in memory that the system
offers to all (`/tmp`, `/dev/shm`). So the next step finds what it would find in a
sandbox of its own, and the step's true end is seen, a signal as a signal.
A step cannot reach the keeper: the kernel delivers it no signal from within its own
namespace, and it is not dumpable.
"""

import contextlib
import json
import os
import socket
import struct
import subprocess
import sys
from collections.abc import Sequence

from proctor.oracle.spawn import LIMITS, Ended, Job, Start, forget, keep_alive, spawn, spawn_as

SERVER = r"""
import array, ctypes, json, os, resource, select, signal, stat, time
ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
link.set_inheritable(False)
for kind, value in LIMITS:
    try:
        resource.setrlimit(kind, (value, value))
    except (OSError, ValueError):
        pass
OPEN = [one for one in ("/tmp", "/dev/shm") if os.path.isdir(one)]
SPECIAL = [signal.SIGPIPE, signal.SIGXFSZ]
def walk(folder, device):
    for entry in os.scandir(folder):
        info = entry.stat(follow_symlinks=False)
        if info.st_dev == device:
            yield entry.path
            if stat.S_ISDIR(info.st_mode):
                yield from walk(entry.path, device)
        else:
            yield entry.path
KEPT = {path for one in OPEN for path in walk(one, os.lstat(one).st_dev)}
def empty(folder, device):
    for entry in os.scandir(folder):
        try:
            info = entry.stat(follow_symlinks=False)
            if info.st_dev != device:
                continue
            if stat.S_ISDIR(info.st_mode):
                os.chmod(entry.path, 0o755)
                empty(entry.path, device)
                if entry.path not in KEPT:
                    os.rmdir(entry.path)
            elif entry.path not in KEPT:
                os.unlink(entry.path)
        except OSError:
            pass
def found(name, path):
    if "/" in name:
        return name
    for folder in path.split(":"):
        whole = os.path.join(folder, name)
        if os.access(whole, os.X_OK) and not os.path.isdir(whole):
            return whole
    raise FileNotFoundError(2, "No such file or directory")
def start(argv, env, fds):
    def run(path, words):
        actions = [(os.POSIX_SPAWN_DUP2, fd, to) for to, fd in enumerate(fds)]
        return os.posix_spawn(path, words, env, file_actions=actions, setpgroup=0,
                              setsigdef=SPECIAL)
    try:
        path = found(argv[0], env.get("PATH", ""))
        try:
            return run(path, argv), 0
        except OSError as error:
            if error.errno != 8:
                raise
            return run("/bin/sh", ["sh", path, *argv[1:]]), 0
    except OSError as error:
        said = os.path.basename(argv[0]) + ": " + os.strerror(error.errno) + "\n"
        os.write(fds[2], said.encode())
        return 0, 127 if error.errno == 2 else 126
def others():
    count = 0
    for name in os.listdir("/proc"):
        if name.isdecimal() and name != "1":
            try:
                with open("/proc/" + name + "/stat", "rb") as file:
                    count += file.read().rpartition(b") ")[2][:1] not in b"ZX"
            except OSError:
                pass
    return count
def reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return True
    return False
def wiped():
    # Return how many processes the step left; none of them is there any more.
    left = 0
    if not reap():
        for _ in range(20):
            left = others()
            if not left:
                break
            time.sleep(0.0025)
            reap()
        while not reap():
            try:
                os.kill(-1, signal.SIGKILL)
            except OSError:
                pass
            time.sleep(0.0005)
    for one in OPEN:
        empty(one, os.lstat(one).st_dev)
    return left
def take():
    room = array.array("i")
    data, extra, _, _ = link.recvmsg(4, socket.CMSG_SPACE(3 * room.itemsize), 0x40000000)
    if len(data) < 4:
        sys.exit(0)
    for _, _, raw in extra:
        room.frombytes(raw[: len(raw) - len(raw) % room.itemsize])
    size, body = int.from_bytes(data, "little"), bytearray()
    while len(body) < size:
        part = link.recv(size - len(body))
        if not part:
            sys.exit(0)
        body += part
    return json.loads(body), list(room)
link.sendall(b"r")
while True:
    ask, fds = take()
    os.chdir(ask["cwd"])
    pid, status = start(ask["argv"], ask["env"], fds)
    for fd in fds:
        os.close(fd)
    if pid:
        cpu = int(ask["cpu"])
        try:
            resource.prlimit(pid, resource.RLIMIT_CPU, (cpu, cpu))
        except OSError:
            pass
        end = os.pidfd_open(pid)
        watch = select.poll()
        watch.register(end, select.POLLIN)
        watch.register(link, select.POLLIN)
        while True:
            events = [fd for fd, _ in watch.poll()]
            if end in events:
                break
            if link.fileno() in events:
                if not link.recv(1):
                    sys.exit(0)
                watch.unregister(link)
                try:
                    os.kill(-1, signal.SIGKILL)
                except OSError:
                    pass
        os.close(end)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    link.sendall(status.to_bytes(4, "little", signed=True))
    link.sendall(wiped().to_bytes(4, "little"))
"""


_FIRST = "import socket,sys;link=socket.socket(fileno=int(sys.argv[1]));exec(link.recv(1<<16))"
"""Takes the rest from the link, so that it does not stand in the list of processes."""
PATIENCE_S = 20.0
"""How long a keeper may take to begin, in seconds."""


class Keeper:
    """Runs steps in one sandbox; where it has died, the next step has a new one.

    `front` starts a process within the sandbox, `cwd` is the folder of the steps inside.
    """

    def __init__(self, front: Sequence[str], cwd: str) -> None:
        self._front = list(front)
        self._cwd = cwd
        self._process: subprocess.Popen[bytes] | None = None
        self._link: socket.socket | None = None

    def __call__(self, start: Start) -> Ended:
        """Return how a step ended."""
        link = self._ready()
        if link is None:
            return spawn(start)
        return spawn_as(start, lambda fds: _Step(link, start, self._cwd, fds))

    def _ready(self) -> socket.socket | None:
        if self._link is not None and self._process is not None and self._process.poll() is None:
            return self._link
        self.close()
        ours, theirs = socket.socketpair()
        words = [*self._front, _interpreter(), "-I", "-S", "-c", _FIRST, str(theirs.fileno())]
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                process_group=0,
            )
        except OSError:
            ours.close()
            return None
        finally:
            theirs.close()
        keep_alive(self._process.pid)
        self._link = ours
        if not _begun(ours):
            self.close()
            return None
        return ours

    def close(self) -> None:
        """End the sandbox."""
        if self._link is not None:
            self._link.close()
            self._link = None
        if self._process is not None:
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, 9)
            self._process.wait()
            forget(self._process.pid)
            self._process = None


def _begun(link: socket.socket) -> bool:
    """Give a keeper its program, and return whether it is ready."""
    link.settimeout(PATIENCE_S)
    try:
        link.sendall(f"LIMITS = {json.dumps(LIMITS)}\n{SERVER}".encode())
        return link.recv(1) == b"r"
    except OSError:
        return False
    finally:
        link.settimeout(None)


def _interpreter() -> str:
    """Return the interpreter that the sandbox shows, not that of an environment above it."""
    return os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)


class _Step(Job):
    """A step that a keeper runs."""

    def __init__(
        self, link: socket.socket, start: Start, cwd: str, fds: tuple[int, int, int]
    ) -> None:
        self._link = link
        self.end = link.fileno()
        ask = {
            "argv": list(start.inner),
            "env": dict(start.env),
            "cwd": cwd,
            "cpu": int(start.timeout_s) + 2,
        }
        body = json.dumps(ask, ensure_ascii=True).encode()
        with contextlib.suppress(OSError):
            socket.send_fds(link, [struct.pack("<I", len(body))], fds)
            link.sendall(body)

    def kill(self) -> None:
        """Kill the step and all that it started."""
        with contextlib.suppress(OSError):
            self._link.sendall(b"k")

    def wait(self) -> int:
        """Return the exit code, or -n for a signal; a keeper that died was killed."""
        return self._number(-9)

    def left(self) -> int:
        """Return how many processes the step left; they are gone now."""
        return self._number(0)

    def _number(self, else_: int) -> int:
        data = b""
        try:
            while len(data) < 4:
                part = self._link.recv(4 - len(data))
                if not part:
                    return else_
                data += part
        except OSError:
            return else_
        return int.from_bytes(data, "little", signed=True)

    def close(self) -> None:
        """Let go of nothing: the link is the keeper's."""
