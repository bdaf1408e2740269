"""What a new configuration asks more, or less, than an old one.

Compared are the settings that take effect, not the text: comments, order, and
values that say what the default says anyway, are no difference. What cannot be
shown to tighten counts as loosening.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from proctor.classify.classify import classify_argv
from proctor.classify.selection import is_narrowed, positionals
from proctor.config import Config, OracleTable, RequireTable
from proctor.findings import Level
from proctor.gate.base import rules
from proctor.gate.judge import WEIGHT
from proctor.settings import DEFAULT_FLOORS

Said = tuple[str, bool]
"""A difference in words, and whether it can only tighten."""
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}


def differences(old: Config, new: Config) -> Iterator[Said]:
    """Yield each difference in effect between two configurations."""
    if old.log.path != new.log.path:
        yield f"[log] path is {new.log.path or 'the default'}", False
    if old.log.env_names != new.log.env_names:
        yield f"[log] env_names is {str(new.log.env_names).lower()}", True
    yield from _floors(old, new)
    for name in sorted({*old.classes, *new.classes}):
        if old.classes.get(name) != new.classes.get(name):
            yield f"[classes] {name!r} {_verb(name, old.classes, new.classes)}", False
    yield from _grown("[deny] binaries", old.deny.binaries, new.deny.binaries)
    yield from _grown("[redact] flags", old.redact.flags, new.redact.flags)
    yield from _grown("[redact] names", old.redact.names, new.redact.names)
    yield from _grown("[agent] test_tools", old.agent.test_tools, new.agent.test_tools)
    yield from _gate(old, new)
    yield from _requirements(old.require, new.require)
    yield from _oracle(old.oracle, new.oracle)
    if old.approvals.code_owners != new.approvals.code_owners:
        on = new.approvals.code_owners
        yield f"[approvals] code_owners is {str(on).lower()}", not on
    yield from _trusts("[approvals]", old.approvals.trusted_keys, new.approvals.trusted_keys)
    yield from _trusts("[receipt]", old.receipt.trusted_keys, new.receipt.trusted_keys)
    if old.receipt.require_signed != new.receipt.require_signed:
        on = new.receipt.require_signed
        yield f"[receipt] require_signed is {str(on).lower()}", on
    yield from _flakes(old, new)


def _flakes(old: Config, new: Config) -> Iterator[Said]:
    before, after = old.flakes, new.flakes
    if before.rule != after.rule:
        yield f"[flakes] rule is {after.rule}", after.rule == "default"
    if before.window != after.window:
        yield f"[flakes] window is {after.window}, was {before.window}", False
    if before.threshold != after.threshold:
        tightens = after.threshold > before.threshold
        yield f"[flakes] threshold is {after.threshold}, was {before.threshold}", tightens
    for name in ("days", "cap", "infra"):
        was, now = getattr(before, name), getattr(after, name)
        if was != now:
            yield f"[flakes] {name} is {now:g}, was {was:g}", now < was


_GENERATES = frozenset(
    ("commands", "options", "domains", "variables", "budget", "length", "jobs", "build_timeout_s")
)
"""Settings of [oracle] that decide neither what is replayed nor how it is compared."""


def _oracle(old: OracleTable, new: OracleTable) -> Iterator[Said]:
    """Yield what decides the oracle's comparison otherwise; only less noise tightens."""
    for name in OracleTable.__struct_fields__:
        was, now = getattr(old, name), getattr(new, name)
        if was == now or name in _GENERATES:
            continue
        if name in ("masks", "ignore"):
            more = sorted(set(now) - set(was)) if name == "ignore" else _more(was, now)
            verb = f"has {', '.join(more)}" if more else "has less"
            yield f"[oracle] {name} {verb}", not more and not _negates(map(str, now))
        elif name == "reruns":
            yield f"[oracle] reruns is {now}, was {was}", now > was
        else:
            yield f"[oracle] {name} was changed", False


def _more(was: dict[str, str], now: dict[str, str]) -> list[str]:
    return sorted(name for name, pattern in now.items() if was.get(name) != pattern)


def _floors(old: Config, new: Config) -> Iterator[Said]:
    before, after = _floors_of(old), _floors_of(new)
    for name in sorted({*before, *after}):
        was, now = before.get(name, 0), after.get(name, 0)
        if was != now:
            yield f"the floor of {name} is {now} ms, was {was} ms", now > was


def _floors_of(config: Config) -> dict[str, int]:
    own = {name: item.floor_ms for name, item in config.classes.items() if item.floor_ms}
    return {**DEFAULT_FLOORS, **own, **config.floors}


