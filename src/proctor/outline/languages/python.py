"""Python: pytest, unittest and plain asserts."""

import re
from collections.abc import Iterator

import msgspec
from tree_sitter import Node

from proctor.outline.base import Check, Language, Outline, Test, brief
from proctor.outline.grammar import DEPTH_LIMIT, line_of, literals_in, names_in, source, walk
from proctor.outline.python_checks import called, checks_of_assert, checks_of_call, raises_check
from proctor.outline.python_hooks import deciding
from proctor.outline.python_module import module_facts

_SKIPS = re.compile(
    r"\b(?:skip(?:if|_?unless|_?if|Test)?|SkipTest|xfail|expectedFailure)\b", re.IGNORECASE
)
_TABLE = re.compile(r"\bparametrize$|\bparameterized(?:\.expand)?$")
_SWALLOWED = frozenset(("Exception", "BaseException", "AssertionError"))
_ORDINARY = frozenset(("self", "cls", "pytest", "assert", "len", "str", "int", "list", "dict"))


class _Where(msgspec.Struct, frozen=True):
    """What stands around a statement."""

    weight: int = 1
    guard: str = ""
    depth: int = 0

    def inside(self, guard: str = "", times: int = 1) -> "_Where":
        """Return what stands around the statements within."""
        return _Where(self.weight * times, self.guard or guard, self.depth + 1)


