"""Every regular expression of the product, timed on text made to slow it down.

`python -m tests.security.patterns` lists them with the slowest time of each.
"""

import ast
import importlib
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

sre: Any = importlib.import_module("re._constants")
parser: Any = importlib.import_module("re._parser")
SOURCE = Path(__file__).parents[2] / "src" / "proctor"
LENGTH = 20_000
"""Characters of an attack; longer texts are cut or refused before a pattern sees them."""
SECONDS = 1.0
"""Of processor time; a pattern that backtracks needs hours, one that is linear a millisecond."""
_CALLS = ("compile", "match", "search", "sub", "subn", "fullmatch", "findall", "finditer", "split")
_REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)


class Pattern(NamedTuple):
    """One expression, and where it stands."""

    place: str
    text: str | bytes
    flags: int
    methods: tuple[str, ...]
    """How its module uses it: `match`, `fullmatch`, `search` and what searches as well."""


def patterns() -> Iterator[Pattern]:
    """Yield every expression that is compiled when a module of the product is imported, or used."""
    for path in sorted(SOURCE.rglob("*.py")):
        tree = ast.parse(path.read_bytes())
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _is_re(node.func) and node.args:
                yield from _read(path, tree, node)


def _is_re(func: ast.expr) -> bool:
    return (
        isinstance(func, ast.Attribute)
        and func.attr in _CALLS
        and isinstance(func.value, ast.Name)
        and func.value.id == "re"
    )


def _read(path: Path, tree: ast.Module, node: ast.Call) -> Iterator[Pattern]:
    place = f"{path.relative_to(SOURCE)}:{node.lineno}"
    for text in _texts(node.args[0], path, tree):
        yield Pattern(place, text, _flags(node), _methods(tree, node))


def _methods(tree: ast.Module, node: ast.Call) -> tuple[str, ...]:
    assert isinstance(node.func, ast.Attribute)
    if node.func.attr != "compile":
        return (_kind(node.func.attr),)
    names = {
        target.id
        for one in ast.walk(tree)
        if isinstance(one, ast.Assign) and one.value is node
        for target in one.targets
        if isinstance(target, ast.Name)
    }
    used = {
        _kind(one.attr)
        for one in ast.walk(tree)
        if isinstance(one, ast.Attribute)
        and isinstance(one.value, ast.Name)
        and one.value.id in names
    }
    return tuple(sorted(used & {"match", "fullmatch", "search"})) or ("search",)


def _kind(method: str) -> str:
    return method if method in ("match", "fullmatch") else "search"


