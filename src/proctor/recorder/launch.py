"""`proctor run` and `proctor watch`: from the words to the command's exit code.

The order matters: log and marker are open before anything starts; the child is
seized before its exec; the root's span is written last, and only then does the
marker go.
"""

import os
import sys

from proctor.errors import EXIT_RECORDER, RecorderError
from proctor.recorder import proc
from proctor.recorder.child import Child, explain
from proctor.recorder.offer import offer_report, remove_live
from proctor.recorder.options import Options, Recorded, read_options
from proctor.recorder.outer import KILL_AFTER, hand_over, outer_witness, run_unseen, told, warn
from proctor.recorder.session import Session
from proctor.recorder.signals import Alarms, Forwarder, prepare_parent, send_all
from proctor.recorder.streams import Stream
from proctor.records.place import (
    Clone,
    chosen_log,
    find_clone,
    is_inside,
    log_path,
    note_log,
    state_folder,
)
from proctor.settings import light_settings

_GRACE = 0.1
"""Seconds that what outlives the root gets before it is left alone."""
_OTHER_PROC = "/proc shows another pid namespace"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from proctor.recorder.tree import Tracer


def main(
    verb: str,
    words: "Sequence[str]",
    recorded: "Callable[[Options, Recorded], None] | None" = None,
) -> int:
    """Record one command and return its own exit code, 125 where that failed.

    `recorded` is called after a run that asks for a receipt.

    Raises:
        RecorderError: nothing was started.
    """
    options = read_options(verb, words)
    options.recorded = recorded
    _fill_standard_descriptors()
    prepare_parent()
    if options.at_base is not None:
        from proctor.recorder.at_base import at_base

        _current_folder()
        return at_base(options, _start, warn)
    return _start(options)


def _start(options: Options) -> int:
    outer = outer_witness(options)
    if outer:
        return hand_over(options, outer)
    try:
        run, use_tree = _open(options)
    except Exception as error:
        if not options.anyway:
            raise
        # NOTE: whatever it is, nothing has been started yet: the command comes first.
        reason = str(error) or type(error).__name__
        warn(f"{reason}; the command runs, but is not recorded (--anyway)")
        return run_unseen(options)
    try:
        return run.follow(use_tree=use_tree)
    finally:
        remove_live(run.session.live)


def _open(options: Options) -> "tuple[_Run, bool]":
    """Open the books and prepare the command, which waits; true: the tree is witnessed."""
    environ = dict(os.environ)
    clone = find_clone(_current_folder())
    if not options.unsafe_log_in_repo:
        _refuse_inside(clone, state_folder(environ), "the state folder", "PROCTOR_STATE_DIR")
    settings = light_settings(clone, environ)
    log = chosen_log(options.log, settings.log, clone, environ)
    if not options.unsafe_log_in_repo:
        _refuse_inside(clone, log, "the span log", "--log")
    own = log_path(clone, environ)
    session = Session(options, settings, log, os.path.dirname(own), warn)
    if log != own:
        note_log(session.folder, log)
    use_tree = _choose_witness(options)
    session.witness = "tree" if use_tree else "direct"
    session.open_marker()
    try:
        if options.receipt is not None:
            session.look_around()
        offer_report(session, environ)
        if use_tree:
            environ["PROCTOR_WITNESS"] = f"{os.getpid()}:{proc.start_of(os.getpid())}:{log}"
        return _Run(session, environ), use_tree
    except BaseException:
        remove_live(session.live)
        raise


def _refuse_inside(clone: Clone, path: str, what: str, chosen_by: str) -> None:
    """Refuse to keep records where the command could rewrite them."""
    if clone.common_dir is not None and is_inside(path, clone.root):
        raise RecorderError(
            f"{path}: {what} may not lie inside the repository under test, where the command "
            f"could rewrite it; choose another with {chosen_by}, or allow it with "
            "--unsafe-log-in-repo"
        )


