"""Events as agents send them."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Proctor

Ask = Callable[..., dict[str, Any]]


@pytest.fixture
def ask(proctor: Proctor, tmp_path: Path) -> Ask:
    """Send an event to a hook and return its answer."""

    def send(agent: str, event: str, given: dict[str, Any], *words: str) -> dict[str, Any]:
        done = proctor("hook", agent, event, *words, input=json.dumps(given), cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer

    return send


@pytest.fixture
def app(tmp_path: Path) -> Path:
    """A repository with one red test."""
    folder = tmp_path / "app"
    (folder / "tests").mkdir(parents=True)
    (folder / "tests" / "test_a.py").write_text("def test_a():\n    assert 1 == 2\n")
    (folder / ".gitignore").write_text("__pycache__/\n.pytest_cache/\n")
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    return folder
