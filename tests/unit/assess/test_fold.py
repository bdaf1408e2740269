"""Runs that tell the same are folded, and no verdict changes by it."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.assess.fold import fold
from proctor.findings import Verdict
from proctor.gate.evidence import Evidence, LineRun, Pending, Policy, Run, Seen
from proctor.gate.judge import judge
from proctor.records.span import KeptFile
from tests.unit.gate.conftest import Bench

bench = Bench()
SHAPES = ("lone", "part", "named", "shell", "make", "bare make", "line", "claim", "lint", "script")


def time_of(moment: int) -> str:
    minutes, seconds = divmod(moment, 60)
    return f"2026-03-01T{10 + minutes // 60:02d}:{minutes % 60:02d}:{seconds:02d}.000000Z"


def run_of(shape: str, start: int, gap: int, code: int, tree: str) -> Run:
    """A run of one shape: its leaf starts `gap` seconds after its root."""
    leaf: dict[str, Any] = {"exit_code": code, "tree": tree, "started_at": time_of(start + gap)}
    root: dict[str, Any] = {"started_at": time_of(start)}
    if shape == "lone":
        seen = [bench.seen("pytest -q", **leaf)]
    elif shape == "part":
        seen = [bench.seen("pytest -q tests/test_a.py", **leaf)]
    elif shape == "named":
        seen = [bench.seen("pytest -q -k=x", report=None, **leaf)]
    elif shape == "shell":
        above = bench.seen("bash -c 'pytest; ls'", **root)
        seen = [bench.below(above, "pytest", **leaf), above]
    elif shape == "make":
        above = bench.seen("make test", **root)
        more = {**leaf, "started_at": time_of(start + gap + 1)}
        leaves = [bench.below(above, "pytest tests/test_a.py", **leaf)]
        seen = [*leaves, bench.below(above, "pytest tests/test_b.py", **more), above]
    elif shape == "bare make":
        seen = [bench.seen("make test", **root, exit_code=code)]
    elif shape == "line":
        named = LineRun(what=bench.what("pytest -q"), status="masked", masked_by="| tail")
        seen = [bench.seen("bash -c 'pytest -q | tail'", **root, witness="direct", line=(named,))]
    elif shape == "claim":
        seen = [bench.seen("ls", **root, claims="tests", denied_binary=code == 0)]
    elif shape == "lint":
        seen = [bench.seen("ruff check", **root, exit_code=code)]
    else:
        seen = [bench.seen("jest", **leaf)]
    return Run(run_id=seen[-1].span.run_id, seen=tuple(seen))


@st.composite
def histories(draw: st.DrawFn) -> Evidence:
    """A short history over three trees: the current, a stale one, one with another README."""
    start, runs = 0, []
    shapes = draw(st.lists(st.sampled_from(SHAPES), min_size=1, max_size=2))
    for _ in range(draw(st.integers(1, 9))):
        gap = 2 * draw(st.integers(1, 4))
        what = (draw(st.sampled_from(shapes)), start, gap, draw(st.sampled_from((0, 0, 1))))
        runs.append(run_of(*what, draw(st.sampled_from(("t1", "t0", "t2")))))
        start += 3 + 2 * draw(st.integers(0, 8))
    pending = Pending(
        run_id="killed",
        argv=("pytest",),
        cwd="",
        started_at=time_of(draw(st.integers(0, start))),
        boot_id="boot",
        locked=False,
        leaves=(bench.what("pytest -q"),) if draw(st.booleans()) else (),
    )
    tree = bench.tree(bench.edited("src/a.py"))
    tree.since["t2"] = (bench.edited("README.md"),)
    return bench.evidence(
        runs=tuple(runs),
        tree=tree,
        pendings=(pending,) if draw(st.booleans()) else (),
        junit={"out.xml": "aa"},
        records=len(runs),
    )


POLICIES = st.sampled_from(
    (
        Policy(),
        Policy(require=(bench.required("pytest"),)),
        Policy(require=(bench.required("pytest", junit="out.xml", paths=("src/",)),)),
    )
)


def judged(evidence: Evidence, policy: Policy) -> Verdict:
    return judge(evidence, policy, selecting=bench.selecting)


def times(runs: tuple[Run, ...]) -> int:
    """How many runs these are, the folded ones counted."""
    return sum(1 + max(len(seen.earlier) for seen in run.seen) for run in runs)


@given(histories(), POLICIES)
def test_a_folded_history_gets_the_same_verdict(evidence: Evidence, policy: Policy) -> None:
    folded = msgspec.structs.replace(evidence, runs=fold(evidence.runs, frozenset(("aa",))))
    assert judged(folded, policy) == judged(evidence, policy)


@given(histories())
def test_the_order_of_the_log_does_not_matter(evidence: Evidence) -> None:
    folded = msgspec.structs.replace(evidence, runs=fold(evidence.runs[::-1]))
    assert judged(folded, Policy()) == judged(evidence, Policy())


def repeats(count: int, **members: Any) -> Iterator[Run]:
    for number in range(count):
        seen = bench.seen("pytest -q", started_at=time_of(10 * number), **members)
        yield Run(run_id=seen.span.run_id, seen=(seen,))


def test_repeats_become_the_newest_of_them() -> None:
    runs = tuple(repeats(1000))
    folded = fold(runs)
    assert [run.run_id for run in folded] == [runs[-1].run_id]
    assert times(folded) == 1000


@pytest.mark.parametrize(
    "other",
    [{"exit_code": 1}, {"tree": "t0"}, {"cwd": "/work/app/sub"}, {"report": None}],
    ids=lambda members: next(iter(members)),
)
def test_what_tells_something_else_stays(other: dict[str, Any]) -> None:
    assert len(fold((*repeats(2), *repeats(2, **other)))) == 2


def test_the_report_that_a_requirement_names_is_told_apart() -> None:
    reports = [bench.report(sha256=digest) for digest in ("aa", "bb")]
    runs = [
        Run(run_id=str(number), seen=(odd(report=report, started_at=time_of(number)),))
        for number, report in enumerate(reports)
    ]
    assert len(fold(runs)) == 1
    assert len(fold(runs, frozenset(("aa",)))) == 2


def test_a_report_beside_the_counted_one_is_told_apart_too() -> None:
    runs = [
        Run(
            run_id=name,
            seen=(
                odd(
                    report=bench.report(
                        also=(KeptFile(path=name, sha256=name, format="junit"),), source=name
                    ),
                    started_at=time_of(number),
                ),
            ),
        )
        for number, name in enumerate(("aa", "bb"))
    ]
    assert len(fold(runs)) == 1
    assert len(fold(runs, frozenset(("aa",)))) == 2


def test_runs_that_overlap_are_not_folded() -> None:
    first, second = run_of("shell", 0, 10, 0, "t1"), run_of("shell", 5, 10, 0, "t1")
    assert len(fold((first, second))) == 2


def odd(**members: Any) -> Seen:
    return bench.seen("pytest", run_id="odd", **members)


@pytest.mark.parametrize(
    "run",
    [
        (odd(started_at="yesterday"),),
        (odd(started_at="2026-03-01T10:00:00.000000+"),),
        (odd(span_id="1"), odd(span_id="1")),
        (bench.seen(["pytest", "\udcff"]),),
        (bench.seen("ls", claims="tests"),),
    ],
    ids=["no time", "another time", "one id twice", "not UTF-8", "claimed"],
)
def test_what_cannot_be_told_stays_as_it_is(run: tuple[Seen, ...]) -> None:
    runs = (Run(run_id="odd", seen=run), Run(run_id="odd", seen=run))
    assert fold(runs) == runs
