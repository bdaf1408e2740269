"""What a command's file says.

A command parses, makes one library call, prints and returns a code. It imports
that call inside `run`, so that `--help` stays quick. Results go to stdout,
everything else to stderr.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable


class Command:
    """What a command's file binds to `COMMAND`; the file's name is the command's.

    `summary` is one line without a full stop. `everyday` is the command's place
    in the short help, from 1; 0 keeps it to `--help --all`. `example` is a
    command line that works as it stands. `main`, if given, takes the words
    after the command's name unparsed: the light path, where argparse would cost
    too much. `failure_code`, if given, is the exit code of every error of
    Proctor's own in this command: 125 where the other codes are a child's.
    """

    __slots__ = (
        "configure",
        "everyday",
        "example",
        "failure_code",
        "main",
        "run",
        "summary",
    )

    def __init__(  # noqa: PLR0913 - a table with seven columns
        self,
        *,
        summary: str,
        example: str,
        configure: "Callable[[ArgumentParser], None]",
        run: "Callable[[Namespace], int]",
        everyday: int = 0,
        main: "Callable[[list[str]], int] | None" = None,
        failure_code: int | None = None,
    ) -> None:
        self.summary = summary
        self.example = example
        self.configure = configure
        self.run = run
        self.everyday = everyday
        self.main = main
        self.failure_code = failure_code


def add_verb(
    verbs: "argparse._SubParsersAction[ArgumentParser]", name: str, summary: str, example: str
) -> "ArgumentParser":
    """Add a verb of a command; its help ends with an example, as a command's does."""
    import argparse

    return verbs.add_parser(
        name,
        help=summary,
        description=f"{summary}.",
        epilog=f"example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
