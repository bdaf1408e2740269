"""Turns the words of a command line into one command, and its outcome into a code.

On the light path: `run`, `watch` and the hooks are found by their file's name
and given their words as they stand; `argparse`, and every other command, is
imported only where it is needed (`proctor.cli.parse`).

This is the only place that turns an exception into text.
"""

import errno
import os
import sys

from proctor.errors import EXIT_EVIDENCE, EXIT_FAULT, EXIT_RECORDER, EXIT_SIGNAL, Error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from proctor.cli.base import Command

SIGINT, SIGPIPE = 2, 13
"""Their numbers; the `signal` module is too heavy for the light path."""
_UNWRITTEN = 120
"""The interpreter's own exit code where it could not write what was left."""


def main() -> None:
    """Run the command that `sys.argv` names and leave with its code."""
    code = run(sys.argv[1:])
    # NOTE: to take the interpreter apart takes as long as a short command. Without these
    # two no thread is waited for, and nobody has asked to be told of the end.
    if not sys.modules.keys() & {"atexit", "threading"}:  # pragma: another process
        _leave(code)
    sys.exit(code)


def _leave(code: int) -> None:  # pragma: another process
    """End the process at once, what was written being out; never returns."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            code = _UNWRITTEN
    os._exit(code & 0xFF)


def run(words: list[str]) -> int:
    """Run the command that `words` name and return its exit code.

    Whatever happens is told in one line on stderr: no traceback reaches a user.
    """
    command: Command | None = None
    _replace_closed_streams()
    try:
        words = _with_loudness_last(words)
        command = _named(words)
        if command is not None and command.main is not None and words[1:2] not in _HELP:
            code = command.main(words[1:])
        else:
            code = _parse_and_run(words, command)
        _flush()
    except BrokenPipeError:
        _forget_stdout()
        return EXIT_SIGNAL + SIGPIPE
    except KeyboardInterrupt:
        return EXIT_SIGNAL + SIGINT
    except Error as error:
        _say(str(error))
        return _code_of(error, command)
    except Exception as error:  # noqa: BLE001 - the one place where a fault becomes a line
        outside = _outside_cause(error)
        _say(outside or _report_fault(error, words))
        code = EXIT_EVIDENCE if outside else EXIT_FAULT
        return code if command is None else command.failure_code or code
    return code


def _replace_closed_streams() -> None:
    """Give a stream that the caller closed somewhere to write to."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - for life


def _outside_cause(error: Exception) -> str | None:
    """Return what the machine lacks, where that and no fault of ours is the cause."""
    try:
        os.getcwd()
    except OSError:
        return "the current folder is gone; change to one that exists"
    if isinstance(error, MemoryError) or _is_unmapped(error):
        return "out of memory; allow more (ulimit -v)"
    if isinstance(error, EOFError) and _is_of_import(error):
        here = os.path.dirname(os.path.dirname(__file__))
        return f"compiled files are cut off, as a full disk leaves them; remove {here}/**/*.pyc"
    return _lacking(error.errno) if isinstance(error, OSError) else None


def _lacking(number: int | None) -> str | None:
    """Return what is missing where a system call ended in this error number."""
    if number in (errno.EMFILE, errno.ENFILE):
        return "too many open files; allow more (ulimit -n)"
    if number in (errno.EAGAIN, errno.ENOMEM):
        return "no more processes or memory to be had; allow more (ulimit -u)"
    if number in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
        return f"the output could not be written: {os.strerror(number or 0)}"
    return None


def _is_of_import(error: Exception) -> bool:
    """Whether the interpreter raised it while it read a compiled module."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_code.co_filename.startswith("<frozen importlib")


def _is_unmapped(error: Exception) -> bool:
    """Whether a library of the interpreter found no room in memory."""
    words = ("failed to map segment", "cannot allocate memory")
    return isinstance(error, ImportError) and any(word in str(error) for word in words)


_HELP = (["--help"], ["-h"])


def _with_loudness_last(words: list[str]) -> list[str]:
    """Return the words with `--quiet` and `--verbose` behind the command, if before it.

    The recorder's own commands leave them out: what could not be witnessed is always
    told, and the rest is the child's.
    """
    count = 0
    while words[count : count + 1] in (["--quiet"], ["--verbose"]):
        count += 1
    if not count:
        return words
    given, rest = words[:count], words[count:]
    command = _named(rest)
    if command is None:
        return rest
    return rest if command.main is not None else [rest[0], *given, *rest[1:]]


def _named(words: list[str]) -> "Command | None":
    """Return the command that the first word names, if any."""
    name = words[0] if words else ""
    module = name.replace("-", "_")
    if not module.isidentifier() or module.startswith("_") or "_" in name:
        return None
    from proctor._family import member

    try:
        return member("proctor.cli.commands", module, "COMMAND")  # type: ignore[return-value]
    except LookupError:
        return None


def _parse_and_run(words: list[str], command: "Command | None") -> int:
    from proctor.cli import parse

    for stream in (sys.stdout, sys.stderr):
        # NOTE: names and arguments from a log may hold what the terminal's
        # encoding lacks; it is shown escaped, never a reason to stop.
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    if command is None:
        return parse.without_command(words)
    return parse.with_command(words, command)


def _code_of(error: Error, command: "Command | None") -> int:
    if command is not None and command.failure_code is not None:
        return command.failure_code
    # NOTE: 125 is the recorder's alone; elsewhere a state folder that cannot be
    # found is evidence that cannot be read.
    return EXIT_EVIDENCE if error.exit_code == EXIT_RECORDER else error.exit_code


def _flush() -> None:
    if sys.stdout is None:  # pragma: no cover - stdout was closed by the caller
        return
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        _forget_stdout()
        raise Error(f"the output could not be written: {error.strerror}") from None


def _forget_stdout() -> None:
    """Point stdout nowhere, so that the interpreter's own flush at exit succeeds."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)


def _say(message: str) -> None:
    """Write one line to stderr, whatever characters the message holds."""
    from proctor._shown import shown

    line = f"proctor: {shown(message)}\n".encode("utf-8", "backslashreplace")
    try:
        os.write(2, line)
    except OSError:
        return


def _report_fault(error: Exception, words: list[str]) -> str:
    name = words[0] if words else ""
    try:
        from proctor.cli.fault import write_report

        path = write_report(error, name, os.environ)
    except Exception as failure:  # noqa: BLE001 - even this may fail where all is lacking
        why = getattr(failure, "strerror", None) or failure
        return f"a fault in Proctor itself ({error!r}); no report could be written: {why}"
    return f"a fault in Proctor itself ({type(error).__name__}); please report it with {path}"
