"""Markdown tables, and the fields of a record with the text that stands below each."""

import ast
import inspect
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; a `|` in a cell is escaped."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(_cell(one) for one in line)} |\n" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def texts_below(kind: type[msgspec.Struct]) -> dict[str, str]:
    """Return what stands below each field's declaration, by the field's name."""
    found: dict[str, str] = {}
    for owner in reversed(kind.__mro__):
        if issubclass(owner, msgspec.Struct) and owner.__module__.startswith("proctor."):
            found |= _texts_of(owner)
    return found


def _texts_of(kind: type) -> dict[str, str]:
    body = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
    assert isinstance(body, ast.ClassDef)
    found = {}
    for node, following in zip(body.body, body.body[1:], strict=False):
        if (
            isinstance(node, ast.AnnAssign)
            and isinstance(node.target, ast.Name)
            and isinstance(following, ast.Expr)
            and isinstance(following.value, ast.Constant)
            and isinstance(following.value.value, str)
        ):
            found[node.target.id] = " ".join(following.value.value.split())
    return found


def type_of(schema: dict[str, Any]) -> str:
    """Return a JSON Schema's type in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "enum" in schema:
        return " or ".join(f"`{one}`" for one in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(type_of(one) for one in schema["anyOf"]))
    kind = schema.get("type", "anything")
    if kind == "array":
        items = schema.get("items")
        return f"list of {type_of(items)}" if isinstance(items, dict) else "list"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"table of {type_of(schema['additionalProperties'])}"
    return f"{kind}{_limits(schema)}"


def _limits(schema: dict[str, Any]) -> str:
    words = {
        "minimum": "from {}",
        "exclusiveMinimum": "above {}",
        "maximum": "to {}",
        "pattern": "like `{}`",
    }
    found = [text.format(schema[key]) for key, text in words.items() if key in schema]
    return f" {' '.join(found)}" if found else ""
