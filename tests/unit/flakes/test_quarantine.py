"""`quarantine.txt` and what happens to its entries."""

import os
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from proctor.config import FlakesTable
from proctor.errors import ConfigError, UsageError
from proctor.flakes.quarantine import Entry, Lookup, diff, parse, read_text, render
from proctor.flakes.states import Standing, standing_of
from proctor.flakes.update import Change, Renewal, update
from tests.unit.flakes.conftest import make_runs

RULE = FlakesTable()
NOW = datetime(2026, 3, 8, 12, tzinfo=UTC)
TEXT = """# ours
tests/test_net.py::test_slow
    since        2026-03-05
    until        2026-03-12
    fingerprint  00000000000000f1, 00000000000000f2
    evidence     r1
    owner        @alice
    reason       a port is shared

\\#odd id
    since 2026-03-01
    until 2026-03-02
    fingerprint 00000000000000f3
"""


def entry(**members: object) -> Entry:
    return Entry(
        **{  # type: ignore[arg-type]
            "test": "t.py::a",
            "since": date(2026, 3, 5),
            "until": date(2026, 3, 12),
            "fingerprints": ("00000000000000f1",),
            **members,
        }
    )


def standing(marks: str, test: str = "t::a") -> Standing:
    return standing_of(test, test, make_runs(marks), RULE)


def after(
    entries: list[Entry], *standings: Standing, rule: FlakesTable = RULE, renewal: Renewal | None = None,
    now: datetime = NOW,
) -> tuple[dict[str, Entry], list[Change]]:  # fmt: skip
    made = update(entries, standings, rule, now, renewal=renewal)
    return {one.name: one for one in made.entries}, list(made.changes)


def test_a_person_may_read_and_write_it() -> None:
    one, two = parse(TEXT)
    assert (one.test, one.since, one.until) == (
        "tests/test_net.py::test_slow",
        date(2026, 3, 5),
        date(2026, 3, 12),
    )
    assert (one.fingerprints, one.evidence) == (("00000000000000f1", "00000000000000f2"), ("r1",))
    assert (one.owner, one.reason) == ("@alice", "a port is shared")
    assert two.test == "#odd id"
    assert parse(render([one, two]))[1].reason == "a port is shared"
    assert [e.test for e in parse(render([one, two]))] == [
        "#odd id",
        "tests/test_net.py::test_slow",
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("    since 2026-01-01\n", ":1: since belongs to no test"),
        ("a\n  since 2026-01-01\n  since 2026-01-01\n", ":3: since is there twice"),
        ("a\n  sinse 2026-01-01\n", ":2: 'sinse' is no member of an entry; did you mean since"),
        ("a\n  %%%\n", ":2: '%%%' is no member of an entry; known are since"),
        ("a\n  since 2026-01-01\n", ":1: a: until is missing"),
        ("a\n  since 2026-01-01\n  until 2026-01-02\n", ":1: a: fingerprint is missing"),
        (
            "a\n  since soon\n  until 2026-01-02\n  fingerprint 00000000000000f1\n",
            ":1: since is 'soon'; write a day",
        ),
        (TEXT + TEXT, "is there twice, first in line 2"),
    ],
)
def test_what_is_no_entry_is_refused_with_its_line(text: str, says: str) -> None:
    with pytest.raises(ConfigError) as refused:
        parse(text)
    assert says in str(refused.value)
    assert str(refused.value).startswith("quarantine.txt")


def test_an_entry_counts_to_the_end_of_its_last_day() -> None:
    one = entry()
    assert one.counts(datetime(2026, 3, 12, 23, 59, tzinfo=UTC), 7)
    assert not one.counts(datetime(2026, 3, 13, tzinfo=UTC), 7)
    assert not one.counts(datetime(2026, 3, 4, tzinfo=UTC), 7)


def test_a_day_that_was_edited_away_counts_no_longer_than_it_may() -> None:
    far = entry(until=date(2027, 1, 1))
    assert far.ends(7) == date(2026, 3, 12)
    renewed = msgspec.structs.replace(far, renewed=date(2026, 3, 11))
    assert renewed.ends(7) == date(2026, 3, 12)
    owned = msgspec.structs.replace(renewed, owner="@a", reason="hard")
    assert owned.ends(7) == date(2026, 3, 18)


def test_a_flaky_test_enters_for_some_days() -> None:
    found, changes = after([], standing("F..F."))
    assert [change.what for change in changes] == ["enters"]
    one = found["t::a"]
    assert (one.since, one.until) == (NOW.date(), NOW.date() + timedelta(days=7))
    assert one.fingerprints == ("00000000000000f1",)
    assert one.reason.startswith("2 of 5 runs failed (")


@pytest.mark.parametrize("marks", ["FFFFFFFFFF", "........FF", "...F", "..........", "F"])
def test_what_is_not_flaky_does_not(marks: str) -> None:
    assert after([], standing(marks)) == ({}, [])


def test_the_literal_rule_lets_a_broken_test_enter() -> None:
    literal = FlakesTable(rule="literal")
    one = standing_of("t::a", "t::a", make_runs("FFFF"), literal)
    assert "t::a" in after([], one, rule=literal)[0]


def test_a_quarantined_test_that_is_broken_leaves() -> None:
    found, changes = after([entry()], standing("F.F.FFFFFFFFFF"))
    assert found == {}
    assert "it gates" in changes[0].why


