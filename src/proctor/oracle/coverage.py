"""What a corpus reaches of the grammar, and what it does not."""

from collections.abc import Iterable, Iterator, Mapping

from proctor.config import OracleTable
from proctor.oracle.corpus import Sequence

SHOWN = 12


class Reached:
    """The words that the steps of a corpus use."""

    def __init__(self, sequences: Iterable[Sequence]) -> None:
        self.words: set[str] = set()
        self.commands: dict[str, int] = {}
        self.variables: set[str] = set()
        self.seeds = 0
        self.steps = 0
        self.turned: set[str] = set()
        for one in sequences:
            self.seeds += 1
            self.variables |= one.env.keys()
            self._axes(one)
            for step in one.commands:
                self.steps += 1
                words = step.argv or tuple((step.shell or "").split())
                self.words.update(words)
                self.words.update(word.partition("=")[0] for word in words if "=" in word)
                for word in words[:1]:
                    self.commands[word] = self.commands.get(word, 0) + 1

    def _axes(self, one: Sequence) -> None:
        if one.tty:
            self.turned.add("tty")
        for name in ("tz", "hash_seed", "locale"):
            if getattr(one, name) is not None:
                self.turned.add(name)


def reach_of(table: OracleTable, sequences: Iterable[Sequence]) -> Iterator[str]:
    """Yield what no step of a corpus reaches, a line each."""
    reached = Reached(sequences)
    yield from _missing("commands", table.commands, reached.words)
    options = [
        f"{option.partition('=')[0]} ({name})"
        for name, command in table.commands.items()
        for option in (*command.options, *table.options)
        if option.partition("=")[0] not in reached.words
    ]
    yield from _listed("options", dict.fromkeys(options))
    values = [
        f"{name}={value!r:.40}"
        for name, domain in table.domains.items()
        for value in domain
        if value not in reached.words and not any(w.endswith(f"={value}") for w in reached.words)
    ]
    yield from _listed("values", values)
    yield from _missing("variables", table.variables, reached.variables)
    if table.commands:
        yield from _listed(
            "turns of the environment",
            [name for name in ("tz", "hash_seed", "tty", "locale") if name not in reached.turned],
        )


def _missing(what: str, known: Iterable[str], reached: Iterable[str]) -> Iterator[str]:
    there = set(reached)
    yield from _listed(what, [name for name in known if name not in there])


def _listed(what: str, names: Iterable[str]) -> Iterator[str]:
    found = list(names)
    if found:
        more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
        yield f"{what}: {', '.join(found[:SHOWN])}{more}"


def described(table: OracleTable, sequences: Iterable[Sequence]) -> list[str]:
    """Return what a corpus reaches and what not, a line each."""
    kept = list(sequences)
    reached = Reached(kept)
    commands = ", ".join(f"{name} {count:,}" for name, count in sorted(reached.commands.items()))
    lines = [f"{reached.seeds:,} sequences, {reached.steps:,} steps"]
    if commands and len(reached.commands) <= 40:
        lines.append(f"steps by command: {commands}")
    if reached.turned:
        lines.append(f"environment turned: {', '.join(sorted(reached.turned))}")
    lines += (f"not reached: {text}" for text in reach_of(table, kept))
    return lines


def failing(table: OracleTable, succeeds: Mapping[str, bool]) -> Iterator[str]:
    """Yield which commands of the grammar only ever failed, of those that were played."""
    never = [name for name in table.commands if not succeeds.get(name, True)]
    if never:
        yield f"exit code 0: of {', '.join(never)}; give them arguments that they take"
