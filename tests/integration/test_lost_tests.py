"""From two real runs and a patch to what is said of the tests that are gone."""

from pathlib import Path

import pytest

from tests.cheats.lost import delete_one, project, swap
from tests.cheats.stage import Stage

pytestmark = pytest.mark.heavy


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    found = Stage(tmp_path)
    project(found)
    return found


def test_the_verdict_names_the_test_and_the_base(stage: Stage) -> None:
    stage.proctor("run", "--at-base=main", "--", "pytest", "-q")
    delete_one(stage)
    stage.run("pytest", "-q")
    done = stage.proctor("gate", "--base", "main")
    base = stage.git("rev-parse", "main")[:9]
    assert done.returncode == 1
    assert (
        f"error tests-lost: 1 test executed at base {base} is not executed now: "
        "tests/test_app.py::test_sub" in done.stdout
    )


def test_a_report_that_was_altered_costs_the_ids_and_not_the_count(stage: Stage) -> None:
    stage.run("pytest", "-q")
    (kept,) = stage.log().parent.glob("reports/*.json")
    kept.write_text("{}")
    done = stage.proctor("gate")
    assert done.returncode == 0
    assert "is not the report that was kept: its sha256 differs" in done.stdout
    assert "14 tests executed" in done.stdout


def test_a_run_in_a_folder_has_the_ids_of_the_root(stage: Stage) -> None:
    stage.put("tests/pytest.ini", "[pytest]\npythonpath = ..\n")
    stage.commit()
    stage.git("branch", "-f", "main")
    stage.proctor("run", "--at-base=main", "--", "pytest", "-q", cwd=stage.repo / "tests")
    delete_one(stage)
    stage.proctor("run", "--", "pytest", "-q", cwd=stage.repo / "tests")
    assert "tests-lost: 1 test" in stage.proctor("gate", "--base", "main").stdout


def test_a_run_at_base_alone_is_no_attempt_at_the_patch(stage: Stage) -> None:
    swap("app.py", "a + b", "b + a")(stage)
    stage.proctor("run", "--at-base", "--", "pytest", "-q")
    assert "stale-tree" not in stage.proctor("gate", "--base", "main").stdout


def test_a_narrow_run_is_counted_against_the_whole_one_at_base(stage: Stage) -> None:
    stage.proctor("run", "--at-base", "--", "pytest", "-q")
    swap("app.py", "a + b", "b + a")(stage)
    stage.run("pytest", "-q", "tests/test_other.py", "tests/test_app.py")
    text = stage.proctor("gate", "--base", "main").stdout
    assert "only a part was run, 8 of 14 known tests" in text
    assert "tests-lost" not in text


def test_without_a_base_the_branch_is_held_against_where_it_began(stage: Stage) -> None:
    stage.put("app.py", (stage.repo / "app.py").read_text() + "x = 1\n")
    stage.run("pytest", "-q")
    delete_one(stage)
    stage.commit()
    stage.run("pytest", "-q")
    base = stage.git("rev-parse", "main")[:9]
    text = stage.proctor("gate").stdout
    assert f"1 test executed before it differed from main {base} is not executed now" in text


def test_without_a_base_uncommitted_work_is_held_against_head(stage: Stage) -> None:
    stage.git("checkout", "-q", "main")
    stage.run("pytest", "-q")
    delete_one(stage)
    stage.run("pytest", "-q")
    assert "1 test executed at HEAD is not executed now" in stage.proctor("gate").stdout


def test_a_run_at_base_elsewhere_serves_without_a_base_named(stage: Stage) -> None:
    stage.proctor("run", "--at-base", "--", "pytest", "-q")
    delete_one(stage)
    stage.run("pytest", "-q")
    assert "1 test executed at HEAD is" in stage.proctor("gate").stdout


def test_a_repository_without_a_commit_has_nothing_to_compare_with(tmp_path: Path) -> None:
    stage = Stage(tmp_path / "unborn")
    stage.put("test_a.py", "def test_a():\n    pass\n")
    stage.run("pytest", "-q")
    stage.put("test_b.py", "def test_b():\n    pass\n")
    stage.run("pytest", "-q")
    assert stage.proctor("gate").returncode == 0
