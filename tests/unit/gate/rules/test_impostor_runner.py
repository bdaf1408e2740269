from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def test_an_installed_runner_passes_wherever_it_lies(bench: Bench) -> None:
    runner = bench.runner(path="/work/app/.venv/lib/pytest/__main__.py", record_ok=True)
    leaf = bench.seen(exe="/work/app/.venv/bin/python3.12", runner=runner)
    assert bench.verdict(leaf).findings == ()


def test_an_editable_install_passes(bench: Bench) -> None:
    runner = bench.runner(path="/work/pytest/src/pytest/__main__.py", editable=True)
    assert bench.verdict(bench.seen(exe="/usr/bin/python3", runner=runner)).findings == ()


@pytest.mark.parametrize("exe", ["/usr/bin/true", "/tmp/pytest", "/usr/bin/bash"])
def test_another_kind_of_program_is_an_impostor(bench: Bench, exe: str) -> None:
    verdict = bench.verdict(bench.seen("pytest -q", exe=exe, report=None))
    assert bench.rules(verdict) == ["impostor-runner"]
    assert f"the program is {exe}" in bench.only(verdict, "impostor-runner").message


def test_a_module_that_nobody_installed_is_an_impostor(bench: Bench) -> None:
    runner = bench.runner(distribution=None, path="/work/app/pytest.py")
    verdict = bench.verdict(bench.seen(exe="/usr/bin/python3", runner=runner))
    found = bench.only(verdict, "impostor-runner")
    assert "/work/app/pytest.py belongs to no installed distribution" in found.message


def test_an_altered_runner_is_an_impostor(bench: Bench) -> None:
    runner = bench.runner(record_ok=False, altered=("_pytest/main.py",))
    verdict = bench.verdict(bench.seen(exe="/usr/bin/python3", runner=runner))
    assert "_pytest/main.py" in bench.only(verdict, "impostor-runner").message


def test_a_runner_that_was_not_found_is_no_impostor(bench: Bench) -> None:
    runner = bench.runner(distribution=None, path=None)
    leaf = bench.seen(exe="/usr/bin/python3", runner=runner, exit_code=1)
    assert bench.rules(bench.verdict(leaf)) == ["nonzero-exit"]


def test_a_native_runner_bears_its_own_name(bench: Bench) -> None:
    assert bench.verdict(bench.seen("/opt/jest", exe="/opt/jest")).findings == ()
    verdict = bench.verdict(bench.seen("jest", exe="/usr/bin/true"))
    assert bench.rules(verdict) == ["impostor-runner"]


def test_a_shim_that_becomes_the_runner_is_honest(bench: Bench) -> None:
    shim = bench.seen("pytest", exe="/bin/bash", exit_code=None, ended_by="exec")
    real = bench.below(shim, "pytest", exe="/usr/bin/python3")
    assert bench.verdict(shim, real).findings == ()


def test_a_shell_wrapper_above_the_runner_is_honest(bench: Bench) -> None:
    wrapper = bench.seen("pytest", exe="/bin/bash", report=None)
    real = bench.below(wrapper, "pytest", exe="/usr/bin/python3")
    assert bench.verdict(wrapper, real).findings == ()


def test_a_program_of_the_family_may_stand_for_another(bench: Bench) -> None:
    assert bench.verdict(bench.seen("jest", exe="/opt/jest-linux-x64")).findings == ()
    assert bench.verdict(bench.seen("jest", exe="/usr/bin/ruby3.1")).findings == ()


def test_a_runner_written_in_shell_answers_for_what_it_starts(bench: Bench) -> None:
    outer = bench.seen("jest", exe="/opt/jest")
    shell = bench.seen("jest", exe="/bin/bash")
    for above in (outer, shell):
        inner = bench.below(above, "pytest", exe="/usr/bin/python3", exit_code=1)
        assert "masked-exit" not in bench.rules(bench.verdict(above, inner))
