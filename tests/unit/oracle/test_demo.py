"""The demonstration must come out exactly."""

from proctor.findings import Outcome
from tests.unit.oracle.traces import ALLOWED, NEW, OLD, Bench


def test_six_deltas_two_allowed_four_flagged_five_roots(bench: Bench) -> None:
    report = bench.diff(OLD, NEW, *ALLOWED)
    counts = report.counts
    assert (counts.steps, counts.deltas, counts.allowed, counts.flagged) == (10, 6, 2, 4)
    assert (counts.unstable, counts.one_sided, counts.roots) == (0, 0, 5)
    assert report.outcome is Outcome.FAIL


def test_each_line_of_the_table_has_its_verdict(bench: Bench) -> None:
    report = bench.diff(OLD, NEW, *ALLOWED)
    table = [
        (d.seed, d.step, d.command, [(f.path, f.old, f.new) for f in d.changed], d.allowed)
        for d in report.deltas
    ]
    assert table == [
        ("A", 2, "set", [("warn", "none", "duplicate")], False),
        ("A", 4, "delete", [("status", "1", "0"), ("error", "missing", "none")], True),
        ("A", 5, "list", [("order", "insertion", "sorted")], True),
        ("B", 1, "set", [("status", "1", "0"), ("error", "empty", None)], False),
        ("B", 2, "get", [("hit", "false", "true")], False),
        ("C", 3, "badcmd", [("status", "2", "1")], False),
    ]


def test_the_hit_follows_from_the_empty_value_that_was_accepted(bench: Bench) -> None:
    report = bench.diff(OLD, NEW)
    (consequence,) = [one for one in report.clusters if one.follows is not None]
    assert consequence.commands == ("get",)
    cause = report.clusters[consequence.follows - 1] if consequence.follows else None
    assert cause is not None
    assert (cause.commands, cause.first) == (("set",), ("B", 1))


def test_equal_builds_pass(bench: Bench) -> None:
    report = bench.diff(OLD, OLD)
    assert report.outcome is Outcome.PASS
    assert report.sentence == "10 steps compared; nothing changed"


def test_numbers_that_one_change_makes_differ_are_one_root_and_codes_are_not(bench: Bench) -> None:
    old = "A|1|sum|total=0\nB|1|sum|total=6\nC|1|sum|status=1\nD|1|sum|status=2\n"
    new = "A|1|sum|total=1\nB|1|sum|total=7\nC|1|sum|status=0\nD|1|sum|status=0\n"
    report = bench.diff(old, new)
    assert [cluster.deltas for cluster in report.clusters] == [2, 1, 1]
