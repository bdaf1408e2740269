"""Sessions folded into a report: what counts, what is found, what survives."""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from proctor.audit import look, sessions
from proctor.audit.look import Progress, Request, audit, looked_in
from proctor.audit.report import Report
from proctor.audit.summary import doubtful_claims, rest
from proctor.errors import TranscriptError
from proctor.join.reading import read_transcript
from tests.unit.join.conftest import ASSETS

Lines = list[dict[str, object]]


def call(number: int, command: str, text: str = "", *, code: int = 0, **more: object) -> Lines:
    """A Bash call of Claude Code and its answer."""
    use = {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {"command": command}}
    content = f"Exit code {code}\n{text}" if code else text
    done = {"type": "tool_result", "tool_use_id": f"t{number}", "content": content}
    answer = [{**done, "is_error": bool(code)}]
    at = {
        "isSidechain": False,
        "sessionId": "s",
        "timestamp": f"2026-09-01T10:00:{number:02}Z",
        **more,
    }
    return [
        {**at, "type": "assistant", "message": {"content": [use]}},
        {**at, "type": "user", "message": {"content": answer}},
    ]


def words(text: str, **more: object) -> Lines:
    """What the agent says."""
    message = {"content": [{"type": "text", "text": text}]}
    return [{"isSidechain": False, "type": "assistant", "message": message, **more}]


