"""Reads shell text into sequences, lists and pipelines.

The grammar gives words, quotations, substitutions and compound commands; how
`&&`, `||`, `|`, `!` and redirections bind is worked out anew here, because the
grammar binds `a && b 2>&1 | c` as `{ a && b; } 2>&1 | c`.
"""

import functools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

_LANGUAGE = Language(tree_sitter_bash.language())
_OPERATORS = frozenset(("&&", "||", "|", "|&", ";", "&", "\n", ";;", ";&", ";;&"))
RESERVED = frozenset(
    ("!", "{", "}", "(", ")", "then", "else", "elif", "fi", "do", "done", "esac", "in", "((", "))")
)
_JOINING = frozenset(("list", "pipeline", "negated_command", "redirected_statement"))
_REDIRECTS = frozenset(("file_redirect", "herestring_redirect", "heredoc_redirect"))
_HEREDOC_PARTS = frozenset(("<<", "<<-", "heredoc_start", "heredoc_end", "file_descriptor"))
_ON_ONE_LINE = frozenset(
    ("command", "declaration_command", "unset_command", "redirected_statement", "list", "pipeline")
)
_WORDS = frozenset(
    ("word", "string", "raw_string", "concatenation", "number", "simple_expansion", "expansion")
)


class UnreadableError(Exception):
    """The text is not understood well enough to say what becomes of an exit code."""


class Command(NamedTuple):
    """One command, simple or compound, with its redirections."""

    node: Node
    redirects: tuple[Node, ...] = ()
    extra: tuple[Node, ...] = ()
    """Words that stand behind a here-document's start."""
    heredoc: Node | None = None

    @property
    def text(self) -> str:
        """The command as written, on one line, cut at 60 characters."""
        return short(self.node)


class Pipeline(NamedTuple):
    """Commands joined by `|`, perhaps behind `!`."""

    commands: tuple[Command, ...]
    negated: bool = False


class AndOr(NamedTuple):
    """Pipelines joined by `&&` and `||`, perhaps sent to the background by `&`."""

    first: Pipeline
    rest: tuple[tuple[str, Pipeline], ...]
    background: bool = False

    @property
    def text(self) -> str:
        """The first command as written."""
        return self.first.commands[0].text


@functools.lru_cache(16)  # a line is walked two or three times for each of its runners
def parse(text: str) -> Node:
    """Return the syntax tree of `text`; errors are in the tree."""
    return Parser(_LANGUAGE).parse(text.encode("utf-8", "surrogateescape")).root_node


def raw(node: Node) -> str:
    """Return the text of a node as written."""
    return (node.text or b"").decode("utf-8", "surrogateescape")


def short(node: Node) -> str:
    """Return the text of a node on one line, cut at 60 characters."""
    text = " ".join(raw(node).split())
    return text if len(text) <= 60 else text[:59] + "…"


def sequence_of(nodes: Sequence[Node]) -> list[AndOr]:
    """Return the lists that stand one after the other in `nodes`.

    Raises:
        UnreadableError: the pieces do not make a sequence of commands.
    """
    flat: list[Command | str] = []
    for node in nodes:
        _flatten(node, flat)
    return _Reader(flat).sequence()


def _flatten(node: Node, flat: list[Command | str]) -> None:
    """Append a node's commands and operators in the order they were written."""
    if node.is_error or node.is_missing:
        raise UnreadableError("the line is not shell text that can be read")
    if node.type in _ON_ONE_LINE:
        _check_line(node)
    if node.type in _OPERATORS or (node.type == "!" and not node.is_named):
        flat.append(node.type)
    elif node.type == "comment":
        return
    elif node.type in _JOINING:
        for child in node.children:
            _flatten(child, flat)
    elif node.type in _REDIRECTS:
        _redirect(node, flat)
    elif node.is_named:
        _check_name(node)
        flat.append(Command(node))
    else:
        raise UnreadableError(f"a stray {node.type!r}")


