"""Shows what was recorded: a table, a tree of each run, or JSON."""

from proctor.cli.base import Command, add_verb
from proctor.cli.notes import say, tell

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
    add("--to-corpus", action="store_true", help="each command line of [oracle] command, as a seed")
    add("--path", action="store_true", help="print where the log is, for jq and the like")
    add("--format", choices=("text", "json"), default="text", help="json: an array of all")
    verbs = parser.add_subparsers(dest="verb", metavar="prune")
    _configure_prune(
        add_verb(
            verbs,
            "prune",
            "close old records into a file of their own",
            "proctor log prune --dry-run",
        )
    )


def _configure_prune(parser: "ArgumentParser") -> None:
    import argparse

    parser.description = (
        "Closes the records older than an age into a file beside the log; the chain goes on\n"
        "through both. Reports and git objects that no record refers to any more are removed."
    )
    add = parser.add_argument
    add("--log", metavar="F", default=argparse.SUPPRESS, help="as in `proctor log`")
    add("--older-than", metavar="AGE", default="30d", help="hours, days, weeks: 12h, 30d, 6w (30d)")
    add("--delete", action="store_true", help="delete closed parts that old; digests are kept")
    add("--dry-run", action="store_true", help="say what would be done, do nothing")
    add(
        "--unsafe-within-window",
        action="store_true",
        help="allow ages younger than the 7 days that the gate judges by",
    )
    add("--format", choices=("text", "json"), default=argparse.SUPPRESS)


def _run(arguments: "Namespace") -> int:
    import sys

    from proctor.cli.where import log_to_read
    from proctor.errors import EXIT_PASS, EXIT_UNPROVEN, UsageError
    from proctor.report.span_log import Choice, LogView
    from proctor.report.style import own_style

    as_json = arguments.format == "json"
    if arguments.verb == "prune":
        return _prune(arguments, as_json=as_json)
    if arguments.last is not None and arguments.last < 0:
        raise UsageError("--last takes a number from 0; see `proctor log --help`")
    if arguments.tree and as_json:
        raise UsageError("--tree is a picture for people; drop it or `--format json`")
    path, chosen = log_to_read(arguments.log)
    if arguments.to_corpus:
        return _to_corpus(path)
    if arguments.path:
        print(path)
        return EXIT_PASS
    choice = Choice(
        tests=arguments.tests,
        failing=arguments.failing,
        last=arguments.last,
        tree=arguments.tree,
    )
    view = LogView(path, choice, own_style(whole=arguments.verbose), may_be_missing=not chosen)
    if as_json:
        # NOTE: bytes, so that an output encoding can neither fail nor alter them.
        sys.stdout.buffer.writelines(view.json_lines())
    else:
        for line in view.lines():
            print(line)
    for note in view.notes():
        say(note)
    return EXIT_UNPROVEN if view.empty else EXIT_PASS


def _to_corpus(path: str) -> int:
    """Print a sequence for each command line of the program that was recorded."""
    import os
    import sys

    from proctor.assess.oracle import project_root
    from proctor.config import load
    from proctor.errors import EXIT_PASS, EXIT_UNPROVEN
    from proctor.oracle.corpus import line_of, read_corpus
    from proctor.oracle.recorded import sequences_of
    from proctor.records.log import read_log

    root = project_root(os.getcwd())
    table = load(root).oracle
    corpus = os.path.join(root, table.corpus)
    known = [one.seed for one in read_corpus(corpus)] if os.path.lexists(corpus) else []
    count = 0
    if os.path.lexists(path):
        for one in sequences_of(read_log(path), table.command, known):
            sys.stdout.buffer.write(line_of(one))
            count += 1
    say(f"{count:,} sequences that {table.corpus} does not have")
    return EXIT_PASS if count else EXIT_UNPROVEN


def _prune(arguments: "Namespace", *, as_json: bool) -> int:
    import os
    from datetime import UTC, datetime

    from proctor.cli.where import log_to_read
    from proctor.errors import EXIT_PASS
    from proctor.records.place import find_clone, log_path
    from proctor.setup.prune import age_of, prune

    age = age_of(arguments.older_than, within_window=arguments.unsafe_within_window)
    path, _ = log_to_read(arguments.log)
    clone = find_clone(os.getcwd())
    done = prune(
        clone,
        path,
        os.path.dirname(log_path(clone, os.environ)),
        age,
        delete=arguments.delete,
        dry_run=arguments.dry_run,
        now=datetime.now(UTC),
    )
    if as_json:
        import msgspec

        print(msgspec.json.encode(done).decode())
    else:
        for line in done.lines():
            tell(line)
    return EXIT_PASS


COMMAND = Command(
    summary="show what was recorded: each process with its own exit code",
    example="proctor log --tree --tests",
    configure=_configure,
    run=_run,
    everyday=4,
)
