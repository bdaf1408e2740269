"""The parts of a conftest or a plugin that decide which tests run and what is reported.

Hooks, automatic fixtures, fixtures that skip or end the process, statements that
do more than bind a plain name, and every function and class that one of these
speaks of.
"""

import re

from tree_sitter import Node

from proctor.outline.base import brief
from proctor.outline.grammar import names_in, plain, source

_LISTS = ("collect_ignore", "pytest_plugins", "pytestmark", "__test__")
_ENDING = re.compile(r"\b(?:skip|xfail|exit|_exit|kill|abort|exitstatus|outcome|deselected)\b")


def deciding(root: Node) -> dict[str, str]:
    """Return the deciding parts of a module, by name; their text without comments."""
    decisive: dict[str, str] = {}
    others: dict[str, Node] = {}
    for child in root.named_children:
        name = _name(child)
        if child.type in ("function_definition", "decorated_definition", "class_definition"):
            if _decides(child, name):
                decisive[name] = plain(child)
            else:
                others[name] = child
        elif child.type == "expression_statement" and _is_plain(child):
            for bound in names_in(child.named_children[0].named_children[0]):
                others[bound] = child
        elif not _is_harmless(child):
            decisive[name or brief(source(child))] = plain(child)
    return _closed(root, decisive, others)


def _closed(root: Node, decisive: dict[str, str], others: dict[str, Node]) -> dict[str, str]:
    """Return the parts and everything in the module that they speak of."""
    known = {_name(child): child for child in root.named_children}
    waiting = [known[name] for name in decisive if name in known]
    while waiting:
        for name in names_in(waiting.pop()):
            if name in others:
                node = others.pop(name)
                decisive[name] = plain(node)
                waiting.append(node)
    return decisive


def _decides(node: Node, name: str) -> bool:
    text = source(node)
    if name.startswith("pytest_") or "hookimpl" in text or "autouse" in text:
        return True
    return "fixture" in text.partition("def ")[0] and bool(_ENDING.search(text))


def _is_harmless(node: Node) -> bool:
    """Return whether a statement is a comment, or an import of named things."""
    if node.type == "import_from_statement":
        return "*" not in source(node).partition("import")[2]
    return node.type in ("comment", "import_statement", "future_import_statement")


def _is_plain(node: Node) -> bool:
    """Return whether a statement only binds a name to a value, or is a docstring."""
    inner = node.named_children[0] if node.named_children else node
    if inner.type != "assignment":
        return inner.type == "string"
    left = inner.child_by_field_name("left")
    return (
        left is not None
        and left.type == "identifier"
        and not source(left).startswith(_LISTS)
        and inner.named_children[0] == left
    )


def _name(node: Node) -> str:
    if node.type == "decorated_definition":
        node = node.child_by_field_name("definition") or node
    if node.type == "expression_statement" and node.named_children:
        return source(node.named_children[0].child_by_field_name("left"))
    return source(node.child_by_field_name("name"))
