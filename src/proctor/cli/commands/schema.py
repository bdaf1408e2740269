"""Prints the JSON Schema of a kind of record."""

from proctor.cli.base import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def _configure(parser: "ArgumentParser") -> None:
    from proctor.cli.schemas import NAMES

    parser.add_argument("name", choices=NAMES, metavar="NAME", help=", ".join(NAMES))


def _run(arguments: "Namespace") -> int:
    from proctor.cli.schemas import schema_of

    print(schema_of(arguments.name).decode())
    return 0


COMMAND = Command(
    summary="print the JSON Schema of a record: span, verdict, receipt, config …",
    example="proctor schema span",
    configure=_configure,
    run=_run,
)
