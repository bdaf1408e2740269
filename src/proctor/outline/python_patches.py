"""What a Python test puts in the place of its own assertions, or of what it then checks."""

import functools
import sys
from collections.abc import Iterator

from tree_sitter import Node

from proctor.outline.base import brief
from proctor.outline.grammar import source, walk
from proctor.outline.python_checks import called

_PATCHES = ("patch", "patch.object", "monkeypatch.setattr", "mocker.patch", "mocker.patch.object")

_UNDONE = ("monkeypatch.undo", "mocker.stopall", "patch.stopall", "mock.patch.stopall")


def _is_assertion(name: str) -> bool:
    """Return whether a name is that of one of unittest's assertions."""
    return name.startswith(("assert", "fail")) and name in _assertions()


@functools.cache
def _assertions() -> frozenset[str]:
    # NOTE: loaded where a name asks for it: most files speak of none, and it takes long.
    import unittest

    names = dir(unittest.TestCase)
    return frozenset(name for name in names if name.startswith("assert") or name == "fail")


def patched(root: Node) -> Iterator[str]:
    """Yield what takes an assertion's place in a class, and each patch of what is checked."""
    for node in walk(root):
        if node.type == "class_definition":
            yield from _own_assertions(node)
        elif node.type == "function_definition":
            yield from _checked_patches(node)


def _own_assertions(node: Node) -> Iterator[str]:
    """Yield unittest's assertions that a class defines anew, and asks no longer."""
    body = node.child_by_field_name("body")
    for child in body.named_children if body is not None else ():
        method = child.child_by_field_name("definition") or child
        name = source(method.child_by_field_name("name"))
        if method.type == "function_definition" and _is_assertion(name):
            text = source(method)
            if "super()" not in text and f".{name}(" not in text:
                yield brief(f"def {name} in {source(node.child_by_field_name('name'))}")


def _checked_patches(function: Node) -> Iterator[str]:
    """Yield patches of the very function whose answer the test asserts while they last.

    `requests.get.assert_called_once()` asks about the stand-in, and is none; nor is a
    patch of Python's own library, which is not what the test is about, nor a spy.
    """
    decorated = function.parent
    around = (
        decorated
        if decorated is not None and decorated.type == "decorated_definition"
        else function
    )
    calls = [(target, call) for call in walk(around) if (target := _target(call))]
    asked = list(_asked(function)) if calls else []
    found: dict[str, Node] = {}
    for target, call in calls:
        if target.partition(".")[0] not in sys.stdlib_module_names and not _is_spy(target, call):
            begin, end = _lasts(call, function)
            if any(name == target and begin <= place < end for name, place in asked):
                found[target] = call
    for call in found.values():
        yield brief(source(call))


def _lasts(call: Node, function: Node) -> tuple[int, int]:
    """Return from where to where in the source a patch is in force."""
    if call.start_byte < function.start_byte:
        return function.start_byte, function.end_byte
    node: Node | None = call
    while node is not None and node.type not in ("with_clause", "block"):
        node = node.parent
    block = node.parent if node is not None and node.type == "with_clause" else None
    end = (block or function).end_byte
    undone = [
        one.start_byte
        for one in walk(function)
        if one.type == "call" and called(one) in _UNDONE and one.start_byte > call.start_byte
    ]
    return call.start_byte, min([end, *undone])


def _is_spy(target: str, call: Node) -> bool:
    """Return whether a patch hands each call on to what it patches: `wraps=calc.add`."""
    arguments = call.child_by_field_name("arguments")
    given = {
        source(one.child_by_field_name("name")): source(one.child_by_field_name("value"))
        for one in (arguments.named_children if arguments is not None else ())
        if one.type == "keyword_argument"
    }
    return given.pop("wraps", "") == target and given.keys() <= {"autospec", "spec"}


def _target(call: Node) -> str:
    """Return `module.name` of what a call patches; nothing where it patches nothing."""
    name = called(call) if call.type == "call" else ""
    if not any(name == one or name.endswith(f".{one}") for one in _PATCHES):
        return ""
    arguments = call.child_by_field_name("arguments")
    given = arguments.named_children if arguments is not None else []
    words = [source(one).strip("\"'") for one in given[:2]]
    if not given or given[0].type == "string":
        return words[0] if words else ""
    return ".".join(words) if len(given) > 1 and given[1].type == "string" else ""


def _asked(function: Node) -> Iterator[tuple[str, int]]:
    """Yield what is called within the assertions of a function, and where."""
    for node in walk(function):
        if node.type == "assert_statement" or (
            node.type == "call" and _is_assertion(called(node).rpartition(".")[2])
        ):
            for inner in walk(node):
                if inner.type == "call" and inner is not node:
                    yield called(inner), inner.start_byte
