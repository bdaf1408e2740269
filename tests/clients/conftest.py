"""A session of a real client before the scripted model."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.clients.base import LIE, Client, Stage, install
from tests.clients.model import Model, Script
from tests.conftest import PROCTOR


class Session:
    """What a client did, and the project it did it in."""

    def __init__(self, client: Client, stage: Stage, environ: dict[str, str]) -> None:
        self.client = client
        self.stage = stage
        self.environ = environ
        self.model: Model
        self.printed = ""
        """What the client wrote to its standard output."""

    def run(self, *words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run a program in the project, with the client's home."""
        done = subprocess.run(
            words, cwd=self.stage.work, env=self.environ, stdin=subprocess.DEVNULL, check=False,
            capture_output=True, text=True, timeout=280,
        )  # fmt: skip
        assert not check or done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        return done

    def proctor(self, *words: str, check: bool = False) -> subprocess.CompletedProcess[str]:
        """Run a command of Proctor's in the project."""
        return self.run(PROCTOR, *words, check=check)

    def transcript(self) -> str:
        """Return the path of the session's transcript."""
        if self.client.name == "opencode":
            session = json.loads(self.printed.splitlines()[0])["sessionID"]
            exported = self.run("opencode", "export", session).stdout
            (self.stage.home / self.client.transcript).write_text(exported)
        (found,) = self.stage.home.glob(self.client.transcript)
        return str(found)


Start = Callable[..., Session]


@pytest.fixture
def client(request: pytest.FixtureRequest) -> Client:
    """One of the clients, installed."""
    found: Client = request.param
    install(found)
    return found


@pytest.fixture
def start(client: Client, tmp_path: Path) -> Iterator[Start]:
    """Run the client on a project with one test, before a model that has its script."""
    models: list[Model] = []

    def run(
        command: str, *before: str, failing: bool, setup: Callable[[Session], Any] | None = None
    ) -> Session:
        commands = [command, *filter(None, [client.last_command])]
        model = Model(Script(commands, LIE)).__enter__()
        models.append(model)
        stage = Stage(tmp_path / "home", tmp_path / "work", model.url)
        environ = _environ(client, stage)
        session = Session(client, stage, environ)
        session.model = model
        stage.put("repo/tests/test_a.py", f"def test_a():\n    assert 1 == {1 + failing}\n")
        stage.put("repo/pytest.ini", "[pytest]\n")
        stage.put(".gitignore", "__pycache__/\n.pytest_cache/\n")
        environ |= client.prepare(stage)
        session.run("git", "init", "-q")
        session.run("git", "add", "-A")
        session.run(
            "git", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "first"
        )
        if setup is not None:
            setup(session)
        done = session.run(*before, client.program, *client.words, check=False)
        session.printed = done.stdout
        assert "All tests passed." in done.stdout or client.last_command, done.stderr
        return session

    yield run
    for model in models:
        model.__exit__()


def _environ(client: Client, stage: Stage) -> dict[str, str]:
    """An environment of its own: nothing of the tests' reaches the client."""
    here = Path(sys.executable).parent
    path = f"{here}:{install(client)}:{os.environ['PATH']}"
    # Codex starts login shells, which build PATH anew.
    stage.put(".bash_profile", f"PATH={path}\n", at_home=True)
    return {"PATH": path, "HOME": str(stage.home), "TERM": "xterm", "LANG": "C.UTF-8"}
