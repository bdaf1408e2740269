"""What commands say beside their results: notes on stderr, and how loud they are.

NOTE: only `cli.main` writes errors, and it writes to the descriptor itself. So all that
goes through `sys.stderr` is notes and progress, which `--quiet` leaves out.
"""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager

QUIET, VERBOSE = "--quiet", "--verbose"
LOUDNESS = {
    QUIET: "only the result and errors: no notes, no progress",
    VERBOSE: "nothing cut or left out of a text; what was read, how long it took",
}
"""Option → what it does; they may stand before the command too."""


def add_loudness(parser: ArgumentParser, *, inner: bool = False) -> None:
    """Add both options to a parser and to those of its verbs."""
    import argparse

    group = parser.add_argument_group("with every command")
    for name, text in LOUDNESS.items():
        # NOTE: a verb's own default would undo what stood before the verb.
        default = argparse.SUPPRESS if inner else False
        group.add_argument(name, action="store_true", default=default, help=text)
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for child in action.choices.values():
                add_loudness(child, inner=True)


@contextmanager
def quietly(is_quiet: bool) -> Iterator[None]:
    """Leave out notes and progress meanwhile, if asked to."""
    if not is_quiet:
        yield
        return
    before = sys.stderr
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        sys.stderr = nowhere
        try:
            yield
        finally:
            sys.stderr = before


def say(text: str) -> None:
    """Write a note, as one line that directs no terminal."""
    from proctor._shown import shown

    sys.stderr.write(f"proctor: {shown(text)}\n")


def tell(text: str) -> None:
    """Print lines of a result that hold names from elsewhere; they direct no terminal."""
    from proctor.report.plain import visible

    print("\n".join(map(visible, text.split("\n"))))
