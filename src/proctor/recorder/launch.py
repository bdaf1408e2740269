"""`proctor run` and `proctor watch`: from the words to the command's exit code.

The order matters: log and marker are open before anything starts; the child is
seized before its exec; the root's span is written last, and only then does the
marker go.
"""

import os
import sys

from proctor.errors import EXIT_RECORDER, RecorderError
from proctor.recorder import proc
from proctor.recorder.child import Child, exec_command, exit_code_of, explain
from proctor.recorder.options import Options, read_options
from proctor.recorder.session import Session
from proctor.recorder.signals import Alarms, Forwarder, prepare_child, prepare_parent, send_all
from proctor.recorder.streams import Stream
from proctor.records.place import Clone, chosen_log, find_clone, is_inside, log_path, state_folder
from proctor.settings import light_settings

_GRACE = 0.1
"""Seconds that what outlives the root gets before it is left alone."""
_KILL_AFTER = 5.0
"""Seconds between SIGTERM and SIGKILL when the time is up."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from proctor.recorder.tree import Tracer


def main(verb: str, words: "Sequence[str]") -> int:
    """Record one command and return its own exit code, 125 where that failed.

    Raises:
        RecorderError: nothing was started.
    """
    options = read_options(verb, words)
    _fill_standard_descriptors()
    prepare_parent()
    if options.at_base is not None:
        from proctor.recorder.at_base import at_base

        _current_folder()
        return at_base(options, _start, warn)
    return _start(options)


def _start(options: Options) -> int:
    if _outer_witness(options):
        return _hand_over(options)
    return _record(options)


def _record(options: Options) -> int:
    """Open the books, then start and follow the command."""
    environ = dict(os.environ)
    clone = find_clone(_current_folder())
    if not options.unsafe_log_in_repo:
        _refuse_inside(clone, state_folder(environ), "the state folder", "PROCTOR_STATE_DIR")
    settings = light_settings(clone, environ)
    log = chosen_log(options.log, settings.log, clone, environ)
    if not options.unsafe_log_in_repo:
        _refuse_inside(clone, log, "the span log", "--log")
    session = Session(options, settings, log, os.path.dirname(log_path(clone, environ)), warn)
    use_tree = _choose_witness(options)
    session.witness = "tree" if use_tree else "direct"
    session.open_marker()
    try:
        _offer_report(session, environ)
        if use_tree:
            environ["PROCTOR_WITNESS"] = f"{os.getpid()}:{proc.start_of(os.getpid())}:{log}"
        return _Run(session, environ).follow(use_tree=use_tree)
    finally:
        _remove_live(session.live)


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
        self._session = session
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
        root = self._session.root
        alarms = Alarms()
        if use_tree:
            self._seize()
        forwarder = Forwarder(
            self._child.pid, alarms, self._tracer.delivered if self._tracer else None
        )
        for stream in self._streams:
            stream.start()
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
        from proctor.recorder.tree import Tracer

        try:
            ptrace.request(ptrace.SEIZE, self._child.pid, ptrace.FOLLOW)
        except OSError as error:
            self._session.witness = "direct"
            warn(
                f"only the command itself is witnessed, not what it starts "
                f"(ptrace: {error.strerror}); see: proctor doctor"
            )
            self._look_first()
            return
        ptrace.hide_self()
        self._tracer = Tracer(self._session.root, self._session)

    def _follow_tree(self) -> None:
        assert self._tracer is not None  # noqa: S101 - chosen by the caller
        self._tracer.follow()
        self._tracer.linger(_GRACE)
        self._tracer.settle()
        for image in self._tracer.leave():
            if image.kept:
                self._session.ended(image)

    def _look_first(self) -> None:
        """Look at tree and program of a command that no tracer will hold."""
        session = self._session
        session.classify_root()
        root = session.root
        if root.classification is not None and root.classification.role == "test":
            self._held = session.hold_at_start(root)
            session.wait_for(self._held)

    def _prepare_root_directly(self) -> None:
        session, root = self._session, self._session.root
        root.cwd = _current_folder()
        root.pid_start = proc.start_of(root.pid)
        root.note_environment(keep_names=session.settings.env_names)

    def _wait_directly(self) -> None:
        from proctor.recorder.wait import wait_for

        root = self._session.root
        found = wait_for(root.pid)
        root.stop_clock()
        if found is None:
            root.ended_by = "lost"
            return
        root.exit_code, root.signal, root.rusage = found
        root.ended_by = "exit"
        if self._held:
            self._session.wait_for(self._session.hold_at_end(root))

    # ── the end ─────────────────────────────────────────────────────────────

    def _time_is_up(self, alarms: Alarms) -> None:
        self._session.timed_out = True
        warn(f"the command was ended after {self._options.timeout:g} s (--timeout)")
        self._signal_all(15)
        alarms.after(_KILL_AFTER, lambda: self._signal_all(9))

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

    def _conclude(self) -> int:
        session, root = self._session, self._session.root
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
        line = session.write(root, **more)
        if line is not None and self._options.span_fd is not None:
            os.write(self._options.span_fd, line)
        session.close()
        self._leave_drainers()
        if session.failed or root.exit_code is None:
            return EXIT_RECORDER
        return root.exit_code

    def _leave_drainers(self) -> None:
        """Keep the pipes of processes left behind flowing, without us."""
        for stream in self._streams:
            if stream.open_after_stop and os.fork() == 0:
                try:
                    stream.drain()
                finally:
                    os._exit(0)


def _streams(options: Options) -> list[Stream]:
    if options.pty:
        from proctor.recorder.pty import Terminal

        return [Terminal(options.hash_limit)]
    return [Stream(fd, options.hash_limit) for fd in (1, 2)] if options.piped else []


def warn(message: str) -> None:
    """Say one line on stderr."""
    try:
        os.write(2, os.fsencode(f"proctor: {message}\n"))
    except OSError:
        return


def _choose_witness(options: Options) -> bool:
    """Return whether the tree witness is to be tried."""
    if options.witness == "direct":
        return False
    if sys.platform != "linux":  # pragma: other platform
        if options.witness == "tree":
            raise RecorderError("the tree witness needs Linux; use --witness direct")
        warn("only the command itself is witnessed here: the tree witness needs Linux")
        return False
    from proctor.recorder import ptrace

    if options.witness == "tree":
        refusal = ptrace.probe()
        if refusal is not None:
            raise RecorderError(f"{refusal}; use --witness direct, or see: proctor doctor")
    return True


def _offer_report(session: Session, environ: "dict[str, str]") -> None:
    """Put the pytest plugin where pytest finds it, and say so in the span."""
    if session.options.report not in ("auto", "junit"):
        return
    from proctor.results.wheel import ensure_wheel

    live = os.path.join(environ.get("TMPDIR") or "/tmp", f"proctor-{session.run_id[:16]}")  # noqa: S108 - a folder of a random name, mode 0700
    try:
        wheel = ensure_wheel(session.folder)
        os.mkdir(live, 0o700)
    except OSError as error:
        warn(f"executed tests will not be counted: {error.filename}: {error.strerror}")
        return
    session.live = live
    before = environ.get("PYTHONPATH", "")
    environ["PYTHONPATH"] = f"{before}:{wheel}" if before else wheel
    environ["PROCTOR_REPORT"] = live
    session.injected = [f"PYTHONPATH+={wheel}", f"PROCTOR_REPORT={live}"]
    if session.options.report == "junit":
        from proctor.recorder.ask import ask_for_junit

        options = session.options
        terminal = options.pty or (not options.piped and os.isatty(1))
        session.injected += ask_for_junit(environ, live, _current_folder(), terminal=terminal)


def _remove_live(live: str | None) -> None:
    if live is None:
        return
    try:
        for name in os.listdir(live):
            os.unlink(os.path.join(live, name))
        os.rmdir(live)
    except OSError:
        return


def _outer_witness(options: Options) -> str | None:
    """Return the log of the Proctor that traces us already, if one does."""
    told = os.environ.get("PROCTOR_WITNESS", "").split(":", 2)
    if len(told) != 3 or sys.platform != "linux":
        return None
    tracer = proc.status_of(os.getpid(), ("TracerPid",)).get("TracerPid", "0")
    if tracer == "0":
        return None
    if options.log is not None and os.path.abspath(options.log) != told[2]:
        options.witness = "direct"
        return None
    return told[2]


def _hand_over(options: Options) -> int:
    """Run the command as it is: the outer Proctor sees it already."""
    environ = dict(os.environ)
    if options.timeout is None and options.at_base is None:
        prepare_child()
        fault = exec_command(options.argv, environ)
        warn(explain(options.argv, fault))
        return exit_code_of(fault)
    from proctor.recorder.wait import wait_for

    child = Child(options.argv, environ, [])
    alarms = Alarms()
    Forwarder(child.pid, alarms, None)
    if options.timeout is not None:
        alarms.after(options.timeout, lambda: _end_child(child.pid, alarms))
    child.go()
    found = wait_for(child.pid)
    alarms.cancel()
    fault = child.fault()
    if fault:
        warn(explain(options.argv, fault))
    return EXIT_RECORDER if found is None else found[0]


def _end_child(pid: int, alarms: Alarms) -> None:
    send_all((pid, *proc.descendants_of(pid)), 15)
    alarms.after(_KILL_AFTER, lambda: send_all((pid,), 9))


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
