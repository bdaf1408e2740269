"""What is built is the same wherever it is built, and what is installed from it works."""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from proctor.cli.schemas import NAMES, file_of, schema_of

pytestmark = pytest.mark.heavy
PROJECT = Path(__file__).parents[2]
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "dist", "*.egg-info")


def run(*words: object, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, check=False, **more
    )


def build(source: Path, target: Path, *kinds: str, umask: int = 0o022) -> dict[str, bytes]:
    """Build without git, a network or a home; return what came out by name."""
    nowhere = str(target.parent / "nowhere")
    env = {"PATH": nowhere, "HOME": nowhere, "SOURCE_DATE_EPOCH": "1700000000"}
    words = [word for kind in kinds for word in ("-t", kind)]
    done = run(
        sys.executable, "-m", "hatchling", "build", *words, "-d", target,
        cwd=source, env=env, umask=umask,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return {path.name: path.read_bytes() for path in target.iterdir()}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the sdist, built in a copy of the project."""
    folder = tmp_path_factory.mktemp("one")
    shutil.copytree(PROJECT, folder / "project", ignore=LEFT_OUT)
    shutil.copy(PROJECT / ".pre-commit-hooks.yaml", folder / "project")
    build(folder / "project", folder / "dist", "wheel", "sdist")
    return folder / "dist"


def only(folder: Path, ending: str) -> Path:
    (found,) = folder.glob(f"*{ending}")
    return found


def test_wheel_and_sdist_are_the_same_bytes_wherever_they_are_built(
    built: Path, tmp_path: Path
) -> None:
    """The second time from the sdist itself, elsewhere, under another umask and clock."""
    with tarfile.open(only(built, ".tar.gz")) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    for path in source.rglob("*"):
        os.utime(path, (1, 1))
    again = build(source, tmp_path / "dist", "wheel", "sdist", umask=0o077)
    assert again == {path.name: path.read_bytes() for path in built.iterdir()}


def test_the_wheel_holds_types_and_schemas_and_no_tests(built: Path) -> None:
    with zipfile.ZipFile(only(built, ".whl")) as archive:
        names = set(archive.namelist())
        for name in NAMES:
            text = archive.read(f"proctor/schemas/{file_of(name)}")
            assert text == schema_of(name) + b"\n"
    assert "proctor/py.typed" in names
    assert any(name.endswith(".data/scripts/proctor") for name in names)
    tops = {name.partition("/")[0].partition("-")[0] for name in names}
    assert tops == {"proctor"}
    assert not [name for name in names if "/tests/" in name or "conftest" in name]


def test_the_sdist_holds_what_the_project_is_tested_and_used_with(built: Path) -> None:
    with tarfile.open(only(built, ".tar.gz")) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for name in ("action.yml", ".pre-commit-hooks.yaml", "Makefile", "LICENSE", "README.md"):
        assert name in names
    assert {"src", "scripts", "tests", "docs", "bench"} <= {n.partition("/")[0] for n in names}


def test_a_fresh_environment_has_a_command_that_works(built: Path, tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    assert run(sys.executable, "-m", "venv", venv).returncode == 0
    python, command = venv / "bin/python", venv / "bin/proctor"
    done = run(python, "-m", "pip", "install", "-q", only(built, ".whl"))
    assert done.returncode == 0, done.stderr
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    where = tmp_path / "app"
    where.mkdir()
    said = run(command, "--version", cwd=where, env=env).stdout
    assert said.startswith("proctor ")
    assert run(python, "-m", "proctor", "--version", cwd=where, env=env).stdout == said
    done = run(command, "run", "--", "sh", "-c", "echo out; exit 3", cwd=where, env=env)
    assert (done.returncode, done.stdout) == (3, "out\n"), done.stderr
    assert "sh -c" in run(command, "log", cwd=where, env=env).stdout
    assert run(command, "schema", "span", cwd=where, env=env).returncode == 0
    (where / "proctor").mkdir()
    done = run(python, "-m", "proctor", "--version", cwd=where, env=env)
    assert (done.returncode, "could stand in for Proctor" in done.stderr) == (64, True)
    assert run(command, "--version", cwd=where, env=env).stdout == said
