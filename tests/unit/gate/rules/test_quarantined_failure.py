"""What a quarantine explains, and what it does not."""

from typing import TYPE_CHECKING, Any

import pytest

from proctor.findings import Level, Outcome, Verdict
from proctor.gate.beside import OracleFacts
from proctor.gate.evidence import Policy
from proctor.gate.held import Ended, Failure, Held, Quarantine

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any

GREEN = OracleFacts(path="oracle.json", steps=10)


def failure(name: str = "t::a", *fingerprints: str) -> Failure:
    return Failure(name=name, shown=name, fingerprints=fingerprints or ("f1",))


def verdict(
    bench: Bench,
    *failures: Failure,
    held: Any = None,
    oracle: Any = (GREEN,),
    complete: bool = True,
    **members: Any,
) -> Verdict:
    report = members.pop("report", bench.report(3, failed=1, exit_status=1))
    seen = bench.seen("pytest -q", exit_code=1, report=report, **members)
    entry = Held(test="t::a", ends="2026-03-12", counts=True, fingerprints=("f1",))
    quarantine = Quarantine(
        path="quarantine.txt",
        entries={"t::a": bench.replace(entry, **(held or {}))},
        ended={seen.span.span_id: Ended(failures=failures, complete=complete)},
    )
    found = bench.verdict(seen, quarantine=quarantine, oracle=oracle)
    assert isinstance(found, Verdict)
    return found


def test_a_failure_that_is_quarantined_passes_by_quarantine(bench: Bench) -> None:
    found = verdict(bench, failure())
    assert found.outcome is Outcome.PASS
    assert found.sentence == "`pytest -q` passed by quarantine on these files"
    note = bench.only(found, "nonzero-exit")
    assert note.level is Level.NOTE
    assert "only quarantined tests failed: t::a (quarantine.txt as it is here)" in note.message


@pytest.mark.parametrize(
    "oracle",
    [
        (),
        (OracleFacts(path="o", steps=0),),
        (OracleFacts(path="o", steps=9, flagged=1),),
        (OracleFacts(path="o", steps=9, stale=("other files",)),),
        (OracleFacts(path="o", steps=9, same_build=True),),
        (OracleFacts(path="o", steps=9, unstable=3, cap=2),),
        (GREEN, OracleFacts(path="o", steps=9, drift=("x",))),
    ],
)
def test_without_a_green_oracle_it_fails(bench: Bench, oracle: Any) -> None:
    found = verdict(bench, failure(), oracle=oracle)
    assert found.outcome is not Outcome.PASS
    assert "no report of the oracle is green" in bench.only(found, "nonzero-exit").message


@pytest.mark.parametrize(
    ("failures", "members", "says"),
    [
        ((failure(), failure("t::b")), {}, "t::b is not quarantined"),
        ((failure("t::a", "f2"),), {}, "failed with another fingerprint"),
        ((failure("t::a", "f1", "f2"),), {}, "failed with another fingerprint"),
        ((failure(),), {"held": {"counts": False}}, "its quarantine ended on 2026-03-12"),
        ((Failure(name="t::a", shown="t::a", fingerprints=()),), {}, "no report tells what"),
        ((failure(),), {"complete": False}, "is not complete"),
        ((), {}, "by its report no test did"),
        ((failure(),), {"report": None}, "no report tells which"),
    ],
)
def test_what_is_not_explained_fails(
    bench: Bench, failures: tuple[Failure, ...], members: dict[str, Any], says: str
) -> None:
    if "report" in members:
        quarantine = Quarantine(path="q")
        found = bench.verdict(
            bench.seen("pytest -q", exit_code=1, report=None),
            quarantine=quarantine,
            oracle=(GREEN,),
        )
    else:
        found = verdict(bench, *failures, **members)
    assert found.outcome is Outcome.FAIL
    assert (
        any(says in finding.message for finding in found.findings)
        or "signal" in members
        or ("timed_out" in members)
    )


@pytest.mark.parametrize("status", [2, 3])
def test_an_exit_that_is_no_failure_of_tests_is_not_explained(bench: Bench, status: int) -> None:
    report = bench.report(3, failed=1, exit_status=status)
    assert verdict(bench, failure(), report=report).outcome is Outcome.FAIL


def test_another_failure_of_a_quarantined_test_has_a_rule_of_its_own(bench: Bench) -> None:
    found = bench.only(verdict(bench, failure("t::a", "f2")), "quarantined-failure")
    assert found.level is Level.ERROR
    assert found.paths == ("quarantine.txt",)


