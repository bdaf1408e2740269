"""The Python interface: record a command, read spans, classify, judge, check receipts.

The witness lives in a process of its own (a tracer takes every child of its
process), so a program that has children of its own loses none of them.
"""

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from proctor.errors import EXIT_RECORDER, RecorderError
from proctor.recorder.call import RecorderCall, call_off
from proctor.records.span import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from proctor.receipt.check import Answer


class RecordedProcess(subprocess.CompletedProcess[Any]):
    """A finished command: a `subprocess.CompletedProcess` with its root span.

    `returncode` is −n after signal n, as Python has it.
    """

    def __init__(
        self, args: Sequence[str], returncode: int, stdout: Any, stderr: Any, span: Span
    ) -> None:
        super().__init__(args, returncode, stdout, stderr)
        self.span = span
        """What the recorder wrote down; descendants have the same `run_id`."""


def run_recorded(  # noqa: PLR0913 - the parameters of subprocess.run
    argv: Sequence[str | os.PathLike[str]],
    *,
    capture: bool = True,
    text: bool = False,
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
    stdin: Any = None,
    input: bytes | str | None = None,  # noqa: A002 - the word of subprocess.run
    **options: Any,
) -> RecordedProcess:
    """Run a command under the recorder and return its result.

    Args:
        argv: the command, no shell.
        capture: keep stdout and stderr; otherwise they stream to this process's.
        text: decode what was captured.
        cwd: the folder to run in.
        env: the whole environment of the command.
        stdin: as `subprocess.run` takes it.
        input: what the command reads, as `subprocess.run` takes it.
        **options: those of `proctor run`: `log`, `parent`, `claims`, `timeout`
            (seconds), `report`, `hash_limit` (bytes), `witness`, `keep`; `receipt` and `sign`
            take a file, or an empty text for the default one.

    Raises:
        ValueError: argv is empty.
        TypeError: an unknown option.
        RecorderError: the recorder failed; what it said is the message.
    """
    call = _Call(argv, options)
    with call:
        result: subprocess.CompletedProcess[Any] = subprocess.run(
            call.words,
            check=False,
            cwd=cwd,
            env=dict(env) if env is not None else None,
            pass_fds=(call.told,),
            capture_output=capture,
            text=text,
            **({"input": input} if input is not None else {"stdin": stdin}),
        )
        return call.result(result.returncode, result.stdout, result.stderr)


async def arun_recorded(
    argv: Sequence[str | os.PathLike[str]],
    *,
    capture: bool = True,
    text: bool = False,
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
    input: bytes | str | None = None,  # noqa: A002 - the word of subprocess.run
    **options: Any,
) -> RecordedProcess:
    """Do as `run_recorded` without ever stalling the event loop.

    A task that is cancelled ends the command and all that it started: SIGTERM, a
    second later SIGKILL. The recorder writes its record; the cancellation then goes on.

    Raises:
        ValueError, TypeError, RecorderError: as `run_recorded`.
    """
    import asyncio

    call = _Call(argv, options)
    pipe = asyncio.subprocess.PIPE if capture else None
    given = input.encode() if isinstance(input, str) else input
    with call:
        process = await asyncio.create_subprocess_exec(
            *call.words,
            cwd=cwd,
            env=dict(env) if env is not None else None,
            pass_fds=(call.told,),
            stdin=None if given is None else asyncio.subprocess.PIPE,
            stdout=pipe,
            stderr=pipe,
        )
        try:
            out, err = await process.communicate(given)
        except asyncio.CancelledError:
            await call_off(process)
            raise
        code = process.returncode if process.returncode is not None else EXIT_RECORDER
        if text and capture:
            return call.result(code, out.decode(), err.decode())
        return call.result(code, out if capture else None, err if capture else None)


class _Call(RecorderCall):
    """One recorded command, and the result that it is turned into."""

    def __init__(self, argv: Sequence[str | os.PathLike[str]], options: Mapping[str, Any]) -> None:
        for name in options:
            if name not in _OPTIONS:
                known = ", ".join(_OPTIONS)
                raise TypeError(f"run_recorded() has no option {name!r}; known: {known}")
        super().__init__(argv, options)

    def result(self, code: int, stdout: Any, stderr: Any) -> RecordedProcess:
        """Return what the command came to.

        Raises:
            RecorderError: the recorder left no span.
        """
        span = self.span()
        if span is None:
            raise RecorderError(_last_line(stderr) or "the recorder ended without a record")
        if span.signal is not None and span.exit_code is not None:
            code = 128 - span.exit_code
        return RecordedProcess(self.argv, code, stdout, stderr, span)


def read_spans(log: str | os.PathLike[str]) -> Iterator[Span]:
    """Yield the spans of a log, damaged lines passed over.

    Raises:
        LogError: there is no such log, or it is none.
    """
    from proctor.records.log import read_log

    yield from read_log(os.fspath(log))


def check_receipt(  # noqa: PLR0913 - the options of `proctor receipt check`
    path: str | os.PathLike[str] | None = None,
    *,
    folder: str | os.PathLike[str] | None = None,
    base: str | None = None,
    command: str | None = None,
    host: str | None = None,
    platform: str | None = None,
    toolchain: Mapping[str, str] | None = None,
    max_age: str | None = None,
    keys: Sequence[str] = (),
    require_signed: bool = False,
    log: str | os.PathLike[str] | None = None,
) -> "Answer":
    """Return what is wrong with a receipt, as `proctor receipt check` does.

    Args:
        path: the receipt or bundle; none: those at the default place.
        folder: a folder of the repository; none: the current one.
        base: the revision whose requirements and trusted keys count.
        command: the owed command, as one would type it.
        host: a glob over host names.
        platform: a glob over system and machine.
        toolchain: name → version.
        max_age: how old it may be, `7d`.
        keys: public keys that are trusted, 64 hex digits each.
        require_signed: refuse what no trusted key signed.
        log: the span log; none: the repository's own.

    Raises:
        UsageError: a value is off.
        EvidenceError, ConfigError, RepositoryError: something cannot be read.
    """
    from datetime import UTC, datetime

    from proctor.errors import UsageError
    from proctor.receipt.check import Question, check_receipts
    from proctor.receipt.keys import read_public
    from proctor.receipt.where import Wanted, seconds_of

    try:
        wanted = Wanted(host=host, platform=platform, toolchain=toolchain or {}, max_age=max_age)
        if max_age is not None:
            seconds_of(max_age)
    except ValueError:
        raise UsageError(f"max_age {max_age!r}: give a number and s, m, h, d or w") from None
    question = Question(
        folder=os.fspath(folder) if folder is not None else os.getcwd(),
        environ=os.environ,
        now=datetime.now(UTC),
        paths=(os.fspath(path),) if path is not None else (),
        base=base,
        command=command,
        wanted=wanted,
        keys=tuple(read_public(key) for key in keys),
        require_signed=require_signed,
        log=os.fspath(log) if log is not None else None,
    )
    return check_receipts(question)


_OPTIONS = (
    *("log", "parent", "claims", "timeout", "report", "hash_limit", "witness", "keep"),
    *("receipt", "sign"),
)


def _last_line(stderr: Any) -> str:
    if stderr is None:
        return ""
    shown = stderr if isinstance(stderr, str) else stderr.decode("utf-8", "replace")
    lines = shown.strip().splitlines()
    return lines[-1].removeprefix("proctor: ") if lines else ""
