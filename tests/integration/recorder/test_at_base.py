"""`run --at-base`: the base's files, elsewhere, for the time of one command."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.cheats.stage import Stage


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    """A branch that has left `main` behind by an edit, in the index and out of it."""
    found = Stage(tmp_path)
    found.env["TMPDIR"] = str(tmp_path / "tmp")
    (tmp_path / "tmp").mkdir()
    found.put("sub/file.txt", "base\n")
    found.put("tests/test_app.py", "def test_one():\n    pass\n")
    found.commit("base")
    found.git("checkout", "-q", "-b", "topic")
    found.put("sub/file.txt", "patch\n")
    found.commit("patch")
    found.put("sub/file.txt", "edit\n")
    found.put("sub/new.txt", "new\n")
    return found


def read(stage: Stage, *options: str) -> subprocess.CompletedProcess[str]:
    return stage.proctor("run", *options, "--", "cat", "file.txt", cwd=stage.repo / "sub")


def test_the_command_sees_the_base_in_the_same_folder(stage: Stage) -> None:
    for option in ("--at-base", "--at-base=main"):
        done = read(stage, option)
        assert (done.returncode, done.stdout) == (0, "base\n")
        assert "where the patch began (main: branch main)" in done.stderr
    assert read(stage, "--at-base=HEAD").stdout == "patch\n"


def test_nothing_of_it_stays(stage: Stage) -> None:
    def everything() -> list[str]:
        return sorted(str(p) for p in stage.repo.rglob("*") if p.name != "index")

    before, status = everything(), stage.git("status", "--porcelain")
    assert read(stage, "--at-base").returncode == 0
    assert everything() == before
    assert stage.git("status", "--porcelain") == status
    assert list((stage.folder / "tmp").glob("proctor-base-*")) == []
    assert stage.git("worktree", "list").count("\n") == 1


def test_it_is_recorded_in_the_same_log_with_the_tree_of_the_base(stage: Stage) -> None:
    stage.proctor("run", "--at-base", "--", "pytest", "-q")
    text = stage.log().read_text()
    tree = stage.git("rev-parse", "main^{tree}").strip()
    assert f'"tree":"{tree}"' in text
    assert '"executed":1' in text


def test_git_works_there(stage: Stage) -> None:
    done = stage.proctor("run", "--at-base", "--", "git", "status", "--porcelain", "--branch")
    assert done.stdout == "## HEAD (no branch)\n"
    done = stage.proctor("run", "--at-base", "--", "git", "rev-parse", "HEAD")
    assert done.stdout == stage.git("rev-parse", "main")


def test_neither_hooks_nor_filters_run(stage: Stage) -> None:
    mark = stage.folder / "mark"
    hook = stage.repo / ".git" / "hooks" / "post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {mark}\n")
    hook.chmod(0o755)
    stage.git("config", "filter.x.smudge", f"touch {mark}; cat")
    (stage.repo / ".git" / "info").mkdir(exist_ok=True)
    (stage.repo / ".git" / "info" / "attributes").write_text("*.txt filter=x\n")
    assert read(stage, "--at-base").stdout == "base\n"
    assert not mark.exists()


def test_a_program_that_git_does_not_have_is_taken_from_the_working_tree(stage: Stage) -> None:
    stage.put(".venv/bin/tool", "#!/bin/sh\npwd\n", 0o755)
    done = stage.proctor("run", "--at-base", "--", ".venv/bin/tool")
    assert "proctor-base-" in done.stdout
    assert os.path.basename(done.stdout.strip()) == "repo"


def test_the_exit_code_is_the_commands_own(stage: Stage) -> None:
    assert stage.proctor("run", "--at-base", "--", "sh", "-c", "exit 3").returncode == 3
    assert stage.proctor("run", "--at-base", "--", "./not-here").returncode == 127


def test_below_an_outer_witness_it_is_run_there_too(stage: Stage) -> None:
    text = 'proctor run --at-base -- sh -c "cat sub/file.txt; exit 4"'
    done = stage.proctor("run", "--", "bash", "-c", text)
    assert (done.returncode, done.stdout) == (4, "base\n")
    assert list((stage.folder / "tmp").glob("proctor-base-*")) == []


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--at-base=nothing",), "names no commit here; fetch it"),
        (("--at-base=main", "--timeout", "x"), "give a positive number"),
    ],
)
def test_what_cannot_be_had_is_said_in_one_line(
    stage: Stage, words: tuple[str, ...], why: str
) -> None:
    done = stage.proctor("run", *words, "--", "true")
    assert done.returncode == 125
    assert why in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_folder_that_the_base_lacks_is_said(stage: Stage) -> None:
    stage.put("later/file.txt", "x\n")
    done = stage.proctor("run", "--at-base", "--", "true", cwd=stage.repo / "later")
    assert done.returncode == 125
    assert "the base has no such folder" in done.stderr


def test_outside_git_there_is_no_base(stage: Stage) -> None:
    done = stage.proctor("run", "--at-base", "--", "true", cwd=stage.folder / "tmp")
    assert done.returncode == 125
    assert "needs a git repository" in done.stderr


def test_a_variable_that_names_the_folder_follows(stage: Stage) -> None:
    words = ("run", "--at-base", "--", "python3", "-c", "import os; print(os.environ.get('PWD'))")
    done = stage.proctor(*words, env={"PWD": str(stage.repo)})
    assert "proctor-base-" in done.stdout


@pytest.mark.skipif(os.getuid() != 0, reason="only root may make a file that cannot be removed")
def test_what_cannot_be_removed_is_said(stage: Stage) -> None:
    text = "mkdir kept && mount -t tmpfs none kept"
    done = stage.proctor("run", "--at-base", "--", "sh", "-c", text)
    if done.returncode:
        pytest.skip("nothing may be mounted here")
    left = done.stderr.rpartition("proctor: ")[2].partition(":")[0]
    subprocess.run(["umount", f"{left}/tree/repo/kept"], check=True)
    assert done.stderr.endswith("could not be removed\n")


def test_watch_has_no_base(stage: Stage) -> None:
    done = stage.proctor("watch", "--at-base", "--", "true")
    assert done.returncode == 125
    assert "--at-base is for run" in done.stderr
