"""Writes what a command found where `--format` and `--output` say."""

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from proctor import _family
from proctor.errors import EXIT_FAIL, EXIT_PASS, EXIT_UNPROVEN, EvidenceError

if TYPE_CHECKING:
    from proctor.report.answer import Answer

PACKAGE = "proctor.report.formats"
CODES = {"pass": EXIT_PASS, "fail": EXIT_FAIL, "unproven": EXIT_UNPROVEN}
"""What each outcome means as an exit code."""


class Formats:
    """The formats that an answer can be written in; a member is imported when it is named."""

    def __contains__(self, name: object) -> bool:
        return name in _family.names(PACKAGE) and self._takes_answers(str(name))

    def __iter__(self) -> Iterator[str]:
        return filter(self._takes_answers, _family.names(PACKAGE))

    @staticmethod
    def _takes_answers(name: str) -> bool:
        """Return whether a format renders verdicts; those for records write spans."""
        return hasattr(_family.member(PACKAGE, name, "FORMAT"), "render")


def add_output(parser: ArgumentParser, what: str = "the report") -> None:
    """Add the options of everything that answers with a verdict or a report."""
    parser.add_argument(
        "--format",
        default="text",
        metavar="NAME",
        choices=Formats(),
        help="text, json, markdown, html, github, gitlab, sarif or junit; default: text",
    )
    parser.add_argument("-o", "--output", metavar="F", help=f"write {what} to this file instead")


def put(answer: "Answer", arguments: Namespace, what: str = "the report") -> int:
    """Write an answer where it was asked for and return the exit code of its outcome.

    Raises:
        EvidenceError: it cannot be written.
    """
    import sys

    from proctor.cli.waiting import waiting
    from proctor.report.answer import render
    from proctor.report.style import Style, own_style

    whole = arguments.verbose
    with waiting(sys.stderr, f"writing {what}"):
        style = Style(whole=whole) if arguments.output is not None else own_style(whole=whole)
        text = render(answer, arguments.format, style)
    if whole:
        _say_what_was_read(answer)
    if arguments.output is not None:
        write_whole(arguments.output, text, what)
    elif arguments.format in ("text", "markdown"):
        print(text, end="")
    else:
        # NOTE: bytes, so that an output encoding can neither fail nor alter them.
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
    return CODES[answer.verdict.outcome.value]


def _say_what_was_read(answer: "Answer") -> None:
    import time

    from proctor.cli.notes import say

    for name, digest in answer.verdict.inputs.items():
        say(f"read {name}: {digest or 'no digest'}")
    say(f"took {time.process_time():.2f} s of processor time")


def write_whole(path: str, content: str | Iterable[bytes], what: str) -> None:
    """Write a text, or parts of one, whole beside its place, then rename it there.

    The folder it goes to is made.

    Raises:
        EvidenceError: it cannot be written; `what` names it in the message.
    """
    from proctor._whole import WholeFile

    parts = [content.encode("utf-8", "backslashreplace")] if isinstance(content, str) else content
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with WholeFile(path) as file:
            file.writelines(parts)
    except OSError as error:
        raise EvidenceError(
            f"{path}: {what} cannot be written: {error.strerror}; choose another place"
        ) from None
