"""The hooks for commits and pushes, called by the real git and the real pre-commit."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cheats.stage import GREEN, RED, Stage
from tests.ci.machine import PROJECT, VENV

pytestmark = pytest.mark.heavy


def git(stage: Stage, *words: str, **env: str) -> tuple[int, str]:
    """Run git as a person does; return its exit code and all that it said."""
    done = subprocess.run(
        ["git", *words], cwd=stage.repo, env={**stage.env, **env}, text=True, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    return done.returncode, done.stdout


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    """A clone with a server, and the hook."""
    made = Stage(tmp_path)
    made.put("tests/test_app.py", RED)
    made.put("pytest.ini", "[pytest]\n")
    made.put(".gitignore", "__pycache__/\n.pytest_cache/\n")
    made.commit("first")
    server = str(tmp_path / "server.git")
    made.git("init", "-q", "--bare", "-b", "main", server)
    made.git("remote", "add", "origin", server)
    return made


def test_a_push_of_what_was_not_proven_is_refused_and_an_honest_one_is_not(stage: Stage) -> None:
    done = stage.proctor("init", "--hook", "pre-push")
    assert done.returncode == 0, done.stderr
    stage.commit("with a policy")
    stage.line("pytest -q | tail -n 1")
    code, said = git(stage, "push", "origin", "main")
    assert (code, "masked-exit" in said) == (1, True), said
    stage.put("tests/test_app.py", GREEN)
    stage.commit("mended")
    assert git(stage, "push", "origin", "main")[0] == 1, "nothing was run since"
    stage.run("pytest", "-q")
    code, said = git(stage, "push", "origin", "main")
    assert code == 0, said
    assert "PASS" in said
    stage.put("tests/test_app.py", RED)
    stage.commit("red again")
    stage.run("pytest", "-q")
    code, said = git(stage, "push", "origin", "main", "HEAD:refs/heads/other")
    assert (code, "nonzero-exit" in said) == (1, True), said
    assert git(stage, "push", "-q", "--no-verify", "origin", "main") == (0, "")
    stage.git("checkout", "-q", "-b", "elsewhere", "HEAD~1")
    assert "is not what is checked out" in git(stage, "push", "origin", "main:third")[1]
    assert git(stage, "push", "-q", "origin", ":third")[0] == 0
    without = "/usr/local/bin:/usr/bin:/bin"
    assert "is not installed" in git(stage, "push", "origin", "elsewhere", PATH=without)[1]
    assert stage.proctor("init", "--undo").returncode == 0
    assert not (stage.repo / ".git/hooks/pre-push").exists()


def test_a_hook_stands_where_git_looks_for_it(stage: Stage) -> None:
    stage.put(".githooks/commit-msg", "#!/bin/sh\n", 0o755)
    stage.git("config", "core.hooksPath", ".githooks")
    assert stage.proctor("init", "--hook", "pre-push").returncode == 0
    hook = stage.repo / ".githooks/pre-push"
    assert hook.stat().st_mode & 0o777 == 0o755
    done = subprocess.run(
        [VENV / "bin/shellcheck", "--shell=sh", hook], capture_output=True, text=True, check=False
    )
    assert done.stdout == ""
    assert "nothing to add" in stage.proctor("init", "--hook", "pre-push").stdout


def test_a_hook_of_somebody_else_is_left_alone(stage: Stage) -> None:
    own = stage.repo / ".git/hooks/pre-push"
    own.parent.mkdir(exist_ok=True)
    own.write_text("#!/bin/sh\nmake lint\n")
    done = stage.proctor("init", "--hook", "pre-push")
    assert done.returncode == 65
    assert "add to it by hand: proctor gate" in done.stderr
    assert own.read_text() == "#!/bin/sh\nmake lint\n"
    assert stage.proctor("init", "--hook", "post-merge").returncode == 64
    stage.git("worktree", "add", "-q", str(stage.folder / "second"))
    done = stage.proctor("init", "--hook", "pre-push", cwd=stage.folder / "second")
    assert (done.returncode, "leads out of the repository" in done.stderr) == (65, True)
    nowhere = stage.folder / "plain"
    nowhere.mkdir()
    done = stage.proctor("init", "--hook", "pre-push", cwd=nowhere)
    assert (done.returncode, "--hook needs one: git init" in done.stderr) == (65, True)


def published(folder: Path) -> tuple[str, str]:
    """Return a repository that holds the project as it is here, and its commit."""
    stage = Stage(folder)
    for name in ("src", "scripts"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(PROJECT / name, stage.repo / name, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml"):
        shutil.copy(PROJECT / name, stage.repo)
    stage.commit("the project")
    return str(stage.repo), stage.git("rev-parse", "HEAD").strip()


@pytest.mark.timeout(300)
def test_pre_commit_refuses_what_was_not_proven_and_lets_an_honest_commit_through(
    stage: Stage, tmp_path: Path
) -> None:
    url, commit = published(tmp_path / "published")
    stage.put(
        ".pre-commit-config.yaml",
        f"repos:\n- repo: {url}\n  rev: {commit}\n  hooks:\n  - id: proctor-gate\n",
    )
    stage.env["PRE_COMMIT_HOME"] = str(tmp_path / "cache")
    words = [sys.executable, "-m", "pre_commit", "install"]
    subprocess.run(words, cwd=stage.repo, env=stage.env, check=True, capture_output=True)
    stage.line("pytest -q | tail -n 1")
    stage.git("add", "-A")
    code, said = git(stage, "commit", "-m", "red")
    assert (code, "masked-exit" in said) == (1, True), said
    stage.put("tests/test_app.py", GREEN)
    stage.run("pytest", "-q")
    stage.git("add", "-A")
    code, said = git(stage, "commit", "-m", "green")
    assert (code, "Passed" in said) == (0, True), said
