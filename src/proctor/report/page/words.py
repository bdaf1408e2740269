"""Sentences in pieces, so that the template can tell code from words."""

import re

from proctor.report.plain import visible

Words = list[tuple[str, bool]]
"""Pieces of a sentence, and whether each is code."""


def words_of(text: str) -> Words:
    """Return a sentence in pieces; what it has in backticks is code."""
    pieces = re.split(r"`([^`]+)`", text)
    return [(visible(piece), place % 2 == 1) for place, piece in enumerate(pieces) if piece]


def sentence_of(text: str) -> Words:
    """Return a sentence in pieces, begun with a capital where it begins with a plain word."""
    first = text.partition(" ")[0]
    return words_of(text[:1].upper() + text[1:] if first.isalpha() else text)


def shortened(text: str, most: int) -> str:
    """Return a text, cut where it is longer than a page can bear."""
    return text if len(text) <= most else f"{text[:most]}…"
