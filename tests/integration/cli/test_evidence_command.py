"""`proctor evidence` over real runs."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Proctor

BIN = Path(sys.executable).parent
SUITE = """import pytest


def test_one(record_property):
    record_property("a", "b")


@pytest.mark.skip(reason="no network")
def test_two():
    pass
"""


class Project:
    """A repository in which the real command is run."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "app"
        self.root.mkdir()
        self.proctor = Proctor(folder)
        del self.proctor.env["PROCTOR_LOG"]
        self.proctor.env["PATH"] = f"{BIN}:{os.environ['PATH']}"
        self.proctor.env.pop("CI", None)
        self.git("init", "-q")

    def git(self, *words: str) -> None:
        names = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        subprocess.run(["git", *names, *words], cwd=self.root, check=True, capture_output=True)

    def put(self, path: str, text: str) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def __call__(self, *words: str, **more: Any) -> subprocess.CompletedProcess[Any]:
        return self.proctor(*words, cwd=self.root, **more)

    def kept(self) -> set[str]:
        return set(os.listdir(self.root / "evidence"))

    def read(self, name: str) -> str:
        return (self.root / "evidence" / name).read_text()

    def manifest(self) -> dict[str, Any]:
        found = json.loads(self.read("manifest.json"))
        assert isinstance(found, dict)
        return found


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_a_pytest_run_leaves_everything_behind(project: Project) -> None:
    project.put("tests/test_a.py", SUITE)
    project.put("requirements.txt", "pytest==9.0.0\nrich>=13\n# x\n-r other.txt\n")
    project.put("web/yarn.lock", "# yarn lockfile v1\n")
    done = project("evidence", "capture", "--", "pytest", "-q", "-W", "error")
    assert done.returncode == 0
    assert "1 passed, 1 skipped" in done.stdout
    assert "generated xml file" not in done.stdout
    assert project.kept() == {
        *("toolchain.txt", "toolchain.json", "lock.copy", "lock.copy.web__yarn.lock"),
        *("freeze.txt", "junit.xml", "pytest.exit", "manifest.json"),
    }
    lines = project.read("toolchain.txt").splitlines()
    assert [line.partition("=")[0] for line in lines[:4]] == ["date_utc", "pwd", "uname", "python"]
    assert f"python_executable={BIN}/python" in lines
    assert project.read("pytest.exit") == "0\n"
    manifest = project.manifest()
    assert manifest["venue"] == "scratch"
    (command,) = manifest["commands"]
    assert command["counts"][0]["skipped"] == 1
    assert "PROCTOR_JUNIT=1" in command["injected"]
    assert any("1 of its lines name no exact version" in line for line in manifest["absent"])


def test_evidence_never_makes_its_run_stale(project: Project) -> None:
    project.put("tests/test_a.py", SUITE)
    project.git("add", "-A")
    project.git("commit", "-qm", "x")
    assert project("evidence", "capture", "--venue", "ci", "--", "pytest", "-q").returncode == 0
    judged = project("gate", "--evidence", "evidence")
    assert judged.returncode == 0, judged.stdout
    assert "no-lockfile" in judged.stdout
    assert "captured" in project("evidence", "show").stdout


@pytest.mark.parametrize(
    ("words", "ini"),
    [(("-p", "no:junitxml"), ""), ((), "[pytest]\naddopts = -p no:junitxml\n")],
)
def test_nothing_is_asked_where_it_is_forbidden(
    project: Project, words: tuple[str, ...], ini: str
) -> None:
    project.put("test_a.py", "def test_a(): pass\n")
    project.put("pytest.ini", ini or "[pytest]\n")
    assert project("evidence", "capture", "--", "pytest", "-q", *words).returncode == 0
    assert "junit.xml" not in project.kept()
    assert "junit.xml: no runner wrote one" in project.manifest()["absent"]


def test_a_report_that_is_asked_for_is_the_one_that_is_kept(project: Project) -> None:
    project.put("test_a.py", "def test_a(): pass\n")
    project("evidence", "capture", "--", "pytest", "-q", "--junitxml=own.xml")
    assert project.read("junit.xml") == (project.root / "own.xml").read_text()


def test_a_red_run_is_kept_too(project: Project) -> None:
    project.put("test_a.py", "def test_a(): assert 0\n")
    assert project("evidence", "capture").returncode == 1
    assert project.read("pytest.exit") == "1\n"
    assert "<failure" in project.read("junit.xml")


