"""`quarantine.txt`: tests whose failure is explained for some days. A person may edit it.

    tests/test_net.py::test_slow
        since        2026-11-29
        until        2026-12-06
        fingerprint  1a2b3c4d5e6f7a8b
        evidence     3f2a9c, 77b0d1
        owner        @alice
        reason       waits for a port that another test holds

An entry begins with the exact id in the first column; `#` begins a comment. It explains a
failure until the end of its last day, and only one with a fingerprint that it names. It
lasts no longer than `[flakes] days` from its first day unless it was renewed, which takes
an owner and a reason.
"""

import difflib
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta

import msgspec

from proctor._whole import plain
from proctor.errors import ConfigError
from proctor.flakes.names import canonical, steady

FILE = "quarantine.txt"
KEYS = ("since", "until", "renewed", "fingerprint", "evidence", "owner", "reason")
_NEEDED = ("since", "until", "fingerprint")
_LINE = re.compile(r"\s+(\w+)(?:\s+(.*))?")
_FINGERPRINT = re.compile(r"[0-9a-f]{16}")
_WIDTH = 13
_HEAD = """\
# Tests that are known to be flaky. They run; their failure is explained, not hidden.
# See docs/flakes.md. An entry is over at the end of its last day.
"""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One quarantined test."""

    test: str
    """Its id, as a person reads it."""
    since: date
    until: date
    """The last day on which it counts."""
    renewed: date | None = None
    fingerprints: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    """Ids of the runs that show a failure and a pass on the same files."""
    owner: str = ""
    reason: str = ""
    line: int = 0

    @property
    def exact(self) -> str:
        """The name that all reports of the test agree on; no two entries share it."""
        return canonical(self.test)

    @property
    def name(self) -> str:
        """The name under which the test's history is kept, unless others would share it."""
        return steady(self.exact)

    def ends(self, days: int) -> date:
        """Return the last day on which it counts, however far it was edited away."""
        renewed = self.renewed is not None and self.owner and self.reason
        first = self.renewed if renewed and self.renewed is not None else self.since
        return min(self.until, first + timedelta(days=days))

    def counts(self, now: datetime, days: int) -> bool:
        """Return whether it explains failures now."""
        today = now.astimezone(UTC).date()
        begun = self.since <= today and (self.renewed is None or self.renewed <= today)
        return begun and today <= self.ends(days)


def read_text(path: str) -> str:
    """Return the text of a quarantine, '' where there is no such file.

    Raises:
        ConfigError: it cannot be read.
    """
    try:
        with open(path, encoding="utf-8", opener=plain) as file:
            return file.read()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8; save it as UTF-8"
        raise ConfigError(f"{path}: cannot be read: {reason}") from None


def parse(text: str, path: str = FILE) -> list[Entry]:
    """Return the entries of a quarantine.

    Raises:
        ConfigError: a line is none of an entry, or an entry is incomplete or there twice.
    """
    entries: list[Entry] = []
    test, started = "", 0
    keys: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if not line[0].isspace():
            if test:
                entries.append(_entry(test, keys, f"{path}:{started}", started))
            test, started, keys = line.strip().removeprefix("\\"), number, {}
            continue
        name, value = _key(line, f"{path}:{number}")
        if not test:
            raise ConfigError(f"{path}:{number}: {name} belongs to no test; write its id above it")
        if name in keys:
            raise ConfigError(f"{path}:{number}: {name} is there twice; keep one")
        keys[name] = value
    if test:
        entries.append(_entry(test, keys, f"{path}:{started}", started))
    _refuse_doubles(entries, path)
    return entries


