"""Reads a file of source by the grammar of its language, else by lines.

Answers are kept, since several rules ask about the same files.
"""

import functools
import os
import re
from typing import TYPE_CHECKING

from proctor import _family
from proctor.outline import plain
from proctor.outline.base import Language, Outline
from proctor.outline.grammar import parse, walk

if TYPE_CHECKING:
    from tree_sitter import Node

PACKAGE = "proctor.outline.languages"
_HASH = re.compile(r"(?m)^\s*#(?!\[).*$")
_SLASHES = re.compile(r"(?m)^\s*//.*$|(?s:/\*.*?\*/)")
_HASH_SUFFIXES = frozenset(
    (
        ".py",
        ".rb",
        ".sh",
        ".bash",
        ".toml",
        ".yml",
        ".yaml",
        ".cfg",
        ".ini",
        ".mk",
        ".ex",
        ".r",
        ".pl",
    )
)


@functools.lru_cache(maxsize=256)
def outline(path: str, text: str) -> Outline:
    """Return the tests of the file at `path`, whose content is `text`."""
    language = language_of(path)
    root = parse(language.suffixes[_suffix(path)], text) if language is not None else None
    if language is None or root is None:
        return plain.read(text)
    return language.outline(root)


@functools.lru_cache(maxsize=256)
def without_comments(path: str, text: str) -> str:
    """Return `text` with its comments and docstrings taken out, lines kept."""
    language = language_of(path)
    root = parse(language.suffixes[_suffix(path)], text) if language is not None else None
    if language is None or root is None:
        pattern = _HASH if _suffix(path) in _HASH_SUFFIXES else _SLASHES
        return pattern.sub(lambda found: "\n" * found[0].count("\n"), text)
    lines = text.split("\n")
    for node in walk(root):
        if node.type in language.comments or _is_docstring(node):
            _blank(lines, node)
    return "\n".join(lines)


def deciding(path: str, text: str) -> dict[str, str] | None:
    """Return the deciding parts of a harness file of a language; none without its grammar."""
    language = language_of(path)
    if language is None or language.deciding is None:
        return None
    root = parse(language.suffixes[_suffix(path)], text)
    return language.deciding(root) if root is not None else None


@functools.cache
def _languages() -> dict[str, Language]:
    found = {}
    for _, language in _family.members(PACKAGE, "LANGUAGE"):
        assert isinstance(language, Language)  # noqa: S101 - what the family's files bind
        found.update(dict.fromkeys(language.suffixes, language))
    return found


def language_of(path: str) -> Language | None:
    """Return the language of a file by its suffix; none if none is known."""
    return _languages().get(_suffix(path))


def lacks_grammar(path: str) -> bool:
    """Return whether a file's language is known, and its grammar is not installed."""
    language = language_of(path)
    return language is not None and parse(language.suffixes[_suffix(path)], "") is None


def _suffix(path: str) -> str:
    return os.path.splitext(path)[1].lower()


def _is_docstring(node: "Node") -> bool:
    """Return whether a string stands alone as a statement."""
    return (
        node.type == "string"
        and node.parent is not None
        and node.parent.type == "expression_statement"
    )


def _blank(lines: list[str], node: "Node") -> None:
    """Take a node out of the lines; columns are bytes of UTF-8."""
    (first, start), (last, end) = node.start_point, node.end_point
    for number in range(first, min(last, len(lines) - 1) + 1):
        data = lines[number].encode("utf-8", "replace")
        head = data[:start] if number == first else b""
        tail = data[end:] if number == last else b""
        lines[number] = (head + tail).decode("utf-8", "replace")
