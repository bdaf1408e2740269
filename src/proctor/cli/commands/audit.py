"""Looks back: how many of the agents' green test runs were provable at all?"""

from proctor.cli.base import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def _configure(parser: "ArgumentParser") -> None:
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
    add("--format", default="text", metavar="NAME", help="text, json or markdown; default: text")
    add("--output", metavar="F", help="write the report to this file instead")
    parser.epilog = (
        f"{parser.epilog}\n\nexit code: 0 whatever was found, 2 no transcript, 65 a path that\n"
        "cannot be read, 130 after Ctrl-C. A report for people: the gate never reads it."
    )


def _run(arguments: "Namespace") -> int:
    import os
    import sys
    from datetime import UTC, datetime

    from proctor._family import member, names
    from proctor.audit.base import Format
    from proctor.audit.look import Request, audit, folder_names
    from proctor.audit.since import since_of
    from proctor.cli.output import write_whole
    from proctor.cli.progress import Bar
    from proctor.errors import EXIT_EVIDENCE, EXIT_PASS, EXIT_SIGNAL, EXIT_UNPROVEN, UsageError
    from proctor.records.place import find_clone
    from proctor.report.style import Style, own_style
    from proctor.settings import light_settings

    package = "proctor.audit.formats"
    if arguments.format not in names(package):
        raise UsageError(f"--format takes one of: {', '.join(names(package))}")
    form = member(package, arguments.format, "FORMAT")
    assert isinstance(form, Format)  # noqa: S101 - what the family's files bind
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
            sys.stderr.write(f"proctor: {one.path}: {one.why}\n")
        where = ", ".join(arguments.paths) or folder_names(os.environ)
        sys.stderr.write(f"proctor: no transcript found in {where}\n")
        return EXIT_EVIDENCE if report.unread else EXIT_UNPROVEN
    if arguments.output is None:
        # NOTE: bytes, so that an output encoding can neither fail nor alter the report.
        text = form.render(report, own_style())
        sys.stdout.buffer.write(text.encode(sys.stdout.encoding, "backslashreplace"))
    else:
        write_whole(arguments.output, form.render(report, Style()), "the report")
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
