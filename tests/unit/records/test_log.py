import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from proctor.errors import LogError
from proctor.records import lines as lines_module
from proctor.records.log import Head, LogRead, Wanted, read_log

Record = Callable[..., dict[str, Any]]
WriteLog = Callable[..., str]

CORE = [
    "span_id",
    "parent_tool_span",
    "argv",
    "cwd",
    "exit_code",
    "duration_ms",
    "stdout_sha256",
    "stderr_sha256",
    "stdout_bytes",
    "stderr_bytes",
    "env_names",
    "duration_floor_ms",
    "duration_ok",
    "denied_binary",
]


def read(path: str) -> LogRead:
    log = read_log(path)
    for _ in log:
        pass
    return log


class RoleHead(Head, frozen=True, kw_only=True):
    role: str | None = None


tests = Wanted(RoleHead, lambda heads: [n for n, head in enumerate(heads) if head.role == "test"])
all_of_them = Wanted(Head, lambda heads: range(len(heads)))


def slugs(log: LogRead) -> list[tuple[int, str]]:
    return [(problem.line, problem.slug) for problem in log.problems]


def damage(path: str, number: int, new: bytes | None) -> None:
    lines = Path(path).read_bytes().splitlines(keepends=True)
    lines[number - 1 : number] = [] if new is None else [new]
    Path(path).write_bytes(b"".join(lines))


def test_what_was_appended_is_read_in_order(record: Record, write_log: WriteLog) -> None:
    path = write_log([record(span_id=f"{n:016x}", exit_code=n) for n in range(3)])
    log = read_log(path)
    assert [span.exit_code for span in log] == [0, 1, 2]
    assert (log.length, log.skipped, log.problems, log.sealed) == (3, 0, [], 3)
    last = Path(path).read_text().splitlines()[-1]
    assert log.head == json.loads(last)["digest"]


def test_a_line_with_only_the_core_members_is_read(record: Record, tmp_path: Path) -> None:
    whole = record()
    path = tmp_path / "old.jsonl"
    path.write_text(json.dumps({name: whole[name] for name in CORE}) + "\n")
    log = read_log(str(path))
    assert [span.argv for span in log] == [("pytest", "-q")]
    assert (log.problems, log.sealed, log.head) == ([], 0, None)


def test_unknown_members_are_ignored(record: Record, write_log: WriteLog) -> None:
    log = read(write_log([record(colour="blue")]))
    assert (log.length, log.problems) == (1, [])


def test_a_minor_version_is_read(record: Record, write_log: WriteLog) -> None:
    assert read(write_log([record(schema="proctor.span/1.7")])).length == 1


def test_an_unknown_major_version_is_refused(record: Record, write_log: WriteLog) -> None:
    log = read(write_log([record(), record(schema="proctor.span/2", argv=7)]))
    assert slugs(log) == [(2, "schema")]
    assert "install a newer one" in log.problems[0].message
    assert (log.length, log.skipped) == (1, 1)


def test_a_record_of_another_kind_is_no_span(record: Record, write_log: WriteLog) -> None:
    log = read(write_log([record(), record(schema="proctor.receipt/1")]))
    assert slugs(log) == [(2, "not-a-span")]
    assert "'proctor.receipt/1'" in log.problems[0].message


def test_a_missing_core_member_is_named(record: Record, write_log: WriteLog) -> None:
    broken = record()
    del broken["exit_code"]
    log = read(write_log([broken, record()]))
    assert slugs(log) == [(1, "not-a-span")]
    assert "exit_code" in log.problems[0].message


def test_arguments_that_are_not_utf8_are_read(record: Record, write_log: WriteLog) -> None:
    argv = ["cat", os.fsdecode(b"\xff\xfe")]
    log = read_log(write_log([record(argv=argv), record()]))
    assert [list(span.argv) for span in log] == [argv, ["pytest", "-q"]]
    assert log.problems == []


@pytest.mark.parametrize(
    "schema", ['"proctor.span/1"', '"\\udcff"'], ids=["this schema", "a surrogate"]
)
def test_a_wrong_type_beside_a_surrogate_is_a_problem_not_a_crash(
    schema: str, record: Record, write_log: WriteLog
) -> None:
    path = write_log([record(), record()])
    damage(path, 1, b'{"schema":%s,"argv":"\\udcff"}\n' % schema.encode())
    assert (1, "not-a-span") in slugs(read(path))


