"""A repository with a green suite, and one receipt of it, made once."""

import json
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from proctor.config import load
from proctor.receipt.base import Checked
from proctor.receipt.check import Question, check_receipts
from proctor.receipt.fields import digest_of
from proctor.receipt.here import Here
from proctor.receipt.one import Checker
from proctor.receipt.ran import Owed
from proctor.receipt.source import sources
from proctor.receipt.where import Wanted
from tests.cheats.stage import GREEN, Stage

POLICY = '[[require]]\nname = "unit"\ncommand = ["pytest"]\nmin_tests = 2\n'
RECEIPT = "artifacts/test-receipt.json"
Change = Callable[[dict[str, Any]], object]


class Issued:
    """A stage with a receipt of a green run, signed by the key at `key`."""

    def __init__(self, folder: Path) -> None:
        self.stage = Stage(folder)
        self.stage.put("src/app.py", "def f():\n    return 1\n")
        self.stage.put("tests/test_app.py", GREEN)
        self.stage.put("proctor.toml", POLICY)
        self.stage.put(".gitignore", "__pycache__/\n.pytest_cache/\n")
        self.stage.commit("first")
        self.key = folder / "receipt.key"
        self.public = self.stage.proctor("key", "new", str(self.key)).stdout.strip()
        done = self.stage.proctor("receipt", "issue", "--sign", str(self.key), "--", "pytest", "-q")
        assert done.returncode == 0, done.stderr
        self.path = self.stage.repo / RECEIPT
        self.envelope = self.stage.repo / "artifacts/test-receipt.intoto.jsonl"
        self.unsigned = folder / "unsigned.json"
        members = json.loads(self.path.read_bytes())
        self.write(self.unsigned, {**members, "level": 0})

    @property
    def members(self) -> dict[str, Any]:
        """What the unsigned receipt says."""
        found: dict[str, Any] = json.loads(self.unsigned.read_bytes())
        return found

    @staticmethod
    def write(path: Path, members: dict[str, Any]) -> Path:
        """Write a receipt with a digest that fits."""
        path.write_text(json.dumps({**members, "digest": digest_of(members)}))
        return path

    def check(self, path: Path | None = None, **asked: Any) -> Checked:
        """Check a receipt in the clone that issued it, or in `folder`."""
        env = {**self.stage.env, **asked.pop("env", {})}
        answer = check_receipts(
            Question(
                folder=str(asked.pop("folder", self.stage.repo)),
                environ=env,
                now=asked.pop("now", datetime.now(UTC)),
                paths=(str(path or self.unsigned),),
                **asked,
            )
        )
        (found,) = answer.checked
        return found

    def checker(self) -> Callable[[Path], int]:
        """Return a check that looks at the tree once, for many receipts."""
        root = str(self.stage.repo)
        config = load(root)
        here = Here(root, self.stage.env, datetime.now(UTC), config)
        one = Checker(here, Wanted(), (), must_be_signed=False)
        owed = Owed(config.require[0], config)

        def check(path: Path) -> int:
            (source,) = sources(root, (str(path),))
            return one.check(source, owed).exit_code

        return check

    def refused(self, path: Path | None = None, **asked: Any) -> set[tuple[int, str, str]]:
        """Return code, rule and field of everything that is wrong."""
        found = self.check(path, **asked).refusals
        assert all("\n" not in one.line and one.cure for one in found)
        return {(one.code, one.rule, one.field) for one in found}


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Issued:
    """The one that everybody reads and nobody changes."""
    return Issued(tmp_path_factory.mktemp("issued") / "s")


@pytest.fixture
def issued(made: Issued) -> Iterator[Issued]:
    """The stage, put back to what it was after the test."""
    log = made.stage.log()
    kept = log.read_bytes()
    head = made.stage.git("rev-parse", "HEAD").strip()
    artifacts = made.stage.folder / "kept"
    shutil.copytree(made.stage.repo / "artifacts", artifacts)
    yield made
    made.stage.git("checkout", "-q", "-f", "-B", "main", head)
    for name in _others(made.stage):
        made.stage.git("branch", "-q", "-D", name)
    made.stage.git("reset", "-q", "--hard", head)
    made.stage.git("clean", "-q", "-f", "-d", "-x")
    shutil.copytree(artifacts, made.stage.repo / "artifacts", dirs_exist_ok=True)
    shutil.rmtree(artifacts)
    log.write_bytes(kept)


def _others(stage: Stage) -> list[str]:
    names = stage.git("branch", "--format", "%(refname:short)").split()
    return [name for name in names if name != "main"]


@pytest.fixture
def edited(issued: Issued, tmp_path: Path) -> Callable[[Change], Path]:
    """A copy of the receipt with a change, and a digest that fits."""

    def edit(change: Change) -> Path:
        members = issued.members
        change(members)
        return issued.write(tmp_path / "edited.json", members)

    return edit
