"""Prints a script with which a shell completes Proctor's commands and options."""

from proctor.cli.base import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

PACKAGE = "proctor.cli.shells"


def _configure(parser: "ArgumentParser") -> None:
    from proctor._family import names

    parser.add_argument("shell", metavar="SHELL", choices=names(PACKAGE), help="bash, zsh or fish")


def _run(arguments: "Namespace") -> int:
    from typing import cast

    from proctor._family import member
    from proctor.cli.parse import commands, parser_of
    from proctor.cli.shells.base import Writer, tree_of
    from proctor.errors import EXIT_PASS

    write = cast("Writer", member(PACKAGE, arguments.shell, "WRITE"))
    print(write(tree_of(commands(), parser_of)), end="")
    return EXIT_PASS


COMMAND = Command(
    summary="print a shell's completion of commands and options",
    example="proctor completion bash",
    configure=_configure,
    run=_run,
)
