"""Fixtures that every test may use."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis
import pytest

# The same examples every time, and however busy the machine is.
hypothesis.settings.register_profile(
    "steady",
    derandomize=True,
    deadline=None,
    suppress_health_check=[
        hypothesis.HealthCheck.too_slow,
        hypothesis.HealthCheck.function_scoped_fixture,
    ],
)
hypothesis.settings.load_profile("steady")

PROCTOR = str(Path(sys.executable).parent / "proctor")


class Proctor:
    """The installed command, with a state folder and a log of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "spans.jsonl"
        self.env = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("PROCTOR", "PYTHON"))},
            "PROCTOR_STATE_DIR": str(folder / "state"),
            "PROCTOR_LOG": str(self.log),
        }

    def __call__(self, *words: str | bytes, **more: Any) -> subprocess.CompletedProcess[Any]:
        """Run `proctor WORDS` to its end; `env` adds to the environment."""
        env = {**self.env, **more.pop("env", {})}
        more = {"capture_output": True, "text": True, "timeout": 60, **more}
        return subprocess.run([PROCTOR, *words], env=env, check=False, **more)

    def start(self, *words: str, **more: Any) -> subprocess.Popen[bytes]:
        """Start `proctor WORDS`."""
        env = {**self.env, **more.pop("env", {})}
        return subprocess.Popen([PROCTOR, *words], env=env, **more)

    def spans(self) -> list[dict[str, Any]]:
        """Return the records of the log."""
        if not self.log.exists():
            return []
        return [json.loads(line) for line in self.log.read_bytes().splitlines()]

    def only(self, where: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Return the one record that fits."""
        found = [span for span in self.spans() if where(span)]
        assert len(found) == 1, [span["argv"] for span in self.spans()]
        return found[0]

    @property
    def root(self) -> dict[str, Any]:
        """Return the last run's root span."""
        return [span for span in self.spans() if span["host"] is not None][-1]


@pytest.fixture
def proctor(tmp_path_factory: pytest.TempPathFactory) -> Proctor:
    """The installed command, apart from the user's own state."""
    return Proctor(tmp_path_factory.mktemp("proctor"))
