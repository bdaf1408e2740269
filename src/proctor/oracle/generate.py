"""Makes a corpus from the grammar in the configuration.

Every command is tried first with each of its arguments from small domains that all
commands share, so that `set a` meets `get a`; then sequences of two and more, as far
as the budget goes, spread evenly over what there is; then a turn of the environment
for each command. What the corpus holds already stays as it is.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from proctor.config import OracleCommandTable, OracleTable
from proctor.errors import ConfigError
from proctor.oracle import corpus
from proctor.oracle.corpus import Command

LONG = "x" * 300
EDGES = ("", "-", "missing", "ü", LONG)
"""Values that are tried where a command's domain does not hold their like."""
_MOST_OPERATIONS = 4_000
_MOST_PAIRED = 300
_ZONES = ("Asia/Kathmandu", "Pacific/Apia")
_AXES: tuple[dict[str, object], ...] = (
    {"tz": _ZONES[0]},
    {"hash_seed": 4242},
    {"tty": True},
    {"locale": "C"},
)


def operations(table: OracleTable) -> list[Command]:
    """Return every single step that the grammar holds, the plain ones first.

    Raises:
        ConfigError: a command names a domain that there is not.
    """
    return _in_turn(
        itertools.islice(_forms(name, command, table), _MOST_OPERATIONS)
        for name, command in table.commands.items()
    )


def mistakes(table: OracleTable) -> list[Command]:
    """Return steps that are wrong: too few arguments, too many, words that are unknown."""
    found = _in_turn(_wrong(name, command, table) for name, command in table.commands.items())
    last = [Command()] if table.command else []
    return [*found, Command(argv=("no-such-command",)), *last]


def _in_turn(groups: Iterable[Iterable[Command]]) -> list[Command]:
    turns = itertools.zip_longest(*groups)
    return [one for turn in turns for one in turn if one is not None]


def _forms(name: str, command: OracleCommandTable, table: OracleTable) -> Iterator[Command]:
    inputs: Sequence[str | None] = (
        _domain(command.stdin, name, table) if command.stdin is not None else (None,)
    )
    arguments = list(_arguments(name, command, table))
    options = list(_options(name, command, table))
    plain: list[tuple[str, ...]] = [(name, *words) for words in arguments]
    first = [(name, *given, *words) for words in arguments[:1] for given in options]
    more = [(name, *given, *words) for words in arguments[1:3] for given in options]
    for argv in (*plain[:2], *first, *plain[2:], *more):
        for stdin in inputs:
            yield Command(argv=argv, stdin=stdin)


def _wrong(name: str, command: OracleCommandTable, table: OracleTable) -> Iterator[Command]:
    arguments = list(itertools.islice(_arguments(name, command, table), 1))
    if command.args and not command.args[-1].endswith("?"):
        yield Command(argv=(name, *arguments[0][:-1]))
    yield Command(argv=(name, *arguments[0], "extra"))
    yield Command(argv=(name, "--no-such-option", *arguments[0]))


def _arguments(
    name: str, command: OracleCommandTable, table: OracleTable
) -> Iterator[tuple[str, ...]]:
    domains = [_domain(one.rstrip("?"), name, table) for one in command.args]
    optional = [one.endswith("?") for one in command.args]
    least = next((n for n, may in enumerate(optional) if may), len(domains))
    for count in range(len(domains), least - 1, -1):
        yield from itertools.product(*domains[:count])


def _options(
    name: str, command: OracleCommandTable, table: OracleTable
) -> Iterator[tuple[str, ...]]:
    for option in (*command.options, *table.options):
        flag, _, domain = option.partition("=")
        if domain:
            for value in _domain(domain, name, table):
                yield (f"{flag}={value}",) if flag.startswith("--") else (flag, value)
        else:
            yield (flag,)


def _domain(name: str, command: str, table: OracleTable) -> tuple[str, ...]:
    found = table.domains.get(name)
    if not found:
        known = ", ".join(table.domains) or "none"
        raise ConfigError(
            f"[oracle.commands.{command}] names the domain {name!r}; give [oracle.domains] "
            f'{name} = ["…"] (there are: {known})'
        )
    return found