def render(entries: Iterable[Entry]) -> str:
    """Return the text of a quarantine, in the order of the ids."""
    parts = [_HEAD]
    for entry in sorted(entries, key=lambda one: one.test):
        rows = (
            ("since", entry.since.isoformat()),
            ("until", entry.until.isoformat()),
            ("renewed", entry.renewed.isoformat() if entry.renewed else ""),
            ("fingerprint", ", ".join(entry.fingerprints)),
            ("evidence", ", ".join(entry.evidence)),
            ("owner", entry.owner),
            ("reason", " ".join(entry.reason.split())),
        )
        test = f"\\{entry.test}" if entry.test[:1] in ("#", "\\") else entry.test
        lines = [f"    {name:<{_WIDTH}}{value}" for name, value in rows if value]
        parts.append("\n".join((test, *lines)) + "\n")
    return "\n".join(parts)


def diff(before: str, after: str, path: str = FILE) -> str:
    """Return the change of the file as a unified diff, '' if there is none."""
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), path, path
    )
    return "".join(lines)


class Lookup:
    """Finds the entry of a test: the one with its very id, else the one with its steady name.

    Two ids that differ only in a date or an address are two tests where both are known,
    and have entries of their own.
    """

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._exact: dict[str, Entry] = {}
        self._steady: dict[str, list[Entry]] = {}
        for entry in entries:
            self._exact[entry.exact] = entry
            self._steady.setdefault(entry.name, []).append(entry)

    def find(self, name: str, shown: str) -> Entry | None:
        """Return the entry of the test with this name and id; none if it is not clear."""
        exact = self._exact.get(canonical(shown))
        if exact is not None:
            return exact
        alike = self._steady.get(name, [])
        return alike[0] if len(alike) == 1 else None


def name_in(entry: Entry, known: Container[str], renames: Mapping[str, str]) -> str:
    """Return the name under which the history of an entry's test is kept now."""
    names = [renames.get(name, name) for name in (entry.exact, entry.name)]
    return next((name for name in names if name in known), names[-1])


def _entry(test: str, keys: Mapping[str, str], where: str, line: int) -> Entry:
    missing = [name for name in _NEEDED if not keys.get(name)]
    if missing:
        raise ConfigError(f"{where}: {test}: {missing[0]} is missing; add it or take the entry out")
    for word in _listed(keys["fingerprint"]):
        if not _FINGERPRINT.fullmatch(word):
            raise ConfigError(
                f"{where}: {test}: {word[:40]!r} is no fingerprint; take it from the report of a "
                "failure: proctor flakes quarantine"
            )
    return Entry(
        test=test,
        since=_day(keys, "since", where),
        until=_day(keys, "until", where),
        renewed=_day(keys, "renewed", where) if keys.get("renewed") else None,
        fingerprints=tuple(_listed(keys["fingerprint"])),
        evidence=tuple(_listed(keys.get("evidence", ""))),
        owner=keys.get("owner", ""),
        reason=keys.get("reason", ""),
        line=line,
    )


def _key(line: str, where: str) -> tuple[str, str]:
    found = _LINE.fullmatch(line)
    name = found[1] if found is not None else line.split(maxsplit=1)[0]
    if found is None or name not in KEYS:
        near = difflib.get_close_matches(name, KEYS, n=1)
        hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(KEYS)}"
        raise ConfigError(f"{where}: {name[:40]!r} is no member of an entry; {hint}")
    return name, (found[2] or "").strip()


def _day(keys: Mapping[str, str], name: str, where: str) -> date:
    try:
        return date.fromisoformat(keys[name])
    except ValueError:
        raise ConfigError(
            f"{where}: {name} is {keys[name][:40]!r}; write a day as 2026-12-31"
        ) from None


def _listed(text: str) -> Iterator[str]:
    return (word for word in re.split(r"[,\s]+", text) if word)


def _refuse_doubles(entries: Sequence[Entry], path: str) -> None:
    met: dict[str, Entry] = {}
    for entry in entries:
        other = met.setdefault(entry.exact, entry)
        if other is not entry:
            raise ConfigError(
                f"{path}:{entry.line}: {entry.test} is there twice, first in line {other.line}; "
                "keep one"
            )