class _Run:
    """The command while it runs."""

    def __init__(self, session: Session, environ: "dict[str, str]") -> None:
        self.session = session
        self._options = session.options
        self._streams = _streams(self._options)
        self._held = 0
        if session.witness == "direct":
            self._look_first()
        try:
            ends = [stream.child_end for stream in self._streams]
            if self._options.pty:
                ends *= 2
            self._child = Child(self._options.argv, environ, ends, terminal=self._options.pty)
        except RecorderError:
            session.abandon()
            raise
        session.root.pid = self._child.pid
        self._tracer: Tracer | None = None

    def follow(self, *, use_tree: bool) -> int:
        """Let the command go and see it to its end; return the exit code."""
        root = self.session.root
        alarms = Alarms()
        try:
            if use_tree:
                self._seize()
            forwarder = Forwarder(
                self._child.pid, alarms, self._tracer.delivered if self._tracer else None
            )
            for stream in self._streams:
                stream.start()
        except RecorderError:
            self.session.abandon()
            raise
        if self._options.timeout is not None:
            alarms.after(self._options.timeout, lambda: self._time_is_up(alarms))
        if self._tracer is None:
            self._prepare_root_directly()
        root.restart_clock()
        self._child.go()
        if self._tracer is not None:
            self._follow_tree()
        else:
            self._wait_directly()
        forwarder.stop()
        alarms.cancel()
        fault = self._child.fault()
        if fault:
            warn(explain(self._options.argv, fault))
        self._finish_streams()
        return self._conclude()

    # ── the two witnesses ───────────────────────────────────────────────────

    def _seize(self) -> None:
        from proctor.recorder import ptrace
        from proctor.recorder.events import SLOW_NS
        from proctor.recorder.tree import Tracer

        try:
            ptrace.request(ptrace.SEIZE, self._child.pid, ptrace.FOLLOW)
        except OSError as error:
            self.session.witness = "direct"
            warn(
                f"only the command itself is witnessed, not what it starts "
                f"(ptrace: {error.strerror}); see: proctor doctor"
            )
            self._look_first()
            return
        ptrace.hide_self()
        is_slow = self.session.marker_ns > SLOW_NS
        self._tracer = Tracer(self.session.root, self.session, is_slow=is_slow)

    def _follow_tree(self) -> None:
        tracer, root = self._tracer, self.session.root
        assert tracer is not None  # noqa: S101 - chosen by the caller
        try:
            tracer.follow()
            tracer.linger(_GRACE)
            tracer.settle()
        except (OSError, MemoryError) as error:
            reason = getattr(error, "strerror", None) or "out of memory"
            warn(f"what the command starts is seen no more: {reason}; its own end still is")
            self.session.failed = True
        for image in tracer.leave():
            if image.kept:
                self.session.ended(image)
        if tracer.root_status is None:
            root.left_running = False
            self._wait_directly()

    def _look_first(self) -> None:
        """Look at tree and program of a command that no tracer will hold."""
        session = self.session
        session.classify_root()
        root = session.root
        if root.classification is not None and root.classification.role == "test":
            self._held = session.hold_at_start(root)
            session.wait_for(self._held)

    def _prepare_root_directly(self) -> None:
        session, root = self.session, self.session.root
        root.cwd = _current_folder()
        root.pid_start = proc.start_of(root.pid)
        root.note_environment(keep_names=session.settings.env_names)

    def _wait_directly(self) -> None:
        from proctor.recorder.wait import wait_for

        root = self.session.root
        found = wait_for(root.pid)
        root.stop_clock()
        if found is None:
            root.ended_by = "lost"
            return
        root.exit_code, root.signal, root.rusage = found
        root.ended_by = "exit"
        if self._held:
            self.session.wait_for(self.session.hold_at_end(root))

    # ── the end ─────────────────────────────────────────────────────────────

    def _time_is_up(self, alarms: Alarms) -> None:
        self.session.timed_out = True
        warn(f"the command was ended after {self._options.timeout:g} s (--timeout)")
        self._signal_all(15)
        alarms.after(KILL_AFTER, lambda: self._signal_all(9))

    def _signal_all(self, number: int) -> None:
        if self._tracer is not None:
            pids = self._tracer.live_pids()
        else:
            pids = [self._child.pid, *proc.descendants_of(self._child.pid)]
        send_all(pids, number)

    def _finish_streams(self) -> None:
        for stream in self._streams:
            if not stream.wait_end(0 if self._tracer else _GRACE):
                stream.finish()
            stream.restore()
        for name, stream in zip(("stdout", "stderr"), self._streams, strict=False):
            if stream.fault is not None:
                warn(f"{name} was {stream.fault}")

    def _conclude(self) -> int:
        session, root = self.session, self.session.root
        more: dict[str, object] = {"host": _host(), "claims": self._options.claims}
        for name, stream in zip(("stdout", "stderr"), self._streams, strict=False):
            more[f"{name}_sha256"] = stream.hexdigest()
            more[f"{name}_bytes"] = stream.size
            more["hashed_bytes"] = sum(one.hashed for one in self._streams)
        if self._tracer is not None:
            more["tree"] = {
                "seen": self._tracer.seen,
                "kept": session.kept,
                "nonzero": self._tracer.nonzero,
                "left_running": len(self._tracer.live_pids()),
            }
        if self._options.receipt is not None:
            more |= session.look_back()
        line = session.write(root, **more)
        if line is not None and self._options.span_fd is not None:
            os.write(self._options.span_fd, line)
        session.close()
        self._leave_drainers()
        if root.exit_code is None or (session.failed and not self._options.anyway):
            return EXIT_RECORDER
        if not told(
            self._options,
            Recorded(
                log=session.log,
                state_folder=session.folder,
                span_id=root.span_id,
                run_id=session.run_id,
            ),
        ):
            return EXIT_RECORDER
        return root.exit_code

    def _leave_drainers(self) -> None:
        """Keep the pipes of processes left behind flowing, without us."""
        for stream in self._streams:
            if not stream.open_after_stop:
                continue
            try:
                pid = os.fork()
            except OSError as error:
                warn(f"what the command left running can write no more: {error.strerror}")
                return
            if pid == 0:
                try:
                    stream.drain()
                finally:
                    os._exit(0)


