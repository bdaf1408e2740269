"""Go: the testing package's idiom, and testify."""

import re
from collections.abc import Iterator

import msgspec
from tree_sitter import Node

from proctor.outline.base import Check, Language, Outline, Strength, Test, brief
from proctor.outline.grammar import (
    DEPTH_LIMIT,
    is_literal,
    line_of,
    literals_in,
    names_in,
    plain,
    source,
    walk,
)

_TESTS = re.compile(r"^(?:Test|Fuzz|Benchmark|Example)(?![a-z])")
_FAILING = re.compile(r"^\w+\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)$|^panic$")
_ENDS = re.compile(r"\b[Ee]xit\w*\(")
_SKIPPING = re.compile(r"^\w+\.(?:Skip|Skipf|SkipNow)$")
_LIBRARY = re.compile(r"^(?:assert|require|is|qt|c|should|check)\.([A-Z]\w*)$")
_PRESENT = re.compile(
    r"^(?:NotNil|NotEmpty|NotEqual|NotZero|Error|IsType|Implements|Panics|True)f?$"
)
_PARTIAL = re.compile(
    r"^(?:Contains|Subset|Len|Greater\w*|Less\w*|Regexp|ErrorContains|Positive|Eventually|HasPrefix)f?$"
)
_CLOSE = re.compile(r"^(?:InDelta\w*|InEpsilon\w*|WithinDuration|ElementsMatch|ErrorAs|ErrorIs)f?$")
_ORDINARY = frozenset(("t", "b", "assert", "require", "nil", "Errorf", "Fatalf", "Equal", "err"))
_EXACT_CALLS = re.compile(r"\b(?:DeepEqual|Equal|EqualFold|Is)\($")
_PART_CALLS = re.compile(r"\b(?:Contains|HasPrefix|HasSuffix|Match\w*)\($")
_CONSTRAINT = re.compile(r"^//(?:go:build|\s*\+build)\s+(.+)$", re.MULTILINE)


def _outline(root: Node) -> Outline:
    tests = []
    for node in root.named_children:
        body = node.child_by_field_name("body")
        if node.type not in ("function_declaration", "method_declaration") or body is None:
            continue
        name = source(node.child_by_field_name("name"))
        checks, skips = _checks(body)
        is_test = bool(_TESTS.match(name)) and name != "TestMain"
        if is_test or checks:
            tests.append(
                Test(
                    name=name,
                    line=line_of(node),
                    checks=tuple(checks),
                    is_test=is_test,
                    skipped=skips,
                    cases=_cases(body),
                    names=names_in(body, _ORDINARY),
                    literals=literals_in(node),
                    empty=not any(one.type != "comment" for one in _statements(body)),
                )
            )
    found = _CONSTRAINT.search(source(root).partition("\npackage ")[0])
    return Outline(tests=tuple(tests), skipped=f"//go:build {found[1].strip()}" if found else "")


def _statements(body: Node) -> Iterator[Node]:
    for child in body.named_children:
        if child.type == "statement_list":
            yield from child.named_children


def _cases(body: Node) -> int | None:
    """Return the elements of the tables that a test loops over, multiplied."""
    lengths: dict[str, int] = {}
    for node in walk(body):
        if node.type in ("short_var_declaration", "assignment_statement", "var_spec"):
            literal = next((one for one in walk(node) if one.type == "composite_literal"), None)
            kind = literal.child_by_field_name("type") if literal is not None else None
            value = literal.child_by_field_name("body") if literal is not None else None
            if kind is not None and value is not None and kind.type in ("slice_type", "map_type"):
                name = re.split(r"\s*(?::=|=|\[)", source(node), maxsplit=1)[0].split()[0]
                lengths[name] = sum(1 for one in value.named_children if one.type != "comment")
    cases = 1
    for node in walk(body):
        if node.type == "range_clause":
            cases *= max(1, lengths.get(source(node.child_by_field_name("right")), 1))
    return cases


def _checks(body: Node) -> tuple[list[Check], str]:
    found: list[Check] = []
    skips = ""
    waiting: list[tuple[Node, str, int]] = [(body, "", 0)]
    while waiting:
        node, guard, depth = waiting.pop()
        name = (
            source(node.child_by_field_name("function")) if node.type == "call_expression" else ""
        )
        if node.type == "if_statement" and _fails(node):
            found += _of_condition(node, guard)
            other = node.child_by_field_name("alternative")
            waiting += [(other, guard, depth + 1)] if other is not None else []
            continue
        if _FAILING.match(name):
            found.append(_check(node, Strength.EXACT, guard))
        elif _LIBRARY.match(name):
            found.append(_check(node, _of_library(node, name), guard))
        elif _SKIPPING.match(name) and not guard:
            skips = skips or brief(source(node))
        if depth <= 8 * DEPTH_LIMIT:
            inner = guard or ("in a branch" if node.type == "if_statement" else "")
            waiting += [(one, inner, depth + 1) for one in reversed(node.named_children)]
    return found, skips


