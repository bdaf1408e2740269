"""Runs a command again in a checkout, under a recorder of its own.

The log, the receipt and the state lie beside the checkout, so nothing of the run
reaches the user's. Variables that change what an interpreter runs, or what a runner
leaves out, are not passed on.
"""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence

import msgspec

from proctor import _family
from proctor.classify.base import Runner
from proctor.errors import EXIT_RECORDER, EvidenceError
from proctor.receipt.describe import Scene
from proctor.receipt.fields import Receipt, read_receipt
from proctor.receipt.runs import Sought, read_run
from proctor.recorder.at_base import program_from
from proctor.records.span import Span
from proctor.results.kept import doubt, outcomes
from proctor.results.read import read_summary
from proctor.settings import ODD_ENV

_START = "from proctor.cli.main import main; main()"
_KEPT = frozenset(("LD_LIBRARY_PATH", "JAVA_TOOL_OPTIONS", "ENV"))
"""Odd names that machines need more often than cheats do."""
_NOT_STARTED = (126, 127)


class Outcomes(msgspec.Struct, frozen=True, kw_only=True):
    """What a run came to."""

    exit_code: int
    tests: dict[str, str]
    """Test id from the root → outcome; empty where no report tells."""
    receipt: Receipt
    foreign: tuple[tuple[str, str], ...] = ()
    """Packages of the project that were loaded from elsewhere, with other content."""


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """What is run again, where, and what is done before."""

    argv: tuple[str, ...]
    folder: str = ""
    """Relative to the root."""
    prepare: tuple[str, ...] = ()
    timeout_s: float | None = None
    here: str = ""
    """The user's own working tree: where what git does not hold is taken from."""


def run_again(command: Command, root: str, state: str, environ: Mapping[str, str]) -> Outcomes:
    """Run a command in the checkout at `root` and return what it came to.

    Raises:
        EvidenceError: it could not be run, with the reason.
    """
    where = os.path.join(root, command.folder)
    if not os.path.isdir(where):
        raise EvidenceError(f"the tree has no folder {command.folder}")
    env = {**clean(environ), "PROCTOR_STATE_DIR": state, "PWD": where}
    if command.prepare:
        _prepare(command.prepare, where, env)
    receipt = os.path.join(state, "receipt.json")
    own = os.path.join(command.here, command.folder)
    argv = [program_from(command.argv[0], where, own), *command.argv[1:]]
    options = [f"--receipt={receipt}", f"--log={os.path.join(state, 'spans.jsonl')}"]
    if command.timeout_s is not None:
        options.append(f"--timeout={command.timeout_s:g}")
    os.makedirs(state, mode=0o700, exist_ok=True)
    if os.path.exists(receipt):
        os.unlink(receipt)
    done = subprocess.run(
        [sys.executable, "-I", "-c", _START, "run", *options, "--", *argv],
        cwd=where,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or ["nothing said"]
    if done.returncode in (EXIT_RECORDER, *_NOT_STARTED) or not os.path.exists(receipt):
        raise EvidenceError(said[0].removeprefix("proctor: "))
    return _read(receipt, state)


def tests_of(spans: Sequence[Span], root: str | None) -> dict[str, str]:
    """Return test id → outcome of all leaves whose kept report is believed."""
    found: dict[str, str] = {}
    for span in spans:
        if span.report is not None and doubt(span.report) is None:
            found |= outcomes(read_summary(span.report.path, span.report.format), root)
    return found


def clean(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment without what could change what the tests are."""
    unwanted = {name for name in ODD_ENV if name not in _KEPT}
    for _, runner in _family.members("proctor.classify.runners", "RUNNER"):
        assert isinstance(runner, Runner)  # noqa: S101 - what the family's files bind
        unwanted.update(name.partition(":")[0] for name in runner.environment)
    return {
        name: value
        for name, value in environ.items()
        if name not in unwanted and not name.startswith(("GIT_", "PROCTOR_", "PYTEST_"))
    }


def _prepare(argv: Sequence[str], where: str, env: Mapping[str, str]) -> None:
    try:
        done = subprocess.run(
            argv, cwd=where, env=env, stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
    except OSError as error:
        raise EvidenceError(f"--prepare {argv[0]}: {error.strerror}") from None
    if done.returncode != 0:
        said = (done.stderr or done.stdout).decode("utf-8", "replace").strip().splitlines()
        why = said[-1] if said else "nothing said"
        raise EvidenceError(f"--prepare {argv[0]}: exit code {done.returncode}: {why[:200]}")


def _read(path: str, state: str) -> Outcomes:
    with open(path, "rb") as file:
        receipt = read_receipt(file.read(), path).receipt
    assert receipt is not None  # noqa: S101 - it has just been written
    assert receipt.log is not None  # noqa: S101 - as above
    sought = Sought(span_id=receipt.log.span_id, run_id=receipt.log.run_id)
    run = read_run(os.path.join(state, "spans.jsonl"), sought)
    spans = Scene(run.spans, run.top).parts()
    root = next((span.git.root for span in spans if span.git is not None), None)
    return Outcomes(
        exit_code=receipt.exit_code if receipt.exit_code is not None else EXIT_RECORDER,
        tests=tests_of(spans, root),
        receipt=receipt,
        foreign=tuple(one for span in spans if span.report for one in span.report.foreign),
    )
