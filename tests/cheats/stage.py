"""The stage on which a case is played: a repository, a recorder, a gate."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.lean import programs

BIN = programs()
PROCTOR = str(Path(sys.executable).parent / "proctor")
GREEN = "def test_one():\n    assert True\n\n\ndef test_two():\n    assert True\n"
RED = "def test_one():\n    assert True\n\n\ndef test_two():\n    assert False\n"
GIT_ENV = {
    "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull,
}  # fmt: skip


LONGEST = 90
"""Seconds that one command of a case may take."""


class UnavailableError(Exception):
    """A tool that a case needs is here and does not work: no toolchain, no registry."""


@dataclass
class Judgement:
    """What the gate said."""

    code: int
    outcome: str
    rules: set[str]
    """The rules whose findings are errors, warnings or unproven."""
    text: str


class Stage:
    """A git repository at `folder/repo` with the recorder's state beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.repo = folder / "repo"
        self.repo.mkdir(parents=True)
        self.env = {
            **{
                k: v
                for k, v in os.environ.items()
                if not k.startswith(("PROCTOR", "PYTHON", "PYTEST"))
            },
            **GIT_ENV,
            "PATH": f"{BIN}:{os.environ.get('PATH', os.defpath)}",
            "PROCTOR_STATE_DIR": str(folder / "state"),
            "HOME": str(folder / "home"),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        self.env.pop("PYTHONDONTWRITEBYTECODE")
        self.git("init", "-q", "-b", "main")

    # ── the repository ──────────────────────────────────────────────────────

    def write(self, **files: str) -> None:
        """Write files; `__` in a name is `/`, a last `_py` and the like a suffix."""
        for name, text in files.items():
            path = name.replace("__", "/")
            stem, _, suffix = path.rpartition("_")
            self.put(f"{stem}.{suffix}" if stem else path, text)

    def put(self, path: str, text: str, mode: int = 0o644) -> Path:
        """Write one file."""
        target = self.repo / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        target.chmod(mode)
        return target

    def git(self, *words: str) -> str:
        """Run git in the repository."""
        done = subprocess.run(
            ["git", *words], cwd=self.repo, env=self.env, capture_output=True, text=True, check=True
        )
        return done.stdout

    def commit(self, message: str = "change") -> None:
        """Commit everything."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)

    # ── the commands ────────────────────────────────────────────────────────

    def proctor(self, *words: str, **more: Any) -> subprocess.CompletedProcess[str]:
        """Run the real command."""
        env = {**self.env, **more.pop("env", {})}
        more = {"cwd": self.repo, **more}
        given = more.pop("input", None)
        longest = more.pop("timeout", LONGEST)
        with subprocess.Popen(
            [PROCTOR, *words],
            env=env,
            stdin=subprocess.DEVNULL if given is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            **more,
        ) as process:
            try:
                stdout, stderr = process.communicate(given, longest)
            except subprocess.TimeoutExpired:
                # NOTE: all of the group: whoever lives on would hold the pipes open.
                os.killpg(process.pid, signal.SIGKILL)
                raise
        return subprocess.CompletedProcess(words, process.returncode, stdout, stderr)

    def run(self, *argv: str, **more: Any) -> subprocess.CompletedProcess[str]:
        """`proctor run -- ARGV`."""
        return self.proctor("run", "--", *argv, **more)

    def line(self, text: str, **more: Any) -> subprocess.CompletedProcess[str]:
        """`proctor run -- bash -c TEXT`."""
        return self.run("bash", "-c", text, **more)

    def log(self) -> Path:
        """The repository's log in the state folder."""
        (found,) = (self.folder / "state").glob("*/spans.jsonl")
        return found

    def spans(self) -> list[dict[str, Any]]:
        """The records of that log."""
        return [json.loads(line) for line in self.log().read_bytes().splitlines()]

    def judge(self, *words: str, **more: Any) -> Judgement:
        """`proctor gate`."""
        done = self.proctor("gate", "--format", "json", *words, **more)
        try:
            verdict = json.loads(done.stdout)
        except ValueError:
            return Judgement(done.returncode, "", set(), done.stdout + done.stderr)
        rules = {f["rule"] for f in verdict["findings"] if f["level"] != "note"}
        return Judgement(done.returncode, verdict["outcome"], rules, done.stdout)


@dataclass(frozen=True)
class Case:
    """One case: `play` does it; for a cheat, one of `rules` must explain it."""

    number: str
    title: str
    play: Callable[[Stage], None]
    rules: frozenset[str] = frozenset()
    gate: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    heavy: bool = False
    large: bool = False
    """Left to `make cheats` and `make large`: it takes long, and others show its rule."""
    level: int = 0
    """The level of the threat model that catches it; at a lower one it passes."""
    judge: Callable[[Stage], Judgement] | None = field(default=None)

    @property
    def id(self) -> str:
        """The case's name in test output."""
        return f"{self.number}-{self.title.replace(' ', '-')}"

    @property
    def missing(self) -> tuple[str, ...]:
        """The programs that the case needs and that are not installed."""
        path = f"{BIN}:{os.environ.get('PATH', os.defpath)}"
        return tuple(name for name in self.needs if shutil.which(name, path=path) is None)

    def verdict(self, stage: Stage) -> Judgement:
        """Play the case and judge it."""
        self.play(stage)
        return self.judge(stage) if self.judge else stage.judge(*self.gate)
