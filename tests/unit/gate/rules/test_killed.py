from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def test_a_signal_is_named(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen(exit_code=137, signal="SIGKILL"))
    assert bench.rules(verdict) == ["killed"]
    assert bench.only(verdict, "killed").message == "`pytest -q` was ended by SIGKILL"


def test_killed_below_a_shell_that_said_0_is_one_finding(bench: Bench) -> None:
    shell = bench.seen(["bash", "-c", "pytest & sleep 1; kill %1; exit 0"])
    leaf = bench.below(shell, "pytest", exit_code=143, signal="SIGTERM")
    assert bench.rules(bench.verdict(shell, leaf)) == ["killed"]


def test_workers_that_end_by_signal_are_nobodys_business(bench: Bench) -> None:
    leaf = bench.seen("jest")
    worker = bench.what("jest", kind="worker")
    below = bench.below(leaf, "jest", what=worker, exit_code=143, signal="SIGTERM")
    assert bench.verdict(leaf, below).findings == ()
