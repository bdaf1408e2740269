"""Source text to a syntax tree, where the grammar is installed.

The grammars are those of the extra `diff`; without one, files of its language
are read as plain text. A tree of broken source is a tree with errors in it.
"""

import importlib
from collections.abc import Iterator

from tree_sitter import Language, Node, Parser

SIZE_LIMIT = 1 << 20
"""Characters of a file that are read by grammar; a longer one is plain text."""
DEPTH_LIMIT = 64
"""Levels of nested blocks and expressions that are told apart."""
_GRAMMARS = {
    "go": ("tree_sitter_go", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "python": ("tree_sitter_python", "language"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
}
_NAMES = frozenset(
    ("identifier", "property_identifier", "field_identifier", "shorthand_property_identifier")
)
_LITERALS = frozenset(
    (
        *("integer", "float", "string", "number", "template_string", "int_literal"),
        *("float_literal", "interpreted_string_literal", "raw_string_literal", "rune_literal"),
    )
)


def parse(grammar: str, text: str) -> Node | None:
    """Return the root of `text`; none without the grammar, or where it is too long."""
    if len(text) > SIZE_LIMIT:
        return None
    module, name = _GRAMMARS[grammar]
    try:
        language = getattr(importlib.import_module(module), name)()
    except ModuleNotFoundError:
        return None
    return Parser(Language(language)).parse(text.encode("utf-8", "replace")).root_node


def source(node: Node | None) -> str:
    """Return a node's text; nothing for no node."""
    return (node.text or b"").decode("utf-8", "replace") if node is not None else ""


def line_of(node: Node) -> int:
    """Return the line, from 1, that a node begins on."""
    return node.start_point[0] + 1


def walk(node: Node, without: frozenset[str] = frozenset()) -> Iterator[Node]:
    """Yield a node and all below it, in order; kinds in `without` are passed over."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if one.type not in without:
            yield one
            waiting.extend(reversed(one.children))


def names_in(node: Node, without: frozenset[str] = frozenset()) -> frozenset[str]:
    """Return the names and members that a node speaks of, those of `without` left out."""
    return frozenset(source(one) for one in walk(node) if one.type in _NAMES) - without


def literals_in(node: Node) -> frozenset[str]:
    """Return the numbers and strings in a node."""
    return frozenset(
        source(one).strip("'\"`")
        for one in walk(node, frozenset(("comment",)))
        if one.type in _LITERALS
    )


def is_literal(node: Node) -> bool:
    """Return whether nothing in a node can change from run to run."""
    return not names_in(node) and not any(
        one.type in ("call", "call_expression") for one in walk(node)
    )


def plain(node: Node) -> str:
    """Return what a node says whatever its layout: its tokens and how they nest."""
    comments = frozenset(("comment",))
    tokens = " ".join(source(one) for one in walk(node, comments) if not one.children)
    return f"{tokens}\n{str(node).replace('(comment)', '').replace('  ', ' ')}"
