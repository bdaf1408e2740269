"""What is to be judged, as the commands that judge take it."""

import contextlib
import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from proctor.assess.gather import Question
    from proctor.findings import Verdict
    from proctor.report.answer import Answer
    from proctor.report.page.base import Page


def add_question(parser: ArgumentParser) -> None:
    """Add the options that say what is judged, and by what."""
    add = parser.add_argument
    add(
        "--log",
        metavar="F",
        action="append",
        default=[],
        help="a span log, may be given more than once; default: this repository's",
    )
    add(
        "--bundle",
        metavar="F",
        help="judge another job's records, from `proctor bundle make --log`, in place of own ones",
    )
    add("--base", metavar="REV", help="judge the patch since this revision, with its policy")
    add(
        "--evidence",
        metavar="DIR",
        action="append",
        default=[],
        help="hold this evidence folder against the records; may be given more than once",
    )
    add(
        "--transcript",
        metavar="F",
        action="append",
        default=[],
        help="an agent's transcript, whose tool calls are joined to what was recorded; "
        "may be given more than once",
    )
    add(
        "--receipt",
        metavar="F",
        action="append",
        default=[],
        help="a receipt to check; signed by a trusted key it counts without the log; "
        "may be given more than once",
    )
    add(
        "--oracle",
        metavar="REPORT",
        action="append",
        default=[],
        help="a report of `proctor oracle check`, as JSON; may be given more than once",
    )
    add(
        "--quarantine",
        metavar="F",
        help="explain failures by this quarantine (the base's, with --base), where a report "
        "of the oracle is green",
    )


@contextlib.contextmanager
def asked(arguments: Namespace, *, every: bool = False) -> "Iterator[Question]":
    """Give what `arguments` ask, with the bundle that they name open meanwhile.

    Raises:
        UsageError: they do not go together.
        EvidenceError: the bundle cannot be read.
    """
    from proctor.assess.bundled import opened
    from proctor.assess.gather import Question
    from proctor.errors import UsageError

    more = ("evidence", "transcript", "receipt", "oracle", "quarantine", "bundle")
    if every and (given := [name for name in more if getattr(arguments, name)]):
        raise UsageError(f"--every judges records alone; drop it, or --{' and --'.join(given)}")
    if arguments.bundle is not None and arguments.log:
        raise UsageError("--bundle brings a log of its own; drop --log")
    named = arguments.bundle
    with opened(named) if named is not None else contextlib.nullcontext() as bundle:
        yield Question(
            folder=os.getcwd(),
            environ=os.environ,
            now=datetime.now(UTC),
            logs=tuple(arguments.log),
            bundle=bundle,
            every=every,
            base=arguments.base,
            evidence=tuple(arguments.evidence),
            transcripts=tuple(arguments.transcript),
            receipts=tuple(arguments.receipt),
            oracle=tuple(arguments.oracle),
            quarantine=arguments.quarantine,
        )


@contextlib.contextmanager
def answered(arguments: Namespace, *, every: bool = False) -> "Iterator[Answer]":
    """Give the gate's verdict, ready for every format while the bundle is open.

    Raises:
        UsageError: the arguments do not go together.
        LogError, ConfigError, RepositoryError: what is to be judged cannot be read.
    """
    import sys

    from proctor.assess.gather import assess
    from proctor.cli.waiting import waiting
    from proctor.report.answer import Answer

    with asked(arguments, every=every) as question:
        with waiting(sys.stderr, "judging"):
            verdict = assess(question)
        logs = [question.bundle.log] if question.bundle is not None else arguments.log
        yield Answer(
            verdict=verdict, document=verdict, page=lambda: _page_of(verdict, arguments, logs)
        )


def _page_of(verdict: "Verdict", arguments: Namespace, given: list[str]) -> "Page":
    """Return the page of a verdict: with the records, behaviour, and the tests' history."""
    from proctor.assess.oracle_reports import read_from
    from proctor.cli.flaking import history_here
    from proctor.report.page.base import page_of
    from proctor.report.page.runs import named_spans, runs_of

    # NOTE: the very logs that were judged, by the name they have among the inputs.
    logs = [name.removeprefix("log ") for name in verdict.inputs if name.startswith("log ")]
    spans, left_out = runs_of(given or logs, named_spans(verdict))
    flakes, quarantine = history_here(arguments.base)
    return page_of(
        verdict,
        spans=spans,
        left_out=left_out,
        oracle=[read_from(path) for path in arguments.oracle],
        flakes=flakes,
        quarantine=quarantine,
    )
