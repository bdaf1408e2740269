"""What a patch takes away from tests: old and new outlines compared.

Every check of an old test must be found again: the same, or one that asks as
much about the same things, or another one that asks as much in its place, here
or in a test that the patch adds. What is not found was removed; what is found
only in a weaker form was loosened. So a test may move, change its name, be
merged with others or be written anew, and nothing is said.
"""

import builtins
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from proctor.outline.base import Check, Outline, Strength, Test

KINDS = {
    "removed": "is gone",
    "emptied": "does nothing any more",
    "skipped": "is now skipped",
    "focused": "leaves every other test of the file out",
    "cases": "has fewer cases",
    "fewer": "no longer asks",
    "loosened": "asks less",
    "guarded": "cannot fail on it any more",
}
"""What a weakening is → what is said about the test."""
_ALIKE = 0.3
"""Share of common names from which two checks ask about the same things."""
_SAME_TEST = 0.5
"""Share of common checks, or names, from which two tests are one renamed."""
_MANY = 10_000
"""Cases of a table whose length is not written down."""
_MOST_PAIRS = 250_000
"""Comparisons after which likeness is not looked for any more."""
_BOUND = re.compile(r"(<=?|>=?)\s*(-?\d+(?:\.\d+)?)\)?\s*$")


class File(msgspec.Struct, frozen=True, kw_only=True):
    """A test file before and after the patch; without tests where it is absent."""

    path: str
    old: Outline = Outline()
    new: Outline = Outline()


