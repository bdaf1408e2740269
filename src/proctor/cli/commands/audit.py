"""Looks back: how many of the agents' green test runs were provable at all?"""

from proctor.cli.base import Command
from proctor.cli.notes import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def _configure(parser: "ArgumentParser") -> None:
    from proctor.cli.output import add_output

    add = parser.add_argument
    add(
        "paths",
        metavar="PATH",
        nargs="*",
        help="transcripts, and folders that hold some; default: every known agent's folder",
    )
    add("--since", metavar="WHEN", help="only later calls: 7d, 12h, 2026-08-01 or a full time")
    add(
        "--log",
        metavar="F",
        action="append",
        default=[],
        help="a span log: what really happened; may be given more than once",
    )
    add_output(parser)
    parser.epilog = (
        f"{parser.epilog}\n\nexit code: 0 whatever was found, 2 no transcript, 65 a path that\n"
        "cannot be read, 130 after Ctrl-C. A report for people: the gate never reads it."
    )


def _run(arguments: "Namespace") -> int:
    import os
    import sys
    from datetime import UTC, datetime

    from proctor.audit.answer import answer_of
    from proctor.audit.look import Request, audit, folder_names
    from proctor.audit.since import since_of
    from proctor.cli.output import put
    from proctor.cli.progress import Bar
    from proctor.errors import EXIT_EVIDENCE, EXIT_PASS, EXIT_SIGNAL, EXIT_UNPROVEN
    from proctor.records.place import find_clone
    from proctor.settings import light_settings

    since, modified = since_of(arguments.since, datetime.now(UTC))
    request = Request(
        paths=tuple(arguments.paths),
        since=since,
        modified_since=modified,
        logs=tuple(arguments.log),
        classes=light_settings(find_clone(os.getcwd()), os.environ).classes,
        environ=os.environ,
    )
    with Bar(sys.stderr) as bar:
        report = audit(request, bar)
    if not report.transcripts and not report.interrupted:
        for one in report.unread:
            say(f"{one.path}: {one.why}")
        where = ", ".join(arguments.paths) or folder_names(os.environ)
        say(f"no transcript found in {where}")
        return EXIT_EVIDENCE if report.unread else EXIT_UNPROVEN
    put(answer_of(report), arguments)
    if report.interrupted:
        return EXIT_SIGNAL + 2
    return EXIT_EVIDENCE if report.unread else EXIT_PASS


COMMAND = Command(
    summary="look back: how many green test runs of past sessions were provable",
    example="proctor audit --since 7d",
    configure=_configure,
    run=_run,
    everyday=6,
)
