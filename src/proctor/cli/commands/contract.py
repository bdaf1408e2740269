"""Prints what agents are asked for; `proctor init` writes it where they read it."""

from proctor.cli.base import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def _configure(parser: "ArgumentParser") -> None:
    del parser


def _run(arguments: "Namespace") -> int:
    del arguments
    from proctor._family import names
    from proctor.errors import EXIT_PASS
    from proctor.setup.contract import contract

    print(contract(names("proctor.cli.commands")), end="")
    return EXIT_PASS


COMMAND = Command(
    summary="print the short text that asks agents for records instead of claims",
    example="proctor contract",
    configure=_configure,
    run=_run,
)
