"""What a language's file says, and what reading a test file answers.

An outline says what is written. It does **not** show that a test is collected,
nor that a check can fail.
"""

import enum
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

import msgspec

if TYPE_CHECKING:
    from tree_sitter import Node

LONGEST = 70
"""Characters of source quoted in a finding."""


class Strength(enum.IntEnum):
    """How much a check pins down, from nothing to one value."""

    NOTHING = 0
    """It cannot fail: `assert True`, `assert x == x`."""
    PRESENT = 1
    """Something is there, or is not one value: `assert x`, `x is not None`."""
    PARTIAL = 2
    """A bound, a part, a size, a pattern."""
    CLOSE = 3
    """A value within a tolerance, an exception's type."""
    EXACT = 4
    """One value."""


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a test asks."""

    text: str
    """As written, on one line, cut."""
    line: int
    strength: Strength
    names: frozenset[str] = frozenset()
    """What it speaks of: names and members, words of the framework left out."""
    literals: frozenset[str] = frozenset()
    weight: int = 1
    """How often it is asked: by loops over literal lists."""
    tolerance: float | None = None
    """How far off a value may be, where the check says so."""
    raises: tuple[str, ...] = ()
    """The exceptions that it expects."""
    guard: str = ""
    """What may keep it from failing the test: a handler, a branch, an early return."""


class Test(msgspec.Struct, frozen=True, kw_only=True):
    """One test, or a function beside the tests that checks for them."""

    __test__: ClassVar[bool] = False  # pytest: nothing to collect

    name: str
    """With the classes or suites it is in, outermost first, joined by ` > `."""
    line: int
    checks: tuple[Check, ...] = ()
    is_test: bool = True
    skipped: str = ""
    """What skips it or expects it to fail, as written."""
    cases: int | None = 1
    """How many cases a table gives it; null where that is not written here."""
    names: frozenset[str] = frozenset()
    """Everything that its body speaks of."""
    literals: frozenset[str] = frozenset()
    """Every number and string in it, tables included."""
    empty: bool = False
    """Whether its body does nothing."""

    @property
    def short(self) -> str:
        """The name without what it is in."""
        return self.name.rpartition(" > ")[2]


class Outline(msgspec.Struct, frozen=True, kw_only=True):
    """The tests of one file."""

    tests: tuple[Test, ...] = ()
    skipped: str = ""
    """What skips the whole file, as written."""
    focused: str = ""
    """What leaves all other tests of the file out, as `it.only` does."""
    imported: dict[str, str] = {}
    """Names that the file imports at its top → the module that they are of."""
    optional: dict[str, str] = {}
    """Modules without which the file is skipped → how that is written."""
    defined: frozenset[str] = frozenset()
    """Names that the file itself binds at its top."""
    overridden: tuple[str, ...] = ()
    """Members of imported things that the file puts its own in the place of, as written."""


class Language(msgspec.Struct, frozen=True, kw_only=True):
    """What a language's file binds to `LANGUAGE`."""

    suffixes: dict[str, str]
    """Suffix → the grammar that reads it."""
    outline: "Callable[[Node], Outline]"
    """Takes the root of a file."""
    comments: frozenset[str] = frozenset(("comment",))
    """Kinds of nodes that no program ever sees."""
    deciding: "Callable[[Node], dict[str, str]] | None" = None
    """Takes the root of a harness file; returns the parts that decide, by name."""


def brief(text: str) -> str:
    """Return source on one line, cut where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
