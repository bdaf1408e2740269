"""docs/commands.md: every command with its options and an example."""

import argparse

from proctor.cli import parse
from reference.table import table

_HEAD = """\
# Commands

Made by `make pages` from the commands themselves; `proctor COMMAND --help` says the same.
What they return: [exit-codes.md](exit-codes.md). `-h` and `--help` go with each.

"""


def page() -> str:
    """Return the page: the everyday commands first."""
    every = sorted(parse.commands(), key=lambda pair: (pair[1].everyday or 99, pair[0]))
    return _HEAD + "\n".join(_command(parse.parser_of(name, one)) for name, one in every)


def _command(parser: argparse.ArgumentParser) -> str:
    own, *verbs = parse.parsers(parser)
    return "\n".join([_section(own, "##"), *(_section(verb, "###") for verb in verbs)])


def _section(parser: argparse.ArgumentParser, mark: str) -> str:
    about, _, after = (parser.epilog or "").partition("example:\n")
    example, _, rest = after.partition("\n")
    title = parser.prog.removeprefix("proctor ")
    description = " ".join((parser.description or "").split())
    parts = [f"{mark} {title}\n", f"{description[:1].upper()}{description[1:]}\n"]
    rows = [_row(action) for action in parser._actions if _is_shown(action)]
    if rows:
        parts.append(table(("argument or option", "meaning"), rows))
    parts.append(f"Example: `{example.strip()}`\n")
    notes = " ".join(f"{about} {rest}".split())
    return "\n".join([*parts, *([f"{notes[:1].upper()}{notes[1:]}\n"] if notes else [])])


def _is_shown(action: argparse.Action) -> bool:
    hidden = action.help == argparse.SUPPRESS
    return not hidden and "--help" not in action.option_strings and not _is_verbs(action)


def _is_verbs(action: argparse.Action) -> bool:
    return isinstance(action, argparse._SubParsersAction)


def _row(action: argparse.Action) -> tuple[str, str]:
    value = ""
    if action.metavar is not None:
        value = action.metavar if isinstance(action.metavar, str) else " ".join(action.metavar)
    elif action.choices is not None:
        value = "|".join(str(one) for one in action.choices)
    elif action.nargs != 0:
        value = action.dest.upper()
    names = ", ".join(f"`{f'{one} {value}'.strip()}`" for one in action.option_strings)
    choices = ", ".join(str(one) for one in action.choices or ())
    known = f" One of: {choices}." if choices and action.metavar else ""
    told = (action.help or "").replace("%%", "%")
    return names or f"`{value}`", told + known
