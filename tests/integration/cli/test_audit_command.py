"""`proctor audit` as a person types it."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from proctor.audit.report import Report
from tests.conftest import Proctor
from tests.unit.audit.test_look import call, words, write
from tests.unit.join.conftest import ASSETS


@pytest.fixture
def session(tmp_path: Path) -> str:
    """A session with a masked failure, and the claim that all is well."""
    return write(
        tmp_path / "sessions" / "s.jsonl",
        call(1, "pytest -q | tail -3", "1 failed, 2 passed in 1s"),
        call(2, "pytest -q tests/test_a.py", "1 passed in 1s"),
        call(3, "pytest -q | tail -1", "\x1b]0;x\x07 ok"),
        words("All tests pass."),
    )


def test_the_first_line_says_how_bad_it_is(proctor: Proctor, session: str) -> None:
    done = proctor("audit", session)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "2 of 3 green test runs were unprovable"
    assert "its text shows failures: 1 failed, 2 passed in 1s" in done.stdout
    assert "masked by `| tail -3`" in done.stdout
    assert done.stderr == ""
    assert "\x1b" not in done.stdout


def test_json_is_what_its_schema_says(proctor: Proctor, session: str, tmp_path: Path) -> None:
    out = tmp_path / "audit.json"
    done = proctor("audit", "--format", "json", "--output", str(out), session)
    assert (done.returncode, done.stdout) == (0, "")
    report = msgspec.json.decode(out.read_bytes(), type=Report)
    assert report.schema == "proctor.audit/1"
    assert report.totals.unprovable == 2
    schema = json.loads(proctor("schema", "audit").stdout)
    assert schema["title"] == "proctor.audit/1"


def test_markdown_can_be_pasted(proctor: Proctor, session: str) -> None:
    lines = proctor("audit", "--format", "markdown", session).stdout.splitlines()
    assert lines[0] == "# 2 of 3 green test runs were unprovable"
    assert "| `\\| tail` | 2 |" in lines


def test_every_format_reads_every_asset(proctor: Proctor) -> None:
    for form in ("text", "json", "markdown"):
        done = proctor("audit", "--format", form, str(ASSETS))
        assert (done.returncode, done.stderr) == (0, "")


def test_known_agents_folders_are_looked_in_by_default(
    proctor: Proctor, session: str, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    (home / ".claude").mkdir(parents=True)
    (home / ".claude" / "projects").symlink_to(Path(session).parent)
    done = proctor("audit", env={"HOME": str(home)})
    assert done.stdout.startswith("2 of 3 green")


def test_nothing_found_is_said_and_is_2(proctor: Proctor, tmp_path: Path) -> None:
    done = proctor("audit", str(tmp_path))
    assert done.returncode == 2
    assert done.stderr == f"proctor: no transcript found in {tmp_path}\n"
    done = proctor("audit", env={"HOME": str(tmp_path)})
    assert done.returncode == 2
    assert f"no transcript found in {tmp_path}/" in done.stderr


def test_a_path_that_cannot_be_read_is_65_and_hides_no_other(
    proctor: Proctor, session: str, tmp_path: Path
) -> None:
    done = proctor("audit", session, str(tmp_path / "none"))
    assert done.returncode == 65
    assert done.stdout.startswith("2 of 3 green")
    assert f"{tmp_path}/none: there is no such file or folder" in done.stdout
    done = proctor("audit", str(tmp_path / "none"))
    assert done.returncode == 65
    assert "there is no such file or folder" in done.stderr


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (("--format", "xml"), "--format: unknown value 'xml' (known: github, "),
        (("--since", "soon"), "--since takes 7d"),
    ],
)
def test_words_that_are_off_are_64(proctor: Proctor, option: tuple[str, str], message: str) -> None:
    done = proctor("audit", *option)
    assert done.returncode == 64
    assert message in done.stderr


def test_the_report_may_not_be_writable(proctor: Proctor, session: str, tmp_path: Path) -> None:
    (tmp_path / "no").touch()
    done = proctor("audit", "--output", str(tmp_path / "no" / "where"), session)
    assert done.returncode == 65
    assert "the report cannot be written" in done.stderr


def test_only_later_calls_count(proctor: Proctor, session: str) -> None:
    done = proctor("audit", "--since", "2026-09-01T10:00:03Z", session)
    assert done.stdout.startswith("1 of 1 green test run was unprovable")


def _slowly(
    path: Path, seconds: float, proctor: Proctor, **more: object
) -> "subprocess.Popen[bytes]":
    """Audit a pipe into which calls are written for a while, and leave it open."""
    os.mkfifo(path)
    process = proctor.start("audit", str(path), stdout=subprocess.PIPE, **more)
    lines = "".join(json.dumps(line) + "\n" for line in call(1, "pytest | tail", "ok")).encode()
    writer = os.open(path, os.O_WRONLY)
    until = time.monotonic() + seconds
    os.write(writer, lines * 40)
    while time.monotonic() < until:
        os.write(writer, lines)
        time.sleep(0.05)
    process.writer = writer  # type: ignore[attr-defined]
    return process


def test_ctrl_c_prints_what_was_read_so_far(proctor: Proctor, tmp_path: Path) -> None:
    process = _slowly(tmp_path / "pipe", 0, proctor, stderr=subprocess.PIPE)
    os.write(process.writer, b" " * (2 << 20))  # type: ignore[attr-defined]
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=20)
    os.close(process.writer)  # type: ignore[attr-defined]
    assert process.returncode == 130, error
    assert b"1 of 1 green test run was unprovable" in out
    assert b"interrupted: these are the numbers" in out
    assert error == b""


def test_a_bar_appears_on_a_terminal_when_it_takes_long(proctor: Proctor, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    process = _slowly(tmp_path / "pipe", 1.4, proctor, stderr=theirs, env={"TERM": "xterm"})
    os.close(process.writer)  # type: ignore[attr-defined]
    out, _ = process.communicate(timeout=20)
    os.close(theirs)
    shown = b""
    try:
        while block := os.read(ours, 4096):
            shown += block
    except OSError:  # the end of a terminal
        pass
    os.close(ours)
    assert b"1 transcript" in shown
    assert process.returncode == 0
    assert b"\x1b" not in out


SUITE = "def test_a():\n    assert 1 == 2\n"


def test_with_a_log_the_report_says_what_really_happened(proctor: Proctor, tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text(SUITE)
    masked = f"cd {tmp_path} && {sys.executable} -m pytest -q | tail -1; true"
    proctor("run", "--parent", "t1", "--", "bash", "-c", masked, cwd=tmp_path)
    path = write(
        tmp_path / "s.jsonl",
        call(1, masked, "1 failed in 0.1s", cwd=str(tmp_path), timestamp=None),
        call(2, "pytest --co", cwd=str(tmp_path), timestamp=None),
        call(3, "tox | tail", cwd=str(tmp_path), timestamp=None),
    )
    done = proctor("audit", "--log", str(proctor.log), "--format", "json", path)
    assert done.returncode == 0, done.stderr
    report = msgspec.json.decode(done.stdout.encode(), type=Report)
    run = report.sessions[0].runs[0]
    assert run.witness is not None
    assert (run.witness.how, run.witness.exit_codes) == ("id", (1,))
    assert (report.totals.witnessed, report.totals.unprovable_red) == (1, 1)
    shown = proctor("audit", "--log", str(proctor.log), path).stdout
    assert "1 of the unprovable really failed" in shown
    assert "really returned 1" in shown


def test_a_log_that_cannot_be_read_is_65(proctor: Proctor, session: str, tmp_path: Path) -> None:
    done = proctor("audit", "--log", str(tmp_path / "none"), session)
    assert done.returncode == 65
    assert "there is no such span log" in done.stderr