def _texts(node: ast.expr, path: Path, tree: ast.Module) -> Iterator[str | bytes]:
    """Yield the texts that an expression has; one that is put together is run in its module."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
        yield node.value
        return
    name = "proctor." + ".".join(path.relative_to(SOURCE).with_suffix("").parts)
    module = __import__(name, fromlist=["_"])
    del tree
    try:
        value = eval(compile(ast.Expression(node), str(path), "eval"), vars(module))
    except NameError:  # put together in a function: found below by what it compiles to
        return
    if isinstance(value, str | bytes):
        yield value


def _flags(node: ast.Call) -> int:
    flags = 0
    for part in [*node.args[1:], *(keyword.value for keyword in node.keywords)]:
        for name in ast.walk(part):
            if isinstance(name, ast.Attribute) and isinstance(
                getattr(re, name.attr, None), re.RegexFlag
            ):
                flags |= int(getattr(re, name.attr))
    return flags


def attacks(pattern: Pattern) -> Iterator[str]:
    """Yield texts that repeat what a pattern repeats, and then do not match."""
    text = pattern.text if isinstance(pattern.text, str) else pattern.text.decode("latin-1")
    tree = list(parser.parse(text, pattern.flags & ~re.UNICODE & ~re.LOCALE))
    seen = set()
    for prefix, unit in _repeated(tree, ""):
        for end in ("", "\0", "\n!", "="):
            attack = prefix + unit * (LENGTH // max(1, len(unit))) + end
            if unit and attack not in seen:
                seen.add(attack)
                yield attack
    for unit in (" ", "a", "0", "/", "a/", "\t ", "(", "'", "=", "-", "::", "a.", "\n", '"', "\\"):
        yield unit * (LENGTH // len(unit)) + "\0"


def _repeated(tree: list[Any], before: str) -> Iterator[tuple[str, str]]:
    prefix = before
    for operator, value in tree:
        if operator in _REPEATS:
            low, high, body = value
            if high > 20:
                for unit in _variants(list(body)):
                    yield prefix, unit
                    yield before, unit
            yield from _repeated(list(body), prefix)
            prefix += _sample(list(body)) * low
        elif operator is sre.BRANCH:
            for branch in value[1]:
                yield from _repeated(list(branch), prefix)
            prefix += _sample(list(value[1][0]))
        elif operator is sre.SUBPATTERN:
            yield from _repeated(list(value[3]), prefix)
            prefix += _sample(list(value[3]))
        elif operator in (sre.ASSERT, sre.ASSERT_NOT):
            yield from _repeated(list(value[1]), prefix)
        elif operator is sre.ATOMIC_GROUP:
            yield from _repeated(list(value), prefix)
            prefix += _sample(list(value))
        else:
            prefix += _sample([(operator, value)])


def _variants(body: list[Any]) -> set[str]:
    """Return some texts that the body of a repetition matches."""
    found = {_sample(body)}
    if len(body) == 1:
        operator, value = body[0]
        if operator is sre.IN:
            found |= {c for c in " a0/-_.:\t'\"=," if _is_in(value, c)}
        elif operator in (sre.ANY, sre.NOT_LITERAL):
            found |= set(" a0/")
        elif operator is sre.SUBPATTERN:
            found |= _variants(list(value[3]))
        elif operator is sre.BRANCH:
            found |= {_sample(list(branch)) for branch in value[1]}
    return found


def _sample(tree: list[Any]) -> str:
    return "".join(str(_one(operator, value)) for operator, value in tree)


def _one(operator: Any, value: Any) -> str:
    if operator is sre.LITERAL:
        return chr(value)
    if operator in (sre.NOT_LITERAL, sre.ANY):
        return "a" if value != ord("a") else "b"
    if operator is sre.IN:
        return next((c for c in "a0 /-_.:\t'\"=,A\n#" if _is_in(value, c)), _first(value))
    if operator in _REPEATS:
        return str(_sample(list(value[2]))) * int(max(1, value[0]))
    if operator is sre.BRANCH:
        return _sample(list(value[1][0]))
    if operator is sre.SUBPATTERN:
        return _sample(list(value[3]))
    return str(_sample(list(value))) if operator is sre.ATOMIC_GROUP else ""


def _first(value: Any) -> str:
    for operator, inner in value:
        if operator is sre.LITERAL:
            return chr(inner)
        if operator is sre.RANGE:
            return chr(inner[0])
    return "a"


def _is_in(value: Any, char: str) -> bool:
    """Whether a character is in a set, as far as its parts are plain."""
    found, negated = False, False
    for operator, inner in value:
        if operator is sre.NEGATE:
            negated = True
        elif operator is sre.LITERAL:
            found |= inner == ord(char)
        elif operator is sre.RANGE:
            found |= inner[0] <= ord(char) <= inner[1]
        elif operator is sre.CATEGORY:
            name = str(inner)
            kind = (
                char.isdigit()
                if "DIGIT" in name
                else char.isspace()
                if "SPACE" in name
                else char.isalnum() or char == "_"
            )
            found |= kind != ("NOT" in name)
    return found != negated


def slowest(pattern: Pattern) -> tuple[float, str]:
    """Return the longest that any attack on a pattern took, and the attack's beginning."""
    compiled = re.compile(pattern.text, pattern.flags)
    worst = (0.0, "")
    for attack in attacks(pattern):
        text: Any = (
            attack.encode("latin-1", "replace") if isinstance(pattern.text, bytes) else attack
        )
        began = time.process_time()
        for method in pattern.methods:
            getattr(compiled, method)(text)
        took = time.process_time() - began
        worst = max(worst, (took, attack[:40]))
        if took > SECONDS:
            break
    return worst


def main() -> int:
    """List every expression with the slowest time of its attacks."""
    slow = 0
    for pattern in patterns():
        took, attack = slowest(pattern)
        slow += took > SECONDS
        if "--all" in sys.argv or took > 0.1:
            print(
                f"{took:8.3f} s  {pattern.place}  {pattern.text!r:.90}  {attack!r:.50}", flush=True
            )
    print(f"{slow} slow")
    return int(slow > 0)


if __name__ == "__main__":
    sys.exit(main())
