from typing import TYPE_CHECKING, Any

from proctor.gate.evidence import Policy

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def _verdict(bench: Bench, sha256: str | None) -> Any:
    policy = Policy(require=(bench.required("pytest", junit="junit.xml"),))
    return bench.verdict(bench.seen("pytest"), policy=policy, junit={"junit.xml": sha256})


def test_the_file_that_the_run_wrote_is_fine(bench: Bench) -> None:
    assert _verdict(bench, "aa").findings == ()


def test_a_file_that_no_run_wrote_is_an_error(bench: Bench) -> None:
    verdict = _verdict(bench, "ff")
    assert bench.only(verdict, "junit-outside-run").paths == ("junit.xml",)


def test_a_missing_file_is_an_error(bench: Bench) -> None:
    assert "is missing" in bench.only(_verdict(bench, None), "junit-outside-run").message
