from typing import TYPE_CHECKING, Any

from proctor.findings import Level, Outcome
from proctor.gate.evidence import PolicyChange

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def _change(what: str, path: str = "proctor.toml", *, tightens: bool = False) -> PolicyChange:
    return PolicyChange(path=path, what=what, tightens=tightens)


def test_a_loosened_policy_is_an_error(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen(), policy_changes=(_change("[gate] enforce is 'observe'"),))
    found = bench.only(verdict, "policy-touched")
    assert found.message == "proctor.toml: [gate] enforce is 'observe'"
    assert (found.level, found.paths) == (Level.ERROR, ("proctor.toml",))
    assert verdict.outcome is Outcome.FAIL


def test_what_only_tightens_is_a_note(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen(), policy_changes=(_change("more", tightens=True),))
    assert bench.only(verdict, "policy-touched").level is Level.NOTE
    assert verdict.outcome is Outcome.PASS


def test_each_file_is_said_once_for_each_direction(bench: Bench) -> None:
    changes = (_change("a"), _change("b", tightens=True), _change("c"), _change("d", "CODEOWNERS"))
    verdict = bench.verdict(bench.seen(), policy_changes=changes)
    said = [f.message for f in verdict.findings if f.rule == "policy-touched"]
    assert said == ["CODEOWNERS: d", "proctor.toml: a, c", "proctor.toml: b"]


def test_an_untouched_policy_is_no_finding(bench: Bench) -> None:
    assert "policy-touched" not in bench.rules(bench.verdict(bench.seen()))
