"""The tree witness: every process below a command, by ptrace.

No process stops at a system call; only births, execs, signals and ends do.

The order of events and what each means is in ptrace(2); the points that cost
others their evidence are marked where they are handled:

1. argv is read at the exec *event*, where /proc shows the new image.
2. A group-stop is answered with LISTEN, never with CONT: job control goes on.
3. A signal is passed on as it came, a real SIGTRAP too.
4. An exec by a thread takes over the process id; the other threads are gone.
5. A new child may be seen before its parent tells of it.
6. Every status is consumed, or the real parent waits for ever.
"""

import os
import time

from proctor.recorder import proc, ptrace, untraced
from proctor.recorder.events import Events
from proctor.recorder.image import SHELLS, Image
from proctor.recorder.process import Process, tool_span_in
from proctor.recorder.signals import stop_self
from proctor.recorder.untraced import Watched
from proctor.recorder.wait import decode

_SIGTRAP = 5
_TERMINAL_STOPS = frozenset((20, 21, 22))  # SIGTSTP, SIGTTIN, SIGTTOU
_GROUP_STOPS = _TERMINAL_STOPS | {19}  # and SIGSTOP
_NOT_STARTED = frozenset((126, 127))
_PATIENCE_MS = 100
"""How long the end of a released process is waited for once the root has ended."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from resource import struct_rusage

    from proctor.recorder.events import Observer


class Tracer:
    """Follows the tree below one child that waits; `is_slow`: to tell of an end takes its time."""

    __slots__ = (
        "_early",
        "_events",
        "_late",
        "_observer",
        "_processes",
        "_released",
        "_root",
        "_threads",
        "delivered",
        "nonzero",
        "root_status",
        "seen",
    )

    def __init__(self, root: Image, observer: "Observer", *, is_slow: bool = False) -> None:
        self._observer = observer
        self._events = Events(observer.ended, is_slow=is_slow)
        self._root = Process(root.pid, root, root.tool_span)
        self._processes = {root.pid: self._root}
        self._threads: set[int] = set()
        self._early: set[int] = set()
        self._released: list[tuple[Watched, Process]] = []
        """Processes that run untraced, their end known by a descriptor."""
        self._late: list[Image] = []
        """Images of such processes that a helper looks at after their end."""
        self.delivered: dict[int, int] = {}
        """Signal → when the root last got it (monotonic, ns)."""
        self.seen = 1
        self.nonzero = 0
        self.root_status: int | None = None
        """The root's exit code, 128+n after a signal; none while it runs."""

    # ── the loop ────────────────────────────────────────────────────────────

    def follow(self) -> None:
        """Handle events until the root has ended."""
        while self.root_status is None:
            if not self._handle_next(0):
                return

    def linger(self, seconds: float) -> None:
        """Give what outlives the root a moment to end by itself."""
        deadline = time.monotonic() + seconds
        while self._processes and time.monotonic() < deadline:
            if not self._handle_next(os.WNOHANG):
                return

    def settle(self) -> None:
        """Wait for helpers that still work on images."""
        self._look_at_released(_PATIENCE_MS)
        while self._waited_for():
            if not self._handle_next(0):
                return

    def _waited_for(self) -> bool:
        living = (image for process in self._processes.values() for image in process.images)
        return any(image.waiting for image in (*living, *self._late))

    def live_pids(self) -> list[int]:
        """Return the processes that still run."""
        return [*self._processes, *(process.pid for _, process in self._released)]

    def leave(self) -> "list[Image]":
        """Detach from what still runs and return the images that are still to be written.

        They go on as if nobody had watched: nothing is killed.
        """
        living = [*self._processes.values(), *(process for _, process in self._released)]
        left = [process.image for process in living if not process.forked]
        waiting = set(self._processes) | self._threads
        for process in self._processes.values():
            if process.held:
                ptrace.request(ptrace.DETACH, process.pid)
        # NOTE: what is no more, or was let go already, will not report a stop.
        waiting = {tid for tid in waiting if ptrace.request(ptrace.INTERRUPT, tid)}
        # NOTE: who stands still though its event was lost, for want of memory, is let go
        # unasked; who waited for it, as after vfork, then reports.
        for _ in range(2):
            self._detach_all(waiting)
            waiting -= {tid for tid in waiting if ptrace.request(ptrace.DETACH, tid)}
        for process in living:
            for image in process.images if not process.forked else ():
                image.ended_by = image.ended_by or "lost"
                image.left_running = True
        return [*self._events.take_ended(), *left]

    def _detach_all(self, waiting: set[int]) -> None:
        """Detach from these as they stop, for a second; who still runs then is left over."""
        deadline = time.monotonic() + 1.0
        while waiting and time.monotonic() < deadline:
            tid, status, _ = ptrace.next_event(os.WNOHANG)
            if tid == 0:
                time.sleep(0.001)
                continue
            if tid < 0:
                break
            waiting.discard(tid)
            if os.WIFSTOPPED(status):
                self._detach(tid, status)

    def _detach(self, tid: int, status: int) -> None:
        event, number = status >> 16, os.WSTOPSIG(status)
        if event in (ptrace.EVENT_FORK, ptrace.EVENT_VFORK, ptrace.EVENT_CLONE):
            child = ptrace.event_message(tid)
            if child is not None:
                ptrace.request(ptrace.INTERRUPT, child)
        ptrace.request(ptrace.DETACH, tid, number if event == 0 else 0)

    def _handle_next(self, flags: int) -> bool:
        """Handle one event; return false when there is nothing left to wait for."""
        tid, status, usage = self._events.next(flags)
        if tid < 0:
            return False
        if tid == 0:
            time.sleep(0.002)
        elif not os.WIFSTOPPED(status):
            self._ended(tid, status, usage)
        else:
            try:
                self._stopped(tid, status >> 16, os.WSTOPSIG(status))
            except (OSError, MemoryError):
                self._detach(tid, status)
                raise
        if self._released:
            self._look_at_released(0)
        return True

    # ── stops ───────────────────────────────────────────────────────────────

    def _stopped(self, tid: int, event: int, number: int) -> None:
        if event == ptrace.EVENT_EXEC:
            self._execed(tid)
        elif event in (ptrace.EVENT_FORK, ptrace.EVENT_VFORK, ptrace.EVENT_CLONE):
            self._forked(tid)
        elif event == ptrace.EVENT_EXIT:
            self._leaving(tid)
        elif event == ptrace.EVENT_STOP:
            self._listen_or_go(tid, number)
        else:
            if tid == self._root.pid:
                self.delivered[number] = time.monotonic_ns()
            ptrace.request(ptrace.CONT, tid, number)

    def _listen_or_go(self, tid: int, number: int) -> None:
        if number in _GROUP_STOPS:
            ptrace.request(ptrace.LISTEN, tid)
            if tid == self._root.pid and number in _TERMINAL_STOPS:
                self._stop_with_root(number)
            return
        if tid not in self._processes and tid not in self._threads:
            self._adopt(tid)
        ptrace.request(ptrace.CONT, tid)

    def _stop_with_root(self, number: int) -> None:
        """Stop as the root did, so that the shell above sees its job stop."""
        while self._waiting_events():
            pass
        self._events.write_ended()
        stop_self(number)

    def _waiting_events(self) -> bool:
        tid, status, usage = ptrace.next_event(os.WNOHANG)
        if tid <= 0:
            return False
        if not os.WIFSTOPPED(status):
            self._ended(tid, status, usage)
        else:
            self._stopped(tid, status >> 16, os.WSTOPSIG(status))
        return True

    # ── births ──────────────────────────────────────────────────────────────

    def _forked(self, tid: int) -> None:
        child = ptrace.event_message(tid)
        parent = self._processes.get(self._leader_of(tid))
        ptrace.request(ptrace.CONT, tid)
        # NOTE: the child waits until its own event is answered, so it can still be asked.
        if child is not None and parent is not None:
            if child in self._early:
                self._early.discard(child)
            elif child not in self._processes and child not in self._threads:
                self._add(child, parent)

    def _add(self, tid: int, parent: Process) -> None:
        if proc.is_thread_of(tid, parent.pid):
            self._threads.add(tid)
            return
        self._processes[tid] = Process(tid, parent.image, parent.tool_span)
        self._processes[tid].watched_exit = parent.watched_exit
        self.seen += 1

    def _adopt(self, tid: int) -> None:
        """Take in a child that stopped before its parent told of it."""
        status = proc.status_of(tid, ("Tgid", "PPid"))
        leader = int(status.get("Tgid", tid))
        if leader != tid:
            self._threads.add(tid)
        else:
            parent = self._processes.get(int(status.get("PPid", 0)), self._root)
            self._add(tid, parent)
        self._early.add(tid)

    def _leader_of(self, tid: int) -> int:
        if tid in self._processes:
            return tid
        return int(proc.status_of(tid, ("Tgid",)).get("Tgid", tid))

    # ── images ──────────────────────────────────────────────────────────────

    def _execed(self, tid: int) -> None:
        if self._threads:
            # An exec by a thread takes over the process's id: the thread is no more.
            former = ptrace.event_message(tid)
            if former is not None and former != tid:
                self._threads.discard(former)
        process = self._processes.get(tid)
        if process is None:
            self._adopt(tid)
            process = self._processes[tid]
        image = self._begin(process)
        if self._observer.started(image):
            process.held = True
            ptrace.request(ptrace.SETOPTIONS, tid, ptrace.FOLLOW | ptrace.O_TRACEEXIT)
            process.watched_exit = True
        else:
            if process.watched_exit:
                ptrace.request(ptrace.SETOPTIONS, tid, ptrace.FOLLOW)
                process.watched_exit = False
            self._release(process)

    def _begin(self, process: Process) -> Image:
        """Return the new image of a process that has just exec'ed."""
        argv = proc.argv_of(process.pid) or []
        if process is self._root and process.forked:
            image = process.image
            image.argv = argv or image.argv
        else:
            before = process.image
            image = Image(process.pid, argv, before)
            if process.forked:
                process.images = [image]
            else:
                before.ended_by = "exec"
                before.stop_clock()
                process.images.append(image)
        process.forked = False
        image.exe = proc.exe_of(process.pid)
        image.cwd = proc.cwd_of(process.pid)
        process.tool_span = tool_span_in(argv, process.pid) or process.tool_span
        image.tool_span = process.tool_span
        return image

    def _release(self, process: Process) -> None:
        process.held = False
        process.image.restart_clock()
        if untraced.reason(process.image.exe) is None:
            ptrace.request(ptrace.CONT, process.pid)
            self._observer.running(process.image)
            return
        # NOTE: who was let go is reaped by its own parent, and may be gone at once.
        self._observer.running(process.image)
        if not self._let_go(process):
            ptrace.request(ptrace.CONT, process.pid)

    def _let_go(self, process: Process) -> bool:
        """Detach from a program that a tracer would change; false where that loses its end.

        The root is our own child, whose exit wait tells in any case.
        """
        if process is not self._root:
            if not untraced.is_supported():
                return False
            try:
                watched = Watched(process.pid)
            except OSError:  # no descriptor is left: traced is better than unseen
                return False
            self._released.append((watched, process))
            del self._processes[process.pid]
        return ptrace.request(ptrace.DETACH, process.pid)

    def _look_at_released(self, milliseconds: int) -> None:
        for item in list(self._released):
            watched, process = item
            status = watched.wait(milliseconds)
            if status is not None:
                watched.close()
                self._released.remove(item)
                if process.image.kept and self._observer.leaving(process.image):
                    self._late.append(process.image)
                self._concluded(process, status, None)

    def _leaving(self, tid: int) -> None:
        process = self._processes.get(tid)
        if process is not None and process.watched_exit and not process.forked:
            process.image.stop_clock()
            process.leaving = True
            if process.image.kept and self._observer.leaving(process.image):
                process.held = True
                return
        ptrace.request(ptrace.CONT, tid)

    # ── ends ────────────────────────────────────────────────────────────────

    def _ended(self, tid: int, status: int, usage: "struct_rusage | None") -> None:
        process = self._processes.pop(tid, None)
        if process is None:
            if tid in self._threads:
                self._threads.discard(tid)
            else:
                self._helper_done(tid)
            return
        self._concluded(process, status, usage)

    def _concluded(self, process: Process, status: int, usage: "struct_rusage | None") -> None:
        """Write down the end of a process."""
        code, signal = decode(status)
        self.nonzero += code != 0
        if process is self._root:
            self.root_status = code
        if process.forked and process is not self._root:
            self._ended_unborn(process, code)
            return
        for image in process.images:
            image.exit_code, image.signal = code, signal
        last = process.image
        last.ended_by = "exit"
        if usage is not None:
            cpu_ms = round((usage.ru_utime + usage.ru_stime) * 1000)
            last.rusage = (cpu_ms, usage.ru_maxrss)
        if not process.leaving:
            last.stop_clock()
        for image in process.images:
            if image.kept and not image.waiting:
                self._events.end(image)

    def _ended_unborn(self, process: Process, code: int) -> None:
        name = process.image.argv[0] if process.image.argv else ""
        if code in _NOT_STARTED and name.rpartition("/")[2].lstrip("-") in SHELLS:
            self._observer.not_started(process.image, process.pid, code)

    def _helper_done(self, pid: int) -> None:
        answer = self._observer.helper_done(pid)
        if answer is None:
            return
        leaf_pid, image = answer
        process = self._processes.get(leaf_pid)
        if process is not None and process.image is image:
            if process.leaving:
                process.held = False
                ptrace.request(ptrace.CONT, leaf_pid)
            else:
                self._release(process)
        elif image.ended_by and image.kept and not image.waiting:
            self._observer.ended(image)
