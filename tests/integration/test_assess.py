"""Real logs, real repositories, real markers: from files to a verdict."""

import fcntl
import json
import os
import subprocess
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from proctor.assess import choose
from proctor.assess.gather import Question, assess, gather
from proctor.errors import ConfigError, LogError
from proctor.findings import Level, Outcome, Verdict
from proctor.host import boot_id
from proctor.records.append import LogWriter
from proctor.repo.snapshot import finish_snapshot, snapshot
from proctor.results.read import keep_report

NOW = datetime(2026, 3, 8, 12, 0, tzinfo=UTC)


class Project:
    """A repository and what was recorded of it."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "app"
        self.environ = {"PROCTOR_STATE_DIR": str(folder / "state"), "HOME": str(folder)}
        self.log = folder / "state" / "log" / "spans.jsonl"
        self.number = 0
        self.put("src/a.py", "x = 1\n")
        self.put("tests/test_a.py", "def test_a(): pass\n")
        self.put("tests/test_b.py", "def test_b(): pass\n")

    def put(self, path: str, text: str) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def git(self, *words: str) -> None:
        names = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        subprocess.run(["git", *names, *words], cwd=self.root, check=True, capture_output=True)

    def commit(self) -> None:
        self.git("add", "--all")
        self.git("commit", "-q", "-m", "change")

    def ran(
        self, *argv: str, during: Callable[[], None] | None = None, **members: Any
    ) -> dict[str, Any]:
        """Record a process as the recorder does, the tree of a leaf included."""
        self.number += 1
        if members.pop("leaf", argv[:1] == ("pytest",)):
            state = str(self.log.parent)
            began = snapshot(str(self.root), state_folder=state)
            started_ns = time.time_ns()
            if during is not None:
                during()
            if began is not None:
                members["git"] = finish_snapshot(began, str(self.root), started_ns=started_ns)
            members.setdefault("report", self.report(failed=1 if members.get("exit_code") else 0))
        started = NOW - timedelta(hours=2) + timedelta(seconds=self.number)
        record: dict[str, Any] = {
            "schema": "proctor.span/1",
            "span_id": f"{self.number:016x}",
            "run_id": f"run-{self.number}",
            "parent_span_id": None,
            "argv": list(argv),
            "cwd": str(self.root),
            "exit_code": 0,
            "started_at": started.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
            "duration_ms": 900,
            "duration_floor_ms": 0,
            "duration_ok": True,
            "denied_binary": False,
            "witness": "tree",
            "stdout_sha256": None,
            "stderr_sha256": None,
            "stdout_bytes": None,
            "stderr_bytes": None,
            "env_names": [],
            **members,
        }
        writer = LogWriter(str(self.log), pytest.fail)
        writer.append(record)
        writer.close()
        return record

    def report(self, *, failed: int = 0) -> dict[str, Any]:
        """Keep a report of the plugin, as the recorder does."""
        last = "failed" if failed else "passed"
        live = self.log.parent / "live.json"
        content = {
            "schema": "proctor.pytest/1",
            "complete": True,
            "exit_status": failed,
            "rootdir": str(self.root),
            "tests": [["tests/test_a.py::test_a", "passed"], ["tests/test_b.py::test_b", last]],
        }
        live.parent.mkdir(parents=True, exist_ok=True)
        live.write_text(json.dumps(content))
        return keep_report(
            str(live), "proctor_pytest", state_folder=str(self.log.parent), started_ns=0
        )

    def mark(self, *argv: str, **members: Any) -> Path:
        """Leave a pending marker."""
        folder = Path(f"{self.log}.pending")
        folder.mkdir(parents=True, exist_ok=True)
        start = {
            "schema": "proctor.pending/1",
            "run_id": "p1",
            "argv": argv,
            "cwd": str(self.root),
            "started_at": NOW.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
            "boot_id": boot_id(),
            "witness": "direct",
            **members,
        }
        leaves = start.pop("leaves", ())
        lines = [start, *({"leaf": leaf} for leaf in leaves)]
        path = folder / "p1.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return path

    def question(self, *, every: bool = False) -> Question:
        return Question(
            folder=str(self.root),
            environ=self.environ,
            now=NOW,
            logs=(str(self.log),),
            every=every,
        )

    def verdict(self, *, every: bool = False) -> Verdict:
        return assess(self.question(every=every))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    found = Project(tmp_path)
    found.git("init", "-q")
    found.commit()
    return found


def rules(verdict: Verdict) -> list[str]:
    return [finding.rule for finding in verdict.findings]


def test_a_green_run_on_the_current_files_passes(project: Project) -> None:
    project.ran("pytest", "-q")
    verdict = project.verdict()
    assert (verdict.outcome, verdict.findings) == (Outcome.PASS, ())
    assert verdict.executed == 2
    assert list(verdict.inputs) == [f"log {project.log}"]


def test_an_edit_after_the_run_is_named(project: Project) -> None:
    project.ran("pytest", "-q")
    project.put("src/a.py", "x = 2\n")
    verdict = project.verdict()
    assert verdict.outcome is Outcome.FAIL
    assert verdict.findings[0].paths == ("src/a.py",)


def test_a_commit_of_what_was_tested_stays_fresh(project: Project) -> None:
    project.put("src/a.py", "x = 2\n")
    project.put("tests/test_new.py", "def test_new(): pass\n")
    project.ran("pytest", "-q")
    project.commit()
    assert project.verdict().outcome is Outcome.PASS


def test_only_the_source_committed_beside_a_scratch_note_is_a_note(project: Project) -> None:
    project.put("src/a.py", "x = 2\n")
    project.put("notes.txt", "todo\n")
    project.ran("pytest", "-q")
    project.git("add", "src")
    project.git("commit", "-q", "-m", "source")
    verdict = project.verdict()
    assert verdict.outcome is Outcome.PASS
    assert [finding.level for finding in verdict.findings] == [Level.NOTE]


def test_a_conftest_that_was_not_committed_fails(project: Project) -> None:
    project.put("conftest.py", "collect_ignore = []\n")
    project.ran("pytest", "-q")
    project.put("src/a.py", "x = 1\n\n")
    project.git("add", "src")
    project.git("commit", "-q", "-m", "source")
    assert project.verdict().outcome is Outcome.FAIL


def test_what_the_run_writes_is_its_own(project: Project) -> None:
    project.ran("pytest", during=lambda: project.put("build/out.py", "x = 1\n"))
    assert project.verdict().findings == ()


def test_an_edit_during_the_run_is_an_error(project: Project) -> None:
    project.ran("pytest", during=lambda: project.put("src/a.py", "x = 3\n"))
    assert rules(project.verdict()) == ["tree-changed-during-run"]


def test_the_part_that_was_run_is_counted_against_the_files(project: Project) -> None:
    project.ran("pytest", "tests/test_a.py", report=None)
    verdict = project.verdict()
    assert verdict.outcome is Outcome.UNPROVEN
    assert "1 of 2 known test files" in verdict.findings[0].message


def test_a_masked_failure_names_runner_and_shell(project: Project) -> None:
    shell = "000000000000000f"
    project.ran("pytest", "-q", exit_code=1, run_id="r", parent_span_id=shell)
    project.ran("bash", "-c", "pytest -q | tail -3", run_id="r", span_id=shell)
    verdict = project.verdict()
    assert rules(verdict) == ["masked-exit"]
    assert "pytest -q | tail -3" in verdict.findings[0].message


def test_a_parent_that_was_replaced_comes_before_its_child(project: Project) -> None:
    first, second = "00000000000000e1", "00000000000000e2"
    project.ran("uv", "run", "x", run_id="r", span_id=first, exit_code=None, ended_by="exec")
    project.ran(
        "env",
        "x",
        run_id="r",
        span_id=second,
        parent_span_id=first,
        exit_code=None,
        ended_by="exec",
    )
    project.ran("pytest", run_id="r", parent_span_id=second)
    project.ran("ls", run_id="q", exit_code=None, ended_by="exec", parent_span_id="x")
    evidence, _ = gather(project.question())
    assert [len(run.seen) for run in evidence.runs] == [3]


def test_a_runner_that_is_not_installed_did_not_run(project: Project) -> None:
    shell = "000000000000000f"
    project.ran(run_id="r", parent_span_id=shell, exit_code=127)
    project.ran("bash", "-c", "pytest -q | tail -5", run_id="r", span_id=shell)
    assert rules(project.verdict()) == ["no-tests-ran"]


def test_an_inner_line_whose_runner_could_not_start_did_not_run(project: Project) -> None:
    root, shell = "00000000000000f0", "00000000000000f1"
    project.ran(run_id="r", parent_span_id=shell, exit_code=127)
    project.ran("bash", "-c", "pytest -q | tail", run_id="r", span_id=shell, parent_span_id=root)
    project.ran("claude", run_id="r", span_id=root)
    assert rules(project.verdict()) == ["no-tests-ran"]


def test_a_masked_line_seen_by_the_direct_witness_is_unprovable(project: Project) -> None:
    project.ran("bash", "-c", "pytest -q | tail -3", witness="direct")
    assert rules(project.verdict()) == ["unprovable-exit"]


def test_a_wrapped_run_seen_by_the_direct_witness_counts(project: Project) -> None:
    project.ran("timeout", "60", "pytest", "-q", witness="direct", leaf=True)
    assert project.verdict().outcome is Outcome.PASS


def test_narrowing_by_the_environment_is_taken_from_the_record(project: Project) -> None:
    project.ran("pytest", narrowing_env=["PYTEST_ADDOPTS: -k=x"])
    assert "narrowed-selection" in rules(project.verdict())


def test_a_worker_by_its_environment_is_taken_from_the_record(project: Project) -> None:
    leaf = "00000000000000f0"
    project.put("a.test.js", "require('node:test')('a', () => {})\n")
    worker: dict[str, Any] = {"kind": "worker", "command_class": "node --test"}
    project.ran("node", "a.test.js", run_id="r", parent_span_id=leaf, **worker)
    project.ran("node", "--test", run_id="r", span_id=leaf, leaf=True, report=None)
    assert "no-tests-ran" not in rules(project.verdict())


def test_records_older_than_a_week_do_not_count(project: Project) -> None:
    project.ran("pytest", exit_code=1, started_at="2026-02-01T00:00:00.000000Z")
    verdict = project.verdict()
    assert verdict.outcome is Outcome.UNPROVEN
    assert [finding.rule for finding in verdict.findings] == ["no-records"]


def test_a_requirement_of_the_configuration_is_owed(project: Project) -> None:
    project.put(
        "proctor.toml",
        "[[require]]\nname = 'all'\ncommand = ['uv', 'run', 'pytest']\njunit = 'junit.xml'\n"
        "[[require]]\nname = 'own'\ncommand = ['./ci.sh']\n"
        "[[require]]\nname = 'web'\nclass = 'jest'\n",
    )
    project.put("junit.xml", "<testsuite/>")
    project.ran("pytest", "-q")
    verdict = project.verdict()
    assert [(suite.name, suite.outcome.value) for suite in verdict.suites] == [
        ("all", "fail"),
        ("own", "unproven"),
        ("web", "unproven"),
    ]
    assert rules(verdict)[0] == "junit-outside-run"


def test_a_command_that_the_project_names_is_a_test(project: Project) -> None:
    project.put("proctor.toml", "[classes.ci]\nmatch = [['./ci-test']]\nkind = 'leaf'\n")
    project.ran("./ci-test", leaf=True)
    verdict = project.verdict()
    assert verdict.outcome is Outcome.PASS, verdict


def test_what_the_configuration_lowers_is_said(project: Project) -> None:
    project.put(
        "proctor.toml",
        "[floors]\npytest = 1\n[deny]\nbinaries = ['true']\n"
        "[gate]\nenforce = 'observe'\nignore_paths = ['*.md']\n"
        "levels = { killed = 'note', below-floor = 'error' }\n",
    )
    project.ran("pytest", exit_code=1)
    verdict = project.verdict()
    assert verdict.would_block
    assert list(verdict.loosened) == [
        "killed is a note",
        "changes of *.md are ignored",
        "nothing is blocked (enforce = observe)",
        "the floor of pytest is 1 ms",
        "cat, echo, false, printf may claim to test",
    ]


def test_a_rule_that_does_not_exist_is_named_with_the_nearest(project: Project) -> None:
    for name, hint in (("masked-exits", "did you mean 'masked-exit'"), ("zzz", "proctor explain")):
        project.put("proctor.toml", f"[gate]\nlevels = {{ {name} = 'note' }}\n")
        with pytest.raises(ConfigError, match=hint):
            project.verdict()


def test_a_killed_recorder_leaves_a_missing_exit(project: Project) -> None:
    project.ran("ls")
    project.mark("claude", witness="tree", leaves=(("pytest", "-q"), ("ls",)))
    assert rules(project.verdict()) == ["missing-exit"]


@pytest.mark.parametrize("argv", [("pytest",), ("bash", "-c", "pytest; true")])
def test_a_direct_start_without_an_end_names_its_command(
    project: Project, argv: tuple[str, ...]
) -> None:
    project.ran("ls")
    project.mark(*argv)
    assert project.verdict().outcome is Outcome.FAIL


def test_a_run_in_progress_is_ignored(project: Project) -> None:
    project.ran("pytest")
    with project.mark("pytest").open("rb") as marker:
        fcntl.flock(marker, fcntl.LOCK_EX)
        assert project.verdict().outcome is Outcome.PASS


def test_an_edited_line_breaks_the_chain(project: Project) -> None:
    project.ran("pytest", exit_code=1)
    project.ran("pytest")
    text = project.log.read_text()
    project.log.write_text(text.replace('"exit_code":1', '"exit_code":0', 1))
    assert "chain-broken" in rules(project.verdict())


def test_a_log_without_any_digest_proves_nothing(project: Project) -> None:
    record = project.ran("pytest")
    record.pop("prev")
    project.log.write_text(json.dumps(record) + "\n")
    assert rules(project.verdict()) == ["chain-broken"]


def test_a_torn_last_line_is_a_warning(project: Project) -> None:
    project.ran("pytest")
    with project.log.open("a") as file:
        file.write('{"schema":"proctor.span/1","span_')
    verdict = project.verdict()
    assert verdict.outcome is Outcome.PASS
    assert verdict.findings[0].level is Level.WARNING


def test_another_clones_log_is_outside(project: Project, tmp_path: Path) -> None:
    project.ran("pytest")
    other = tmp_path / "other"
    subprocess.run(["git", "clone", "-q", project.root, other], check=True, capture_output=True)
    project.root = other
    assert rules(project.verdict()) == ["outside-repo"]


def test_a_log_in_the_repository_is_said(project: Project) -> None:
    project.log = project.root / ".proctor" / "spans.jsonl"
    project.ran("pytest")
    assert "log-in-repo" in rules(project.verdict())


def test_a_folder_without_git_is_unproven(tmp_path: Path) -> None:
    plain = Project(tmp_path)
    plain.ran("pytest")
    verdict = plain.verdict()
    assert verdict.outcome is Outcome.UNPROVEN
    assert verdict.tree is None


def test_a_repository_without_a_commit_can_pass(tmp_path: Path) -> None:
    unborn = Project(tmp_path)
    unborn.git("init", "-q")
    unborn.ran("pytest")
    assert unborn.verdict().outcome is Outcome.PASS


def test_objects_that_are_gone_leave_the_tree_unknown(project: Project) -> None:
    record = project.ran("pytest", leaf=True)
    record["git"] |= {"tree": "1" * 40, "tree_after": "2" * 40, "objects": None}
    project.log.unlink()
    writer = LogWriter(str(project.log), pytest.fail)
    writer.append({k: v for k, v in record.items() if k != "prev"})
    writer.close()
    verdict = project.verdict()
    assert verdict.outcome is Outcome.UNPROVEN


def test_a_missing_log_is_an_error_only_where_it_was_named(project: Project) -> None:
    with pytest.raises(LogError):
        project.verdict()
    own = Question(folder=str(project.root), environ=project.environ, now=NOW)
    assert rules(assess(own)) == ["no-records"]


def test_every_keeps_only_what_offends(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    for code in (0, 1, 1, 1):
        project.ran("ls", exit_code=code)
    project.ran("ls", exit_code=None, ended_by="exec")
    monkeypatch.setattr(choose, "OFFENDING_LIMIT", 2)
    verdict = project.verdict(every=True)
    assert verdict.outcome is Outcome.FAIL
    assert verdict.sentence == "3 of 5 records do not hold"
    assert len(verdict.findings) == 2


def test_every_takes_floors_from_the_configuration(project: Project) -> None:
    project.put("proctor.toml", "[floors]\npytest = 5000\n")
    project.ran("pytest", "-q")
    assert rules(project.verdict(every=True)) == ["below-floor"]


def test_every_passes_over_good_records(project: Project) -> None:
    project.ran("pytest", "-q", duration_ms=None)
    project.ran("pytest", "-q")
    assert project.verdict(every=True).outcome is Outcome.PASS


def test_the_state_folder_of_a_log_elsewhere_is_used_where_it_may_be(project: Project) -> None:
    project.ran("pytest")
    assert not os.path.exists(project.environ["PROCTOR_STATE_DIR"] + "/app")
    assert project.verdict().outcome is Outcome.PASS
