"""How results look to a person: signs, colours, widths.

Colour is used on a terminal only, and not where `NO_COLOR` is set or the
terminal is `dumb`; signs outside ASCII only where the output's encoding has
them.
"""

import os
import shutil
import sys
from collections.abc import Mapping
from typing import TextIO

import msgspec

_CODES = {"red": "31", "green": "32", "yellow": "33", "dim": "2", "bold": "1"}


class Style(msgspec.Struct, frozen=True, kw_only=True):
    """The look of one output."""

    colour: bool = False
    unicode: bool = True
    width: int | None = None
    """Columns to which a line is cut; none where the output is no terminal."""
    whole: bool = False
    """Whether lists are shown to their end, however long."""

    def most(self, number: int) -> int:
        """Return how many of a list are shown, where `number` are enough for a glance."""
        return sys.maxsize if self.whole else number

    def paint(self, text: str, name: str | None) -> str:
        """Return `text` in a colour of the table above, or as it is."""
        if not self.colour or name is None:
            return text
        return f"\x1b[{_CODES[name]}m{text}\x1b[0m"

    def sign(self, fine: str, plain: str) -> str:
        """Return a sign, or its stand-in in ASCII."""
        return fine if self.unicode else plain

    def cut(self, text: str, used: int = 0) -> str:
        """Return `text`, cut to what `used` columns leave of the line.

        Counts cells: a wide character takes two.
        """
        if self.width is None or used + len(text) * 2 <= self.width:
            return text
        from rich.cells import cell_len, set_cell_size

        room = max(self.width - used, 8)
        if cell_len(text) <= room:
            return text
        dots = self.sign("…", "...")
        return set_cell_size(text, room - len(dots)).rstrip() + dots


def style_of(stream: TextIO, environ: Mapping[str, str], *, whole: bool = False) -> Style:
    """Return the look that fits `stream`; with `whole` nothing is cut."""
    encoding = (getattr(stream, "encoding", None) or "ascii").lower()
    terminal = stream.isatty()
    return Style(
        colour=terminal and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb",
        unicode=encoding.startswith("utf"),
        width=shutil.get_terminal_size().columns if terminal and not whole else None,
        whole=whole,
    )


def own_style(*, whole: bool = False) -> Style:
    """Return the look of this process's stdout; with `whole` nothing is cut."""
    return style_of(sys.stdout, os.environ, whole=whole)