def _gate(old: Config, new: Config) -> Iterator[Said]:
    if old.gate.enforce != new.gate.enforce:
        yield f"[gate] enforce is {new.gate.enforce!r}", new.gate.enforce == "block"
    gone = sorted(set(old.gate.ignore_paths) - set(new.gate.ignore_paths))
    more = sorted(set(new.gate.ignore_paths) - set(old.gate.ignore_paths))
    if more:
        yield f"[gate] ignore_paths has {', '.join(more)}", False
    elif gone:
        yield f"[gate] ignore_paths lost {', '.join(gone)}", not _negates(gone)
    elif old.gate.ignore_paths != new.gate.ignore_paths:
        yield "[gate] ignore_paths is in another order", not _negates(old.gate.ignore_paths)
    for name, rule in rules():
        was = Level(old.gate.levels.get(name, rule.level))
        now = Level(new.gate.levels.get(name, rule.level))
        if was != now:
            yield f"{name} is {_article(now)}, was {_article(was)}", WEIGHT[now] > WEIGHT[was]


def _negates(lines: Iterable[str]) -> bool:
    return any(line.startswith("!") for line in lines)


def _article(level: Level) -> str:
    return f"{'an' if level.value[0] in 'aeiou' else 'a'} {level.value}"


def _requirements(old: tuple[RequireTable, ...], new: tuple[RequireTable, ...]) -> Iterator[Said]:
    before = {item.name: item for item in old}
    after = {item.name: item for item in new}
    for name in sorted({*before, *after}):
        was, now = before.get(name), after.get(name)
        if was is None and now is not None:
            # The first requirement replaces the default, which asks for whole suites.
            yield f"[[require]] {name!r} was added", bool(old) or _asks_for_all(now)
        elif now is None:
            yield f"[[require]] {name!r} was removed", False
        elif was is not None and was != now:
            told = [
                _member(key, getattr(was, key), getattr(now, key)) for key in _changed(was, now)
            ]
            yield (
                f"[[require]] {name!r}: {', '.join(text for text, _ in told)}",
                all(tightens for _, tightens in told),
            )


def _asks_for_all(item: RequireTable) -> bool:
    """Return whether every change owes an item, and its command leaves no test out."""
    if item.paths or item.selectors:
        return False
    found = classify_argv(item.command, peel=True) if item.command else None
    if found is None:
        return item.command_class is not None
    whole = found.matching == "name" or not positionals(found)
    return found.role == "test" and whole and not is_narrowed(found)


def _changed(was: RequireTable, now: RequireTable) -> list[str]:
    names = [name for name in RequireTable.__struct_fields__ if name != "name"]
    return [name for name in names if getattr(was, name) != getattr(now, name)]


def _member(name: str, was: Any, now: Any) -> Said:
    """Return one changed member of a requirement in words, and whether that tightens."""
    judge = _TIGHTENS.get(name, lambda was, _: was is None)
    return f"{name.replace('command_class', 'class')} was {_shown(was)}, is {_shown(now)}", judge(
        was, now
    )


def _shown(value: Any) -> str:
    if value is None or value in ((), ""):
        return "nothing"
    return " ".join(value) if isinstance(value, tuple) else str(value)


def _seconds(age: str) -> int:
    return int(age[:-1]) * _SECONDS[age[-1]]


def _never(was: Any, now: Any) -> bool:
    del was, now
    return False


_TIGHTENS: dict[str, Callable[[Any, Any], bool]] = {
    "paths": lambda was, now: (
        bool(was) and not _negates((*was, *now)) and (not now or set(was) <= set(now))
    ),
    "command": _never,
    "folder": _never,
    "command_class": _never,
    "selectors": _never,
    "min_tests": lambda was, now: was is None or (now is not None and now > was),
    "max_age": lambda was, now: was is None or (now is not None and _seconds(now) < _seconds(was)),
}
"""By member: whether a change tightens; elsewhere only what was not asked before does."""


def _grown(what: str, old: Iterable[str], new: Iterable[str]) -> Iterator[Said]:
    """Yield the difference of two lists that only tighten by growing."""
    more, gone = sorted(set(new) - set(old)), sorted(set(old) - set(new))
    if gone:
        yield f"{what} lost {', '.join(gone)}", False
    elif more:
        yield f"{what} has {', '.join(more)}", True


def _trusts(table: str, old: Iterable[str], new: Iterable[str]) -> Iterator[Said]:
    """Yield the difference of two lists of trusted keys: each more loosens."""
    more, gone = sorted(set(new) - set(old)), sorted(set(old) - set(new))
    if more:
        yield f"{table} trusted_keys has {', '.join(key[:12] for key in more)}", False
    elif gone:
        yield f"{table} trusted_keys lost {', '.join(key[:12] for key in gone)}", True


def _verb(name: str, old: dict[str, Any], new: dict[str, Any]) -> str:
    if name not in old:
        return "was added"
    return "was changed" if name in new else "was removed"
