from typing import TYPE_CHECKING, Any

from proctor.gate.evidence import Policy

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def _verdict(bench: Bench, *diff: str) -> Any:
    policy = Policy(require=(bench.required(paths=("src/",)),))
    return bench.verdict(bench.seen("pytest"), policy=policy, diff=diff)


def test_changed_files_that_no_requirement_names_are_a_note(bench: Bench) -> None:
    found = bench.only(_verdict(bench, "src/a.py", "web/a.js", "notes.txt"), "unowned-path")
    assert found.paths == ("web/a.js",)


def test_owned_files_and_those_of_proctor_are_no_finding(bench: Bench) -> None:
    assert bench.rules(_verdict(bench, "src/a.py", "approvals.toml", "proctor.toml")) == []
