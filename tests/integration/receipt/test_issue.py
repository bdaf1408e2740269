"""A receipt is written with the run, whole, and never changes its result."""

import json
from pathlib import Path

from tests.cheats.stage import GREEN, Stage
from tests.integration.receipt.conftest import RECEIPT, Issued


def test_the_exit_code_and_the_output_stay_the_commands_own(issued: Issued) -> None:
    stage = issued.stage
    for code in (0, 3):
        done = stage.proctor("run", "--receipt", "--", "bash", "-c", f"echo out; exit {code}")
        assert (done.returncode, done.stdout) == (code, "out\n")
        assert json.loads(issued.path.read_bytes())["exit_code"] == code


def test_a_receipt_can_be_written_elsewhere(issued: Issued, tmp_path: Path) -> None:
    for words in (("--receipt=a.json",), ("--receipt", "a.json")):
        issued.stage.proctor("run", *words, "--", "true")
        (issued.stage.repo / "a.json").unlink()
    issued.stage.proctor(
        "receipt", "issue", "--output", str(tmp_path / "deep/b.json"), "--", "true"
    )
    assert (tmp_path / "deep/b.json").exists()


def test_a_receipt_that_cannot_be_written_is_125(issued: Issued) -> None:
    done = issued.stage.proctor("run", "--receipt=/proc/nowhere/x.json", "--", "true")
    assert (done.returncode, done.stderr.count("\n")) == (125, 1)
    assert "cannot be written" in done.stderr


def test_a_new_receipt_takes_the_place_of_a_signed_one(issued: Issued) -> None:
    assert issued.envelope.exists()
    issued.stage.proctor("run", "--receipt", "--", "true")
    assert not issued.envelope.exists()


def test_the_default_command_is_the_requirements(issued: Issued) -> None:
    assert issued.stage.proctor("receipt", "issue").returncode == 0
    assert json.loads(issued.path.read_bytes())["command"] == "pytest"
    issued.stage.put("proctor.toml", "")
    done = issued.stage.proctor("receipt", "issue")
    assert (done.returncode, "which command?" in done.stderr) == (64, True)


def test_run_alone_takes_a_receipt(issued: Issued) -> None:
    for words in (("watch", "--receipt"), ("run", "--receipt", "--at-base")):
        done = issued.stage.proctor(*words, "--", "true")
        assert (done.returncode, done.stderr.count("\n")) == (125, 1), words


def test_a_receipt_below_a_watch_rests_on_the_outer_record(issued: Issued) -> None:
    inner = "proctor run --receipt -- pytest -q"
    done = issued.stage.proctor(
        "watch", "--", "bash", "-c", f"{inner}; echo $?; proctor receipt check"
    )
    assert "good " in done.stdout, done.stdout + done.stderr
    assert issued.refused(issued.path) == set()
    spans = issued.stage.spans()
    pytests = [
        s for s in spans if s["command_class"] == "pytest" and s["run_id"] == spans[-1]["run_id"]
    ]
    assert len(pytests) == 1


def test_a_repository_without_a_commit_gets_a_receipt_too(tmp_path: Path) -> None:
    stage = Stage(tmp_path / "s")
    stage.put("test_a.py", GREEN)
    assert stage.proctor("receipt", "issue", "--", "pytest", "-q").returncode == 0
    members = json.loads((stage.repo / RECEIPT).read_bytes())
    assert (members["git_head"], members["dirty"]) == (None, True)
    assert stage.proctor("receipt", "check").returncode == 0


def test_outside_git_a_receipt_says_less_and_is_stale(tmp_path: Path) -> None:
    stage = Stage(tmp_path / "s")
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "test_a.py").write_text(GREEN)
    assert stage.proctor("receipt", "issue", "--", "pytest", "-q", cwd=folder).returncode == 0
    done = stage.proctor("receipt", "check", cwd=folder)
    assert (done.returncode, "no git working tree" in done.stdout) == (3, True), done.stdout


def test_a_receipt_is_shown_for_people_and_for_other_tools(issued: Issued, tmp_path: Path) -> None:
    show = ("receipt", "show", str(issued.path))
    text = issued.stage.proctor(*show).stdout
    assert "2 executed: 2 passed" in text
    assert issued.stage.proctor(*show, "--format", "json").stdout == issued.path.read_text()
    statement = json.loads(issued.stage.proctor(*show, "--format", "statement").stdout)
    predicate = json.loads(issued.stage.proctor(*show, "--format", "predicate").stdout)
    assert statement["predicate"] == predicate
    assert statement["subject"][0]["name"] == RECEIPT
    bare = tmp_path / "bare.json"
    bare.write_text('{"command": "x"}')
    for words, code in (
        ((str(bare),), 0),
        ((str(bare), "--format", "predicate"), 65),
        (("/none",), 65),
    ):
        assert issued.stage.proctor("receipt", "show", *words).returncode == code, words
