from typing import TYPE_CHECKING, Any

import msgspec

from proctor.findings import Outcome
from proctor.gate.evidence import Policy
from proctor.requirements import Selection

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def test_lint_where_tests_are_owed_is_an_error(bench: Bench) -> None:
    policy = Policy(require=(bench.required("pytest -q"),))
    verdict = bench.verdict(bench.seen("ruff check"), policy=policy)
    assert verdict.outcome is Outcome.FAIL
    assert bench.rules(verdict) == ["wrong-command"]
    found = bench.only(verdict, "wrong-command")
    assert found.message == "'checkout' owes `pytest -q`; what was run is `ruff check`"
    assert found.cure == "proctor run -- pytest -q"


def test_the_folder_of_what_is_owed_is_named_and_entered(bench: Bench) -> None:
    owed = bench.required("pytest -q")
    web = msgspec.structs.replace(
        owed, selection=Selection(what=owed.selection.what, where="web", project="web")
    )
    policy = Policy(require=(web,))
    found = bench.only(bench.verdict(bench.seen("ruff check"), policy=policy), "wrong-command")
    assert found.message == "'checkout' owes `pytest -q` in web; what was run is `ruff check`"
    assert found.cure == "cd web && proctor run -- pytest -q"


def test_lint_beside_the_owed_run_is_fine(bench: Bench) -> None:
    policy = Policy(require=(bench.required("pytest"),))
    verdict = bench.verdict(bench.seen("ruff check"), bench.seen("pytest"), policy=policy)
    assert verdict.outcome is Outcome.PASS


def test_a_claim_upon_something_else_is_an_error(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen("ls -l", claims="tests"))
    assert bench.rules(verdict) == ["wrong-command"]


def test_a_claim_upon_a_test_is_fine(bench: Bench) -> None:
    assert bench.verdict(bench.seen("pytest", claims="tests")).outcome is Outcome.PASS
