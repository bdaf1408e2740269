"""A secret in argv is in no file that Proctor writes."""

import time
from pathlib import Path

import pytest

from tests.conftest import Proctor

SECRET = "hunter2Ab3x9"
COMMANDS = {
    "option": ["true", "--token", SECRET],
    "token": ["true", "ghp_16C7e42F292c6912E7710c838347Ae178B4a" + SECRET],
    "header": ["true", f"Authorization: Bearer {SECRET}"],
    "url": ["true", f"https://bob:{SECRET}@example.org/"],
    "variable": ["env", f"API_KEY={SECRET}", "true"],
    "shell line": ["bash", "-c", f"PASSWORD={SECRET} true --token '{SECRET}' | tail -1"],
    "shell in a shell": [
        "bash",
        "-c",
        f"bash -c \"true -H 'Authorization: Basic {SECRET}'\"; true",
    ],
    "not found": ["no-such-program", f"--password={SECRET}"],
    "test run": ["python", "-m", "pytest", "-q", f"--junitxml=/nowhere/?token={SECRET}"],
    "test run in a shell": [
        "bash",
        "-c",
        f"python -m pytest -o token={SECRET} -k x 2>&1 | tail -1",
    ],
}


def files_with(folder: Path, secret: str) -> list[str]:
    """Return the files below `folder` that hold `secret`, in content or name."""
    found = []
    for path in folder.rglob("*"):
        held = path.is_file() and secret.encode() in path.read_bytes()
        if held or secret in path.name:
            found.append(str(path))
    return found


@pytest.mark.parametrize("witness", ["tree", "direct"])
@pytest.mark.parametrize("argv", COMMANDS.values(), ids=COMMANDS)
def test_a_secret_in_argv_is_in_no_file(
    proctor: Proctor, tmp_path: Path, argv: list[str], witness: str
) -> None:
    proctor("run", "--keep", "all", "--witness", witness, "--", *argv, cwd=tmp_path)
    assert proctor.root["redactions"] >= 1
    assert files_with(proctor.folder, SECRET) == []


def test_a_secret_in_the_environment_is_in_no_file(proctor: Proctor, tmp_path: Path) -> None:
    (tmp_path / "test_x.py").write_text("def test_x(): pass\n")
    env = {"MY_VALUE": SECRET, "PYTEST_ADDOPTS": f"-o token={SECRET} -k x"}
    proctor("run", "--", "python", "-m", "pytest", "-q", cwd=tmp_path, env=env)
    assert "MY_VALUE" in proctor.root["env_names"]
    assert files_with(proctor.folder, SECRET) == []


def test_a_secret_is_not_in_the_marker_that_a_killed_recorder_leaves(
    proctor: Proctor, tmp_path: Path
) -> None:
    line = f"API_KEY={SECRET} sleep 2; true --token {SECRET}"
    child = proctor.start("run", "--", "bash", "-c", line, cwd=tmp_path)
    markers = proctor.folder / "spans.jsonl.pending"
    deadline = time.monotonic() + 10
    while not list(markers.glob("*")) or not next(markers.iterdir()).stat().st_size:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    child.kill()
    child.wait()
    (marker,) = markers.iterdir()
    assert b"***" in marker.read_bytes()
    assert files_with(proctor.folder, SECRET) == []


def test_a_secret_is_neither_in_the_log_shown_nor_in_the_verdict(
    proctor: Proctor, tmp_path: Path
) -> None:
    proctor("run", "--", "python", "-m", "pytest", f"--token={SECRET}", cwd=tmp_path)
    for words in (("log", "--tree"), ("log", "--format", "json"), ("gate",)):
        done = proctor(*words, cwd=tmp_path)
        assert SECRET not in done.stdout + done.stderr
