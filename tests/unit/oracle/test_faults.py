"""The eighteen faults of the script that people write for this; none is ours."""

import pytest

from proctor.errors import OracleError
from proctor.findings import Outcome
from proctor.report.deltas.text import FORMAT
from proctor.report.style import Style
from tests.unit.oracle.traces import ALLOWED, NEW, OLD, Bench


def test_01_seeds_and_steps_only_in_new_are_flagged(bench: Bench) -> None:
    report = bench.diff(OLD, OLD + "C|4|get|key=x|hit=true\nD|1|list|count=0\n")
    assert (report.counts.one_sided, report.counts.flagged) == (2, 2)
    assert {delta.fields[0].note for delta in report.deltas} == {"the old trace lacks this step"}
    assert report.outcome is Outcome.FAIL


def test_02_a_seed_missing_from_new_is_flagged_step_by_step(bench: Bench) -> None:
    report = bench.diff(OLD, "".join(line for line in OLD.splitlines(True) if line[0] != "B"))
    assert [(delta.seed, delta.step) for delta in report.deltas] == [("B", 1), ("B", 2)]
    assert report.outcome is Outcome.FAIL


@pytest.mark.parametrize(("old", "new"), [("", ""), ("", OLD), ("\n\n", "\n")])
def test_03_an_empty_old_trace_is_never_a_pass(old: str, new: str, bench: Bench) -> None:
    report = bench.diff(old, new)
    assert report.outcome is not Outcome.PASS
    assert any("is empty" in problem for problem in report.problems)


def test_03_two_empty_traces_prove_nothing(bench: Bench) -> None:
    report = bench.diff("", "")
    assert (report.outcome, report.sentence) == (Outcome.UNPROVEN, "nothing was compared")


def test_04_another_command_with_the_same_payload_is_flagged(bench: Bench) -> None:
    report = bench.diff(OLD, OLD.replace("A|3|get|", "A|3|peek|"))
    (delta,) = report.deltas
    assert [(f.path, f.old, f.new) for f in delta.fields] == [("command", "get", "peek")]


def test_05_nothing_else_rides_on_an_entry(bench: Bench) -> None:
    worse = OLD.replace("key=missing|status=1|error=missing", "key=missing|deleted=ALL")
    report = bench.diff(OLD, worse, *ALLOWED[:1])
    assert report.counts.flagged == 1


def test_05_an_entry_says_from_what_to_what(bench: Bench) -> None:
    entry = {**ALLOWED[0], "from": "status=1|error=missing", "to": "status=0|error=none"}
    assert bench.diff(OLD, NEW, entry).counts.allowed == 1
    other = NEW.replace("key=missing|status=0|", "key=missing|status=7|")
    assert bench.diff(OLD, other, entry).counts.allowed == 0


def test_06_stale_entries_are_named(bench: Bench) -> None:
    report = bench.diff(OLD, NEW, *ALLOWED, {"seed": "Z", "step": 1, "reason": "gone"})
    stale = [one for one in report.remarks if one.kind == "stale"]
    assert [one.entry for one in stale] == [3]


def test_07_an_entry_without_a_reason_allows_nothing(bench: Bench) -> None:
    report = bench.diff(OLD, NEW, {"seed": "A", "step": 4}, {"seed": "A", "step": 5, "reason": " "})
    assert report.counts.allowed == 0
    assert [one.kind for one in report.remarks] == ["no-reason", "no-reason"]


def test_07_a_step_given_as_text_matches(bench: Bench) -> None:
    report = bench.diff(OLD, NEW, {"seed": "A", "step": "4", "reason": "idempotent"})
    assert report.counts.allowed == 1


def test_08_a_bar_in_a_command_shifts_nothing(bench: Bench) -> None:
    old = "A|1|echo a | wc|key=a|status=0\n"
    (delta,) = bench.diff(old, old.replace("status=0", "status=1")).deltas
    assert (delta.command, delta.fields[0].path) == ("echo a | wc", "status")


def test_08_a_payload_may_have_several_lines_form_feeds_or_be_missing(bench: Bench) -> None:
    old = "A|1|cat|one\ntwo\x0c\n\nthree\nA|2|true\n\nA|3|cat|x\n"
    assert bench.diff(old, old).counts.steps == 3
    (delta,) = bench.diff(old, old.replace("three", "four")).deltas
    assert (delta.seed, delta.step, delta.fields[0].path) == ("A", 1, "payload")
    (delta,) = bench.diff(old, old.replace("\n\nthree", "\nthree")).deltas
    assert delta.step == 1