def _redirect(node: Node, flat: list[Command | str]) -> None:
    if not flat or not isinstance(flat[-1], Command):
        # A redirection alone, as in `> file`, is a command that succeeds.
        flat.append(Command(node))
        return
    last = flat[-1]
    if node.type != "heredoc_redirect":
        flat[-1] = last._replace(redirects=(*last.redirects, node))
        return
    at = len(flat) - 1
    flat[at] = last._replace(redirects=(*last.redirects, node))
    for child in node.children:
        here = flat[at]
        if not isinstance(here, Command):
            raise UnreadableError("a here-document without a command")
        if child.type == "heredoc_body":
            flat[at] = here._replace(heredoc=child)
        elif child.type in _HEREDOC_PARTS:
            continue
        elif child.type in _WORDS:
            flat[at] = here._replace(extra=(*here.extra, child))
        else:
            _flatten(child, flat)


def _check_line(node: Node) -> None:
    """Refuse what the grammar has put together across the end of a line."""
    if node.start_point[0] == node.end_point[0]:
        return
    text, start = node.text or b"", node.start_byte
    for first, second in zip(node.children, node.children[1:], strict=False):
        if first.type in _OPERATORS or first.type == "comment":
            continue
        gap = text[first.end_byte - start : second.start_byte - start]
        if b"\n" in gap.replace(b"\\\n", b""):
            raise UnreadableError("the line's end is read as part of a command")


def _check_name(node: Node) -> None:
    """Refuse what the grammar took for a plain command, as in `time { a; }`."""
    if node.type != "command":
        return
    words = [child for child in node.children if child.type in ("command_name", "word")]
    name = raw(words[0]) if words else ""
    if name in RESERVED or name == "coproc":
        raise UnreadableError(f"`{name}` stands where a command is expected")
    if name == "time" and any(raw(word) in RESERVED for word in words[1:3]):
        raise UnreadableError("`time` before a compound command")


class _Reader:
    """Reads a flat row of commands and operators by the shell's precedence."""

    def __init__(self, flat: Sequence[Command | str]) -> None:
        self._flat = flat
        self._at = 0

    def sequence(self) -> list[AndOr]:
        """Return all lists."""
        found = []
        while self._at < len(self._flat):
            if self._peek() in (";", "\n", ";;", ";&", ";;&"):
                self._at += 1
                continue
            found.append(self._and_or())
        return found

    def _peek(self) -> Command | str | None:
        return self._flat[self._at] if self._at < len(self._flat) else None

    def _and_or(self) -> AndOr:
        first = self._pipeline()
        rest = []
        while self._peek() in ("&&", "||"):
            operator = str(self._peek())
            self._at += 1
            self._skip_newlines()
            rest.append((operator, self._pipeline()))
        background = self._peek() == "&"
        self._at += background
        return AndOr(first, tuple(rest), background)

    def _pipeline(self) -> Pipeline:
        negated = False
        while self._peek() == "!":
            negated = not negated
            self._at += 1
        commands = [self._command()]
        while self._peek() in ("|", "|&"):
            self._at += 1
            self._skip_newlines()
            if self._peek() == "!":
                raise UnreadableError("`!` inside a pipeline")
            commands.append(self._command())
        return Pipeline(tuple(commands), negated)

    def _skip_newlines(self) -> None:
        while self._peek() == "\n":
            self._at += 1

    def _command(self) -> Command:
        item = self._peek()
        if not isinstance(item, Command):
            raise UnreadableError("an operator without a command")
        self._at += 1
        following = self._peek()
        if isinstance(following, Command) and _same_line(item.node, following.node):
            raise UnreadableError("two commands without an operator between them")
        return item


def _same_line(first: Node, second: Node) -> bool:
    return first.end_point[0] == second.start_point[0]


def within(node: Node, kinds: frozenset[str]) -> Iterator[Node]:
    """Yield the outermost nodes of certain kinds in `node`, itself included, in order."""
    if node.type in kinds:
        yield node
        return
    for child in node.children:
        yield from within(child, kinds)
