"""How much a JavaScript check pins down: expect, chai, node:assert, ava, tap."""

import re

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

ORDINARY = frozenset(
    (
        *(
            "expect",
            "assert",
            "t",
            "toBe",
            "toEqual",
            "toStrictEqual",
            "not",
            "to",
            "be",
            "console",
        ),
        *("resolves", "rejects", "async", "undefined", "length", "equal", "strictEqual"),
    )
)
"""Names that say nothing about what is tested."""
_PRESENT = re.compile(
    r"^(?:toBeTruthy|toBeFalsy|toBeDefined|toBeInstanceOf|toHaveBeenCalled|toBeTypeOf|toBeVisible"
    r"|toBeInTheDocument|ok|exist|defined|truthy|falsy|notEqual|notStrictEqual|notDeepEqual|isOk"
    r"|isDefined|exists|isObject|isString|isNumber|isArray|instanceOf|notOk|isNotNull|not|an?)$"
)
_PARTIAL = re.compile(
    r"^(?:toContain\w*|toMatchObject|toMatch|toHaveLength|toHaveProperty|toBe(?:Greater|Less)\w*"
    r"|toHaveBeenCalledTimes|include\w*|contain\w*|match|isAbove|isBelow|isAtLeast|isAtMost|above"
    r"|below|least|most|greaterThan|lessThan|lengthOf|property|partialDeepStrictEqual|members|keys)$"
)
_CLOSE = re.compile(r"^(?:toBeCloseTo|closeTo|approximately|doesNotThrow|isRejected|eventually)$")
_THROWS = re.compile(r"^(?:toThrow\w*|throws?|rejects|throwsAsync)$")


def check_of(node: Node) -> Check | None:
    """Return the check that an expression makes, none if it makes none."""
    if node.type not in ("call_expression", "member_expression"):
        return None
    words, subject, arguments = _chain(node)
    if words[0] == "expect" and subject is not None:
        return _made(node, subject, words[1:], arguments) if len(words) > 1 else None
    if node.type == "call_expression" and _asserts(words):
        return _of_assert(node, words, arguments)
    return None


def strength(node: Node, depth: int = 0) -> Strength:
    """Return how much it says that an expression is true."""
    if depth > DEPTH_LIMIT:
        return Strength.PRESENT
    if node.type == "parenthesized_expression" and node.named_children:
        return strength(node.named_children[0], depth + 1)
    if is_literal(node):
        return Strength.NOTHING
    return _of_binary(node, depth) if node.type == "binary_expression" else Strength.PRESENT


def _of_binary(node: Node, depth: int) -> Strength:
    left, right = node.named_children[0], node.named_children[-1]
    operator = source(node.child_by_field_name("operator"))
    if operator in ("||", "??", "&&"):
        sides = (strength(left, depth + 1), strength(right, depth + 1))
        return max(sides) if operator == "&&" else min(Strength.PARTIAL, *sides)
    if source(left) == source(right):
        return Strength.NOTHING
    if operator in ("===", "=="):
        return Strength.EXACT
    return Strength.PRESENT if operator in ("!==", "!=") else Strength.PARTIAL


def _chain(node: Node) -> tuple[list[str], Node | None, list[Node] | None]:
    """Return the words of a chain, the arguments of its `expect`, and the last arguments."""
    words: list[str] = []
    subject, last = None, None
    at: Node | None = node
    while at is not None:
        if at.type == "call_expression":
            function = at.child_by_field_name("function")
            arguments = at.child_by_field_name("arguments")
            if source(function) == "expect" and arguments is not None:
                subject = arguments
            elif last is None and not words:
                last = _given(arguments)
            at = function
        elif at.type == "member_expression":
            words.append(source(at.child_by_field_name("property")))
            at = at.child_by_field_name("object")
        else:
            words.append(source(at) if at.type == "identifier" else "")
            at = None
    return words[::-1], subject, last


def _given(arguments: Node | None) -> list[Node]:
    return [one for one in arguments.named_children if one.type != "comment"] if arguments else []


def _asserts(words: list[str]) -> bool:
    if words[0] in ("assert", "should", "chai") or words[0].startswith(("assert", "verify")):
        return True
    if words[0].startswith("expect") and len(words[0]) > len("expect"):
        return True
    if words[0] not in ("t", "tap", "test") or len(words) != 2:
        return False
    name = words[1]
    return (
        bool(
            name in ("is", "deepEqual", "equal", "same", "fail", "equals", "true", "false", "like")
            or any(kind.match(name) for kind in (_PRESENT, _PARTIAL, _CLOSE, _THROWS))
        )
        and name != "not"
    )


def _made(node: Node, subject: Node, words: list[str], arguments: list[Node] | None) -> Check:
    inner = _given(subject)
    given = arguments or []
    matcher = words[-1]
    negated = "not" in words[:-1]
    found = _of_matcher(matcher, given, called=arguments is not None)
    if negated:
        found = Strength.EXACT if found is Strength.PRESENT else Strength.PRESENT
    constant = bool(inner) and all(is_literal(one) for one in (*inner, *given))
    if constant or (len(given) == 1 and len(inner) == 1 and source(given[0]) == source(inner[0])):
        found = Strength.NOTHING
    return _check(node, found, given)


def _of_matcher(name: str, given: list[Node], *, called: bool) -> Strength:
    text = " ".join(source(one) for one in given)
    if _THROWS.match(name):
        return _of_throws(text)
    if not called:
        return Strength.PRESENT if _PRESENT.match(name) else Strength.EXACT
    if "expect.anything" in text or _PRESENT.match(name):
        return Strength.PRESENT
    if _PARTIAL.match(name) or re.search(r"expect\.(?:any|\w+Containing|stringMatching)\(", text):
        return Strength.PARTIAL
    return Strength.CLOSE if _CLOSE.match(name) else Strength.EXACT


def _of_throws(text: str) -> Strength:
    if text in ("", "Error"):
        return Strength.PRESENT
    return Strength.CLOSE if re.fullmatch(r"[A-Z]\w*", text) else Strength.EXACT


def _of_assert(node: Node, words: list[str], arguments: list[Node] | None) -> Check:
    given = arguments or []
    name = words[-1]
    if name in ("assert", "ok", "isTrue", "true") and given:
        return _check(node, strength(given[0]), given[1:])
    found = _of_matcher(name, given[1:] if _THROWS.match(name) else given, called=True)
    if len(given) > 1 and source(given[0]) == source(given[1]):
        found = Strength.NOTHING
    if name != "fail" and given and all(is_literal(one) for one in given):
        found = Strength.NOTHING
    return _check(node, found, given)


def _check(node: Node, found: Strength, given: list[Node]) -> Check:
    tolerance = None
    if found is Strength.CLOSE:
        digits = next((source(one) for one in given[1:2] if source(one).isdecimal()), "2")
        tolerance = 10.0 ** -min(int(digits), 99)
    return Check(
        text=brief(source(node)),
        line=line_of(node),
        strength=found,
        names=frozenset(
            name
            for name in names_in(node, ORDINARY)
            if not re.match(r"to[A-Z]|assert|expect", name)
        ),
        literals=literals_in(node),
        tolerance=tolerance,
    )