def test_two_runs_of_one_runner_have_two_names(project: Project) -> None:
    project.put("a/test_a.py", "def test_a(): pass\n")
    project.put("b/test_b.py", "def test_b(): pass\n")
    project.put(
        "proctor.toml",
        "".join(f"[[require]]\nname='{n}'\nfolder='{n}'\ncommand=['pytest','-q']\n" for n in "ab"),
    )
    assert project("evidence", "capture").returncode == 0
    assert {"pytest.exit", "pytest-2.exit", "junit.xml", "junit.2.xml"} <= project.kept()


def test_nothing_to_run_is_said_and_is_no_success(project: Project) -> None:
    project.put("README.md", "# x\n")
    done = project("evidence", "capture")
    assert done.returncode == 2
    assert "NO_PYTEST_LAYOUT" in project.kept()
    assert "NO_LOCKFILE" in project.kept()


def test_another_folder_in_the_repository_is_said_to_count(
    project: Project, tmp_path: Path
) -> None:
    project.put("test_a.py", "def test_a(): pass\n")
    done = project("evidence", "capture", "--dir", "proof", "--", "pytest", "-q")
    assert "proof lies in the repository and counts as part of its content" in done.stderr
    done = project("evidence", "capture", "--dir", str(tmp_path / "out"), "--", "pytest", "-q")
    assert "lies in the repository" not in done.stderr


def test_no_secret_gets_into_any_file(project: Project) -> None:
    project.put("test_a.py", "def test_a(): pass\n")
    project.put("requirements.txt", "--index-url https://me:hunter2@example.org/simple\na==1\n")
    project("evidence", "capture", "--", "env", "API_KEY=hunter2", "pytest", "-q")
    for path in (project.root / "evidence").iterdir():
        assert "hunter2" not in path.read_text(), path


@pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed")
def test_an_npm_project_is_asked_for_junit_and_its_output_stays(project: Project) -> None:
    project.put(
        "package.json", '{"name": "x", "version": "1.0.0", "scripts": {"test": "node --test"}}'
    )
    project.put("package-lock.json", "{}")
    project.put("a.test.js", "require('node:test')('adds', () => {})\n")
    plain = project("run", "--report", "off", "--", "npm", "test").stdout
    done = project("evidence", "capture")
    assert done.returncode == 0, done.stderr
    assert project.read("npm-test.exit") == "0\n"
    assert 'name="adds"' in project.read("junit.xml")
    shown = [
        [line for line in text.splitlines() if "duration" not in line]
        for text in (plain, done.stdout)
    ]
    assert shown[0] == shown[1]
    assert any(
        word.startswith("NODE_OPTIONS+=") for word in project.manifest()["commands"][0]["injected"]
    )


@pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed")
def test_a_project_that_chooses_its_reporter_is_not_asked(project: Project) -> None:
    script = "node --test --test-reporter=tap"
    project.put(
        "package.json", json.dumps({"name": "x", "version": "1.0.0", "scripts": {"test": script}})
    )
    project.put("a.test.js", "require('node:test')('adds', () => {})\n")
    assert project("evidence", "capture").returncode == 0
    assert "junit.xml" not in project.kept()


def test_show_and_compare_say_what_they_have(project: Project, tmp_path: Path) -> None:
    empty = project("evidence", "show")
    assert empty.returncode == 2
    assert "there is no evidence here" in empty.stdout
    assert "(only a chat sentence)" in empty.stdout
    project.put("test_a.py", "def test_a(): pass\n")
    project("evidence", "capture", "--", "pytest", "-q")
    assert json.loads(project("evidence", "show", "--format", "json").stdout)["problems"] == []
    same = project("evidence", "compare", "evidence", "evidence")
    assert (same.returncode, same.stdout) == (0, "no difference\n")
    (tmp_path / "ci.txt").write_text("python=2.7.18\n")
    other = project("evidence", "compare", "evidence", str(tmp_path / "ci.txt"))
    assert other.returncode == 1
    assert other.stdout.startswith("heavy   python: ")
    (tmp_path / "ci.txt").write_text("cobol=1\n")
    nothing = project("evidence", "compare", "evidence", str(tmp_path / "ci.txt"))
    assert nothing.returncode == 2
    drifts = project("evidence", "compare", "evidence", "evidence", "--format", "json")
    assert json.loads(drifts.stdout)["drifts"] == []
    project.put("evidence/freeze.txt", "edited")
    assert project("evidence", "show").returncode == 1
    assert project("gate", "--evidence", "nowhere").returncode == 65
