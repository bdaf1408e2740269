"""Says which witness works here, how far its records can be trusted, what is missing."""

from proctor.cli.base import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def _configure(parser: "ArgumentParser") -> None:
    parser.add_argument("--log", metavar="F", help="the span log; default: this repository's")
    parser.add_argument("--format", choices=("text", "json"), default="text")


def _run(arguments: "Namespace") -> int:
    import os

    from proctor.errors import EXIT_FAIL, EXIT_PASS
    from proctor.setup.doctor import examine

    found = examine(os.getcwd(), os.environ, arguments.log)
    if arguments.format == "json":
        from msgspec import to_builtins

        from proctor._digest import encode

        print(encode(to_builtins(found)).decode())
    else:
        from proctor.report.checklist import lines_of
        from proctor.report.style import own_style

        for line in lines_of(found.rows(), own_style()):
            print(line)
    return EXIT_PASS if found.can_record else EXIT_FAIL


COMMAND = Command(
    summary="say which witness works here and what the set-up still lacks",
    example="proctor doctor",
    configure=_configure,
    run=_run,
    everyday=7,
)
