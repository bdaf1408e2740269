"""Forks the steps of a Python program from a process that has loaded its modules.

Starting an interpreter and importing takes most of the time of many command lines.
The server runs within the sandbox, under the build's own interpreter; each step is a
fork of it with the step's folder, environment and arguments. What a fork inherits can
differ from a fresh process, so it is offered only where a sample of the corpus gives
the same trace both ways (`verified`), and never for steps that turn the hash seed or
the locale, which an interpreter reads once.
"""

import contextlib
import json
import os
import subprocess
import time
from collections.abc import Sequence
from typing import Any

from proctor.oracle.sandbox import WORK
from proctor.oracle.spawn import MOST_OUTPUT, Ended, Start, spawn

SERVER = r"""
import atexit, importlib, io, json, os, resource, runpy, signal, sys, threading, time, traceback
for name in json.loads(sys.argv[1]):
    try:
        importlib.import_module(name)
    except Exception:
        pass
def step(ask):
    os.setpgid(0, 0)
    os.chdir(ask["cwd"])
    os.environ.clear()
    os.environ.update(ask["env"])
    time.tzset()
    for number, name, flags in ((0, "in", os.O_RDONLY), (1, "out", os.O_WRONLY | os.O_APPEND),
                                (2, "err", os.O_WRONLY | os.O_APPEND)):
        fd = os.open(os.path.join(ask["io"], name), flags)
        os.dup2(fd, number)
        os.close(fd)
    for kind, value in ask["limits"]:
        resource.setrlimit(kind, (value, value))
    sys.stdin = open(0, encoding="utf-8", errors="surrogateescape", closefd=False)
    sys.stdout = open(1, "w", encoding="utf-8", errors="surrogateescape", closefd=False)
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1,
                      closefd=False)
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr
    code = 0
    try:
        if ask["module"]:
            sys.argv = ask["argv"]
            sys.path[0] = os.getcwd()
            runpy.run_module(ask["module"], run_name="__main__", alter_sys=True)
        else:
            sys.argv = ask["argv"]
            sys.path[0] = os.path.dirname(os.path.realpath(ask["argv"][0]))
            runpy.run_path(ask["argv"][0], run_name="__main__")
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        if code == 1 and not isinstance(end.code, int):
            print(end.code, file=sys.stderr)
    except BaseException as error:
        frame = error.__traceback__
        while frame and (frame.tb_frame.f_code.co_filename.startswith(("<string>", "<frozen"))):
            frame = frame.tb_next
        traceback.print_exception(type(error), error, frame)
        code = 1
    try:
        threading._shutdown()
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    except Exception:
        code = code or 120
    os._exit(code & 255)
pipe = sys.stdin
for line in pipe:
    ask = json.loads(line)
    pid = os.fork()
    if pid == 0:
        try:
            step(ask)
        finally:
            os._exit(125)
    try:
        os.setpgid(pid, pid)
    except OSError:
        pass
    began, late = time.monotonic(), False
    signal.signal(signal.SIGALRM, lambda *_: None)
    ended = 0
    delay = 0.0005
    while True:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            break
        if time.monotonic() - began > ask["timeout"]:
            late = True
            os.killpg(pid, signal.SIGKILL)
            _, status = os.waitpid(pid, 0)
            break
        time.sleep(delay)
        delay = min(delay * 1.5, 0.01)
    left = 0
    try:
        os.killpg(pid, signal.SIGKILL)
        left = 1
    except OSError:
        pass
    print(json.dumps({"code": os.waitstatus_to_exitcode(status), "late": late, "left": left,
                      "seconds": time.monotonic() - began}), flush=True)
"""


