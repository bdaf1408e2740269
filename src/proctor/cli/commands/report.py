"""Writes the verdict, or the records themselves, in a format for other tools."""

from proctor.cli.base import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from proctor.findings import Verdict
    from proctor.report.base import PageFormat, RecordFormat


def _configure(parser: "ArgumentParser") -> None:
    from proctor.cli.judging import add_question

    add = parser.add_argument
    add(
        "--format",
        default="text",
        metavar="NAME",
        help="html: a page of verdict and records; otlp: the records; text, json, markdown, "
        "github, gitlab, sarif, junit: the verdict",
    )
    add("-o", "--output", metavar="F", help="write to this file instead of stdout")
    add("--endpoint", metavar="URL", help="send the records there (otlp: a collector, OTLP/HTTP)")
    add(
        "--verdict",
        metavar="F",
        help="write this verdict, from `proctor gate --format json`, and judge nothing anew",
    )
    add(
        "--exit-code",
        action="store_true",
        help="end with the verdict's exit code (0 pass, 1 fail, 2 unproven) instead of 0",
    )
    add_question(parser)


def _run(arguments: "Namespace") -> int:
    from proctor._family import member, names
    from proctor.errors import UsageError
    from proctor.report.base import PACKAGE, PageFormat, RecordFormat

    if arguments.format not in names(PACKAGE):
        raise UsageError(f"--format takes one of: {', '.join(names(PACKAGE))}")
    style = member(PACKAGE, arguments.format, "FORMAT")
    if isinstance(style, RecordFormat):
        return _records(arguments, style)
    if arguments.endpoint is not None:
        raise UsageError(f"--endpoint is for records; {arguments.format} is a format for verdicts")
    if isinstance(style, PageFormat):
        return _page(arguments, style)
    return _verdict(arguments)


def _verdict(arguments: "Namespace") -> int:
    """Report the verdict."""
    from proctor.cli.judging import asked
    from proctor.cli.output import write_whole
    from proctor.report.base import Format, format_of
    from proctor.report.style import Style, own_style

    style = format_of(arguments.format, Format)
    if arguments.verdict is not None:
        verdict = _read_verdict(arguments)
    else:
        from proctor.assess.gather import assess

        with asked(arguments) as question:
            verdict = assess(question)
    if arguments.output is None:
        print(style.render(verdict, own_style()), end="")
    else:
        write_whole(arguments.output, style.render(verdict, Style()), "the report")
    return _ended(arguments, verdict)


def _ended(arguments: "Namespace", verdict: "Verdict") -> int:
    """Return 0: a report that was written is a success, whatever it says; or what was asked for."""
    from proctor.cli.judging import exit_code_of
    from proctor.errors import EXIT_PASS

    return exit_code_of(verdict) if arguments.exit_code else EXIT_PASS


def _read_verdict(arguments: "Namespace") -> "Verdict":
    """Return the verdict that a file holds; nothing else may be asked then."""
    from proctor.errors import UsageError
    from proctor.report.document import read_verdict

    asking = ("log", "bundle", "base", "evidence", "transcript", "receipt", "oracle", "quarantine")
    if given := [name for name in asking if getattr(arguments, name)]:
        raise UsageError(f"--verdict is judged already; drop --{' and --'.join(given)}")
    return read_verdict(arguments.verdict)


def _page(arguments: "Namespace", style: "PageFormat") -> int:
    """Write verdict and records as one page."""
    import os
    import sys
    from datetime import UTC, datetime

    from proctor.assess.gather import assess
    from proctor.assess.oracle_reports import read_from
    from proctor.cli.judging import asked
    from proctor.cli.output import write_whole
    from proctor.errors import UsageError
    from proctor.records.place import find_clone
    from proctor.report.page.base import Page
    from proctor.report.page.runs import named_spans, runs_of

    if arguments.verdict is not None:
        raise UsageError("a page holds the records too: give --log or --bundle, not --verdict")
    with asked(arguments) as question:
        verdict = assess(question)
        # NOTE: the very logs that were judged, by the name they have among the inputs.
        logs = [name.removeprefix("log ") for name in verdict.inputs if name.startswith("log ")]
        given = [question.bundle.log] if question.bundle is not None else arguments.log
        spans, left_out = runs_of(given or logs, named_spans(verdict))
    page = Page(
        verdict=verdict,
        title=os.path.basename(find_clone(os.getcwd()).root),
        written_at=f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        spans=spans,
        left_out=left_out,
        oracle=[read_from(path) for path in arguments.oracle],
    )
    if arguments.output is None:
        sys.stdout.buffer.write(style.render(page).encode())
    else:
        write_whole(arguments.output, style.render(page), "the report")
    return _ended(arguments, verdict)


def _records(arguments: "Namespace", style: "RecordFormat") -> int:
    import os
    import sys

    from proctor.assess.parents import parents_of
    from proctor.cli.output import write_whole
    from proctor.cli.where import log_to_read
    from proctor.errors import EXIT_PASS, EXIT_UNPROVEN, UsageError
    from proctor.records.log import read_log

    for name in ("base", "bundle", "evidence", "receipt", "oracle", "quarantine", "verdict"):
        if getattr(arguments, name):
            raise UsageError(f"--{name} is for verdicts; {arguments.format} is for records")
    if len(arguments.log) > 1:
        raise UsageError(f"{arguments.format} takes one --log")
    if arguments.endpoint is not None and arguments.output is not None:
        raise UsageError("give --endpoint or --output, not both")
    path, chosen = log_to_read(arguments.log[0] if arguments.log else None)
    if not chosen and not os.path.lexists(path):
        sys.stderr.write(f"proctor: nothing recorded yet in {path}\n")
        return EXIT_UNPROVEN
    parents = parents_of(os.getcwd(), arguments.transcript, path)
    log = read_log(path)
    if arguments.endpoint is not None:
        if style.send is None:
            raise UsageError(f"{arguments.format} cannot be sent; give --output")
        print(
            f"{style.send(log, parents, arguments.endpoint):,} spans sent to {arguments.endpoint}"
        )
    elif arguments.output is not None:
        write_whole(arguments.output, style.write(log, parents), "the records")
    else:
        sys.stdout.buffer.writelines(style.write(log, parents))
    for problem in log.problems[:3]:
        sys.stderr.write(f"proctor: {path}: {problem.message}\n")
    return EXIT_PASS if log.length else EXIT_UNPROVEN


COMMAND = Command(
    summary="write the verdict or the records for other tools",
    example="proctor report --format html -o report.html",
    configure=_configure,
    run=_run,
)
