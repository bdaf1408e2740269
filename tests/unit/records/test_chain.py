import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from proctor.records import chain
from proctor.records.append import ZERO, seal
from proctor.records.chain import Chain, Verification, verify
from proctor.records.lines import open_log, settled_size

Record = Callable[..., dict[str, Any]]
WriteLog = Callable[..., str]


def check(path: str) -> Chain:
    fd = open_log(path)
    try:
        return verify(fd, settled_size(fd))
    finally:
        os.close(fd)


def test_a_log_without_digests_was_not_checked(record: Record, tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl"
    path.write_text(json.dumps(record()) + "\n")
    found = check(str(path))
    assert (found.sealed, found.lines, found.problems, found.head) == (0, 1, (), None)


def test_a_digest_that_is_not_the_last_member_is_no_seal(
    record: Record, write_log: WriteLog
) -> None:
    path = write_log([record(), record()])
    first, second = Path(path).read_bytes().splitlines()
    Path(path).write_bytes(first + b"\n" + second[:-1] + b',"more":1}\n')
    assert [problem.slug for problem in check(path).problems] == ["unsealed"]


def test_a_writer_goes_on_after_a_line_that_is_not_its_own(
    record: Record, write_log: WriteLog
) -> None:
    path = write_log([record()])
    with open(path, "a") as file:
        file.write('{"by":"hand"}\n')
    write_log([record(), record()])
    found = check(path)
    assert [(p.line, p.slug) for p in found.problems] == [(2, "unsealed")]
    assert (found.sealed, found.lines) == (3, 4)


def test_damage_after_damage_is_told_once_each(record: Record, write_log: WriteLog) -> None:
    path = write_log([record(exit_code=n) for n in range(5)])
    lines = Path(path).read_bytes().splitlines(keepends=True)
    lines[1] = lines[1].replace(b'"exit_code":1', b'"exit_code":9')
    del lines[3]
    Path(path).write_bytes(b"".join(lines))
    assert [(p.line, p.slug) for p in check(path).problems] == [(2, "digest"), (4, "chain")]


def test_a_seal_without_a_link_does_not_follow(record: Record, write_log: WriteLog) -> None:
    path = write_log([record()])
    line = Path(path).read_bytes()
    other = line.replace(b'"prev":"0', b'"last":"0')
    Path(path).write_bytes(line + other)
    assert [(p.line, p.slug) for p in check(path).problems] == [(2, "chain"), (2, "digest")]


def test_problems_beyond_a_thousand_are_counted(record: Record, write_log: WriteLog) -> None:
    path = write_log([record()])
    line = Path(path).read_bytes()
    Path(path).write_bytes(line * 1200 + b"noise\n" * 1100)
    found = check(path)
    assert len(found.problems) == 1000
    assert found.problem_count == 1199 + 1100


@pytest.fixture
def helped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chain, "ENOUGH_FOR_HELPER", 1)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)


@pytest.mark.usefixtures("helped")
def test_a_second_process_finds_the_same(record: Record, write_log: WriteLog) -> None:
    path = write_log([record(exit_code=n) for n in range(9)])
    Path(path).write_bytes(Path(path).read_bytes().replace(b'"exit_code":4', b'"exit_code":0'))
    fd = open_log(path)
    size = settled_size(fd)
    found = Verification(fd, size).result()
    assert found == verify(fd, size)
    assert [p.line for p in found.problems] == [5]
    os.close(fd)


@pytest.mark.usefixtures("helped")
def test_without_a_second_process_the_check_is_done_here(
    record: Record, write_log: WriteLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    fd = open_log(write_log([record()]))
    for program in ("/nowhere/python", "/bin/false"):
        monkeypatch.setattr(sys, "executable", program)
        assert Verification(fd, settled_size(fd)).result().sealed == 1
    os.close(fd)


@pytest.mark.usefixtures("helped")
def children() -> set[str]:
    """Return the children of this process, whoever started them."""
    return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())


def test_a_check_that_is_given_up_leaves_no_process(record: Record, write_log: WriteLog) -> None:
    fd = open_log(write_log([record()]))
    before = children()
    check = Verification(fd, settled_size(fd))
    check.stop()
    check.stop()
    os.close(fd)
    assert children() <= before


def test_a_digest_that_is_no_ascii_is_a_problem_and_no_fault(tmp_path: Path) -> None:
    first, digest = seal({"schema": "proctor.span/1", "span_id": "a", "prev": ZERO})
    second, _ = seal({"schema": "proctor.span/1", "span_id": "b", "prev": digest})
    path = tmp_path / "spans.jsonl"
    path.write_bytes(first[:-10] + b"\xff" + first[-9:] + second)
    with open(path, "rb") as file:
        chain = verify(file.fileno(), path.stat().st_size)
    assert {problem.slug for problem in chain.problems} == {"digest", "chain"}
