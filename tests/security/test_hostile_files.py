"""What lies in a repository in place of a file: a pipe, a device, a link, a folder."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.conftest import PROCTOR, Proctor

COMMANDS = {
    "proctor.toml": ["gate", "init --dry-run", "run -- true"],
    "pyproject.toml": ["gate", "init --dry-run"],
    "quarantine.txt": ["gate", "flakes status", "flakes args", "merge-check"],
    "approvals.toml": ["gate", "merge-check"],
    "artifacts/test-receipt.json": ["receipt check", "receipt show", "merge-check", "bundle make"],
    "artifacts/test-receipt.intoto.jsonl": ["receipt check", "bundle make"],
    "oracle/policy.json": ["oracle check --base HEAD", "oracle pin", "merge-check"],
    "oracle/corpus.jsonl": ["oracle check --base HEAD", "oracle pin", "merge-check"],
    "oracle/oracle.lock": ["oracle check --base HEAD", "merge-check"],
    "evidence/manifest.json": ["evidence show", "merge-check"],
    "evidence/toolchain.txt": ["evidence show"],
    "package.json": ["init --dry-run", "oracle init --dry-run -- true"],
    "Makefile": ["init --dry-run"],
    "Cargo.toml": ["init --dry-run"],
    "setup.cfg": ["init --dry-run"],
    "test_x.py": ["init --dry-run"],
    "uv.lock": ["evidence capture -- true"],
    ".claude/settings.json": ["init --dry-run", "init --agent claude-code"],
    "log.jsonl": ["gate --log log.jsonl", "verify log.jsonl", "run --log log.jsonl -- true"],
    "t.jsonl": ["gate --transcript t.jsonl", "audit t.jsonl"],
    "r.json": ["gate --receipt r.json", "receipt check r.json", "gate --oracle r.json"],
}
LINES = [(name, line) for name, lines in COMMANDS.items() for line in lines]
KINDS = ["fifo", "zero"]
OPENED = {"log.jsonl": ("fifo", "zero"), "t.jsonl": ("fifo", "zero")}
"""What a user names may be a pipe: `--log <(…)`; it is then read to its end."""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "app"
    root.mkdir()
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run([*git, "init", "-q"], cwd=root, check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], cwd=root, check=True)
    return root


@pytest.mark.heavy
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("name", "line"), LINES)
def test_nothing_is_waited_for(
    proctor: Proctor, repository: Path, name: str, line: str, kind: str
) -> None:
    if kind in OPENED.get(name, ()) and not line.startswith("run"):
        pytest.skip("a pipe that the user names is read")
    path = repository / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "fifo":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    del proctor.env["PROCTOR_LOG"]
    limited = ["prlimit", "--as=4000000000", "timeout", "-k", "1", "20", PROCTOR, *line.split()]
    done = subprocess.run(
        limited, env=proctor.env, cwd=repository, capture_output=True, text=True, timeout=60,
        check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode not in (124, 137, 70), done.stderr
    assert "Traceback" not in done.stderr