def write(path: Path, *lines: Lines) -> str:
    """Write a session."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(line) for some in lines for line in some) + "\n")
    return str(path)


def look_at(*paths: str | Path, **more: object) -> Report:
    """Audit some paths."""
    return audit(Request(paths=tuple(map(str, paths)), **more))  # type: ignore[arg-type]


def test_the_numbers_add_up(tmp_path: Path) -> None:
    report = look_at(
        write(
            tmp_path / "a.jsonl",
            call(1, "pytest -q | tail -3", "1 failed, 2 passed in 1s"),
            call(2, "pytest -q", "3 passed in 1s"),
            call(3, "pytest -q || true"),
            call(4, "pytest -q", "1 failed in 1s", code=1),
            call(5, "pytest --co"),
            call(6, "python test_a.py"),
            call(7, "ruff check . | cat"),
            call(8, "python3 -m pytest | tail", "No module named pytest"),
            call(9, "ls"),
        )
    )
    counts = report.totals
    assert (counts.tests, counts.masked, counts.green) == (5, 3, 4)
    assert (counts.provable, counts.unprovable, counts.failed) == (1, 3, 1)
    assert (counts.no_run, counts.scripts, counts.lint, counts.lint_unprovable) == (1, 1, 1, 1)
    assert (counts.ran_nothing, counts.shows_failures) == (1, 1)
    assert counts.masks == {"| tail": 2, "|| true": 1}
    (session,) = report.sessions
    assert (session.calls, session.shell_calls, session.session) == (9, 9, "s")
    assert session.first_at == "2026-09-01T10:00:01.000000Z"
    assert session.last_at == "2026-09-01T10:00:09.000000Z"


def test_a_claim_rests_on_the_last_run_of_its_kind_before_it(tmp_path: Path) -> None:
    report = look_at(
        write(
            tmp_path / "a.jsonl",
            words("All tests pass."),
            call(1, "pytest a | tail"),
            call(2, "ruff check ."),
            words("All tests pass and lint is clean."),
            call(3, "pytest --co"),
            call(4, "pytest b"),
            words("All tests pass."),
        )
    )
    found = [
        (claim.about, claim.rests_on and claim.rests_on.command, claim.standing)
        for claim in report.sessions[0].claims
    ]
    assert found == [
        ("tests", None, "no run"),
        ("tests", "pytest a | tail", "unprovable"),
        ("lint", "ruff check .", "provable"),
        ("tests", "pytest b", "provable"),
    ]
    assert (report.totals.claims, report.totals.claims_provable) == (4, 2)


def test_a_sub_agents_claim_rests_on_its_own_run(tmp_path: Path) -> None:
    side: dict[str, object] = {"isSidechain": True, "agentId": "b"}
    report = look_at(
        write(
            tmp_path / "a.jsonl",
            call(1, "pytest a"),
            words("All tests pass.", **side),
            call(2, "pytest b", "", code=1, isSidechain=True, agentId="b"),
            words("All tests pass."),
        )
    )
    first, second = report.sessions[0].claims
    assert first.rests_on is None
    assert second.standing == "failed"


def test_a_copied_session_counts_once(tmp_path: Path) -> None:
    first = call(1, "pytest -q")
    write(tmp_path / "a.jsonl", first)
    write(tmp_path / "b.jsonl", first, call(2, "pytest -q"))
    assert look_at(tmp_path).totals.tests == 2


def test_a_claim_in_a_copied_session_counts_once_and_rests_on_its_run(tmp_path: Path) -> None:
    said = words("All tests pass.", timestamp="2026-09-01T10:00:09Z")
    write(tmp_path / "a.jsonl", call(1, "pytest -q"), said)
    write(tmp_path / "b.jsonl", call(1, "pytest -q"), said)
    later = words("Everything passes.", timestamp="2026-09-01T10:00:11Z")
    write(tmp_path / "c.jsonl", call(1, "pytest -q"), said, later)
    report = look_at(tmp_path)
    assert (report.totals.tests, report.totals.claims, report.totals.claims_provable) == (1, 2, 2)
    assert doubtful_claims(report) == []


def test_a_claim_after_lines_that_cannot_be_read_is_not_said_to_rest_on_no_run(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.jsonl"
    lines = [json.dumps(line) for line in [*call(1, "pytest -q"), *words("All tests pass.")]]
    path.write_text("\n".join([json.dumps(call(0, "ls")[0]), lines[0][:60], *lines[1:]]) + "\n")
    ((_, claim),) = doubtful_claims(look_at(path))
    assert rest(claim) == (
        "no test run before it could be read; 1 part of the transcript could not"
    )


def test_without_a_time_nothing_shows_that_a_call_is_a_copy(tmp_path: Path) -> None:
    first = call(1, "pytest -q", timestamp=None)
    write(tmp_path / "a.jsonl", first)
    write(tmp_path / "b.jsonl", first)
    assert look_at(tmp_path).totals.tests == 2


def test_only_later_calls_count_where_a_time_is_given(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.jsonl",
        call(1, "pytest a"),
        words("All tests pass.", timestamp="2026-09-01T10:00:01Z"),
        call(5, "pytest b"),
        words("All tests pass.", timestamp="2026-09-01T10:00:06Z"),
    )
    report = look_at(path, since="2026-09-01T10:00:03.000000Z")
    assert (report.totals.tests, report.totals.claims) == (1, 1)
    assert report.since == "2026-09-01T10:00:03.000000Z"
    os.utime(path, (0, 0))
    assert look_at(path, modified_since=1).transcripts == 0


def test_secrets_are_masked(tmp_path: Path) -> None:
    command = "API_KEY=hunter2hunter2 pytest -q | grep token=hunter2hunter2"
    report = look_at(write(tmp_path / "a.jsonl", call(1, command)))
    assert "hunter2" not in repr(report)
    assert report.sessions[0].runs[0].command.startswith("API_KEY=***")


def test_a_projects_own_classes_count(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", call(1, "ci-test 2>&1 | tail -80"))
    classes = {"ours": {"match": [["ci-test"]], "role": "test", "kind": "leaf"}}
    report = look_at(path, classes=classes)
    assert [run.runner for run in report.sessions[0].runs] == ["ours"]
    assert look_at(path).totals.tests == 0


def test_rows_beyond_a_limit_are_counted_and_not_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "MOST_ROWS", 3)
    monkeypatch.setattr(look, "MOST_ROWS", 4)
    many = [call(n, f"pytest {n}") for n in range(5)] + [words("All tests pass.")] * 5
    report = look_at(write(tmp_path / "a.jsonl", *many), write(tmp_path / "b.jsonl", *many[:1]))
    (session,) = report.sessions
    assert (session.runs, session.claims, session.left_out) == ((), (), 10)
    assert (report.totals.tests, report.totals.claims) == (5, 5)


def test_the_session_keeps_its_first_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MOST_ROWS", 3)
    many = [call(n, f"pytest {n}") for n in range(5)] + [words("All tests pass.")] * 5
    (session,) = look_at(write(tmp_path / "a.jsonl", *many)).sessions
    assert (len(session.runs), len(session.claims), session.left_out) == (3, 3, 4)


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", call(1, "pytest"))
    with open(path, "a") as file:
        file.write('{"torn": "\n')
    report = look_at(path, tmp_path / "none", write(tmp_path / "x.txt", [{"note": 1}]))
    assert [os.path.basename(one.path) for one in report.unread] == ["none", "x.txt"]
    assert (report.skipped, report.sessions[0].skipped_at) == (1, 3)
    assert report.totals.tests == 1


def test_a_folder_is_looked_through(tmp_path: Path) -> None:
    shutil.copytree(ASSETS, tmp_path / "all")
    write(tmp_path / "all" / "node_modules" / "a.jsonl", call(1, "pytest"))
    (tmp_path / "all" / "notes.txt").write_text("hello")
    (tmp_path / "all" / "packed.gz").write_bytes(b"\x1f\x8b")
    (tmp_path / "all" / "loop").symlink_to(tmp_path / "all")
    (tmp_path / "all" / "again.jsonl").symlink_to(tmp_path / "all" / "codex.jsonl")
    report = look_at(tmp_path)
    assert report.unread == ()
    assert report.agents == {
        "Claude Code": 2,  # a session with its sub-agents, and one of another's
        "Cline": 1,
        "Codex": 2,
        "Copilot CLI": 1,
        "Gemini CLI": 2,
        "OpenCode": 1,
        "OpenHands": 1,
        "OpenHands (V0)": 1,
        "OpenInference spans": 1,
        "OpenTelemetry traces (OTLP/JSON)": 1,
        "SWE-agent": 1,
        "aider": 1,
        "mini-swe-agent": 2,
        "plain tool spans": 1,
    }


def test_the_agents_folders_are_the_default(tmp_path: Path) -> None:
    write(tmp_path / ".claude/projects/-srv/s.jsonl", call(1, "pytest"))
    write(tmp_path / ".codex/sessions/2026/rollout.jsonl", [])
    request = Request(environ={"HOME": str(tmp_path)})
    assert looked_in(request) == [
        str(tmp_path / ".claude/projects"),
        str(tmp_path / ".codex/sessions"),
    ]
    assert audit(request).agents == {"Claude Code": 1}


class Interrupting(Progress):
    """Ctrl-C after some transcripts."""

    def __init__(self, after: int) -> None:
        self.left = after

    def next(self, path: str) -> None:  # noqa: ARG002 - the family's signature
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt


def test_ctrl_c_between_transcripts_keeps_what_was_read(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", call(1, "pytest"))
    write(tmp_path / "b.jsonl", call(2, "pytest"))
    report = audit(Request(paths=(str(tmp_path),)), Interrupting(1))
    assert report.interrupted
    assert report.totals.tests == 1


def test_ctrl_c_within_a_transcript_keeps_what_was_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "a.jsonl", call(1, "pytest"), call(2, "pytest"))
    real = read_transcript

    def broken_off(place: str, progress: object) -> object:
        transcript = real(place, progress)  # type: ignore[arg-type]

        inner = transcript.entries

        def entries() -> Iterator[object]:
            yield next(inner)
            raise KeyboardInterrupt

        transcript.entries = entries()  # type: ignore[assignment]
        return transcript

    monkeypatch.setattr(look, "read_transcript", broken_off)
    report = look_at(path)
    assert report.interrupted
    assert report.sessions[0].cut_short
    assert report.totals.tests == 1


def test_a_file_that_changes_its_mind_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "a.jsonl", call(1, "pytest"), call(2, "pytest"))
    real = read_transcript

    def failing(place: str, progress: object) -> object:
        transcript = real(place, progress)  # type: ignore[arg-type]

        inner = transcript.entries

        def entries() -> Iterator[object]:
            yield next(inner)
            raise TranscriptError(f"{place}: the transcript cannot be read: stale")

        transcript.entries = entries()  # type: ignore[assignment]
        return transcript

    monkeypatch.setattr(look, "read_transcript", failing)
    report = look_at(path)
    assert [one.why for one in report.unread] == ["the transcript cannot be read: stale"]
    assert report.totals.tests == 1
