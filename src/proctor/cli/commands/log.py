"""Shows what was recorded: a table, a tree of each run, or JSON."""

from proctor.cli.base import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def _configure(parser: "ArgumentParser") -> None:
    add = parser.add_argument
    add("--log", metavar="F", help="the span log; default: this repository's")
    add("--tests", action="store_true", help="only what runs tests")
    add("--failing", action="store_true", help="only what did not end with exit code 0")
    add("--last", type=int, metavar="N", help="the last N records, or runs with --tree; 0: all")
    add("--tree", action="store_true", help="each run as a tree of processes")
    add("--format", choices=("text", "json"), default="text", help="json: an array of all")


def _run(arguments: "Namespace") -> int:
    import sys

    from proctor.cli.where import log_to_read
    from proctor.errors import EXIT_PASS, EXIT_UNPROVEN, UsageError
    from proctor.report.span_log import Choice, LogView
    from proctor.report.style import own_style

    as_json = arguments.format == "json"
    if arguments.last is not None and arguments.last < 0:
        raise UsageError("--last takes a number from 0; see `proctor log --help`")
    if arguments.tree and as_json:
        raise UsageError("--tree is a picture for people; drop it or `--format json`")
    path, chosen = log_to_read(arguments.log)
    choice = Choice(
        tests=arguments.tests,
        failing=arguments.failing,
        last=arguments.last,
        tree=arguments.tree,
    )
    view = LogView(path, choice, own_style(), may_be_missing=not chosen)
    if as_json:
        # NOTE: bytes, so that an output encoding can neither fail nor alter them.
        sys.stdout.buffer.writelines(view.json_lines())
    else:
        for line in view.lines():
            print(line)
    for note in view.notes():
        sys.stderr.write(f"proctor: {note}\n")
    return EXIT_UNPROVEN if view.empty else EXIT_PASS


COMMAND = Command(
    summary="show what was recorded: each process with its own exit code",
    example="proctor log --tree --tests",
    configure=_configure,
    run=_run,
    everyday=4,
)
