"""A project on a server, and a pull request to it."""

import os
import shutil
from pathlib import Path

from tests.cheats.stage import Stage
from tests.ci.machine import Service

POLICY = '[[require]]\nname = "unit"\ncommand = ["pytest", "-q"]\n'
TESTS = "from app import f\n\n\ndef test_f():\n    assert f() == 1\n\n\ndef test_type():\n    assert isinstance(f(), int)\n"
HOSTILE = '"; touch "$HOME/owned"; echo "'
"""The title of the pull request, and by its half the name of its branch."""


class Request:
    """A clone with a branch, whose state is asked to be merged."""

    def __init__(self, folder: Path, **files: str) -> None:
        self.stage = Stage(folder / "author")
        stage = self.stage
        stage.put("src/app.py", "def f():\n    return 1\n")
        stage.put("tests/test_app.py", TESTS)
        stage.put("pytest.ini", "[pytest]\npythonpath = src\n")
        stage.put("proctor.toml", POLICY)
        stage.put(".gitignore", "__pycache__/\n.pytest_cache/\n")
        for path, text in files.items():
            stage.put(path, text)
        stage.commit("first")
        self.server = folder / "server.git"
        stage.git("init", "-q", "--bare", "-b", "main", str(self.server))
        stage.git("-C", str(self.server), "config", "uploadpack.allowAnySHA1InWant", "true")
        stage.git("remote", "add", "origin", str(self.server))
        stage.git("push", "-q", "-u", "origin", "main")
        self.base = stage.git("rev-parse", "HEAD").strip()
        self.branch = "work-$(touch${IFS}owned)"
        stage.git("checkout", "-q", "-b", self.branch)

    def put(self, path: str, text: str) -> None:
        """Change a file in the patch."""
        self.stage.put(path, text)

    def feature(self) -> None:
        """A function with its test."""
        self.put("src/more.py", "def g():\n    return 2\n")
        self.put(
            "tests/test_more.py", "from more import g\n\n\ndef test_g():\n    assert g() == 2\n"
        )

    def service(self, folder: Path) -> tuple[Service, str]:
        """Push the branch; return a service that has it, and the commit that is tested."""
        self.stage.commit("the patch")
        self.stage.git("push", "-q", "-f", "origin", self.branch)
        head = self.stage.git("rev-parse", "HEAD").strip()
        event = {
            "pull_request": {
                "title": HOSTILE,
                "base": {"ref": "main", "sha": self.base},
                "head": {"ref": self.branch, "sha": head},
            }
        }
        return Service(folder, self.server, event), head


def owned(folder: Path) -> list[str]:
    """Return what hostile names or files of a patch have managed to write."""
    return [
        os.path.join(where, name)
        for where, _, names in os.walk(folder)
        for name in names
        if name == "owned"
    ]


def hand_over(source: Path, service: Service) -> None:
    """Give a service the artifacts that another one's first job left."""
    shutil.rmtree(service.artifacts, ignore_errors=True)
    shutil.copytree(source, service.artifacts)
