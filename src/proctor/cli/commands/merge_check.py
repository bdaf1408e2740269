"""Asks the gate everything that the repository's configuration calls for."""

from proctor.cli.base import Command
from proctor.cli.notes import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def _configure(parser: "ArgumentParser") -> None:
    from proctor.cli.output import add_output

    add = parser.add_argument
    add("--base", metavar="REV", help="the branch it goes to (default: the main branch)")
    add(
        "--oracle",
        metavar="REPORT",
        action="append",
        default=[],
        help="a report of `proctor oracle check` (default: artifacts/oracle.json if it is there)",
    )
    add_output(parser, "the verdict")


def _run(arguments: "Namespace") -> int:
    import os
    import shlex

    from proctor.assess.merging import called_for
    from proctor.cli.main import run
    from proctor.errors import EXIT_PASS, EXIT_UNPROVEN

    found = called_for(os.getcwd(), arguments.base, arguments.oracle)
    words = [*found.words, "--format", arguments.format]
    if arguments.output is not None:
        words += ["--output", arguments.output]
    words += ["--verbose"] * arguments.verbose + ["--quiet"] * arguments.quiet
    say(f"proctor gate {shlex.join(found.words)}")
    code = run(["gate", *words])
    for line in found.missing:
        say(f"unproven: {line}")
    return EXIT_UNPROVEN if code == EXIT_PASS and found.missing else code


COMMAND = Command(
    summary="judge whether a patch may be merged: the gate with all that the repository asks for",
    example="proctor merge-check --base origin/main",
    configure=_configure,
    run=_run,
)
