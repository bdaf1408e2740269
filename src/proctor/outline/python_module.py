"""What a Python module binds at its top, and what it puts in the place of other modules' things."""

from collections.abc import Iterator

from tree_sitter import Node

from proctor.outline.base import Outline, brief
from proctor.outline.grammar import source, walk
from proctor.outline.python_checks import called
from proctor.outline.python_patches import patched

_DEFINITIONS = ("function_definition", "class_definition")


def module_facts(root: Node) -> Outline:
    """Return the outline's members that are about the module as a whole."""
    imported: dict[str, str] = {}
    optional: dict[str, str] = {}
    for node in root.named_children:
        if node.type in ("import_statement", "import_from_statement"):
            imported |= dict(_imports(node))
        for call in walk(node) if node.type == "expression_statement" else ():
            if call.type == "call" and called(call).endswith("importorskip"):
                optional |= {name: brief(source(call)) for name in _first_string(call)}
    defined = frozenset(_defined(root))
    bound = imported.keys() | _bound_by_skip(root)
    overridden = (*_overridden(root, bound, defined), *patched(root))
    return Outline(imported=imported, optional=optional, defined=defined, overridden=overridden)


def _imports(node: Node) -> Iterator[tuple[str, str]]:
    """Yield each name that an import binds, and its module."""
    origin = node.child_by_field_name("module_name")
    for child in node.children_by_field_name("name"):
        bound = child.child_by_field_name("alias") or child
        meant = child.child_by_field_name("name") or child
        name = source(bound) if bound is not child else source(meant).partition(".")[0]
        yield name, source(origin) if origin is not None else source(meant)


def _first_string(call: Node) -> Iterator[str]:
    arguments = call.child_by_field_name("arguments")
    first = next(iter(arguments.named_children), None) if arguments is not None else None
    if first is not None and first.type == "string":
        yield source(first).strip("\"'")


def _bound_by_skip(root: Node) -> set[str]:
    return {
        source(left)
        for left, right in _assignments(root)
        if right.type == "call" and called(right).endswith("importorskip")
    }


def _defined(root: Node) -> Iterator[str]:
    for node in root.named_children:
        inner = node.child_by_field_name("definition") or node
        if inner.type in _DEFINITIONS:
            yield source(inner.child_by_field_name("name"))
    for left, right in _assignments(root):
        if left.type == "identifier" and right.type != "call":
            yield source(left)


def _assignments(root: Node) -> Iterator[tuple[Node, Node]]:
    for statement in root.named_children:
        for node in statement.named_children:
            left, right = (node.child_by_field_name(name) for name in ("left", "right"))
            if node.type == "assignment" and left is not None and right is not None:
                yield left, right


def _overridden(root: Node, imported: set[str], defined: frozenset[str]) -> Iterator[str]:
    """Yield `module.name = …` where something callable of the file's own is put there."""
    for left, right in _assignments(root):
        holder = left.child_by_field_name("object") if left.type == "attribute" else None
        if holder is not None and _root_of(holder) in imported and _is_own(right, defined):
            yield brief(f"{source(left)} = {source(right)}")
    for statement in root.named_children:
        for call in statement.named_children if statement.type == "expression_statement" else ():
            arguments = call.child_by_field_name("arguments")
            given = arguments.named_children if arguments is not None else []
            if called(call) == "setattr" and len(given) == 3 and _root_of(given[0]) in imported:
                yield brief(source(call))


def _root_of(node: Node) -> str:
    return source(node).partition(".")[0]


def _is_own(node: Node, defined: frozenset[str]) -> bool:
    if node.type == "call":
        return "Mock" in called(node)
    return node.type == "lambda" or (node.type == "identifier" and source(node) in defined)
