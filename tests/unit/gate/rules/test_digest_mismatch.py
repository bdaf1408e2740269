from typing import TYPE_CHECKING, Any

from proctor.findings import Level
from proctor.gate.evidence import Captured

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def test_a_file_that_is_not_what_the_manifest_says_is_an_error(bench: Bench) -> None:
    changed = Captured(folder="evidence", problems=(("freeze.txt", "is missing"),))
    found = bench.only(bench.verdict(bench.seen("pytest"), captured=(changed,)), "digest-mismatch")
    assert found.level is Level.ERROR
    assert found.message == "evidence/freeze.txt is missing"
    assert found.paths == ("evidence/freeze.txt",)


def test_an_untouched_folder_is_fine(bench: Bench) -> None:
    whole = Captured(folder="evidence")
    assert bench.verdict(bench.seen("pytest"), captured=(whole,)).findings == ()
