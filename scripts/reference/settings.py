"""docs/settings.md: every key of proctor.toml, and every environment variable."""

import re

import msgspec

from proctor import config
from reference.table import table, texts_below, type_of
from reference.variables import OWN_VARIABLES, VARIABLES

_HEAD = """\
# Settings

Made by `make pages` from `src/proctor/config.py`; `proctor schema config` has the same for programs.

Settings stand in `proctor.toml` at the repository's root, or below `[tool.proctor]` in `pyproject.toml`; both at once is
an error, and so is an unknown key. No file is needed: every key has a default. `proctor init` writes a first file. With
`--base REV` the gate reads them at that revision, not in the working tree.

*Also* names the option or the environment variable that says the same for one command; it goes before the file.

"""
_VARIABLES = """\
## Environment variables

| Variable | Meaning |
| --- | --- |
"""
_OWN = """\

Proctor sets these for the processes it starts. Setting them by hand changes nothing that a verdict rests on.

| Variable | Meaning |
| --- | --- |
"""
_ALSO = re.compile(r" ?Also: (.*?)\.$")


def page() -> str:
    """Return the page."""
    tables = [_table(field) for field in msgspec.structs.fields(config.Config)]
    variables = [_VARIABLES + _rows(VARIABLES), _OWN.lstrip("\n") + _rows(OWN_VARIABLES)]
    return "\n".join([_HEAD.rstrip("\n") + "\n", *tables, *variables])


def _rows(variables: dict[str, str]) -> str:
    return "".join(f"| `{name}` | {text} |\n" for name, text in variables.items())


def _table(field: msgspec.structs.FieldInfo) -> str:
    kinds = {
        "require": (config.RequireTable, "[[require]]"),
        "classes": (config.ClassTable, "[classes.NAME]"),
    }
    default = field.default
    if field.name in kinds:
        kind, title = kinds[field.name]
    elif isinstance(default, msgspec.Struct):
        kind, title = type(default), f"[{field.name}]"
    else:
        text = texts_below(config.Config)[field.name]
        return f"## [{field.name}]\n\n{_plain(text)}\n"
    parts = [_section("##", title, kind)]
    if kind is config.OracleTable:
        parts.append(_section("###", "[oracle.commands.NAME]", config.OracleCommandTable))
    return "\n".join(parts)


def _section(mark: str, title: str, kind: type[msgspec.Struct]) -> str:
    about = (kind.__doc__ or "").partition(": ")[2].strip()
    (_,), components = msgspec.json.schema_components([kind])
    properties = components[kind.__name__]["properties"]
    texts = texts_below(kind)
    rows = []
    for field in msgspec.structs.fields(kind):
        text = texts.get(field.name, "")
        also = _ALSO.search(text)
        schema = properties[field.encode_name]
        rows.append(
            (
                f"`{field.encode_name}`",
                type_of(schema).replace("[OracleCommandTable](#oraclecommandtable)", "table"),
                _default(schema, field),
                _ALSO.sub("", text),
                "" if also is None else also[1],
            )
        )
    head = ("key", "type", "default", "meaning", "also")
    return f"{mark} {title}\n\n{about[:1].upper()}{about[1:]}\n\n{table(head, rows)}"


def _plain(text: str) -> str:
    return _ALSO.sub(lambda found: f" *Also:* {found[1]}.", text)


def _default(schema: dict[str, object], field: msgspec.structs.FieldInfo) -> str:
    if field.required:
        return "*required*"
    value = schema.get("default")
    if value in (None, [], {}, ""):
        return "–"
    return f"`{msgspec.json.encode(value).decode()}`"
