"""Records that travel in a bundle are judged elsewhere as they would be where they were made."""

import shutil
from pathlib import Path

import pytest

from proctor.errors import EvidenceError
from proctor.receipt.changes import read_changes
from tests.cheats.stage import Stage

pytestmark = pytest.mark.heavy
REWRITES = (
    "from pathlib import Path\n\n\ndef test_one():\n"
    "    Path('src/app.py').write_text('def f():\\n    return 2\\n')\n"
)


def judged_elsewhere(stage: Stage, bundle: Path) -> set[str]:
    """Return the rules that speak where only the commit and the bundle are."""
    theirs = Stage(bundle.parent / "other")
    shutil.rmtree(theirs.repo)
    stage.git("clone", "-q", str(stage.repo), str(theirs.repo))
    return theirs.judge("--bundle", str(bundle)).rules


def test_a_file_that_the_run_itself_changed_is_named_elsewhere(tmp_path: Path) -> None:
    stage = Stage(tmp_path / "s")
    stage.put("src/app.py", "def f():\n    return 1\n")
    stage.put("tests/test_app.py", REWRITES)
    stage.put(".gitignore", "__pycache__/\n.pytest_cache/\n")
    stage.commit("first")
    assert stage.run("pytest", "-q").returncode == 0
    bundle = tmp_path / "b.zip"
    done = stage.proctor("bundle", "make", "--log", "--output", str(bundle))
    assert done.returncode == 0, done.stderr
    assert "tree-changed-during-run" in judged_elsewhere(stage, bundle)
    assert "tree-changed-during-run" in stage.judge().rules


@pytest.mark.parametrize("text", ["{}", '[["a", "b"]]', '[["a", "b", [["x", 1, null]]]]', "\xff"])
def test_what_cannot_be_read_of_the_changes_is_said(tmp_path: Path, text: str) -> None:
    assert read_changes(str(tmp_path)) == {}
    (tmp_path / "log").mkdir()
    (tmp_path / "log/changes.json").write_text(text, encoding="latin-1")
    with pytest.raises(EvidenceError, match="of the bundle cannot be read"):
        read_changes(str(tmp_path))
