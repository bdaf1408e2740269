"""What a command's file says.

A command parses, makes one library call, prints and returns a code. It imports
that call inside `run`, so that `--help` stays quick. Results go to stdout,
everything else to stderr.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable


class Command:
    """What a command's file binds to `COMMAND`; the file's name is the command's.

    `summary` is one line without a full stop. `everyday` commands show in the
    short help. `example` is a command line that works as it stands. `main`, if
    given, takes the words after the command's name unparsed: the light path,
    where argparse would cost too much.
    """

    __slots__ = ("configure", "everyday", "example", "main", "run", "summary")

    def __init__(
        self,
        *,
        summary: str,
        example: str,
        configure: "Callable[[ArgumentParser], None]",
        run: "Callable[[Namespace], int]",
        everyday: bool = False,
        main: "Callable[[list[str]], int] | None" = None,
    ) -> None:
        self.summary = summary
        self.example = example
        self.configure = configure
        self.run = run
        self.everyday = everyday
        self.main = main
