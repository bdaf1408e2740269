"""Writes the verdict, or the records themselves, in a format for other tools."""

from proctor.cli.base import Command
from proctor.cli.notes import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from proctor.report.answer import Answer
    from proctor.report.base import RecordFormat


def _configure(parser: "ArgumentParser") -> None:
    from proctor._family import names
    from proctor.cli.judging import add_question
    from proctor.cli.output import PACKAGE

    add = parser.add_argument
    add(
        "--format",
        default="text",
        metavar="NAME",
        choices=names(PACKAGE),
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
    from proctor._family import member
    from proctor.cli.judging import answered
    from proctor.cli.output import PACKAGE, put
    from proctor.errors import EXIT_PASS, UsageError
    from proctor.report.base import RecordFormat

    style = member(PACKAGE, arguments.format, "FORMAT")
    if isinstance(style, RecordFormat):
        return _records(arguments, style)
    if arguments.endpoint is not None:
        raise UsageError(f"--endpoint is for records; {arguments.format} is a format for verdicts")
    if arguments.verdict is not None:
        code = put(_read(arguments), arguments)
    else:
        with answered(arguments) as answer:
            code = put(answer, arguments)
    # NOTE: a report that was written is a success, whatever it says.
    return code if arguments.exit_code else EXIT_PASS


def _read(arguments: "Namespace") -> "Answer":
    """Return the verdict that a file holds; nothing else may be asked then."""
    from proctor.errors import UsageError
    from proctor.report.answer import Answer
    from proctor.report.document import read_verdict
    from proctor.report.page.base import page_of

    asking = ("log", "bundle", "base", "evidence", "transcript", "receipt", "oracle", "quarantine")
    if given := [name for name in asking if getattr(arguments, name)]:
        raise UsageError(f"--verdict is judged already; drop --{' and --'.join(given)}")
    if arguments.format == "html":
        raise UsageError("a page holds the records too: give --log or --bundle, not --verdict")
    verdict = read_verdict(arguments.verdict)
    return Answer(verdict=verdict, document=verdict, page=lambda: page_of(verdict))


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
        say(f"nothing recorded yet in {path}")
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
        say(f"{path}: {problem.message}")
    return EXIT_PASS if log.length else EXIT_UNPROVEN


COMMAND = Command(
    summary="write the verdict or the records for other tools",
    example="proctor report --format html -o report.html",
    configure=_configure,
    run=_run,
)