class Weakening(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a patch takes away from a test."""

    kind: str
    """One of `KINDS`."""
    path: str
    line: int
    """In the new file; in the old one where the test is gone."""
    test: str
    before: str = ""
    after: str = ""


class _Offer:
    """A check of the new side, and how often it can stand for one of the old side."""

    __slots__ = ("check", "left", "test")

    def __init__(self, check: Check, test: Test) -> None:
        self.check = check
        self.test = test
        self.left = check.weight * (_MANY if test.cases is None else test.cases)

    def take(self, wanted: int) -> int:
        """Use up at most `wanted`; return how many were there."""
        taken = min(wanted, self.left)
        self.left -= taken
        return taken


class _Want:
    """A check of the old side, and how often it still has to be found."""

    __slots__ = ("check", "left", "same_text")

    def __init__(self, check: Check, test: Test) -> None:
        self.check = check
        self.left = check.weight * (test.cases or 1)
        self.same_text = False
        """Whether it is still there, asked less often."""


class _Pair:
    """An old test and what has become of it."""

    def __init__(self, path: str, old: Test, new: Test | None) -> None:
        self.path = path
        self.old = old
        self.new = new
        self.found: list[Weakening] = []
        # NOTE: a test that was skipped before asked nothing that could be missed now.
        checks = () if old.skipped else old.checks
        self.wants = [_Want(c, old) for c in checks if c.strength and not c.guard]
        self.offers = _offers(new) if new is not None else []

    def say(self, kind: str, before: str = "", after: str = "", line: int = 0) -> None:
        """Note a weakening."""
        self.found.append(
            Weakening(
                kind=kind,
                path=self.path,
                line=line or (self.new or self.old).line,
                test=(self.new or self.old).short,
                before=before,
                after=after,
            )
        )

    def meet(self) -> None:
        """Find the old checks in the new test."""
        if self.new is None:
            return
        if self.new.skipped and not self.old.skipped:
            self.say("skipped", after=self.new.skipped)
        if self.new.empty and not self.old.empty:
            self.say("emptied", before=self.old.checks[0].text if self.old.checks else "")
        if self.found:
            self.wants = []
        self._cancel()
        if len(self.wants) * len(self.offers) <= _MOST_PAIRS:
            _match(self.wants, self.offers)
            self._loosened()
        self._replaced()

    def _cancel(self) -> None:
        """Take out checks that are the same on both sides; note those behind a guard now."""
        assert self.new is not None  # noqa: S101 - asked by the caller
        offers = defaultdict(list)
        for offer in self.offers:
            offers[offer.check.text].append(offer)
        guarded = {check.text: check for check in self.new.checks if check.guard}
        for want in self.wants:
            for offer in offers[want.check.text]:
                want.same_text = True
                want.left -= offer.take(want.left)
            behind = guarded.get(want.check.text)
            if want.left and not want.same_text and behind is not None:
                want.left = 0
                self.say("guarded", behind.text, behind.guard, behind.line)

    def _loosened(self) -> None:
        """Note old checks that are left only in a weaker form."""
        assert self.new is not None  # noqa: S101 - asked by the caller
        weak = [*self.offers, *(_Offer(c, self.new) for c in self.new.checks if not c.strength)]
        for want in self.wants:
            if not want.left or want.same_text:
                continue
            likely = [
                offer
                for offer in weak
                if offer.left
                and _is_looser(want.check, offer.check)
                and (not offer.check.strength or _likeness(want.check, offer.check) >= _ALIKE)
            ]
            if likely:
                best = max(likely, key=lambda offer: _likeness(want.check, offer.check))
                best.take(want.left)
                want.left = 0
                self.say("loosened", want.check.text, best.check.text, best.check.line)

    def _replaced(self) -> None:
        """Let other new checks that ask as much stand for old ones."""
        for want in sorted(self.wants, key=lambda want: want.check.strength):
            for offer in self.offers:
                if want.left and offer.left and offer.check.strength >= want.check.strength:
                    want.left -= offer.take(want.left)

    def close(self, added: "_Pool") -> None:
        """Say what was found nowhere, the tests that the patch adds included."""
        for want in self.wants:
            if want.left and not self._is_merged(want, self.offers):
                added.satisfy(want)
            elif want.left:
                want.left = 0
        lost = [want for want in self.wants if want.left]
        if self.new is None:
            if self.old.skipped:
                return
            if lost or (not self.old.checks and not added.has_like(self.old)):
                self.say("removed", before=lost[0].check.text if lost else "")
            return
        for want in lost:
            if want.same_text and (self.new.cases or 0) < (self.old.cases or 0):
                self.say("cases", f"{self.old.cases} cases", f"{self.new.cases}")
            else:
                self.say("fewer", want.check.text)

    @staticmethod
    def _is_merged(want: _Want, offers: Iterable[_Offer]) -> bool:
        return any(_holds(offer, want.check) for offer in offers)


class _Pool:
    """The checks of tests that the patch adds, and those that old tests gained."""

    def __init__(self, offers: Iterable[_Offer], added: Sequence[Test]) -> None:
        self._by_name: dict[str, list[_Offer]] = defaultdict(list)
        self._added = added
        for offer in offers:
            for name in offer.check.names | offer.test.names:
                self._by_name[name].append(offer)

    def satisfy(self, want: _Want) -> None:
        """Find a check elsewhere."""
        near = {
            id(offer): offer
            for name in sorted(want.check.names)
            for offer in self._by_name.get(name, ())[:200]
        }
        _match([want], list(near.values()))
        if want.left and any(_holds(offer, want.check) for offer in near.values()):
            want.left = 0

    def has_like(self, test: Test) -> bool:
        """Return whether an added test speaks of the same things."""
        return any(_share(test.names, one.names) >= _SAME_TEST for one in self._added[:1000])


def weakenings(files: Sequence[File]) -> list[Weakening]:
    """Return what a patch takes away from the tests of these files, in order."""
    found: list[Weakening] = []
    pairs: list[_Pair] = []
    added: list[Test] = []
    for file in files:
        whole = list(_of_file(file))
        found += whole
        if not whole:
            matched, new = _by_name(file)
            pairs += matched
            added += new
    _move(pairs, added)
    asked = frozenset(
        name for file in files for test in file.new.tests if test.is_test for name in test.names
    )
    added = [test for test in added if test.is_test or test.short in asked]
    for pair in pairs:
        pair.meet()
    spare = [offer for pair in pairs for offer in pair.offers if offer.left]
    pool = _Pool((*(o for test in added for o in _offers(test)), *spare), added)
    for pair in pairs:
        pair.close(pool)
        found += pair.found
    return found


def _of_file(file: File) -> Iterator[Weakening]:
    """Yield what takes every test of a file away at once."""
    if not any(test.is_test for test in file.old.tests) or not file.new.tests:
        return
    if file.new.skipped and file.new.skipped != file.old.skipped:
        yield Weakening(
            kind="skipped", path=file.path, line=1, test="the file", after=file.new.skipped
        )
    if file.new.focused and not file.old.focused:
        yield Weakening(kind="focused", path=file.path, line=1, test=file.new.focused)


def _by_name(file: File) -> tuple[list[_Pair], list[Test]]:
    """Match the tests of one file by name; return the pairs and the new tests left over."""
    left: dict[str, list[Test]] = defaultdict(list)
    for test in file.new.tests:
        left[f"{test.is_test} {test.name}"].append(test)
    pairs = []
    for old in file.old.tests:
        same = left.get(f"{old.is_test} {old.name}")
        pairs.append(_Pair(file.path, old, same.pop(0) if same else None))
    return pairs, [test for tests in left.values() for test in tests]


def _move(pairs: list[_Pair], added: list[Test]) -> None:
    """Match old tests that are gone with new ones, by short name or by what they ask."""
    gone = [pair for pair in pairs if pair.new is None]
    by_key: dict[str, list[Test]] = defaultdict(list)
    for test in added:
        for key in {f"name {test.short}", *(check.text for check in test.checks)}:
            by_key[key].append(test)
    taken: set[int] = set()
    for pair in gone:
        near = {
            id(test): test
            for key in (f"name {pair.old.short}", *(check.text for check in pair.old.checks))
            for test in by_key.get(key, ())[:100]
            if id(test) not in taken and test.is_test == pair.old.is_test
        }
        scored = [
            (_kinship(pair.old, test), test.short == pair.old.short, test) for test in near.values()
        ]
        scored = [one for one in scored if one[0] >= _SAME_TEST or one[1]]
        if scored:
            best = max(scored, key=lambda one: one[:2])[2]
            taken.add(id(best))
            pair.new = best
            pair.offers = _offers(best)
    added[:] = [test for test in added if id(test) not in taken]
    pairs[:] = [pair for pair in pairs if pair.new is not None or pair.old.is_test]


def _match(wants: Sequence[_Want], offers: Sequence[_Offer]) -> None:
    """Let new checks that ask as much about the same things stand for old ones."""
    near = [
        (_likeness(want.check, offer.check), n, m)
        for n, want in enumerate(wants)
        if want.left
        for m, offer in enumerate(offers)
        if offer.left and not _is_looser(want.check, offer.check)
    ]
    for likeness, n, m in sorted(near, key=lambda one: -one[0]):
        if likeness >= _ALIKE and wants[n].left:
            wants[n].left -= offers[m].take(wants[n].left)


def _offers(test: Test) -> list[_Offer]:
    if test.skipped:
        return []
    return [_Offer(check, test) for check in test.checks if check.strength and not check.guard]


def _is_looser(old: Check, new: Check) -> bool:
    """Return whether `new` asks less than `old`."""
    if new.strength < old.strength:
        return True
    if old.tolerance is not None and new.tolerance is not None and new.strength is Strength.CLOSE:
        return new.tolerance > old.tolerance * 1.0001
    if old.raises and new.raises and set(old.raises) != set(new.raises):
        return set(new.raises) > set(old.raises) or _is_wider(new.raises, old.raises)
    return _is_wider_bound(old, new)


def _is_wider(new: tuple[str, ...], old: tuple[str, ...]) -> bool:
    """Return whether a built-in exception now expected is a base of the one before."""
    kinds = [getattr(builtins, names[0], None) for names in (new, old)]
    return all(isinstance(kind, type) for kind in kinds) and issubclass(kinds[1], kinds[0])  # type: ignore[arg-type]


def _is_wider_bound(old: Check, new: Check) -> bool:
    before, after = _BOUND.search(old.text), _BOUND.search(new.text)
    if not before or not after or old.names != new.names or before[1][0] != after[1][0]:
        return False
    apart = float(after[2]) - float(before[2])
    return apart > 0 if before[1][0] == "<" else apart < 0


def _holds(offer: _Offer, check: Check) -> bool:
    """Return whether a check was merged into another: its values stand in that test now."""
    return (
        not _is_looser(check, offer.check)
        and bool(check.literals)
        and check.literals <= offer.test.literals
        and bool(check.names & (offer.check.names | offer.test.names))
    )


def _kinship(old: Test, new: Test) -> float:
    """Return the share of checks, or without checks of names, that two tests have in common."""
    mine, yours = ({check.text for check in test.checks} for test in (old, new))
    if mine or yours:
        return _share(frozenset(mine), frozenset(yours))
    return _share(old.names, new.names)


def _likeness(old: Check, new: Check) -> float:
    return _share(old.names, new.names)


def _share(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / len(a | b) if a and b else 0.0
