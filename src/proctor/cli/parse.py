"""Parses the words of a command and writes help.

A command's parser is built only when its name was given, so that no command
pays for the others.
"""

import argparse
import difflib
import shutil
import sys
import textwrap
from collections.abc import Collection, Iterator
from typing import NoReturn, cast

from proctor import __version__, _family
from proctor.cli.base import Command
from proctor.cli.notes import LOUDNESS, add_loudness, quietly
from proctor.errors import EXIT_PASS, EXIT_USAGE, UsageError

FAMILY = "proctor.cli.commands"
ABOUT = "The operating system's record of what a coding agent really ran, and a gate over it."


class UnknownVerbError(UsageError):
    """A word stands where a verb is expected, and is none."""


class Parser(argparse.ArgumentParser):
    """An `ArgumentParser` that raises `UsageError` and never guesses abbreviations."""

    def __init__(self, **settings: object) -> None:
        settings.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        settings["allow_abbrev"] = False
        super().__init__(**settings)  # type: ignore[arg-type]

    def _check_value(self, action: argparse.Action, value: object) -> None:
        """Name the nearest known word where argparse would list them all."""
        if action.choices is not None and value not in action.choices:
            known = [str(choice) for choice in action.choices]
            near = _nearest(str(value), known)
            if action.option_strings:
                self.error(f"{action.option_strings[0]}: unknown value {value!r}{near}")
            message = f"unknown {action.dest} {value!r}{near}"
            if isinstance(action, argparse._SubParsersAction):
                raise UnknownVerbError(f"{message}; see `{self.prog} --help`")
            self.error(message)

    def error(self, message: str) -> NoReturn:
        """Raise `UsageError` with argparse's message and where to look."""
        for action in self._actions:
            # NOTE: argparse names the missing verb as the help shows it, in one word.
            if isinstance(action, argparse._SubParsersAction) and message.endswith(
                f": {action.metavar}"
            ):
                message = f"give a verb: {', '.join(map(str, action.choices))}"
        raise UsageError(f"{message}; see `{self.prog} --help`")


def without_command(words: list[str]) -> int:
    """Answer words that name no command: help, the version, or a mistake.

    Raises:
        UsageError: the first word is neither a command nor an option.
    """
    first = words[0] if words else None
    if first == "help":
        return _help_for(words[1:])
    if first == "--version":
        print(f"proctor {__version__}")
        return EXIT_PASS
    if first in ("--help", "-h"):
        print(_overview(everything="--all" in words[1:]))
        return EXIT_PASS
    if first == "--all" and words[1:2] in (["--help"], ["-h"]):
        print(_overview(everything=True))
        return EXIT_PASS
    if first is None:
        print(_overview(everything=False), file=sys.stderr)
        return EXIT_USAGE
    known = ["--help", "--version", *LOUDNESS] if first.startswith("-") else list(_names())
    kind = "option" if first.startswith("-") else "command"
    raise UsageError(f"unknown {kind} {first!r}{_nearest(first, known)}; see `proctor --help`")


def with_command(words: list[str], command: Command) -> int:
    """Parse `words` (the command's name first) and run the command.

    Raises:
        UsageError: an option or argument is unknown or off.
    """
    parser = parser_of(words[0], command)
    try:
        known, extra = parser.parse_known_args(words[1:])
    except UnknownVerbError:
        # NOTE: of an option that nobody knows argparse takes the value for the verb.
        _refuse_option(words[1:], parser, _options(parser))
        raise
    except SystemExit:  # argparse printed the help that was asked for
        return EXIT_PASS
    if extra:
        _refuse_option(extra, parser)
        raise UsageError(f"unknown argument {extra[0]!r}; see `{parser.prog} --help`")
    with quietly(getattr(known, "quiet", False)):
        return command.run(known)


def _refuse_option(words: list[str], parser: Parser, known: Collection[str] = ()) -> None:
    """Raise `UsageError` for the first option that is not among the known ones, if any."""
    for word in words:
        name = word.partition("=")[0]
        if word.startswith("-") and word != "--" and name not in known:
            near = _nearest(name, _options(parser)[2:])
            raise UsageError(f"unknown option {word!r}{near}; see `{parser.prog} --help`")


def parser_of(name: str, command: Command) -> Parser:
    """Return the parser of one command; its help ends with the command's example."""
    parser = Parser(
        prog=f"proctor {name}",
        description=f"{command.summary}.",
        epilog=f"example:\n  {command.example}",
    )
    command.configure(parser)
    if command.main is None:
        add_loudness(parser)
    return parser


def _help_for(words: list[str]) -> int:
    if not words:
        print(_overview(everything=False))
        return EXIT_PASS
    for name, command in commands():
        if name == words[0]:
            return with_command([name, "--help"], command)
    raise UsageError(f"unknown command {words[0]!r}{_nearest(words[0], list(_names()))}")


def _overview(*, everything: bool) -> str:
    every = sorted(commands(), key=lambda pair: (pair[1].everyday or 99, pair[0]))
    shown = [(n, c) for n, c in every if everything or c.everyday]
    width = max((len(name) for name, _ in shown), default=0)
    columns = max(40, shutil.get_terminal_size().columns)
    lines = ["usage: proctor COMMAND …", "", *textwrap.wrap(ABOUT, columns), ""]
    for name, command in shown:
        head, indent = f"  {name:<{width}}  ", " " * (width + 4)
        lines += textwrap.wrap(
            command.summary, columns, initial_indent=head, subsequent_indent=indent
        )
    lines.append("")
    more = [] if everything else [("proctor --help --all     ", "every command")]
    more.append(("proctor COMMAND --help   ", "what a command takes, with an example"))
    more += [(f"{f'proctor {name} …':<25}", text) for name, text in LOUDNESS.items()]
    for head, what in more:
        lines += textwrap.wrap(what, columns, initial_indent=head, subsequent_indent=" " * 25)
    lines.append("proctor --version")
    return "\n".join(lines)


def _names() -> Iterator[str]:
    return (name.replace("_", "-") for name in _family.names(FAMILY))


def commands() -> Iterator[tuple[str, Command]]:
    """Yield every command with its name."""
    for name, command in _family.members(FAMILY, "COMMAND"):
        yield name.replace("_", "-"), cast("Command", command)


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield a command's parser and those of its verbs."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for child in action.choices.values():
                yield from parsers(child)


def _options(parser: argparse.ArgumentParser) -> list[str]:
    """Return every option that the parser or one of its verbs takes."""
    return [
        option
        for one in parsers(parser)
        for action in one._actions
        for option in action.option_strings
    ]


def _nearest(word: str, known: list[str]) -> str:
    near = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    if near:
        return f" (did you mean {near[0]!r}?)"
    # NOTE: what every command takes says nothing about this one.
    own = [name for name in known if name not in LOUDNESS]
    return f" (known: {', '.join(own)})" if own else ""
