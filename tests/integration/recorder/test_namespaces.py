"""Recorders within and around a pid namespace, where numbers mean other processes."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import PROCTOR, Proctor

OWN_PROC = ["unshare", "--pid", "--fork", "--mount-proc"]
OTHER_PROC = ["unshare", "--pid", "--fork"]
MASKED = f"{sys.executable} -m pytest -q | tail -1"

pytestmark = pytest.mark.skipif(
    shutil.which("unshare") is None
    or subprocess.run([*OWN_PROC, "true"], check=False, capture_output=True).returncode != 0,
    reason="pid namespaces cannot be made here (unshare)",
)


@pytest.fixture
def app(proctor: Proctor) -> Path:
    folder = proctor.folder / "app"
    folder.mkdir()
    subprocess.run(["git", "init", "-q", folder], check=True)
    (folder / "test_a.py").write_text("def test_a():\n    assert False\n")
    return folder


def leaf(spans: list[dict[str, Any]]) -> dict[str, Any]:
    (found,) = [span for span in spans if span["kind"] == "leaf"]
    return found


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("unshare", [OWN_PROC, OTHER_PROC], ids=["own proc", "other proc"])
def test_a_recorder_outside_sees_into_a_namespace(
    unshare: list[str], proctor: Proctor, app: Path
) -> None:
    other = proctor.folder / "other.jsonl"
    proctor("run", "--log", str(other), "--", *unshare, "bash", "-c", MASKED, cwd=app)
    found = leaf(read(other))
    assert (found["exit_code"], found["report"]["failed"]) == (1, 1)
    assert not proctor.log.exists()


def test_a_recorder_in_a_namespace_sees_all_of_it(proctor: Proctor, app: Path) -> None:
    words = [*OWN_PROC, PROCTOR, "run", "--log", str(proctor.folder / "in.jsonl")]
    subprocess.run([*words, "--", "bash", "-c", MASKED], cwd=app, env=proctor.env, check=True)
    found = leaf(read(proctor.folder / "in.jsonl"))
    assert (found["exit_code"], found["witness"], found["report"]["failed"]) == (1, "tree", 1)


def test_without_its_own_proc_a_recorder_sees_the_command_and_says_so(
    proctor: Proctor, app: Path
) -> None:
    words = [*OTHER_PROC, PROCTOR, "run", "--", "bash", "-c", MASKED]
    done = subprocess.run(
        words, cwd=app, env=proctor.env, check=True, capture_output=True, text=True
    )
    assert "only the command itself is witnessed" in done.stderr
    assert "/proc shows another pid namespace" in done.stderr
    (root,) = proctor.spans()
    assert (root["witness"], root["argv"]) == ("direct", ["bash", "-c", MASKED])
    assert (root["env_names"], root["pid_start"], root["exe"]) == ([], None, None)


def test_a_tree_that_is_asked_for_is_refused_without_its_own_proc(
    proctor: Proctor, app: Path
) -> None:
    words = [*OTHER_PROC, PROCTOR, "run", "--witness", "tree", "--", "true"]
    done = subprocess.run(
        words, cwd=app, env=proctor.env, check=False, capture_output=True, text=True
    )
    assert done.returncode == 125
    assert "mount it: unshare --mount-proc" in done.stderr
    assert proctor.spans() == []


def test_a_direct_witness_that_is_asked_for_looks_at_no_other_process(
    proctor: Proctor, app: Path
) -> None:
    words = [*OTHER_PROC, PROCTOR, "run", "--witness", "direct", "--timeout", "1", "--"]
    done = subprocess.run([*words, "sleep", "30"], cwd=app, env=proctor.env, check=False)
    assert done.returncode == 128 + 15
    assert (proctor.root["timed_out"], proctor.root["pid_start"]) == (True, None)


@pytest.mark.parametrize("unshare", [OWN_PROC, OTHER_PROC], ids=["own proc", "other proc"])
def test_an_inner_run_in_a_namespace_hands_over(
    unshare: list[str], proctor: Proctor, app: Path
) -> None:
    inner = [*unshare, PROCTOR, "run", "--", "bash", "-c", MASKED]
    done = proctor("run", "--", *inner, cwd=app)
    assert done.stderr == ""
    found = leaf(proctor.spans())
    assert (found["exit_code"], found["report"]["failed"]) == (1, 1)
    assert len([span for span in proctor.spans() if span["host"] is not None]) == 1


@pytest.mark.parametrize("unshare", [[], OWN_PROC], ids=["no namespace", "own proc"])
def test_an_inner_run_with_its_own_log_leaves_no_trace_of_its_git(
    unshare: list[str], proctor: Proctor, app: Path
) -> None:
    other = proctor.folder / "other.jsonl"
    inner = [*unshare, PROCTOR, "run", "--log", str(other), "--"]
    proctor("run", "--", *inner, sys.executable, "-m", "pytest", "-q", cwd=app)
    assert read(other)[-1]["exit_code"] == 1
    assert leaf(proctor.spans())["exit_code"] == 1
    assert not [span for span in proctor.spans() if span["argv"][0].endswith("git")]


def test_a_recorder_that_is_named_and_does_not_live_takes_nothing_over(
    proctor: Proctor, app: Path
) -> None:
    claim = {"PROCTOR_WITNESS": f"1:1:{proctor.log}"}
    pending = Path(f"{proctor.log}.pending")
    pending.mkdir(mode=0o700)
    (pending / "a.jsonl").write_text("noise\n")
    (pending / "b.jsonl").write_text('{"pid":1}\n')
    proctor("run", "--", "true", cwd=app, env=claim)
    assert proctor.root["argv"] == ["true"]


def test_a_debugger_is_no_proctor(proctor: Proctor, app: Path) -> None:
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    claim = {**proctor.env, "PROCTOR_WITNESS": f"1:1:{proctor.log}"}
    words = ["strace", "-f", "-qq", "-e", "trace=none", "-o", "/dev/null", *OWN_PROC]
    subprocess.run([*words, PROCTOR, "run", "--", "true"], cwd=app, env=claim, check=True)
    assert proctor.root["witness"] == "direct"