def test_one_that_lasts_stays_as_it_is() -> None:
    one = entry(reason="mine")
    assert after([one], standing("F.F."))[0] == {"t::a": one}
    assert after([one])[0] == {"t::a": one}


def test_one_that_is_over_explains_nothing_and_does_not_come_back_by_itself() -> None:
    later = NOW + timedelta(days=30)
    found, changes = after([entry()], standing("F..F."), now=later)
    assert not found["t::a"].counts(later, 7)
    assert changes[0].what == "over"
    gone, changes = after([entry()], standing(".........."), now=later)
    assert gone == {}
    assert changes[0].why.startswith("stable")


def test_a_renewal_takes_an_owner_and_a_reason() -> None:
    later = NOW + timedelta(days=30)
    renewal = Renewal(tests=("t.py::a",), owner="@bob", reason="the fix is on its way")
    found, changes = after([entry()], standing("F..F."), renewal=renewal, now=later)
    assert changes[0].what == "renewed"
    assert found["t::a"].counts(later, 7)
    assert found["t::a"].owner == "@bob"
    for broken in ({"owner": " "}, {"reason": ""}):
        with pytest.raises(UsageError, match="--owner WHO and --reason WHY"):
            after([entry()], renewal=msgspec.structs.replace(renewal, **broken))
    with pytest.raises(UsageError, match="has no entry"):
        after([entry()], renewal=msgspec.structs.replace(renewal, tests=("x",)))


def test_a_broken_test_cannot_be_renewed() -> None:
    renewal = Renewal(tests=("t::a",), owner="@bob", reason="please")
    assert after([entry()], standing("FFFF"), renewal=renewal)[0] == {}


def test_no_more_than_the_cap_are_quarantined_the_worst_first() -> None:
    flaky = [standing("F..F.", f"t::{n}") for n in range(3)]
    worst = standing("FF.F.", "t::worst")
    stable = [standing("....", f"s::{n}") for n in range(36)]
    found, changes = after([], *flaky, worst, *stable)
    assert set(found) == {"t::worst", "t::0"}
    assert [change.what for change in changes].count("refused") == 2
    held = entry(test="held")
    assert set(after([held], *flaky, worst, *stable)[0]) == {"held", "t::worst"}


def test_a_failure_without_a_fingerprint_cannot_be_explained_and_so_does_not_enter() -> None:
    one = msgspec.structs.replace(standing("F..F."), fingerprints=())
    found, changes = after([], one)
    assert found == {}
    assert "import JUnit" in changes[0].why


def test_an_entry_goes_with_its_test_when_that_is_renamed() -> None:
    one = entry()
    made = update([one], [standing("F.F.", "new::a")], RULE, NOW, renames={"t::a": "new::a"})
    assert [change.what for change in made.changes] == ["stays"]


def test_a_change_is_shown_as_a_diff() -> None:
    text = render([entry()])
    assert diff(text, text) == ""
    assert "+t.py::a\n" in diff("", text)


def test_a_file_that_cannot_be_read_is_refused_and_none_is_empty(tmp_path: Path) -> None:
    assert read_text(str(tmp_path / "absent")) == ""
    (tmp_path / "latin").write_bytes(b"caf\xe9\n")
    for path, says in ((tmp_path, "cannot be read"), (tmp_path / "latin", "save it as UTF-8")):
        with pytest.raises(ConfigError, match=says):
            read_text(str(path))


def test_ids_that_differ_in_a_date_are_two_tests_with_entries_of_their_own() -> None:
    first, second = (entry(test=f"t.py::a[2026-01-0{day}]") for day in (1, 2))
    assert [one.test for one in parse(render([first, second]))] == [first.test, second.test]
    standings = [standing("F.F.", one.exact) for one in (first, second)]
    made = update([first], standings, FlakesTable(cap=1.0), NOW)
    assert [(c.what, c.test) for c in made.changes] == [
        ("stays", first.test),
        ("enters", second.exact),
    ]
    lookup = Lookup([first, second])
    assert lookup.find("t::a[2026-01-02]", second.test) is second
    assert lookup.find("t::a[<varies>]", "t.py::a[2026-01-03]") is None
    assert Lookup([first]).find("t::a[<varies>]", "t.py::a[2026-01-03]") is first


def test_a_renewal_that_lies_ahead_does_not_count() -> None:
    ahead = entry(renewed=date(2099, 1, 1), until=date(2099, 1, 8), owner="@a", reason="later")
    assert not ahead.counts(NOW, 7)
    assert ahead.counts(datetime(2099, 1, 3, tzinfo=UTC), 7)


@pytest.mark.parametrize("word", ["*", "any", "00000000000000F1", "f1"])
def test_a_fingerprint_is_no_pattern(word: str) -> None:
    text = f"a\n  since 2026-01-01\n  until 2026-01-02\n  fingerprint {word}\n"
    with pytest.raises(ConfigError, match=r"quarantine\.txt:1: a: .* is no fingerprint; take it"):
        parse(text)


def test_a_pipe_in_the_place_of_a_quarantine_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "quarantine.txt")
    with pytest.raises(ConfigError, match="cannot be read"):
        read_text(str(tmp_path / "quarantine.txt"))
