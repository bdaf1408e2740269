"""Released tools in two versions: what their changelogs document is found."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.heavy
@pytest.mark.timeout(600)
def test_documented_changes_are_found_and_controls_are_the_same() -> None:
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    pairs = str(ROOT / "tests" / "assets" / "pairs.jsonl")
    done = subprocess.run(
        [sys.executable, str(ROOT / "bench" / "pairs.py"), pairs],
        capture_output=True,
        text=True,
        check=False,
    )
    if "cannot be installed" in done.stderr:
        pytest.skip(done.stderr.strip().splitlines()[-1])
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 changes, 2 controls, 0 wrong" in done.stdout
