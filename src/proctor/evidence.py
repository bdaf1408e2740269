"""Runs the tests of a project under the recorder, and keeps what they leave behind."""

import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from proctor.api import read_spans, run_recorded
from proctor.capture.folder import check_writable
from proctor.capture.keep import Ran, Request
from proctor.capture.keep import capture as keep
from proctor.capture.manifest import Manifest
from proctor.config import load
from proctor.errors import RecorderError
from proctor.records.place import chosen_log, find_clone
from proctor.records.span import Span
from proctor.setup.find import find_suites

_INTERPRETERS = ("python", "pypy")

Place = tuple[str, tuple[str, ...]]
"""A folder, and a command to run there."""


def commands_of(folder: str) -> list[Place]:
    """Return what a project owes: its `[[require]]` commands, else the suites found.

    Raises:
        ConfigError: the configuration cannot be understood.
    """
    root = find_clone(folder).root
    owed = [(os.path.join(root, i.folder), i.command) for i in load(root).require if i.command]
    if owed:
        return list(dict.fromkeys(owed))
    return [(os.path.join(root, one.folder), one.found.command) for one in find_suites(root)]


def capture(commands: Sequence[Place], *, target: str, venue: str) -> Manifest:
    """Record each command in its folder, then write the evidence folder `target`.

    What the commands print goes where this process prints. Runners are asked for
    JUnit where that changes nothing else.

    Raises:
        RecorderError: a command could not be recorded.
        EvidenceError: the folder cannot be written.
    """
    check_writable(target)
    runs = [record(folder, argv) for folder, argv in commands]
    root = find_clone(os.getcwd()).root
    request = Request(
        root=root,
        target=os.path.abspath(target),
        venue=venue,
        now=datetime.now(UTC),
        environ=dict(os.environ),
    )
    return keep(request, runs, _interpreter(runs))


def record(
    folder: str, argv: tuple[str, ...], *, environ: Mapping[str, str] | None = None, **more: Any
) -> Ran:
    """Record one command in its folder, runners asked for JUnit; `more` as `run_recorded`.

    Raises:
        RecorderError: it could not be recorded.
    """
    clone = find_clone(folder)
    log = chosen_log(None, load(clone.root).log.path, clone, os.environ)
    more = {"capture": False, **more}
    done = run_recorded(argv, cwd=folder, report="junit", log=log, env=environ, **more)
    spans = [span for span in read_spans(log) if span.run_id == done.span.run_id]
    if not spans:
        raise RecorderError(f"{log}: holds no record of the run; see: proctor doctor")
    return Ran(argv=argv, root=done.span, spans=tuple(spans))


def _interpreter(runs: Sequence[Ran]) -> str | None:
    """Return the Python that a test leaf ran on, by its argv: an environment's own link."""
    for ran in runs:
        for leaf in ran.leaves:
            path = _python_of(leaf)
            if path is not None:
                return path
    return None


def _python_of(leaf: Span) -> str | None:
    if not leaf.argv or not os.path.basename(leaf.argv[0]).startswith(_INTERPRETERS):
        return None
    path = os.path.join(leaf.cwd or "", leaf.argv[0])
    if os.sep in leaf.argv[0] and os.access(path, os.X_OK):
        return path
    return leaf.exe
