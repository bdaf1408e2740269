"""The verbs of a command: listed in its help, each with an example of its own."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser


class Verbs:
    """The verbs of one command, in the order in which they are added.

    The word that was given is `verb` of what is parsed; none where it need not be given.
    """

    def __init__(self, parser: "ArgumentParser", *, required: bool = True) -> None:
        self._action = parser.add_subparsers(dest="verb", required=required, metavar="")

    def add(self, name: str, text: str, example: str) -> "ArgumentParser":
        """Add a verb and return its parser; `text` is one line without a full stop."""
        made = self._action.add_parser(
            name, help=text, description=f"{text}.", epilog=f"example:\n  {example}"
        )
        self._action.metavar = "|".join(self._action.choices)
        return made
