"""Reruns of real plugins, as their JUnit tells of them and as Proctor records them.

pytest-rerunfailures before 16.6.1 leaves attempts before the last out of JUnit; from then
on it writes them as test cases that passed.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from proctor.flakes.reports import read_attempts
from tests.integration.cli.test_evidence_command import Project

SUITE = """import pathlib
seen = pathlib.Path("seen")


def test_always():
    assert 0, "always"


def test_second():
    count = int(seen.read_text()) if seen.exists() else 0
    seen.write_text(str(count + 1))
    assert count, "the first time"


def test_fine():
    pass
"""
ONE = {"always": ("failed",), "second": ("passed",), "fine": ("passed",)}
EACH = {"always": ("failed",) * 3, "second": ("failed", "passed"), "fine": ("passed",)}


def installed(requirement: str, folder: Path) -> str:
    """Install one distribution, alone, into a folder of its own."""
    words = ("-m", "pip", "install", "-q", "--no-deps", "--target", str(folder), requirement)
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"{requirement} cannot be had from the package registry")
    return str(folder)


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("requirement", "told"),
    [("pytest-rerunfailures<16", ONE), ("pytest-rerunfailures>=16.6.1", EACH)],
)
def test_reruns_of_old_and_new_plugins_are_attempts(
    tmp_path: Path, requirement: str, told: dict[str, tuple[str, ...]]
) -> None:
    project = Project(tmp_path)
    project.put("test_a.py", SUITE)
    project.put(".gitignore", "seen\n__pycache__\n.pytest_cache\n*.xml\n")
    project.git("add", "-A")
    project.git("commit", "-qm", "x")
    project.proctor.env["PYTHONPATH"] = installed(requirement, tmp_path / "plugin")
    pytest_line = ("pytest", "-q", "--reruns", "2", "--junitxml=own.xml")
    done = project("flakes", "run", "-n", "1", "--keep-order", "--", *pytest_line, timeout=60)
    assert "3 tests, 2 failed" in done.stderr, done.stderr

    read = read_attempts(str(project.root / "own.xml"), "junit")
    found = {test.test.partition("::test_")[2]: test for test in read.tests}
    assert {name: test.outcomes for name, test in found.items()} == told
    assert read.refused == ()
    assert len(found["always"].fingerprints) == 1

    status = json.loads(project("flakes", "status", "--every", "--format", "json").stdout)
    lines = {one["shown"].partition("::test_")[2]: one["timeline"] for one in status["tests"]}
    assert lines == {"always": "F", "second": "R", "fine": "."}


SPEC = """const { test } = require('@playwright/test');
const fs = require('fs');
test('second', () => {
  const first = !fs.existsSync('seen');
  fs.writeFileSync('seen', '');
  if (first) throw new Error('the first time');
});
test('fine', () => {});
"""
SETTINGS = """module.exports = { retries: 1, reporter: [
  ['junit', { outputFile: 'plain.xml' }],
  ['junit', { outputFile: 'each.xml', includeRetries: true }],
] };
"""


@pytest.mark.heavy
def test_retries_of_playwright_are_attempts_whether_its_report_names_them_or_not(
    tmp_path: Path,
) -> None:
    for name, text in (
        ("package.json", "{}"),
        ("a.spec.js", SPEC),
        ("playwright.config.js", SETTINGS),
    ):
        (tmp_path / name).write_text(text)
    install = ("npm", "install", "--silent", "--ignore-scripts", "@playwright/test@1")
    if shutil.which("npm") is None or quiet(install, tmp_path).returncode:
        pytest.skip("Playwright cannot be had: no npm, or no package registry")
    quiet(("npx", "playwright", "test"), tmp_path)
    for name, first in (("plain.xml", "failed"), ("each.xml", "error")):
        read = read_attempts(str(tmp_path / name), "junit")
        assert {test.test.partition("::")[2]: test.outcomes for test in read.tests} == {
            "second": (first, "passed"),
            "fine": ("passed",),
        }


def quiet(words: tuple[str, ...], folder: Path) -> subprocess.CompletedProcess[bytes]:
    """Run a program in a folder; its output is of no interest."""
    return subprocess.run(words, cwd=folder, capture_output=True, check=False, timeout=120)