def _fails(node: Node) -> bool:
    """Return whether an `if` directly fails the test where its condition holds."""
    block = node.child_by_field_name("consequence")
    return block is not None and any(
        one.type == "expression_statement"
        and one.named_children
        and _FAILING.match(source(one.named_children[0].child_by_field_name("function")))
        for one in _statements(block)
    )


def _of_condition(node: Node, guard: str) -> Iterator[Check]:
    """Yield the checks of `if CONDITION { t.Fatal(…) }`: one for each part joined by `||`."""
    condition = node.child_by_field_name("condition")
    setting = node.child_by_field_name("initializer")
    waiting = [condition] if condition is not None else []
    while waiting:
        one = waiting.pop()
        if one.type == "binary_expression" and source(one.child_by_field_name("operator")) == "||":
            waiting += [one.named_children[-1], one.named_children[0]]
            continue
        names = names_in(one, _ORDINARY)
        if setting is not None:
            names |= names_in(setting, _ORDINARY)
        yield Check(
            text=brief(f"if {source(one)}"),
            line=line_of(node),
            strength=_when_false(one),
            names=names,
            literals=literals_in(one),
            guard=guard,
        )


def _when_false(node: Node, depth: int = 0) -> Strength:
    """Return how much it says that a condition does not hold."""
    if depth > DEPTH_LIMIT:
        return Strength.PARTIAL
    if node.type == "parenthesized_expression" and node.named_children:
        return _when_false(node.named_children[0], depth + 1)
    if node.type == "binary_expression":
        return _of_binary(node, depth)
    text = source(node)
    head = text[1:].partition("(")[0] + "(" if text.startswith("!") else ""
    if _EXACT_CALLS.search(head):
        return Strength.EXACT
    if _PART_CALLS.search(head):
        return Strength.PARTIAL
    return Strength.NOTHING if text == "false" else Strength.PRESENT


def _of_binary(node: Node, depth: int) -> Strength:
    operator = source(node.child_by_field_name("operator"))
    left, right = node.named_children[0], node.named_children[-1]
    if operator == "&&":
        return min(Strength.PARTIAL, _when_false(left, depth + 1), _when_false(right, depth + 1))
    if source(left) == source(right) or is_literal(node):
        return Strength.NOTHING
    if operator == "!=":
        return Strength.PARTIAL if source(left).startswith("len(") else Strength.EXACT
    return Strength.PRESENT if operator == "==" else Strength.PARTIAL


def _of_library(node: Node, name: str) -> Strength:
    method = name.rpartition(".")[2]
    arguments = node.child_by_field_name("arguments")
    given = list(arguments.named_children) if arguments is not None else []
    values = given[1:] if given and source(given[0]) in ("t", "b", "tt", "s.T()") else given
    if values and all(is_literal(one) and source(one) != "nil" for one in values[:2]):
        return Strength.NOTHING
    if len(values) > 1 and source(values[0]) == source(values[1]):
        return Strength.NOTHING
    if method in ("True", "Truef") and values and values[0].type == "binary_expression":
        operator = source(values[0].child_by_field_name("operator"))
        return {"==": Strength.EXACT, "!=": Strength.PRESENT}.get(operator, Strength.PARTIAL)
    for pattern, strength in (
        (_PRESENT, Strength.PRESENT),
        (_PARTIAL, Strength.PARTIAL),
        (_CLOSE, Strength.CLOSE),
    ):
        if pattern.match(method):
            return strength
    return Strength.EXACT


def _check(node: Node, strength: Strength, guard: str) -> Check:
    return msgspec.structs.replace(
        Check(
            text=brief(source(node)),
            line=line_of(node),
            strength=strength,
            names=names_in(node, _ORDINARY),
            literals=literals_in(node),
        ),
        guard=guard,
    )


def _deciding(root: Node) -> dict[str, str]:
    """Return `TestMain`, an `init` that ends the process, and every function they speak of."""
    functions = {
        source(node.child_by_field_name("name")): node
        for node in root.named_children
        if node.type == "function_declaration"
    }
    found: dict[str, str] = {}
    begin = functions.get("init")
    ends = begin is not None and _ENDS.search(source(begin)) is not None
    waiting = ["TestMain", *(["init"] if ends else [])]
    while waiting:
        node = functions.pop(waiting.pop(), None)
        if node is not None:
            found[source(node.child_by_field_name("name"))] = plain(node)
            waiting += names_in(node)
    return found


LANGUAGE = Language(suffixes={".go": "go"}, outline=_outline, deciding=_deciding)
