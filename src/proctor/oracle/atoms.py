"""What a delta shows, taken apart into atoms: what makes two deltas one change.

A piece of text that changed alike under several commands is one atom of them all, so
that a new global option is one change and not twenty; a value is an atom of its
command. An exit code goes with what else the same step shows, and stands alone only
where nothing else does.
"""

import re
from collections.abc import Iterable, Iterator

import msgspec

from proctor.oracle.classes import class_of
from proctor.oracle.delta import Delta, Field, Hunk
from proctor.oracle.texts import regions, tokens_of

_OUTCOME = re.compile(
    r"(?:exit_code|signal|timed_out|time|left_running|(?:.*[.\]])?"
    r"(?:status|exit|code|rc|returncode|ok|success))\Z"
).match

Atom = tuple[str, ...]


def first_word(command: str) -> str:
    """Return the word that a command line begins with, options passed over."""
    for word in command.split():
        if not word.startswith("-"):
            return word
    return next(iter(command.split()), "(none)")


def atoms_of(delta: Delta) -> Iterator[tuple[Atom, ...]]:
    """Yield what each change that a delta shows is told apart by."""
    yield from groups_of(delta, first_word(delta.command))


def groups_of(delta: Delta, command: str) -> dict[tuple[Atom, ...], list[Field]]:
    """Return what a delta shows: pieces of text each by itself, the values together."""
    groups: dict[tuple[Atom, ...], list[Field]] = {}
    values: list[tuple[Atom, Field]] = []
    outcomes: list[tuple[Atom, Field]] = []
    words = frozenset(delta.shared)
    for field in delta.changed:
        if field.hunks:
            for hunk in field.hunks:
                atom = _text_atom(field, hunk, words)
                shown = msgspec.structs.replace(field, hunks=(hunk,))
                groups.setdefault((atom,), []).append(shown)
        elif _OUTCOME(field.path):
            outcomes.append((_value_atom(field, command, frozenset()), field))
        else:
            values.append((_value_atom(field, command, words), field))
    if outcomes and delta.context and not values and not groups:
        # An exit code alone: of all commands that complain alike it is one change.
        told = sorted({("outcome", *atom[2:]) for atom, _ in outcomes})
        return {(("context", delta.context), *told): [field for _, field in outcomes]}
    if values or not groups:
        own = values or outcomes
        key = tuple(sorted({atom for atom, _ in own}))
        groups.setdefault(key, []).extend(field for _, field in (*values, *outcomes))
    else:
        next(iter(groups.values())).extend(field for _, field in outcomes)
    return groups


def _value_atom(field: Field, command: str, words: frozenset[str]) -> Atom:
    path = re.sub(r"\[\d+\]", "[]", field.path)
    kinds = class_of(field.old), class_of(field.new)
    if kinds == ("number", "number") and not _OUTCOME(field.path):
        # A sum that is one too high is one change, whatever was summed.
        return ("value", command, path, *kinds)
    return ("value", command, path, _kind(field.old, words), _kind(field.new, words))


def _kind(value: str | None, words: frozenset[str]) -> str:
    """Return a short value itself, but for what was given; a long or free one as its class."""
    bare = value.strip('"') if value is not None else None
    kind = class_of(value)
    if bare and bare in words:
        return "<argument>"
    return f"={value}" if kind in ("word", "true", "false") or kind == "number" else kind


def _text_atom(field: Field, hunk: Hunk, words: frozenset[str]) -> Atom:
    family = field.path.split(".")[0]
    old = tokens_of("\n".join(hunk.removed))
    new = tokens_of("\n".join(hunk.added))
    if len(old) + len(new) > 800:
        return ("text", family, *_general((*old[:40], "→", *new[:40]), words))
    changed: list[str] = []
    for one in regions(old, new):
        changed += ("-", *old[one.old_start : one.old_end])
        changed += ("+", *new[one.new_start : one.new_end])
    return ("text", family, *_general(changed, words))


def _general(tokens: Iterable[str], words: frozenset[str]) -> Iterator[str]:
    """Yield tokens, blanks left out, digits and arguments made alike."""
    for token in tokens:
        if token.isspace():
            continue
        yield "<argument>" if token in words else re.sub(r"\d+", "0", token)