class ForkServer:
    """Runs steps as forks; where that cannot be, as fresh processes.

    `front` starts a process within the sandbox, `root` is the sandbox's folder here,
    `inner` what it is called inside.
    """

    def __init__(
        self,
        front: Sequence[str],
        env: dict[str, str],
        root: str,
        inner: str,
        modules: Sequence[str],
    ) -> None:
        self._io = os.path.join(root, "io")
        self._inner_io = os.path.join(inner, "io")
        self._cwd = os.path.join(inner, WORK)
        os.makedirs(self._io, exist_ok=True)
        self._front = list(front)
        self._env = env
        self._modules = list(modules)
        self._process: subprocess.Popen[bytes] | None = None
        self.forked = 0

    def __call__(self, start: Start) -> Ended:
        """Return how a step ended."""
        ask = None if start.tty else _asked(start)
        if ask is None or not self._ready(start):
            return spawn(start)
        for name, data in (("in", start.stdin or b""), ("out", b""), ("err", b"")):
            with open(os.path.join(self._io, name), "wb") as file:
                file.write(data)
        ask |= {"io": self._inner_io, "cwd": self._cwd}
        began = time.perf_counter()
        answer = self._tell(ask)
        if answer is None:
            return spawn(start)
        self.forked += 1
        return self._ended(answer, time.perf_counter() - began)

    def _ended(self, answer: dict[str, Any], seconds: float) -> Ended:
        import signal

        texts = []
        for name in ("out", "err"):
            with open(os.path.join(self._io, name), "rb") as file:
                texts.append(file.read(MOST_OUTPUT))
        code, late = int(answer["code"]), bool(answer["late"])
        ended_by = None if code >= 0 or late else signal.Signals(-code).name
        kept = code if code >= 0 and not late else None
        return Ended(kept, ended_by, late, texts[0], texts[1], seconds, 0)

    def _ready(self, start: Start) -> bool:
        """Start the server under the interpreter that the step's program asks for."""
        if self._process is not None:
            return self._process.poll() is None
        python = interpreter_of(start.inner)
        if python is None:
            return False
        words = [*self._front, python, "-c", SERVER, json.dumps(self._modules)]
        try:
            self._process = subprocess.Popen(
                words,
                env=self._env,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                process_group=0,
            )
        except OSError:
            return False
        return True

    def _tell(self, ask: dict[str, Any]) -> dict[str, Any] | None:
        assert self._process is not None  # noqa: S101 - `_ready` started it
        assert self._process.stdin is not None  # noqa: S101 - asked for above
        assert self._process.stdout is not None  # noqa: S101 - as above
        try:
            self._process.stdin.write(json.dumps(ask).encode() + b"\n")
            self._process.stdin.flush()
            found = json.loads(self._process.stdout.readline())
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) else None

    def close(self) -> None:
        """End the server."""
        process = self._process
        if process is None:
            return
        with contextlib.suppress(OSError):
            os.killpg(process.pid, 9)
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


def _asked(start: Start) -> dict[str, Any] | None:
    """Return what to ask of a server; none for a step that is no Python program."""
    import resource

    words = list(start.inner)
    python = interpreter_of(words)
    if python is None or start.env.get("PYTHONHASHSEED") != "0" or start.env["LC_ALL"] != "C.UTF-8":
        return None
    module = ""
    if os.path.basename(words[0]).startswith("python"):
        words = words[1:]
        if words[:1] == ["-m"] and len(words) > 1:
            module, words = words[1], words[1:]
    return {
        "argv": words,
        "module": module,
        "env": dict(start.env),
        "timeout": start.timeout_s,
        "limits": [(resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, MOST_OUTPUT)],
    }


def interpreter_of(words: Sequence[str]) -> str | None:
    """Return the Python that a command line starts, by name or by its first line."""
    if not words:
        return None
    if os.path.basename(words[0]).startswith("python"):
        plain = len(words) > 1 and (not words[1].startswith("-") or words[1] == "-m")
        return words[0] if plain else None
    try:
        with open(words[0], "rb") as file:
            first = file.readline(512).decode("utf-8", "replace").strip()
    except OSError:
        return None
    if not first.startswith("#!"):
        return None
    named = first[2:].split()
    if len(named) == 2 and os.path.basename(named[0]) == "env" and named[1].startswith("python"):
        return named[1]
    return named[0] if len(named) == 1 and "python" in os.path.basename(named[0]) else None
