"""Adds to a JSON file as a person would: comments, order and indentation stay.

Comments and trailing commas are read, as editors and agents allow them. Only
insertions are made, never a rewrite; what comes out is read again, and must hold
what was there plus what was to be added.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from proctor.errors import ConfigError

_TOKEN = re.compile(
    r"""(?P<space>[ \t\r\n\ufeff]+)
      | (?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<string>"(?:[^"\\\x00-\x1f]|\\.)*")
      | (?P<word>-?[0-9][0-9.eE+-]*|true|false|null)
      | (?P<mark>[{}\[\],:])""",
    re.VERBOSE | re.DOTALL,
)
_DEEPEST = 200
"""Levels of nesting that are read."""


class Node(msgspec.Struct):
    """A value and where it stands."""

    value: Any
    start: int
    end: int
    members: dict[str, "Node"] = {}
    """Of an object."""
    items: list["Node"] = []
    """Of an array."""
    last: int = 0
    """Of a container: where its last token or comment before the closing mark ends."""
    comma: bool = False
    """Of a container: whether a comma stands after its last element."""


def read(text: str, name: str) -> Node:
    """Return the value of a document; `name` is for messages.

    Raises:
        ConfigError: it is no JSON, comments and trailing commas allowed.
    """
    return _Reader(text, name).document()


def add(text: str, name: str, path: tuple[str, ...], value: Any) -> str:
    """Return the text with `value` set at `path`; an array there gets it appended.

    Objects that are missing on the way are made. A value that is there already, and
    no array, stays: `value` is then not added.

    Raises:
        ConfigError: it is no JSON, or holds something else where an object is needed.
    """
    root = read(text, name)
    node, rest = root, list(path)
    while rest and isinstance(node.value, dict) and rest[0] in node.members:
        node = node.members[rest.pop(0)]
    if rest and not isinstance(node.value, dict):
        where = ".".join(path[: len(path) - len(rest)]) or "the document"
        raise ConfigError(f"{name}: {where} is no object; add {'.'.join(path)} by hand")
    if not rest and not isinstance(node.value, list):
        return text
    if rest:
        for key in reversed(rest[1:]):
            value = {key: value}
        shown = f"{json.dumps(rest[0], ensure_ascii=False)}: "
    else:
        shown = ""
    after = _inserted(text, node, shown, value)
    wanted = json.loads(json.dumps(root.value))
    target = wanted
    for key in path[: len(path) - len(rest)]:
        target = target[key]
    if rest:
        target[rest[0]] = value
    else:
        target.append(value)
    if read(after, name).value != wanted:
        raise ConfigError(f"{name}: is written so that it cannot be edited safely; add it by hand")
    return after


def _inserted(text: str, node: Node, shown: str, value: Any) -> str:
    elements = [*node.members.values(), *node.items]
    end = "\r\n" if "\r\n" in text else "\n"
    inline = elements and "\n" not in text[node.start : node.end]
    if inline:
        fresh = f"{shown}{json.dumps(value, ensure_ascii=False)}"
        comma = "" if node.comma else ","
        return f"{text[: node.last]}{comma} {fresh}{text[node.last :]}"
    unit = _unit(text)
    outer = _indent_of(text, node.start)
    inner = outer + unit
    lines = json.dumps(value, ensure_ascii=False, indent=unit).split("\n")
    fresh = f"{end}{inner}{shown}{(end + inner).join(lines)}"
    gap = text[node.last : node.end - 1]
    rest = (gap if "\n" in gap else f"{end}{outer}") + text[node.end - 1 :]
    if elements and not node.comma:
        at = max(element.end for element in elements)
        return f"{text[:at]},{text[at : node.last]}{fresh}{rest}"
    return f"{text[: node.last]}{fresh}{rest}"


def _unit(text: str) -> str:
    """Return what one level is indented by: the first indentation there is."""
    found = re.search(r"\n([ \t]+)(?=\S)", text)
    return found[1] if found else "  "


def _indent_of(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at + 1].lstrip("\ufeff")
    return line[: len(line) - len(line.lstrip(" \t"))]


class _Reader:
    """Reads one document, remembering where its values stand."""

    def __init__(self, text: str, name: str) -> None:
        self._text = text
        self._name = name
        self._tokens = self._split()
        self._kind, self._word, self._at = "", "", 0
        self._end = 0
        """Where the token before this one ends."""
        self._last = 0
        """Where the token or comment before this one ends."""
        self._next()

    def document(self) -> Node:
        """Return the value of the whole text."""
        found = self._value(0)
        if self._kind:
            raise self._refusal()
        return found

    def _split(self) -> Iterator[tuple[str, str, int]]:
        at = 0
        while at < len(self._text):
            found = _TOKEN.match(self._text, at)
            if found is None:
                self._at = at
                raise self._refusal()
            yield str(found.lastgroup), found[0], at
            at = found.end()

    def _next(self) -> None:
        self._end = self._last = self._at + len(self._word)
        for kind, word, at in self._tokens:
            if kind == "comment":
                self._last = at + len(word)
            elif kind != "space":
                self._kind, self._word, self._at = kind, word, at
                return
        self._kind, self._word, self._at = "", "", len(self._text)

    def _value(self, depth: int) -> Node:
        start, word = self._at, self._word
        if self._kind in ("string", "word"):
            try:
                value = json.loads(word)
            except ValueError:
                raise self._refusal() from None
            self._next()
            return Node(value=value, start=start, end=start + len(word))
        if word not in ("{", "[") or depth > _DEEPEST:
            raise self._refusal()
        self._next()
        node = Node(value={} if word == "{" else [], start=start, end=start, members={}, items=[])
        close = "}" if word == "{" else "]"
        while self._word != close:
            self._element(node, depth)
            node.comma = self._word == ","
            if node.comma:
                self._next()
            elif self._word != close:
                raise self._refusal()
        node.last, node.end = self._last, self._at + 1
        self._next()
        return node

    def _element(self, node: Node, depth: int) -> None:
        if isinstance(node.value, list):
            node.items.append(self._value(depth + 1))
            node.value.append(node.items[-1].value)
            return
        if self._kind != "string":
            raise self._refusal()
        key = self._value(depth).value
        if self._word != ":" or key in node.members:
            raise self._refusal()
        self._next()
        node.members[key] = self._value(depth + 1)
        node.value[key] = node.members[key].value

    def _refusal(self) -> ConfigError:
        line = self._text.count("\n", 0, self._at) + 1
        return ConfigError(f"{self._name}:{line}: is no JSON from here on; mend it, then try again")