def generate(
    table: OracleTable, kept: Iterable[corpus.Sequence], budget: int
) -> list[corpus.Sequence]:
    """Return the sequences of a corpus: what it holds, and what the grammar adds.

    `budget` is how many there are in the end, at most; what is kept is never cut.

    Raises:
        ConfigError: the grammar is empty, or names a domain that there is not.
    """
    found = list(kept)
    if not table.commands:
        raise ConfigError(
            "there is no grammar: add [oracle.commands.NAME] with args and options; "
            "`proctor oracle init` writes a first one from the program's --help"
        )
    names = {one.seed for one in found}
    seen = {corpus.nameless(one) for one in found}
    left = budget - len(found)
    single = operations(table)
    turned = list(_turned(table, single))[: max(1, left // 4)]
    for steps in _rest(table, single, max(0, left - len(turned))):
        if len(found) >= budget - len(turned):
            break
        _add(found, names, seen, corpus.Sequence(seed="", steps=steps))
    for one in turned:
        if len(found) < budget:
            _add(found, names, seen, one)
    return found


def _add(
    found: list[corpus.Sequence], names: set[str], seen: set[bytes], one: corpus.Sequence
) -> None:
    content = corpus.nameless(one)
    if content in seen:
        return
    number = len(found) + 1
    while f"g{number}" in names:
        number += 1
    seen.add(content)
    names.add(f"g{number}")
    found.append(msgspec.structs.replace(one, seed=f"g{number}"))


def _rest(table: OracleTable, single: list[Command], left: int) -> Iterator[tuple[Command, ...]]:
    """Yield single steps and mistakes, then pairs, then longer ones, as many as are left.

    No part takes all: each has half of what those before it left.
    """
    wrong = mistakes(table)
    longer = table.length > 1
    for one in single[: max(1, left // 4)] if longer else single:
        yield (one,)
    for one in wrong[: max(1, left // 4)] if longer else wrong:
        yield (one,)
    if longer:
        pairs = _meeting(single)
        yield from pairs if table.length == 2 else pairs[: max(1, left // 3)]
        for length in range(3, table.length + 1):
            yield from _longer(pairs, single, length)
        yield from ((one,) for one in (*single, *wrong))
        yield from pairs


def _longer(
    pairs: list[tuple[Command, ...]], single: list[Command], length: int
) -> Iterator[tuple[Command, ...]]:
    """Yield pairs that go on with steps about the same thing."""
    for pair in pairs[:200]:
        about = set(pair[0].argv[1:2])
        rest = [one for one in single if about & set(one.argv[1:]) or len(one.argv) == 1]
        for start in range(min(len(rest), 6)):
            more = itertools.islice(itertools.cycle(rest[start:] + rest[:start]), length - 2)
            yield (*pair, *more)


def _meeting(single: list[Command]) -> list[tuple[Command, ...]]:
    """Return pairs of steps, those about the same thing first, all pairs of commands in turn."""
    groups: dict[tuple[str, ...], list[tuple[int, tuple[Command, ...]]]] = {}
    for a, b in itertools.product(single[:_MOST_PAIRED], repeat=2):
        about = a.argv[1:2] == b.argv[1:2] and a.argv[1:2] not in ((), ("",))
        apart = a.argv[1:2] != b.argv[1:2] and len(a.argv) == len(b.argv) > 1
        groups.setdefault((*a.argv[:1], "|", *b.argv[:1]), []).append((-2 * about - apart, (a, b)))
    ranked = [
        [pair for _, pair in sorted(many, key=lambda one: one[0])] for many in groups.values()
    ]
    turns = itertools.zip_longest(*ranked)
    return [one for turn in itertools.islice(turns, 2_000) for one in turn if one is not None]


def _turned(table: OracleTable, single: list[Command]) -> Iterator[corpus.Sequence]:
    """Yield a step of each command under each turn of the environment."""
    firsts: dict[str, Command] = {}
    for one in single:
        if one.argv:
            firsts.setdefault(one.argv[0], one)
    known = [one for name, one in firsts.items() if name in table.commands]
    for name, values in table.variables.items():
        for value in values:
            for one in known:
                yield corpus.Sequence(seed="", steps=(one,), env={name: value})
    everything = tuple(known)
    for axis in _AXES:
        if everything:
            yield corpus.Sequence(seed="", steps=everything, **axis)  # type: ignore[arg-type]


def with_strategies(
    table: OracleTable, found: list[corpus.Sequence], budget: int, seed: int
) -> list[corpus.Sequence]:
    """Return the sequences, with more that Hypothesis draws from the same grammar.

    Raises:
        ConfigError: as `generate`, or Hypothesis is not installed.
    """
    from proctor.oracle.strategies import drawn

    names = {one.seed for one in found}
    seen = {corpus.nameless(one) for one in found}
    result = list(found)
    plain = [*operations(table), *mistakes(table)]
    for steps in drawn(plain, max(0, budget - len(found)), max(2, table.length), seed):
        _add(result, names, seen, corpus.Sequence(seed="", steps=steps))
    return result
