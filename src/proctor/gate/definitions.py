"""Which functions a Python file defines, and the words that each one is made of.

Two tests that check the same thing in other clothes (renamed, moved, merged into
one with parameters) share their words: the names they call and the values they
compare, local names aside. Text that cannot be parsed defines nothing.
"""

import ast
import builtins
import re
from collections.abc import Iterator

import msgspec

_COMMON = frozenset(dir(builtins)) | {"cls", "mark", "parametrize", "pytest", "self", "unittest"}
_NAMED = re.compile(
    r"\b(?:class|const|def|enum|fn|func|function|interface|let|struct|trait|type|var)\s+"
    r"(?:\([^)]*\)\s*)?([A-Za-z_$][\w$]*)"
)
_TEST_SIDE = re.compile(
    r"(?i)(?:(?:^|/)(?:tests?|testing|specs?|__tests__|e2e|testdata|fixtures)/"
    r"|(?:^|/)(?:conftest\.py|test_[^/]*|[^/]*(?:_test|\.test|_spec|\.spec)\.\w+)\Z)"
)

_Function = ast.FunctionDef | ast.AsyncFunctionDef


class Definition(msgspec.Struct, frozen=True):
    """A function or method: the words of its body, parameters and decorators."""

    words: frozenset[str]


def definitions(text: str | None) -> dict[str, Definition]:
    """Return the functions that Python text defines, by qualified name as ids have it."""
    tree = _parsed(text)
    return dict(_functions(tree.body, "")) if tree is not None else {}


def altered(old: str, new: str) -> frozenset[str]:
    """Return the functions that both texts define and whose code differs.

    Layout, comments and docstrings are no code. Names are qualified as ids have them.
    """
    before, after = (_code(text) for text in (old, new))
    return frozenset(name for name, code in before.items() if after.get(name, code) != code)


def names(path: str, text: str | None) -> frozenset[str]:
    """Return the names that a source file defines, its module's own among them."""
    if text is None:
        return frozenset()
    stem = path.rpartition("/")[2].partition(".")[0]
    tree = _parsed(text) if path.endswith(".py") else None
    if tree is None:
        return frozenset({stem, *_NAMED.findall(text)})
    found = {stem}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        found.update(target.id for target in targets if isinstance(target, ast.Name))
    return frozenset(name for name in found if not name.startswith("__"))


def is_test_side(path: str) -> bool:
    """Return whether a file belongs to the tests, by its name and folders."""
    return _TEST_SIDE.search(path) is not None


def _parsed(text: str | None) -> ast.Module | None:
    import warnings

    if text is None:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes in code that is not ours
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _code(text: str) -> dict[str, str]:
    """Return what each function is made of, as one text without places."""
    tree = _parsed(text)
    return {
        name: "\n".join(ast.dump(part) for part in (node.args, *_telling(node)))
        for name, node in (_nodes(tree.body, "") if tree is not None else ())
    }


def _functions(body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, Definition]]:
    for name, node in _nodes(body, prefix):
        yield name, Definition(frozenset(_words(node)))


def _nodes(body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, _Function]]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _nodes(node.body, f"{prefix}{node.name}::")
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield f"{prefix}{node.name}", node


def _words(function: _Function) -> Iterator[str]:
    local = {argument.arg for argument in ast.walk(function) if isinstance(argument, ast.arg)}
    nodes = [n for child in _telling(function) for n in ast.walk(child)]
    local |= {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    for node in nodes:
        if isinstance(node, ast.Name) and node.id not in local | _COMMON:
            yield node.id
        elif isinstance(node, ast.Attribute) and node.attr not in _COMMON:
            yield node.attr
        elif isinstance(node, ast.alias):
            yield node.name.rpartition(".")[2]
        elif isinstance(node, ast.Constant) and not isinstance(node.value, bool | None):
            yield repr(node.value)


def _telling(function: _Function) -> list[ast.AST]:
    """Return decorators, defaults and body, the docstring aside."""
    body = function.body
    first = body[0] if body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        body = body[1:]
    return [*_values_of(function), *body]


def _values_of(function: _Function) -> Iterator[ast.AST]:
    """Yield what decorators and defaults hold; names of parameters are left out."""
    for decorator in function.decorator_list:
        if (
            isinstance(decorator, ast.Call)
            and isinstance(decorator.func, ast.Attribute)
            and decorator.func.attr == "parametrize"
        ):
            yield from decorator.args[1:]
            yield from (keyword.value for keyword in decorator.keywords)
        else:
            yield decorator
    yield from function.args.defaults
