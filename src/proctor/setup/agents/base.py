"""What an agent's set-up file says."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """A value that a JSON file is to hold.

    An array at `path` gets it appended, unless `known` stands in it already.
    """

    path: tuple[str, ...]
    value: Any
    known: str = ""


class JsonFile(msgspec.Struct, frozen=True, kw_only=True):
    """A JSON file, perhaps with comments, that others write too."""

    path: str
    """Relative to the repository's root, as all paths here."""
    members: tuple[Member, ...]


class OwnFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file that is ours alone."""

    path: str
    text: str


class Lines(msgspec.Struct, frozen=True, kw_only=True):
    """Lines at the end of a YAML file; each only where its key stands nowhere yet."""

    path: str
    lines: tuple[str, ...]


Edit = JsonFile | OwnFile | Lines


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What the user asked for, and what an agent's file needs to know."""

    rewrite: bool = False
    suite: tuple[str, ...] = ()
    """The argv of the first test suite that was found."""


class Agent(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent's file binds to `AGENT`; the file's name is the agent's."""

    name: str
    """For people."""
    traces: tuple[str, ...]
    """Files and folders of a repository that this agent's users have."""
    home: tuple[str, ...]
    """The same, in the home folder."""
    programs: tuple[str, ...]
    edits: Callable[[Wish], Sequence[Edit]]
    contract: str = "AGENTS.md"
    """Where this agent reads what a project asks of it; empty where it reads nothing unasked."""
    then: str = ""
    """What a person has to do themselves, if anything."""


def hooks_in(path: str, hooks: Mapping[str, tuple[str, str, int]]) -> JsonFile:
    """Return the edit that adds command hooks in the form that Claude Code began.

    By event: the matcher ('' for none), the command, the timeout in the agent's unit.
    """
    members = []
    for event, (matcher, command, timeout) in hooks.items():
        hook = {"type": "command", "command": command, "timeout": timeout}
        entry = {"matcher": matcher, "hooks": [hook]} if matcher else {"hooks": [hook]}
        members.append(Member(path=("hooks", event), value=[entry], known=command))
    return JsonFile(path=path, members=tuple(members))


def hook_command(agent: str, event: str, *words: str) -> str:
    """Return the command of a hook; where Proctor is gone, it says so and lets the agent go on.

    Exit code 2 of a hook means "no" to several agents: this one ends with 0.
    """
    return " ".join(("proctor", "hook", agent, event, *words, "|| true"))
