"""Reads span logs to their end, once; what a judgement needs of them stays in a choice."""

import os
from collections.abc import Callable, Iterator, Sequence

import msgspec

from proctor.assess.bundled import Bundled, Mover
from proctor.assess.choose import Choice, Offending
from proctor.gate.evidence import Gone, LogFacts, Problem
from proctor.records.log import read_log
from proctor.records.parts import closed_parts, damage
from proctor.records.place import Clone, is_inside
from proctor.records.span import Span


class Horizon(msgspec.Struct, frozen=True, kw_only=True):
    """The times from which records count, as spans write them."""

    since: str
    """What is judged."""
    week: str
    """What would be judged without a base."""


def read_own(
    paths: Sequence[str],
    choice: Choice | Offending,
    root: str,
    horizon: Horizon,
    *,
    must_exist: bool,
) -> Iterator[LogFacts]:
    """Read logs, and what was closed of them within the time that is judged."""
    for path in paths:
        if must_exist or os.path.lexists(path):
            yield from _read(path, choice, root, horizon)
        else:
            yield LogFacts(path=path, exists=False, in_repository=is_inside(path, root))


def read_bundled(bundle: Bundled, choice: Choice | Offending, clone: Clone) -> LogFacts:
    """Read the log of a bundle, its records as if they had been made in this clone."""
    found = _read_file(bundle.log, choice, Mover(bundle, clone).moved)
    return msgspec.structs.replace(found, path=bundle.named(bundle.log))


def _read(path: str, choice: Choice | Offending, root: str, horizon: Horizon) -> Iterator[LogFacts]:
    problems: list[Problem] = []
    gone: list[Gone] = []
    judged = []
    for part in closed_parts(path):
        wrong = damage(part, thorough=False)
        if wrong is not None:
            problems.append(Problem(line=1, why=wrong))
        elif part.header.until >= horizon.since and part.state == "here":
            judged.append(part.path)
        elif part.header.until >= horizon.since:
            recent = part.header.until >= horizon.week
            gone.append(Gone(path=part.path, until=part.header.until, recent=recent))
    for closed in reversed(judged):
        yield _read_file(closed, choice)
    facts = _read_file(path, choice)
    yield msgspec.structs.replace(
        facts,
        problems=(*facts.problems, *problems),
        gone=tuple(gone),
        in_repository=is_inside(path, root),
    )


def _read_file(
    path: str, choice: Choice | Offending, as_own: Callable[[Span], Span] = lambda span: span
) -> LogFacts:
    """Read one file to its end."""
    log = read_log(path, choice.wanted)
    for span in log:
        choice.take(as_own(span))
    problems = [
        Problem(line=one.line, why=one.message, broken=one.slug != "torn") for one in log.problems
    ]
    if log.length and not log.sealed:
        problems.append(Problem(line=1, why="no line carries a digest: nothing links them"))
    return LogFacts(path=path, records=log.length, head=log.head or "", problems=tuple(problems))