def test_a_line_nested_without_end_is_a_problem_not_a_crash(
    record: Record, write_log: WriteLog
) -> None:
    path = write_log([record(), record()])
    damage(path, 2, b"[" * 200_000 + b"\n")
    assert slugs(read(path)) == [(2, "not-json")]


def test_a_torn_last_line_is_reported_and_the_rest_is_read(
    record: Record, write_log: WriteLog
) -> None:
    path = write_log([record(), record(), record()])
    whole = Path(path).read_bytes()
    Path(path).write_bytes(whole[:-100])
    log = read(path)
    assert slugs(log) == [(3, "torn")]
    assert (log.length, log.skipped) == (2, 1)


def test_a_log_that_is_one_torn_line_is_read_as_such(record: Record, write_log: WriteLog) -> None:
    path = write_log([record()])
    Path(path).write_bytes(Path(path).read_bytes()[:50])
    assert slugs(read(path)) == [(1, "torn")]


def test_a_whole_last_record_without_a_newline_is_read(record: Record, write_log: WriteLog) -> None:
    path = write_log([record()])
    Path(path).write_bytes(Path(path).read_bytes()[:-1])
    assert (read(path).length, slugs(read(path))) == (1, [])


def test_lines_that_are_not_json_are_read_around(record: Record, write_log: WriteLog) -> None:
    path = write_log([record() for _ in range(4)])
    damage(path, 2, b"\0\0\0 what a crash left\n")
    log = read(path)
    assert (2, "not-json") in slugs(log)
    assert log.length == 3


def test_empty_lines_are_nothing(record: Record, write_log: WriteLog) -> None:
    path = write_log([record(), record()])
    Path(path).write_bytes(Path(path).read_bytes().replace(b"}\n{", b"}\n\n{") + b"\n")
    log = read(path)
    assert (log.length, log.problems) == (2, [])


def test_an_altered_line_is_named(record: Record, write_log: WriteLog) -> None:
    path = write_log([record(exit_code=1) for _ in range(3)])
    line = Path(path).read_bytes().splitlines(keepends=True)[1]
    damage(path, 2, line.replace(b'"exit_code":1', b'"exit_code":0'))
    assert slugs(read(path)) == [(2, "digest")]


def test_a_removed_line_breaks_the_link(record: Record, write_log: WriteLog) -> None:
    path = write_log([record(exit_code=n) for n in range(4)])
    damage(path, 2, None)
    log = read(path)
    assert slugs(log) == [(2, "chain")]
    assert "does not follow line 1" in log.problems[0].message


def test_a_removed_first_line_is_noticed(record: Record, write_log: WriteLog) -> None:
    path = write_log([record() for _ in range(3)])
    damage(path, 1, None)
    assert slugs(read(path)) == [(1, "chain")]


def test_a_line_added_by_hand_is_named(record: Record, write_log: WriteLog) -> None:
    path = write_log([record(), record()])
    with open(path, "a") as file:
        file.write(json.dumps(record()) + "\n")
    assert slugs(read(path)) == [(3, "unsealed")]
    damage(path, 3, None)
    assert slugs(read(path)) == []


def test_only_wanted_spans_are_yielded_and_all_are_counted(
    record: Record, write_log: WriteLog
) -> None:
    path = write_log([record(role=role) for role in ("test", "vcs", "test", None)])

    log = read_log(path, tests)
    assert [span.role for span in log] == ["test", "test"]
    assert (log.length, log.sealed) == (4, 4)
    damage(path, 2, b"{}\n")
    log = read_log(path, tests)
    assert [span.role for span in log] == ["test", "test"]
    assert (log.length, log.skipped) == (3, 1)


def test_a_wanted_record_of_a_minor_version_is_yielded(record: Record, write_log: WriteLog) -> None:
    newer = record(schema="proctor.span/1.7", role="test")
    log = read_log(write_log([record(role="vcs"), newer, record(role=None)]), tests)
    assert [(span.schema, line[:1]) for span, line in log.with_lines()] == [
        ("proctor.span/1.7", b"{")
    ]


