"""Checks that no record of a span log was altered, inserted or removed."""

from proctor.cli.base import Command
from proctor.cli.notes import tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

SHOWN = 20
"""Problems that are printed; the rest is counted."""


def _configure(parser: "ArgumentParser") -> None:
    parser.add_argument("log", metavar="LOG", nargs="?", help="the span log; default: this one's")
    parser.epilog = (
        f"{parser.epilog}\n\nexit code: 0 whole, 1 broken, 2 nothing to verify, 65 unreadable.\n"
        "A whole chain does not show that the log is complete: records taken from its end\n"
        "leave no trace, and a process of the same user can forge a whole log."
    )


def _run(arguments: "Namespace") -> int:
    import sys

    from proctor.cli.waiting import waiting
    from proctor.cli.where import log_to_read
    from proctor.errors import EXIT_FAIL, EXIT_PASS, EXIT_UNPROVEN
    from proctor.records.log import read_log

    path, _ = log_to_read(arguments.log)
    log = read_log(path)
    with waiting(sys.stderr, "verifying"):
        for _ in log:
            pass
    if log.problem_count:
        tell(f"{path}: broken at line {log.problems[0].line}")
        for problem in log.problems[:SHOWN]:
            tell(f"  {problem.message}")
        if log.problem_count > SHOWN:
            tell(f"  and {log.problem_count - SHOWN} more")
        return EXIT_FAIL
    if not log.sealed and log.header is None:
        why = "it is empty" if not log.length else "its records carry no digests"
        tell(f"{path}: nothing to verify: {why}")
        return EXIT_UNPROVEN
    tell(f"{path}: {log.length} records, the chain is whole; head {log.head}")
    return EXIT_PASS if _closed_parts_hold(path) else EXIT_FAIL


def _closed_parts_hold(path: str) -> bool:
    """Print what can be said of each closed part; return whether none was altered."""
    from proctor.records.parts import closed_parts, damage

    whole = True
    for part in closed_parts(path):
        wrong = damage(part, thorough=True)
        whole = whole and wrong is None
        if wrong is not None:
            tell(wrong)
        elif part.state == "here":
            tell(f"{part.path}: {part.records} records closed before, the chain is whole")
        elif part.state == "deleted":
            tell(f"{part.path}: deleted; the list of its {part.records} digests is whole")
        else:
            tell(f"{part.path}: is not here; what was closed before cannot be verified")
    return whole


COMMAND = Command(
    summary="check that no record of a span log was altered, inserted or removed",
    example='proctor verify "$(proctor log --path)"',
    configure=_configure,
    run=_run,
)
