"""docs/schemas.md: what every file that Proctor writes holds, member by member."""

import re

import msgspec

from proctor.cli import schemas
from reference.table import table, texts_below, type_of

_HEAD = """\
# Schemas

Made by `make pages` from the types that read the records. `proctor schema NAME` prints the JSON Schema (2020-12); the
package holds each as a file, `proctor/schemas/span-1.json` and so on.
Members may be added within a version; readers ignore what they do not know, and refuse another major version. The
members of a span have [a page of their own](span.md), the settings [another](settings.md).

"""
_ELSEWHERE = ("span", "config")


def page() -> str:
    """Return the page."""
    names = [name for name in schemas.NAMES if name not in _ELSEWHERE]
    return _HEAD + "\n".join(_schema(name) for name in names)


def _schema(name: str) -> str:
    identifier, kind = schemas.KINDS[name]
    parts = [f"## {name}\n\n`{identifier}` · `proctor schema {name}`\n"]
    waiting, seen = [kind], {kind}
    while waiting:
        one = waiting.pop(0)
        parts.append(_struct(one, named=one is not kind))
        for part in _parts(one):
            if part not in seen:
                seen.add(part)
                waiting.append(part)
    return "\n".join(parts)


def _parts(kind: type[msgspec.Struct]) -> list[type[msgspec.Struct]]:
    """Return the structs that a struct's fields hold."""
    info = msgspec.inspect.type_info(kind)
    assert isinstance(info, msgspec.inspect.StructType)
    found: list[type[msgspec.Struct]] = []
    for field in info.fields:
        _collect(field.type, found)
    return found


def _collect(info: object, found: list[type[msgspec.Struct]]) -> None:
    if isinstance(info, msgspec.inspect.StructType):
        found.append(info.cls)
    for name in ("types", "item_types"):
        for one in getattr(info, name, ()):
            _collect(one, found)
    for name in ("item_type", "value_type"):
        if hasattr(info, name):
            _collect(getattr(info, name), found)


def _struct(kind: type[msgspec.Struct], *, named: bool) -> str:
    (_,), components = msgspec.json.schema_components([kind])
    schema = components[kind.__name__]
    texts = texts_below(kind)
    rows = [
        (
            f"`{name}`",
            _without_link(type_of(one)),
            "yes" if name in schema.get("required", ()) else "",
            texts.get(_field(kind, name), ""),
        )
        for name, one in schema.get("properties", {}).items()
    ]
    about = " ".join((kind.__doc__ or "").split())
    head = f"**{kind.__name__}** · {about}\n" if named else f"{about}\n"
    return f"{head}\n{table(('member', 'type', 'always there', 'meaning'), rows)}"


def _field(kind: type[msgspec.Struct], encoded: str) -> str:
    return next(f.name for f in msgspec.structs.fields(kind) if f.encode_name == encoded)


def _without_link(text: str) -> str:
    return re.sub(r"\[(\w+)\]\(#\w+\)", r"\1", text)
