"""Expands the words of shell text as far as it can be done without running it."""

from collections.abc import Sequence
from typing import NamedTuple

from tree_sitter import Node

from proctor.classify.shell_state import ANY, OK, State, Value
from proctor.classify.shell_tree import raw

_HARMLESS = frozenset(
    ("$PWD", "${PWD}", "$HOME", "${HOME}", "$(pwd)", "`pwd`", "$USER", "$(id -u)")
)
"""Expansions that hold no operators in any sane environment."""
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"', "e": "\x1b", "a": "\a"}


class Word(NamedTuple):
    """One word after expansion."""

    text: str
    literal: bool = True
    """Whether `text` is what the shell would see; else it is as written."""
    harmless: bool = True
    """Whether what is not literal can at least not change how text is read."""


def expand(node: Node, state: State) -> Word:  # noqa: PLR0911 - one return a kind of word
    """Return a word expanded with the variables that are known."""
    kind = node.type
    if kind in ("word", "number", "string_content", "variable_name", "test_operator"):
        return Word(_unescape(raw(node)))
    if kind == "raw_string":
        return Word(raw(node)[1:-1])
    if kind == "ansi_c_string":
        text = _ansi(raw(node)[2:-1])
        return Word(text, literal="\\" not in text, harmless="\\" not in text)
    if kind == "string":
        return _string(node, state)
    if kind in ("concatenation", "command_name", "translated_string"):
        return _join([expand(c, state) for c in node.children if c.type != "$"])
    if kind in ("simple_expansion", "expansion"):
        return _variable(node, state)
    text = raw(node)
    return Word(text, literal=False, harmless=text in _HARMLESS)


def literal_text(node: Node, state: State) -> str | None:
    """Return the text of a word, none where only running can tell it."""
    word = expand(node, state)
    return word.text if word.literal else None


def words_of(nodes: Sequence[Node], state: State) -> list[Word]:
    """Return words expanded, `"$@"` as the words it stands for."""
    found: list[Word] = []
    for node in nodes:
        known = state.get("@")
        if raw(node) in ('"$@"', "$@", "$*", '"${@}"') and known.kind == "list":
            found += [Word(text) for text in known.items]
        else:
            found.append(expand(node, state))
    return found


def value_of(  # noqa: PLR0911 - one return a kind of word
    node: Node | None, state: State, *, dialect: str
) -> Value:
    """Return what a word holds, statuses kept as such."""
    if node is None:
        return Value("text", "")
    inner = _only_expansion(node)
    text = raw(inner)
    name = text.removeprefix("$").removeprefix("{").removesuffix("}")
    if inner.type in ("simple_expansion", "expansion"):
        if name == "?":
            return Value("status", state.status)
        if name == "!":
            return Value("job", state.job)
        if name.startswith("PIPESTATUS"):
            return Value("status", _pipe_status(name, state, dialect))
        return state.get(name.partition(":")[0])
    if inner.type == "arithmetic_expansion":
        return _arithmetic(text, state)
    word = expand(node, state)
    return Value("text", word.text) if word.literal else Value("unknown")


def _arithmetic(text: str, state: State) -> Value:
    name = text.removeprefix("$((").removesuffix("))").strip().removeprefix("$")
    if name == "?":
        return Value("status", state.status)
    return state.get(name) if name.isidentifier() else Value("unknown")


def _pipe_status(name: str, state: State, dialect: str) -> str:
    if dialect != "bash" or not state.pipe:
        return ANY
    index = name.removeprefix("PIPESTATUS").strip("[]") or "0"
    if index.removeprefix("-").isdigit() and -len(state.pipe) <= int(index) < len(state.pipe):
        return state.pipe[int(index)]
    return ANY


def _only_expansion(node: Node) -> Node:
    """Return the one expansion that `"$rc"` consists of, else the node itself."""
    if node.type in ("string", "command_name"):
        inner = [child for child in node.children if child.type != '"']
        if len(inner) == 1 and len(raw(node).strip('"')) == len(raw(inner[0])):
            return inner[0]
    return node


def _string(node: Node, state: State) -> Word:
    """Expand a double-quoted string; blanks between expansions have no nodes."""
    data = node.text or b""
    parts: list[Word] = []
    at = 1
    for child in node.children:
        begin, end = child.start_byte - node.start_byte, child.end_byte - node.start_byte
        if child.type == '"':
            continue
        if begin > at:
            parts.append(Word(_unquote(data[at:begin].decode("utf-8", "surrogateescape"))))
        if child.type == "string_content":
            parts.append(Word(_unquote(raw(child))))
        elif child.type == "$":
            parts.append(Word("$"))
        else:
            parts.append(expand(child, state))
        at = end
    tail = data[at:-1].decode("utf-8", "surrogateescape")
    return _join([*parts, Word(_unquote(tail))])


def _variable(node: Node, state: State) -> Word:
    text = raw(node)
    name = text.removeprefix("$").removeprefix("{").removesuffix("}")
    value = state.get(name)
    if value.kind == "text":
        return Word(value.text)
    if value.kind == "status" and value.text == OK:
        return Word("0")
    return Word(text, literal=False, harmless=text in _HARMLESS)


def _join(parts: Sequence[Word]) -> Word:
    return Word(
        "".join(part.text for part in parts),
        literal=all(part.literal for part in parts),
        harmless=all(part.literal or part.harmless for part in parts),
    )


def _unescape(text: str) -> str:
    """Take the backslashes off an unquoted word."""
    if "\\" not in text:
        return text
    out, at = [], 0
    while at < len(text):
        if text[at] == "\\" and at + 1 < len(text):
            at += 1
            if text[at] != "\n":
                out.append(text[at])
        else:
            out.append(text[at])
        at += 1
    return "".join(out)


def _unquote(text: str) -> str:
    """Take the backslashes off the inside of double quotes."""
    for escaped in ('\\"', "\\$", "\\`"):
        text = text.replace(escaped, escaped[1])
    return text.replace("\\\n", "").replace("\\\\", "\\")


def _ansi(text: str) -> str:
    out, at = [], 0
    while at < len(text):
        if text[at] == "\\" and at + 1 < len(text):
            at += 1
            out.append(_ESCAPES.get(text[at], "\\" + text[at]))
        else:
            out.append(text[at])
        at += 1
    return "".join(out)
