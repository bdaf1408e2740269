"""What rules say of evidence folders."""

from typing import TYPE_CHECKING, Any

import pytest

from proctor.findings import Level
from proctor.gate.beside import Captured, CapturedRun
from proctor.gate.evidence import Policy
from proctor.records.span import KeptFile

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any

HOST = {"system": "Linux", "machine": "x86_64", "libc": "glibc 2.36"}


def captured(**members: Any) -> Captured:
    run = CapturedRun(
        **{"name": "pytest", "exit_code": 0, "span_id": "1", "junit": {"junit.xml": "aa"}}
        | members.pop("run", {})
    )
    return Captured(**{"folder": "evidence", "runs": (run,), **members})


def test_evidence_of_the_judged_run_is_fine(bench: Bench) -> None:
    assert bench.verdict(bench.seen("pytest"), captured=(captured(),)).findings == ()


def test_a_report_that_stands_beside_the_counted_one_is_that_of_the_run(bench: Bench) -> None:
    also = (KeptFile(path="/s/1.xml", sha256="bb", format="junit", source="junit.xml"),)
    seen = bench.seen("pytest", report=bench.report(also=also))
    policy = Policy(require=(bench.required("pytest", junit="junit.xml"),))
    assert bench.verdict(seen, policy=policy, junit={"junit.xml": "bb"}).findings == ()


@pytest.mark.parametrize(
    ("members", "rule"),
    [
        ({"run": {"junit": {"junit.xml": "ff"}}}, "junit-outside-run"),
        ({"run": {"failed": 2}}, "junit-contradicts-exit"),
    ],
)
def test_evidence_that_was_changed_is_an_error(bench: Bench, members: Any, rule: str) -> None:
    found = bench.only(bench.verdict(bench.seen("pytest"), captured=(captured(**members),)), rule)
    assert found.level is Level.ERROR
    assert found.paths == ("evidence/junit.xml",)


def test_a_report_of_a_run_on_other_files_is_an_error(bench: Bench) -> None:
    old = bench.seen(
        "pytest", git=bench.git("t0"), report=bench.report(sha256="00"), started_at="2026-03-08T10"
    )
    tree = bench.tree(since={"t0": (bench.edited("src/a.py"),)})
    run = {"junit": {"junit.xml": "00"}}
    verdict = bench.verdict(old, bench.seen("pytest"), tree=tree, captured=(captured(run=run),))
    assert "other files" in bench.only(verdict, "junit-outside-run").message


def test_without_a_repository_any_recorded_run_will_do(bench: Bench) -> None:
    seen = bench.seen("pytest", git=None)
    rules = bench.rules(bench.verdict(seen, tree=None, captured=(captured(),)))
    assert "junit-outside-run" not in rules


def test_evidence_without_a_lock_file_is_a_note(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen("pytest"), captured=(captured(has_lock=False),))
    assert bench.only(verdict, "no-lockfile").level is Level.NOTE


@pytest.mark.parametrize(
    ("toolchain", "says"),
    [
        ({"platform": "Darwin-arm64"}, "platform was Darwin-arm64"),
        ({"libc": "musl 1.2"}, "libc was musl 1.2"),
        ({"python": "3.11.4"}, "python was 3.11"),
    ],
)
def test_another_toolchain_is_a_note(bench: Bench, toolchain: dict[str, str], says: str) -> None:
    runner = bench.runner(path="/v/lib/python3.12/site-packages/pytest/__main__.py")
    seen = bench.seen("pytest", host=HOST, runner=runner)
    found = bench.only(
        bench.verdict(seen, captured=(captured(toolchain=toolchain),)), "toolchain-drift"
    )
    assert says in found.message


def test_the_same_toolchain_is_nothing(bench: Bench) -> None:
    toolchain = {"platform": "Linux-x86_64", "libc": "glibc 2.36", "python": "3.12.1", "node": "20"}
    runner = bench.runner(path="/v/lib/python3.12/site-packages/pytest/__main__.py")
    seen = bench.seen("pytest", host=HOST, runner=runner)
    assert bench.verdict(seen, captured=(captured(toolchain=toolchain),)).findings == ()


def test_a_lock_file_that_changed_since_is_a_note(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen("pytest"), captured=(captured(changed_locks=("uv.lock",)),))
    assert bench.only(verdict, "toolchain-drift").paths == ("uv.lock",)


def test_evidence_without_a_report_is_a_warning(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen("pytest"), captured=(captured(run={"junit": {}}),))
    assert bench.only(verdict, "missing-junit").level is Level.WARNING