def _streams(options: Options) -> list[Stream]:
    if options.pty:
        from proctor.recorder.pty import Terminal

        return [Terminal(options.hash_limit)]
    return [Stream(fd, options.hash_limit) for fd in (1, 2)] if options.piped else []


def _choose_witness(options: Options) -> bool:
    """Return whether the tree witness is to be tried."""
    if options.witness == "direct":
        if sys.platform == "linux" and not proc.is_own():
            proc.forget()
        return False
    if sys.platform != "linux":  # pragma: other platform
        if options.witness == "tree":
            raise RecorderError("the tree witness needs Linux; use --witness direct")
        warn("only the command itself is witnessed here: the tree witness needs Linux")
        return False
    from proctor.recorder import ptrace

    if not proc.is_own():
        proc.forget()
        if options.witness == "tree":
            raise RecorderError(
                f"{_OTHER_PROC}; use --witness direct, or mount it: unshare --mount-proc"
            )
        warn(f"only the command itself is witnessed, not what it starts ({_OTHER_PROC})")
        return False
    if options.witness == "tree":
        refusal = ptrace.probe()
        if refusal is not None:
            raise RecorderError(f"{refusal}; use --witness direct, or see: proctor doctor")
    return True


def _fill_standard_descriptors() -> None:
    """Open what is closed of 0, 1 and 2, so that no file of ours takes its place."""
    for fd in (0, 1, 2):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def _current_folder() -> str:
    try:
        return os.getcwd()
    except OSError as error:
        raise RecorderError(
            f"the current folder is gone ({error.strerror}); change to one that exists"
        ) from None


def _host() -> "dict[str, str]":
    from proctor.host import facts

    return facts()
