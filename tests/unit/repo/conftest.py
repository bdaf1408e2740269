"""Real repositories, made by the real git."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ENV = {
    "PATH": "/usr/bin:/bin:/usr/local/bin",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.invalid",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.invalid",
    "GIT_ALLOW_PROTOCOL": "file",
}


class Repo:
    """A repository with a state folder beside it."""

    def __init__(self, root: Path, state: Path) -> None:
        self.root = root
        self.state = state

    def git(self, *words: str, stdin: str = "") -> str:
        done = subprocess.run(
            ["git", *words],
            cwd=self.root,
            env={**ENV, "HOME": str(self.state.parent)},
            input=stdin.encode(),
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.decode("utf-8", "surrogateescape").strip()

    def write(self, path: str, text: str = "x = 1\n") -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def commit(self, **files: str) -> str:
        for name, text in files.items():
            self.write(name.replace("__", "/") + ".py", text)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "c")
        return self.git("rev-parse", "HEAD")

    def head_tree(self) -> str:
        return self.git("rev-parse", "HEAD^{tree}")


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in os.environ:
        if name.startswith("GIT_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)


@pytest.fixture
def make_repo(tmp_path: Path) -> Callable[..., Repo]:
    def make(name: str = "repo", *options: str) -> Repo:
        root = tmp_path / name
        root.mkdir()
        made = Repo(root, tmp_path / "state")
        made.git("init", "-q", "-b", "main", *options)
        return made

    return make


@pytest.fixture
def repo(make_repo: Callable[..., Repo]) -> Repo:
    made = make_repo()
    made.commit(a="a = 1\n", test_a="def test(): pass\n")
    return made
