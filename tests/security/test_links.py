"""A link, or a second name, where Proctor writes."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from proctor.hooks import calls
from proctor.records.place import note_log
from tests.conftest import Proctor

PRECIOUS = b"{} precious\n"


@pytest.fixture
def precious(tmp_path: Path) -> Path:
    path = tmp_path / "precious"
    path.write_bytes(PRECIOUS)
    return path


@pytest.mark.parametrize("how", ["link", "second name"])
def test_a_log_that_is_another_file_is_refused(proctor: Proctor, precious: Path, how: str) -> None:
    if how == "link":
        proctor.log.symlink_to(precious)
    else:
        os.link(precious, proctor.log)
    done = proctor("run", "--", "true")
    assert done.returncode == 125
    assert done.stderr.count("\n") == 1
    assert precious.read_bytes() == PRECIOUS


OUTPUTS = [
    "gate --output {}",
    "gate --format html --output {}",
    "report --format html --output {}",
    "report --format otlp --output {}",
    "audit . --output {}",
    "run --receipt={} -- true",
]


@pytest.mark.parametrize("line", OUTPUTS)
def test_an_output_replaces_a_link_and_never_follows_it(
    proctor: Proctor, precious: Path, tmp_path: Path, line: str
) -> None:
    subprocess.run(["git", "init", "-q", tmp_path / "app"], check=True)
    proctor("run", "--", "true", cwd=tmp_path / "app")
    target = tmp_path / "app" / "out"
    target.symlink_to(precious)
    done = proctor(*line.format(target).split(), cwd=tmp_path / "app")
    assert "Traceback" not in done.stderr
    assert precious.read_bytes() == PRECIOUS


def test_notes_in_the_state_folder_follow_no_link(precious: Path, tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.mkdir()
    (state / "logs").symlink_to(precious)
    note_log(str(state), "/somewhere/spans.jsonl")
    environ = {"PROCTOR_STATE_DIR": str(state)}
    calls.leave(environ, "s", "text", "toolu_1")
    (note,) = (path for path in state.rglob("*") if path.is_file() and not path.is_symlink())
    note.unlink()
    note.symlink_to(precious)
    with pytest.raises(OSError, match="symbolic"):
        calls.leave(environ, "s", "text", "toolu_1")
    assert precious.read_bytes() == PRECIOUS


def test_what_is_written_is_for_its_owner_alone(proctor: Proctor, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        proctor("run", "--keep", "all", "--", "sh", "-c", "true")
        proctor("key", "new", str(tmp_path / "k.pem"))
    finally:
        os.umask(before)
    made = [*proctor.folder.rglob("*"), tmp_path / "k.pem"]
    assert (tmp_path / "k.pem").exists()
    readable = [p for p in made if p.name != "reports" and p.is_file() and p.stat().st_mode & 0o066]
    assert [p for p in readable if p.suffix != ".whl"] == []
    assert [p for p in made if p.is_dir() and p.stat().st_mode & 0o077] == []


SECRET = "hunter2Ab3x9Qz"


@pytest.mark.heavy
def test_a_planted_secret_is_in_no_artefact(proctor: Proctor, tmp_path: Path) -> None:
    app = tmp_path / "app"
    app.mkdir()
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org"]
    (app / "test_x.py").write_text("def test_x(): pass\n")
    (app / "requirements.txt").write_text("x==1\n")
    subprocess.run([*git, "init", "-q"], cwd=app, check=True)
    subprocess.run([*git, "add", "-A"], cwd=app, check=True)
    subprocess.run([*git, "commit", "-q", "-m", "x"], cwd=app, check=True)
    del proctor.env["PROCTOR_LOG"]
    env = {
        "API_TOKEN": SECRET, "PYTEST_ADDOPTS": f"-o token={SECRET}",
        "PIP_INDEX_URL": f"https://bob:{SECRET}@example.org/simple",
    }  # fmt: skip
    url = f"https://bob:{SECRET}@example.org/"
    line = f"PASSWORD={SECRET} python -m pytest -q --token={SECRET} --url {url} | tail -1; curl -H 'Authorization: Bearer {SECRET}' file:///dev/null; true"
    proctor("run", "--keep", "all", "--", "bash", "-c", line, cwd=app, env=env)
    words = (
        "python",
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-k",
        "x",
        f"--basetemp=/nowhere?token={SECRET}",
    )
    proctor("run", "--receipt", "--", *words, cwd=app, env=env)
    proctor("evidence", "capture", "--", "python", "-m", "pytest", "-q", cwd=app, env=env)
    proctor("bundle", "make", "--log", cwd=app)
    transcript = tmp_path / "t.jsonl"
    transcript.write_text(json.dumps({"id": "1", "command": line, "exit_code": 0}) + "\n")
    shown = ""
    for name in ("text", "json", "html", "junit", "sarif", "markdown"):
        done = proctor("gate", "--format", name, "--transcript", str(transcript), cwd=app)
        shown += done.stdout + done.stderr
    for command in (
        "log --tree",
        "log --format json",
        "report --format html",
        "report --format otlp",
    ):
        done = proctor(*command.split(), cwd=app)
        shown += done.stdout + done.stderr
    assert "***" in shown
    assert SECRET not in shown
    written = [
        p
        for p in (*app.rglob("*"), *proctor.folder.rglob("*"))
        if p.is_file() and ".git/" not in str(p)
    ]
    assert len(written) > 8
    assert [str(p) for p in written if SECRET.encode() in p.read_bytes()] == []