def test_08_what_is_no_step_is_named_with_its_line(bench: Bench) -> None:
    with pytest.raises(OracleError, match=r"old\.trace:1: not a step"):
        bench.diff("hello\n", OLD)


def test_09_of_two_steps_with_one_name_each_is_compared(bench: Bench) -> None:
    old = "A|1|get|value=1\nA|1|get|value=2\n"
    report = bench.diff(old, "A|1|get|value=9\nA|1|get|value=2\n")
    assert (report.counts.flagged, report.counts.duplicates) == (1, 2)
    same = bench.diff(old, old)
    assert same.outcome is Outcome.UNPROVEN
    assert any("is there twice" in problem for problem in same.problems)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("cupid=7", "cupid=9"),
        ("pid=0", "pid=4242"),
        ("version=1.2.3", "version=1.2.4"),
        ("took=3ms", "took=90000ms"),
        ("at=2026-03-01T10:00:00Z", "at=never"),
    ],
)
def test_10_a_mask_hides_no_behaviour(old: str, new: str, bench: Bench) -> None:
    assert bench.diff(f"A|1|x|{old}\n", f"A|1|x|{new}\n").counts.flagged == 1


@pytest.mark.parametrize(
    ("old", "new", "mask"),
    [
        ("pid=17", "pid=4242", "pid"),
        ("at=2026-03-01T10:00:00.123Z", "at=2026-03-01T11:30:00.9Z", "timestamp"),
        ("took=1.25 ms", "took=3 ms", "duration"),
        ("elapsed=12", "elapsed=340", "elapsed time"),
        ("elapsed_ms=0.4", "elapsed_ms=0.75", "elapsed time"),
    ],
)
def test_10_a_mask_covers_a_whole_token_and_is_listed(
    old: str, new: str, mask: str, bench: Bench
) -> None:
    report = bench.diff(f"A|1|x|{old}\n", f"A|1|x|{new}\n")
    assert (report.counts.deltas, report.masks) == (0, {mask: 1})
    (hit,) = report.masked
    assert (hit.seed, hit.step, hit.mask) == ("A", 1, mask)


def test_11_neither_order_nor_place_of_a_field_is_a_delta(bench: Bench) -> None:
    old = "A|1|set|key=a|status=0|elapsed=3ms\n"
    assert bench.diff(old, "A|1|set|elapsed=4ms|status=0|key=a\n").counts.deltas == 0


def test_12_bytes_that_are_not_utf8_are_compared(bench: Bench) -> None:
    old = b"A|1|cat|value=\xff\xfe\nB\xff|1|cat|value=1\n"
    assert bench.diff(old, old).outcome is Outcome.PASS
    report = bench.diff(old, old.replace(b"\xfe", b"\xfd"))
    assert report.counts.flagged == 1
    assert "\\xfd" in FORMAT.render(report, Style())


def test_13_the_exit_code_is_no_count(bench: Bench) -> None:
    old = "".join(f"A|{n}|get|value={n}\n" for n in range(300))
    report = bench.diff(old, old.replace("value=", "value=x"))
    assert (report.counts.flagged, report.outcome) == (300, Outcome.FAIL)


def test_14_no_escape_code_reaches_the_terminal(bench: Bench) -> None:
    report = bench.diff(
        "A|1|cat \x1b[31m|v=\x1b[2K1\n", "A|1|cat \x1b[31m|v=\x1b[2K2\x1b]0;x\x07\n"
    )
    text = FORMAT.render(report, Style())
    assert "\x1b" not in text
    assert "\\x1b[2K" in text


def test_15_seeds_stand_in_the_order_people_count_in(bench: Bench) -> None:
    old = "".join(f"S{n}|1|get|value=1\n" for n in (1, 2, 10, 100))
    report = bench.diff(old, old.replace("=1", "=2"))
    assert [delta.seed for delta in report.deltas] == ["S1", "S2", "S10", "S100"]


def test_18_the_report_names_each_change_once_with_where_it_shows(bench: Bench) -> None:
    old = "".join(f"S{n}|1|list|order=insertion|count={n}\n" for n in range(50))
    report = bench.diff(old, old.replace("insertion", "sorted"))
    (cluster,) = report.clusters
    assert (cluster.deltas, cluster.first, cluster.what) == (
        50,
        ("S0", 1),
        ("order insertion → sorted",),
    )
