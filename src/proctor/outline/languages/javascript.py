"""JavaScript and TypeScript: jest, vitest, mocha, node:test and their like."""

import re
from collections.abc import Iterator

import msgspec
from tree_sitter import Node

from proctor.outline.base import Check, Language, Outline, Test, brief
from proctor.outline.grammar import (
    DEPTH_LIMIT,
    line_of,
    literals_in,
    names_in,
    plain,
    source,
    walk,
)
from proctor.outline.javascript_checks import ORDINARY, check_of

_TESTS = frozenset(("it", "test", "specify", "xit", "xtest", "fit", "xspecify"))
_SUITES = frozenset(
    ("describe", "suite", "context", "xdescribe", "fdescribe", "xcontext", "xsuite")
)
_SKIPS = frozenset(("skip", "todo", "failing", "fails", "fixme", "skipIf", "runIf"))
_FUNCTIONS = frozenset(
    (
        *("arrow_function", "function_expression", "function", "function_declaration"),
        *("method_definition", "generator_function", "generator_function_declaration"),
    )
)
_LOOPS = frozenset(("for_statement", "for_in_statement", "while_statement", "do_statement"))
_BRANCHES = frozenset(("if_statement", "switch_statement", "ternary_expression"))
_SKIP_CALL = re.compile(r"^(?:this|t|ctx|context|test|it)\.(?:skip|fixme|todo)$")
_SKIP_OPTION = re.compile(r"\b(?:skip|todo)\s*:(?!\s*(?:false|undefined))")


class _Call(msgspec.Struct, frozen=True):
    """A call that declares a test or a suite."""

    node: Node
    words: tuple[str, ...]
    title: str
    body: Node
    table: Node | None
    marks: str
    """What skips it, as written."""

    @property
    def is_suite(self) -> bool:
        return bool(_SUITES & set(self.words))


class _Where(msgspec.Struct, frozen=True):
    weight: int = 1
    guard: str = ""


class _Reader:
    """Reads one file."""

    def __init__(self) -> None:
        self.tests: list[Test] = []
        self.focused = ""

    def declared(
        self, node: Node, inside: tuple[str, ...], skipped: str, cases: int | None, depth: int = 0
    ) -> None:
        """Note every test that is declared below a node."""
        for call in _declarations(node):
            if "only" in call.words or call.words[0] in ("fit", "fdescribe"):
                self.focused = self.focused or brief(source(call.node).partition("\n")[0])
            marks = skipped or call.marks
            times = _times(cases, call.table)
            if call.is_suite:
                if depth < DEPTH_LIMIT:
                    self.declared(call.body, (*inside, call.title), marks, times, depth + 1)
            else:
                self._test(call, inside, marks, times)

    def helpers(self, root: Node) -> None:
        """Note functions of the file's own level that check something."""
        for node in root.named_children:
            if node.type == "function_declaration":
                checks, _ = _checks(node)
                if checks:
                    name = source(node.child_by_field_name("name"))
                    self.tests.append(
                        Test(name=name, line=line_of(node), checks=checks, is_test=False)
                    )

    def _test(self, call: _Call, inside: tuple[str, ...], skipped: str, cases: int | None) -> None:
        checks, skips = _checks(call.body)
        body = call.body.child_by_field_name("body")
        self.tests.append(
            Test(
                name=" > ".join((*inside, call.title)),
                line=line_of(call.node),
                checks=checks,
                skipped=skipped or skips,
                cases=cases,
                names=names_in(call.body, ORDINARY),
                literals=literals_in(call.node),
                empty=body is not None
                and body.type == "statement_block"
                and all(one.type == "comment" for one in body.named_children),
            )
        )


