"""The demo shows a red run as red, and fails where it cannot."""

import os
from pathlib import Path

import pytest

from proctor.setup import demo
from tests.conftest import Proctor


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def stage(tmp_path: Path, told: list[str]) -> demo.Stage:
    return demo._set(str(tmp_path), told.append, os.environ)


def shims(folder: Path, **programs: str) -> dict[str, str]:
    """Return an environment in which shell scripts stand in for programs."""
    folder.mkdir()
    for name, text in programs.items():
        path = folder / name
        path.write_text(f"#!/bin/bash\n{text}\n")
        path.chmod(0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}"}


def test_every_step_comes_out_as_told(proctor: Proctor, tmp_path: Path) -> None:
    done = proctor("demo", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert "masked-exit" in done.stdout
    assert "All of this came out as told" in done.stdout
    assert done.stderr == ""


def test_the_users_records_stay_untouched(proctor: Proctor, tmp_path: Path) -> None:
    proctor("demo", cwd=tmp_path)
    assert not proctor.log.exists()
    assert not (proctor.folder / "state").exists()
    assert list(tmp_path.iterdir()) == []


def test_the_project_can_be_kept(proctor: Proctor, tmp_path: Path) -> None:
    done = proctor("demo", "--keep", env={"TMPDIR": str(tmp_path)})
    (folder,) = tmp_path.iterdir()
    assert f"cd {folder}/shop" in done.stdout
    assert (folder / "state").is_dir()


def test_it_plays_without_pytest_too(
    tmp_path: Path, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "find_spec", lambda _: None)
    assert demo.play(str(tmp_path), told.append, os.environ), "\n".join(told)
    assert any("python -m unittest" in line for line in told)


def test_without_git_it_says_so(tmp_path: Path, told: list[str]) -> None:
    assert not demo.play(str(tmp_path), told.append, {"PATH": "/nowhere"})
    assert told == ["The demo needs git: a run counts for the files it ran on."]


def test_a_shell_that_fails_is_noticed(tmp_path: Path, told: list[str]) -> None:
    environ = shims(tmp_path / "bin", sh="exit 3")
    assert not demo.play(str(tmp_path), told.append, environ)
    assert "the shell line should have returned 0, it returned 3" in told[-2]


def test_a_run_that_never_was_is_noticed(tmp_path: Path, told: list[str]) -> None:
    environ = shims(tmp_path / "bin", sh="echo All tests passed")
    assert not demo.play(str(tmp_path), told.append, environ)
    assert "the test run should be recorded with exit code 1, recorded is []" in told[-2]


def test_a_step_that_cannot_run_is_told_and_no_traceback(
    tmp_path: Path, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: demo.Stage) -> str | None:
        raise ValueError("no JSON")

    monkeypatch.setattr(demo, "_watch", broken)
    assert not demo.play(str(tmp_path), told.append, os.environ)
    assert "did not come out as told: no JSON" in told[-2]


def test_the_direct_witness_is_not_enough(stage: demo.Stage) -> None:
    stage.run("proctor", "run", "--witness", "direct", "--", "sh", "../agent.sh")
    assert "only the direct witness" in (demo._look(stage) or "")


def test_a_gate_that_lets_it_pass_is_noticed(stage: demo.Stage) -> None:
    demo._mend(stage)
    assert "the gate should fail with masked-exit" in (demo._judge(stage) or "")


def test_a_mended_project_that_fails_is_noticed(stage: demo.Stage, tmp_path: Path) -> None:
    stage.environ.update(shims(tmp_path / "bin", python="exit 1"))
    assert "the mended project's tests should pass" in (demo._mend(stage) or "")


def test_a_gate_that_does_not_pass_is_noticed(stage: demo.Stage) -> None:
    assert "the gate should pass" in (demo._judge_again(stage) or "")