def test_a_driver_that_fails_by_itself_is_not_explained(bench: Bench) -> None:
    make = bench.seen("make test", exit_code=2)
    leaf = bench.below(make, "pytest", report=bench.report())
    quarantine = Quarantine(path="q")
    found = bench.verdict(make, leaf, quarantine=quarantine, oracle=(GREEN,))
    assert found.outcome is Outcome.FAIL


def test_what_passes_by_quarantine_must_still_be_whole_and_on_these_files(bench: Bench) -> None:
    stale = bench.tree(since={"t0": (bench.edited("src/a.py"),)})
    seen = bench.seen(
        "pytest -q",
        exit_code=1,
        git=bench.git("t0"),
        report=bench.report(3, failed=1, exit_status=1),
    )
    entry = Held(test="t::a", ends="2026-03-12", counts=True, fingerprints=("f1",))
    quarantine = Quarantine(
        path="q",
        entries={"t::a": entry},
        ended={seen.span.span_id: Ended(failures=(failure(),), complete=True)},
    )
    found = bench.verdict(seen, tree=stale, quarantine=quarantine, oracle=(GREEN,))
    assert "stale-tree" in bench.rules(found)
    assert found.outcome is Outcome.FAIL


@pytest.mark.parametrize(
    ("held", "outcome", "says"),
    [
        ({"failed_here": 5}, Outcome.FAIL, "t::a failed in all 5 runs on these files: broken"),
        ({"failed_here": 4}, Outcome.PASS, ""),
        ({"failed_here": 9, "passed_here": 1}, Outcome.PASS, ""),
        ({"failed_here": 1, "is_changed": True}, Outcome.FAIL, "t::a is changed by the patch"),
        ({"failed_here": 1, "is_changed": True, "passed_here": 1}, Outcome.PASS, ""),
    ],
)
def test_what_never_passes_on_these_files_is_no_flake(
    bench: Bench, held: dict[str, Any], outcome: Outcome, says: str
) -> None:
    found = verdict(bench, failure(), held=held)
    assert found.outcome is outcome
    if says:
        assert says in bench.only(found, "quarantined-failure").message


def held_by(*leaves: Any) -> Quarantine:
    """A quarantine that explains the failures of these leaves."""
    return Quarantine(
        path="q",
        entries={"t::a": Held(test="t::a", ends="2026-03-12", counts=True, fingerprints=("f1",))},
        ended={leaf.span.span_id: Ended(failures=(failure(),), complete=True) for leaf in leaves},
    )


def test_a_masked_line_in_which_only_quarantined_tests_failed_passes(bench: Bench) -> None:
    shell = bench.seen("bash -c 'pytest | tail'", exit_code=0)
    leaf = bench.below(
        shell, "pytest", exit_code=1, report=bench.report(3, failed=1, exit_status=1)
    )
    found = bench.verdict(shell, leaf, quarantine=held_by(leaf), oracle=(GREEN,))
    assert found.outcome is Outcome.PASS
    note = bench.only(found, "masked-exit")
    assert note.level is Level.NOTE
    assert note.message.endswith("above it returned 0; only quarantined tests failed")
    assert bench.verdict(shell, leaf, oracle=(GREEN,)).outcome is Outcome.FAIL


def test_without_the_oracle_the_cure_judges_with_base_and_quarantine(bench: Bench) -> None:
    message = bench.only(verdict(bench, failure(), oracle=()), "nonzero-exit").cure
    assert message == (
        "proctor oracle check --base origin/main --format json --output artifacts/oracle.json && "
        "proctor gate --base origin/main --quarantine quarantine.txt --oracle artifacts/oracle.json"
    )


def test_shards_of_which_one_failed_by_quarantine_pass_together(bench: Bench) -> None:
    policy = Policy(require=(bench.required("pytest tests/test_a.py tests/test_b.py"),))
    red = bench.seen(
        "pytest tests/test_a.py", exit_code=1, report=bench.report(3, failed=1, exit_status=1)
    )
    shards = red, bench.seen("pytest tests/test_b.py")
    given: dict[str, Any] = {"policy": policy, "oracle": (GREEN,)}
    assert bench.verdict(*shards, **given).outcome is Outcome.FAIL
    found = bench.verdict(*shards, **given, quarantine=held_by(red))
    assert found.outcome is Outcome.PASS
