"""What every shell's completion is made from: the commands, their verbs and their options."""

import argparse
from collections.abc import Callable, Iterable, Iterator

from proctor.cli.base import Command
from proctor.cli.notes import LOUDNESS

FILES = ("F", "DIR", "FILE", "PATH", "LOG", "REPORT")
"""What the help calls a value that is a path."""


ROOT = (
    ("--help", "the commands"),
    ("--version", "which Proctor this is"),
    *LOUDNESS.items(),
)
"""What may stand in place of a command."""


class Option:
    """One option of a command."""

    __slots__ = ("choices", "help", "is_path", "names", "takes_value")

    def __init__(self, action: argparse.Action) -> None:
        self.names = tuple(action.option_strings)
        self.help = one_line(action.help)
        self.takes_value = action.nargs != 0
        self.choices = tuple(map(str, action.choices or ()))
        self.is_path = self.takes_value and action.metavar in FILES


class Node:
    """A command, or one of its verbs; the root is the program itself."""

    __slots__ = ("children", "choices", "name", "options", "path", "summary")

    def __init__(self, path: tuple[str, ...], summary: str) -> None:
        self.path = path
        self.name = path[-1] if path else ""
        self.summary = one_line(summary)
        self.children: list[Node] = []
        self.options: list[Option] = []
        self.choices: tuple[str, ...] = ()
        """Words that may stand where no option does."""

    def walk(self) -> "Iterator[Node]":
        """Yield this and everything below it."""
        yield self
        for child in self.children:
            yield from child.walk()


Writer = Callable[[Node], str]
"""What a shell's file binds to `WRITE`: the tree of commands to a script."""


def tree_of(
    commands: Iterable[tuple[str, Command]],
    parser_of: Callable[[str, Command], argparse.ArgumentParser],
) -> Node:
    """Return the tree of all commands, as their parsers have it."""
    root = Node((), "")
    for name, command in sorted(commands):
        node = Node((name,), command.summary)
        _fill(node, parser_of(name, command))
        root.children.append(node)
    return root


def one_line(text: str | None) -> str:
    """Return a help text on one line, as argparse would print it."""
    return " ".join((text or "").replace("%%", "%").split())


def known_words(nodes: Iterable[Node], quote: Callable[[str], str]) -> list[str]:
    """Return what may stand between `proctor` and the word at hand: commands with verbs."""
    return [quote(" ".join(node.path)) for node in nodes if node.path]


def valued(nodes: Iterable[Node], quote: Callable[[str], str]) -> Iterator[tuple[str, Option]]:
    """Yield each option that takes a value, and the pattern `COMMAND|OPTION` that finds it."""
    for node in nodes:
        for option in node.options:
            if option.takes_value:
                names = (quote(f"{' '.join(node.path)}|{name}") for name in option.names)
                yield "|".join(names), option


def offered(node: Node) -> Iterator[tuple[str, str]]:
    """Yield each word that may stand after a command, and what it is."""
    yield from ((child.name, child.summary) for child in node.children)
    yield from ((choice, "") for choice in node.choices)
    yield from ((name, option.help) for option in node.options for name in option.names)
    if not node.path:
        yield from ROOT


def _fill(node: Node, parser: argparse.ArgumentParser) -> None:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {one.dest: one.help for one in action._choices_actions}
            for name, inner in action.choices.items():
                child = Node((*node.path, name), helps.get(name) or "")
                _fill(child, inner)
                node.children.append(child)
        elif action.option_strings:
            node.options.append(Option(action))
        elif action.choices:
            node.choices += tuple(map(str, action.choices))