def _declarations(root: Node) -> Iterator[_Call]:
    """Yield the outermost calls below `root` that declare a test or a suite."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        call = _declaration(node) if node.type == "call_expression" else None
        if call is not None:
            yield call
        else:
            waiting.extend(reversed(node.named_children))


def _declaration(node: Node) -> _Call | None:
    words, table = _words(node.child_by_field_name("function"))
    known = _TESTS | _SUITES
    at = next((n for n, word in enumerate(words) if word in known), None)
    arguments = node.child_by_field_name("arguments")
    if at is None or at > 1 or arguments is None or arguments.type != "arguments":
        return None
    given = [one for one in arguments.named_children if one.type != "comment"]
    body = next((one for one in reversed(given) if one.type in _FUNCTIONS), None)
    options = " ".join(source(one) for one in given if one.type == "object")
    marks = set(words[at:]) & _SKIPS or words[at].startswith("x") or _SKIP_OPTION.search(options)
    if not given or (body is None and not marks):
        return None
    title = source(given[0]).strip("'\"`")
    name = source(node.child_by_field_name("function"))
    return _Call(
        node,
        tuple(words[at:]),
        title,
        body if body is not None else node,
        table,
        brief(f"{name}({source(given[0])}") if marks else "",
    )


def _words(node: Node | None) -> tuple[list[str], Node | None]:
    """Return the words of `a.b.each(TABLE)`, and its table."""
    words: list[str] = []
    table = None
    while node is not None:
        if node.type == "call_expression":
            table = table or node.child_by_field_name("arguments")
            node = node.child_by_field_name("function")
        elif node.type == "member_expression":
            words.append(source(node.child_by_field_name("property")))
            node = node.child_by_field_name("object")
        else:
            words.append(source(node))
            node = None
    return words[::-1], table


def _times(cases: int | None, table: Node | None) -> int | None:
    if table is None or cases is None:
        return cases
    if table.type == "template_string":
        return max(1, source(table).count("\n") - 2)
    first = next(iter(table.named_children), None)
    if first is None or first.type != "array":
        return None
    if any(one.type == "spread_element" for one in first.named_children):
        return None
    return cases * sum(1 for one in first.named_children if one.type != "comment")


def _checks(body: Node) -> tuple[tuple[Check, ...], str]:
    """Return the checks below a node, and what skips it from within."""
    found: list[Check] = []
    skips = ""
    waiting = [(body, _Where(), 0)]
    while waiting:
        node, where, depth = waiting.pop()
        check = check_of(node)
        if check is not None:
            found.append(
                msgspec.structs.replace(
                    check, weight=check.weight * where.weight, guard=check.guard or where.guard
                )
            )
            continue
        if node.type == "call_expression" and not where.guard and not skips:
            name = source(node.child_by_field_name("function"))
            skips = brief(source(node)) if _SKIP_CALL.match(name) else ""
        if depth <= 8 * DEPTH_LIMIT:
            waiting += reversed([(one, at, depth + 1) for one, at in _inner(node, where)])
    return tuple(found), skips


def _inner(node: Node, where: _Where) -> Iterator[tuple[Node, _Where]]:
    """Yield what stands below a node, with what stands around it."""
    returned = False
    for child in node.named_children:
        inner = where
        if node.type == "try_statement" and child.type == "statement_block" and _swallows(node):
            inner = _Where(where.weight, where.guard or "in a `try` that swallows it")
        elif node.type in _BRANCHES:
            inner = _Where(where.weight, where.guard or "in a branch")
        elif node.type in _LOOPS:
            array = node.child_by_field_name("right")
            length = len(array.named_children) if array is not None and array.type == "array" else 1
            inner = _Where(where.weight * max(1, length), where.guard)
        elif returned:
            inner = _Where(where.weight, where.guard or "after a return")
        returned = returned or (node.type == "statement_block" and child.type == "return_statement")
        yield child, inner


def _swallows(node: Node) -> bool:
    handler = node.child_by_field_name("handler")
    if handler is None:
        return False
    return not any(
        one.type == "throw_statement"
        or check_of(one) is not None
        or source(one) in ("fail", "done")
        for one in walk(handler)
    )


def _outline(root: Node) -> Outline:
    reader = _Reader()
    reader.declared(root, (), "", 1)
    reader.helpers(root)
    return Outline(tests=tuple(reader.tests), focused=reader.focused)


def _deciding(root: Node) -> dict[str, str]:
    """Return the part called `test` of a build tool's configuration, else all of it."""
    for node in walk(root):
        key = node.child_by_field_name("key") if node.type == "pair" else None
        if key is not None and source(key).strip("'\"") == "test":
            return {"test": plain(node)}
    return {"": plain(root)}


LANGUAGE = Language(
    suffixes={
        **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs"), "javascript"),
        **dict.fromkeys((".ts", ".mts", ".cts"), "typescript"),
        ".tsx": "tsx",
    },
    outline=_outline,
    comments=frozenset(("comment", "html_comment", "hash_bang_line")),
    deciding=_deciding,
)
