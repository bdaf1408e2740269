"""A `proctor run` below another Proctor hands over: the outer one sees the command already.

The outer recorder names itself and its log in `PROCTOR_WITNESS`. That is a claim; that
something traces this process is what the kernel says.
"""

import os
import sys

from proctor._digest import decode
from proctor.errors import EXIT_RECORDER, Error
from proctor.recorder import proc
from proctor.recorder.child import Child, exec_command, exit_code_of, explain
from proctor.recorder.options import Recorded
from proctor.recorder.signals import Alarms, Forwarder, prepare_child, send_all
from proctor.records.pending import folder_of, is_locked
from proctor.records.place import find_clone, log_path

KILL_AFTER = 5.0
"""Seconds between SIGTERM and SIGKILL when the time is up."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from proctor.recorder.options import Options


def warn(message: str) -> None:
    """Say one line on stderr."""
    from proctor._shown import shown

    try:
        os.write(2, f"proctor: {shown(message)}\n".encode("utf-8", "backslashreplace"))
    except OSError:
        return


def outer_witness(options: "Options") -> str | None:
    """Return the log of the Proctor that traces us already, if one does."""
    told = os.environ.get("PROCTOR_WITNESS", "").split(":", 2)
    if len(told) != 3 or sys.platform != "linux":
        return None
    if proc.own_tracer() == "0" and not _is_traced_unseen(told[0], told[2]):
        return None
    if options.log is not None and os.path.abspath(options.log) != told[2]:
        options.witness = "direct"
        return None
    return told[2]


def _is_traced_unseen(pid: str, log: str) -> bool:
    """Return whether a Proctor outside of this pid namespace traces us.

    It is not seen in /proc here. But no child of ours can be traced, and the
    recorder that is named lives: it holds the lock on its marker.
    """
    from proctor.recorder import ptrace

    return _lives(pid, log) and ptrace.probe() is not None


def _lives(pid: str, log: str) -> bool:
    try:
        paths = [os.path.join(folder_of(log), name) for name in os.listdir(folder_of(log))]
        return any(_pid_in(path) == pid and is_locked(path) for path in paths)
    except OSError:
        return False


def _pid_in(marker: str) -> str | None:
    with open(marker, "rb") as file:
        try:
            start = decode(file.readline())
        except ValueError:
            return None
    return str(start.get("pid")) if isinstance(start, dict) else None


def told(options: "Options", what: Recorded) -> bool:
    """Hand a finished run on to who asked for it; false where that failed."""
    if options.receipt is None or options.recorded is None:
        return True
    try:
        options.recorded(options, what)
    except Error as error:
        warn(f"no receipt: {error}")
        return False
    return True


def run_unseen(options: "Options") -> int:
    """Become the command; return an exit code where that is impossible."""
    prepare_child()
    fault = exec_command(options.argv, dict(os.environ))
    warn(explain(options.argv, fault))
    return exit_code_of(fault)


def hand_over(options: "Options", outer: str) -> int:
    """Run the command as it is, seen by the Proctor that writes `outer`; return its code."""
    if options.timeout is None and options.at_base is None and options.receipt is None:
        return run_unseen(options)
    from proctor.recorder.wait import wait_for

    environ = dict(os.environ)
    child = Child(options.argv, environ, [])
    alarms = Alarms()
    Forwarder(child.pid, alarms, None)
    if options.timeout is not None:
        alarms.after(options.timeout, lambda: _end_child(child.pid, alarms))
    started = proc.start_of(child.pid)
    child.go()
    found = wait_for(child.pid)
    alarms.cancel()
    fault = child.fault()
    if fault:
        warn(explain(options.argv, fault))
        return exit_code_of(fault)
    if found is None:
        return EXIT_RECORDER
    if options.receipt is None:
        return found[0]
    state = os.path.dirname(log_path(find_clone(os.getcwd()), environ))
    what = Recorded(log=outer, state_folder=state, pid=(child.pid, started or 0))
    return found[0] if told(options, what) else EXIT_RECORDER


def _end_child(pid: int, alarms: Alarms) -> None:
    send_all((pid, *proc.descendants_of(pid)), 15)
    alarms.after(KILL_AFTER, lambda: send_all((pid,), 9))