class _Reader:
    """Reads one module."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self.lists = _literal_lists(root)
        self.tests: list[Test] = []
        self.skipped = ""

    def outline(self) -> Outline:
        """Return the tests of the module."""
        self._definitions(self.root, (), (), depth=0)
        facts = module_facts(self.root)
        return msgspec.structs.replace(facts, tests=tuple(self.tests), skipped=self.skipped)

    def _definitions(
        self, block: Node, inside: tuple[str, ...], marks: tuple[Node, ...], *, depth: int
    ) -> None:
        if depth > DEPTH_LIMIT:
            return
        own = (*marks, *(() if block.type == "module" else _marks_within(block)))
        for child in block.named_children:
            node, around = child, own
            if child.type == "decorated_definition":
                around = (*own, *(n for n in child.named_children if n.type == "decorator"))
                node = child.child_by_field_name("definition") or child
            if node.type == "function_definition":
                self._function(node, inside, around)
            elif node.type == "class_definition":
                body = node.child_by_field_name("body") or node
                self._definitions(body, (*inside, _name(node)), around, depth=depth + 1)
            elif block.type == "module" or not inside:
                self._statement(node, depth)

    def _statement(self, node: Node, depth: int) -> None:
        """Note a statement of the module that skips it; look into its branches."""
        text = source(node)
        if node.type in ("if_statement", "try_statement", "with_statement", "else_clause", "block",
                         "elif_clause", "except_clause"):  # fmt: skip
            self._definitions(node, (), (), depth=depth + 1)
        elif _skips_module(text):
            self.skipped = self.skipped or brief(text)

    def _function(self, node: Node, inside: tuple[str, ...], marks: tuple[Node, ...]) -> None:
        name, body = _name(node), node.child_by_field_name("body") or node
        checks: list[Check] = []
        skips = [brief(source(mark)) for mark in marks if _SKIPS.search(_callee(mark))]
        self._block(body, _Where(), checks, skips)
        is_test = name.startswith("test")
        if not is_test and not checks:
            return
        literals = literals_in(node).union(*(literals_in(mark) for mark in marks))
        self.tests.append(
            Test(
                name=" > ".join((*inside, name)),
                line=line_of(node),
                checks=tuple(checks),
                is_test=is_test,
                skipped=skips[0] if skips else "",
                cases=self._cases(marks),
                names=names_in(body, _ORDINARY),
                literals=literals,
                empty=all(_does_nothing(child) for child in body.named_children),
            )
        )

    def _block(self, block: Node, where: _Where, checks: list[Check], skips: list[str]) -> None:
        if where.depth > DEPTH_LIMIT:
            return
        for child in block.named_children:
            self._within(child, where, checks, skips)
            if child.type == "return_statement":
                where = where.inside("after a return")

    def _within(self, node: Node, where: _Where, checks: list[Check], skips: list[str]) -> None:
        if node.type == "assert_statement":
            checks += _placed(checks_of_assert(node, _ORDINARY), where)
        elif node.type in ("expression_statement", "raise_statement"):
            self._expression(node, where, checks, skips)
        elif node.type == "with_statement":
            self._with(node, where, checks, skips)
        elif node.type == "try_statement":
            self._try(node, where, checks, skips)
        elif node.type in ("for_statement", "while_statement"):
            times = self._length(node.child_by_field_name("right")) or 1
            self._body(node, where.inside(times=times), checks, skips)
        elif node.type in ("if_statement", "match_statement", "case_clause"):
            self._body(node, where.inside("in a branch"), checks, skips)
        elif node.type in ("function_definition", "decorated_definition", "class_definition"):
            self._body(node, where.inside(), checks, skips)

    def _body(self, node: Node, where: _Where, checks: list[Check], skips: list[str]) -> None:
        for child in node.named_children:
            if child.type == "block":
                self._block(child, where, checks, skips)
            elif child.type.endswith("_clause") or child.type.endswith("_definition"):
                self._body(child, where.inside(), checks, skips)

    def _expression(self, node: Node, where: _Where, checks: list[Check], skips: list[str]) -> None:
        text = source(node)
        if _SKIPS.search(text.partition("(")[0]) and node.named_children:
            if not where.guard:
                skips.append(brief(text))
            return
        value = node.named_children[0] if node.named_children else node
        if value.type == "await" and value.named_children:
            value = value.named_children[0]
        if value.type == "call":
            checks += _placed(checks_of_call(value, _ORDINARY), where)

    def _with(self, node: Node, where: _Where, checks: list[Check], skips: list[str]) -> None:
        body = node.child_by_field_name("body") or node
        inner = where
        for item in walk(node, frozenset(("block",))):
            if item.type != "call":
                continue
            if called(item).endswith("suppress"):
                inner = inner.inside("below `suppress`")
            elif _expects_failure(item):
                inner = inner.inside(f"below `{brief(source(item))}`")
            checks += _placed(raises_check(item, body, _ORDINARY), where)
        self._block(body, inner.inside(), checks, skips)

    def _try(self, node: Node, where: _Where, checks: list[Check], skips: list[str]) -> None:
        swallowed = any(_swallows(clause) for clause in node.named_children)
        for child in node.named_children:
            if child.type == "block":
                guard = "in a `try` that swallows it" if swallowed else ""
                self._block(child, where.inside(guard), checks, skips)
            else:
                self._body(child, where.inside(), checks, skips)

    def _cases(self, marks: tuple[Node, ...]) -> int | None:
        cases: int | None = 1
        for mark in marks:
            if not _TABLE.search(_callee(mark)):
                continue
            length = self._length(_table(mark))
            cases = None if cases is None or length is None else cases * length
        return cases

    def _length(self, node: Node | None) -> int | None:
        """Return how many elements a list has, as written; none where it is not."""
        if node is None:
            return None
        if node.type == "identifier":
            return self.lists.get(source(node))
        if node.type in ("list", "tuple", "set", "dictionary"):
            items = [one for one in node.named_children if one.type != "comment"]
            if any(one.type == "list_splat" for one in items):
                return None
            return sum(
                1 for one in items if not (one.type == "call" and _SKIPS.search(source(one)))
            )
        return None


def _placed(checks: Iterator[Check], where: _Where) -> list[Check]:
    return [
        msgspec.structs.replace(check, weight=check.weight * where.weight, guard=where.guard)
        for check in checks
    ]


def _literal_lists(root: Node) -> dict[str, int]:
    """Return the length of each list that the module binds to a name."""
    found: dict[str, int] = {}
    for statement in root.named_children:
        for node in statement.named_children:
            right = node.child_by_field_name("right") if node.type == "assignment" else None
            if right is not None and right.type in ("list", "tuple"):
                found[source(node.child_by_field_name("left"))] = len(
                    [one for one in right.named_children if one.type != "comment"]
                )
    return found


def _marks_within(block: Node) -> Iterator[Node]:
    """Yield the marks that a class binds to `pytestmark`."""
    for child in block.named_children:
        if child.type == "expression_statement" and source(child).startswith("pytestmark"):
            yield child


def _callee(mark: Node) -> str:
    """Return what a decorator calls, or the whole of a `pytestmark`."""
    text = source(mark)
    return text.partition("(")[0] if mark.type == "decorator" else text


def _table(mark: Node) -> Node | None:
    for node in walk(mark):
        if node.type == "argument_list":
            values = [one for one in node.named_children if one.type != "comment"]
            for one in values:
                if one.type == "keyword_argument" and source(one).startswith(
                    ("argvalues", "input")
                ):
                    return one.child_by_field_name("value")
            plain = [one for one in values if one.type != "keyword_argument"]
            return plain[1] if len(plain) > 1 else next(iter(plain), None)
    return None


def _swallows(clause: Node) -> bool:
    """Return whether an `except` clause makes a failing check pass."""
    if clause.type != "except_clause":
        return False
    block = next((one for one in clause.named_children if one.type == "block"), None)
    caught = [one for one in clause.named_children if one.type != "block"]
    broad = not caught or any(name in _SWALLOWED for one in caught for name in names_in(one))
    return broad and not any(
        one.type in ("raise_statement", "assert_statement")
        or (one.type == "call" and called(one).rpartition(".")[2] in ("fail", "exit"))
        for one in (walk(block) if block is not None else ())
    )


def _expects_failure(call: Node) -> bool:
    """Return whether what fails within is just what is wanted."""
    arguments = call.child_by_field_name("arguments")
    is_expected = called(call).rpartition(".")[2] in ("raises", "assertRaises")
    return is_expected and arguments is not None and bool(_SWALLOWED & names_in(arguments))


def _skips_module(text: str) -> bool:
    if text.startswith(("pytestmark", "__test__")):
        return bool(_SKIPS.search(text)) or text.replace(" ", "") == "__test__=False"
    return "allow_module_level" in text or text.startswith(
        ("raise SkipTest", "raise unittest.Skip")
    )


def _does_nothing(node: Node) -> bool:
    if node.type in ("pass_statement", "comment", "return_statement"):
        return True
    inner = node.named_children
    return (
        node.type == "expression_statement"
        and len(inner) == 1
        and inner[0].type in ("string", "ellipsis")
    )


def _name(node: Node) -> str:
    return source(node.child_by_field_name("name"))


def _outline(root: Node) -> Outline:
    return _Reader(root).outline()


LANGUAGE = Language(
    suffixes={".py": "python", ".pyi": "python"}, outline=_outline, deciding=deciding
)
