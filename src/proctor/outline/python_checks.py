"""How much a Python check pins down."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from proctor.outline.base import Check, Strength, brief
from proctor.outline.grammar import (
    DEPTH_LIMIT,
    is_literal,
    line_of,
    literals_in,
    names_in,
    source,
)

_BROAD = frozenset(("Exception", "BaseException", "object"))
_METHODS = {
    Strength.PRESENT: (
        *("assertIsNotNone", "assertNotEqual", "assertIsInstance", "assertIsNot", "assert_called"),
        *("assertFalse", "assertNotEquals", "assertNoLogs"),
    ),
    Strength.PARTIAL: (
        *("assertIn", "assertNotIn", "assertGreater", "assertGreaterEqual", "assertLess"),
        *("assertLessEqual", "assertRegex", "assertNotRegex", "assertDictContainsSubset"),
        *("assertContains", "assert_any_call", "assert_called_once", "assertLogs", "assertWarns"),
        *("assert_has_calls", "assertTemplateUsed", "assertStartsWith", "assertEndsWith"),
    ),
    Strength.CLOSE: (
        *("assertAlmostEqual", "assertAlmostEquals", "assertCountEqual", "assertItemsEqual"),
        *("assert_allclose", "assert_almost_equal", "assert_array_almost_equal"),
        *("assert_approx_equal", "assertQuerySetEqual"),
    ),
}
_BY_METHOD = {name: strength for strength, names in _METHODS.items() for name in names}
_HELPER = re.compile(r"^_*(?:assert|check|verify|expect|ensure)")
_RAISES = frozenset(("raises", "warns", "assertRaises", "assertRaisesRegex", "assertRaisesMessage"))
_PARTIAL_CALLS = frozenset(
    ("startswith", "endswith", "match", "search", "all", "issubset", "fnmatch")
)
_CLOSE_CALLS = frozenset(("approx", "isclose", "allclose", "array_almost_equal"))
_SIZES = frozenset(("len", "type", "set", "sorted", "bool", "round", "int"))
_TOLERANCE = re.compile(
    r"\b(rel|abs|delta|rtol|atol|rel_tol|abs_tol|places|decimal)\s*=\s*([\d.e+-]+)"
)
_DEFAULT_TOLERANCE = 1e-6


def checks_of_assert(node: Node, ordinary: frozenset[str]) -> Iterator[Check]:
    """Yield the checks of an `assert` statement: one for each part joined by `and`."""
    for asked in node.named_children[:1]:
        for part in _conjuncts(asked):
            yield _check(node if part is asked else part, part, ordinary, strength(part))


def checks_of_call(node: Node, ordinary: frozenset[str]) -> Iterator[Check]:
    """Yield the check that a call makes, if it makes one."""
    name = called(node).rpartition(".")[2]
    arguments = _arguments(node)
    if name in _RAISES:
        yield from raises_check(node, node, ordinary)
    elif name in ("assertTrue", "assert_") and arguments:
        yield _check(node, node, ordinary, strength(arguments[0]))
    elif name == "fail" or _HELPER.match(name):
        empty = name != "fail" and _says_nothing(called(node), arguments)
        found = Strength.NOTHING if empty else _BY_METHOD.get(name, Strength.EXACT)
        yield _check(node, node, ordinary, found)


def _says_nothing(callee: str, arguments: list[Node]) -> bool:
    """Return whether a check compares only literals, or a thing with itself.

    Of a mock's own methods the arguments are compared with what it was called with.
    """
    owner, dot, _ = callee.partition(".")
    if not arguments or (dot and owner not in ("self", "cls")):
        return False
    same = len(arguments) > 1 and source(arguments[0]) == source(arguments[1])
    return same or all(is_literal(one) for one in arguments)


def raises_check(call: Node, body: Node, ordinary: frozenset[str]) -> Iterator[Check]:
    """Yield the check of `with pytest.raises(…)` and its like, with what it is about."""
    if called(call).rpartition(".")[2] not in _RAISES:
        return
    types = tuple(
        name.rpartition(".")[2]
        for one in _arguments(call)[:1]
        for name in source(one).strip("()").replace(" ", "").split(",")
        if name
    )
    exact = "match" in source(call) or called(call).endswith(("Regex", "Message"))
    broad = not types or any(name in _BROAD for name in types)
    if broad:
        found = Strength.PARTIAL if exact else Strength.PRESENT
    else:
        found = Strength.EXACT if exact else Strength.CLOSE
    yield Check(
        text=brief(source(call)),
        line=line_of(call),
        strength=found,
        names=names_in(body, ordinary) or names_in(call, ordinary),
        literals=literals_in(call),
        raises=types,
    )


def strength(node: Node, depth: int = 0) -> Strength:
    """Return how much it says that an expression is true."""
    if depth > DEPTH_LIMIT:
        return Strength.PRESENT
    if node.type == "parenthesized_expression" and node.named_children:
        return strength(node.named_children[0], depth + 1)
    if node.type == "boolean_operator":
        return _of_boolean(node, depth)
    if node.type == "comparison_operator":
        return _of_comparison(node)
    if node.type == "call":
        return _of_call(node)
    never_false = node.type in ("tuple", "lambda") and bool(node.named_children)
    return Strength.NOTHING if never_false or is_literal(node) else Strength.PRESENT


def _of_boolean(node: Node, depth: int) -> Strength:
    sides = [strength(one, depth + 1) for one in (node.named_children[0], node.named_children[-1])]
    if source(node.child_by_field_name("operator")) == "and":
        return max(sides)
    return min(Strength.PARTIAL, *sides)


def called(call: Node) -> str:
    """Return what a call calls, as written."""
    return source(call.child_by_field_name("function"))


def _conjuncts(node: Node) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        one = waiting.pop()
        operator = source(one.child_by_field_name("operator"))
        if one.type == "boolean_operator" and operator == "and":
            waiting += [one.named_children[-1], one.named_children[0]]
        elif one.type == "parenthesized_expression" and len(one.named_children) == 1:
            waiting.append(one.named_children[0])
        else:
            yield one


def _of_comparison(node: Node) -> Strength:
    left, right = node.named_children[0], node.named_children[-1]
    operators = {source(one) for one in node.children if not one.is_named} - {"(", ")"}
    if source(left) == source(right) or (is_literal(left) and is_literal(right)):
        return Strength.NOTHING
    if operators & {"!=", "is not", "<>"} or {"is", "not"} <= operators:
        return Strength.PRESENT
    if not operators & {"==", "is"}:
        return Strength.PARTIAL
    names = {called(one).rpartition(".")[2] for one in (left, right) if one.type == "call"}
    if names & _CLOSE_CALLS:
        return Strength.CLOSE
    return Strength.PARTIAL if names & _SIZES else Strength.EXACT


def _of_call(node: Node) -> Strength:
    name = called(node).rpartition(".")[2]
    if name in _CLOSE_CALLS:
        return Strength.CLOSE
    if name in _PARTIAL_CALLS:
        return Strength.PARTIAL
    return Strength.EXACT if "equal" in name.lower() else Strength.PRESENT


def _check(whole: Node, part: Node, ordinary: frozenset[str], found: Strength) -> Check:
    return Check(
        text=brief(source(whole)),
        line=line_of(part),
        strength=found,
        names=frozenset(n for n in names_in(part, ordinary) if not n.startswith("assert")),
        literals=literals_in(part),
        tolerance=tolerance(source(part)) if found is Strength.CLOSE else None,
    )


def tolerance(text: str) -> float:
    """Return how far off a value may be, the widest that a check names."""
    found = [
        10.0 ** -float(number) if name in ("places", "decimal") else float(number)
        for name, number in _TOLERANCE.findall(text)
        if re.fullmatch(r"\d+(\.\d*)?(e[+-]?\d+)?|\.\d+(e[+-]?\d+)?", number)
    ]
    return max(found, default=_DEFAULT_TOLERANCE)


def _arguments(call: Node) -> list[Node]:
    arguments = call.child_by_field_name("arguments")
    given = arguments.named_children if arguments is not None else []
    return [one for one in given if one.type not in ("keyword_argument", "comment")]