def test_a_wanted_record_that_is_no_span_is_a_problem(record: Record, write_log: WriteLog) -> None:
    log = read_log(write_log([record(cwd=7), record()]), all_of_them)
    assert len(list(log)) == 1
    assert (slugs(log), log.length, log.skipped) == ([(1, "not-a-span")], 1, 1)


def test_lines_come_with_their_spans(record: Record, write_log: WriteLog) -> None:
    path = write_log([record(note=n) for n in range(3)])
    lines = Path(path).read_bytes().splitlines()
    assert [line for _, line in read_log(path).with_lines()] == lines
    last = read_log(path, all_of_them)
    assert [line for _, line in last.with_lines()] == lines


def test_a_log_larger_than_a_block_is_read_whole(record: Record, write_log: WriteLog) -> None:
    path = write_log([record(span_id=f"{n:016x}", exit_code=n % 3) for n in range(700)])
    assert os.path.getsize(path) > 2 * lines_module.BLOCK
    log = read_log(path)
    assert [int(span.span_id, 16) for span in log] == list(range(700))
    assert (log.length, log.problems) == (700, [])


def test_an_iteration_may_be_given_up(record: Record, write_log: WriteLog) -> None:
    log = read_log(write_log([record(), record()]))
    assert next(iter(log)).exit_code == 0
    assert len(list(log)) == 2


def test_at_most_a_thousand_problems_are_kept(record: Record, write_log: WriteLog) -> None:
    path = write_log([record()])
    with open(path, "ab") as file:
        file.write(b"noise\n" * 1500)
    log = read(path)
    assert (len(log.problems), log.problem_count, log.skipped) == (1000, 1500, 1500)


def test_an_empty_log_has_nothing_wrong(tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.touch()
    log = read(str(path))
    assert (log.length, log.problems, log.head) == (0, [], None)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"\x1f\x8b\0\0\0", "it is binary"),
        (b"# Proctor\n\nA readme.\n", "line 1 is not a JSON record"),
        (b"[1]\n[2]\n", "line 1 is not a JSON record"),
        (b'{\n  "name": 1\n}\n', "line 1 is not a JSON record"),
    ],
)
def test_a_file_that_is_no_log_is_refused(content: bytes, why: str, tmp_path: Path) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(LogError, match=why):
        read_log(str(path))


def test_a_missing_log_is_named_with_a_cure(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"nothing\.jsonl: there is no such .* proctor run -- CMD"):
        read_log(str(tmp_path / "nothing.jsonl"))


def test_a_folder_is_no_log(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="a folder; name the span log itself"):
        read_log(str(tmp_path))


def test_a_device_is_no_log() -> None:
    with pytest.raises(LogError, match="not a regular file"):
        read_log("/dev/zero")


def test_a_path_that_cannot_be_a_file_is_one_line(record: Record, write_log: WriteLog) -> None:
    path = write_log([record()])
    with pytest.raises(LogError, match="Not a directory"):
        read_log(path + "/spans.jsonl")


@pytest.mark.skipif(os.getuid() != 0, reason="gives up root to be refused")
def test_an_unreadable_log_is_named_with_a_cure(record: Record, write_log: WriteLog) -> None:
    path = write_log([record()])
    os.chmod(path, 0)
    program = "import os,sys; from proctor.records.log import read_log; os.setuid(65534); read_log(sys.argv[1])"
    os.chmod(os.path.dirname(path), 0o755)
    done = subprocess.run(
        [sys.executable, "-c", program, path], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "PermissionError" not in done.stderr
    assert "LogError" in done.stderr


def test_a_log_comes_through_a_pipe(record: Record, write_log: WriteLog) -> None:
    path = write_log([record(), record()])
    program = "import sys; from proctor.records.log import read_log; print(len(list(read_log(sys.argv[1]))))"
    shell = 'exec "$0" -c "$1" <(cat "$2")'
    done = subprocess.run(
        ["bash", "-c", shell, sys.executable, program, path],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == "2\n", done.stderr


def test_a_line_beyond_all_measure_is_refused(
    record: Record, write_log: WriteLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines_module, "LONGEST", 1000)
    path = write_log([record(), record(cwd="x" * 300_000)])
    with pytest.raises(LogError, match=r"spans\.jsonl: a line is longer"):
        read(path)
