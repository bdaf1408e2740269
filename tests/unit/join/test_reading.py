"""Transcripts opened: known by content, read past what is broken."""

import gzip
import json
import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.errors import Error, TranscriptError
from proctor.join import pending
from proctor.join.pending import Pending
from proctor.join.reading import claimed, known_readers, read_transcript
from proctor.join.toolcall import ToolCall
from tests.unit.join.conftest import ASSETS, Read, read_to_end

FILES = sorted(path for path in ASSETS.rglob("*") if path.is_file())
CODEX = (ASSETS / "codex.jsonl").read_bytes()
SHELLS = {
    call.call_id for call in read_to_end(ASSETS / "codex.jsonl").calls.values() if call.is_shell
}


def test_every_reader_has_a_transcript_among_the_assets() -> None:
    found = {read_to_end(path).reader for path in FILES}
    assert found == {name for name, _ in known_readers()}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_only_its_own_reader_claims_a_transcript(path: Path) -> None:
    head = path.read_bytes()
    claims = [name for name, reader in known_readers() if reader.claims(head)]
    assert claims == [read_to_end(path).reader]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_neither_name_nor_place_decides_whose_a_transcript_is(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / ".claude" / "projects" / "rollout-session.txt"
    copy.parent.mkdir(parents=True)
    shutil.copy(path, copy)
    assert read_to_end(copy).reader == read_to_end(path).reader


def _claude(number: int, **more: object) -> dict[str, object]:
    use = {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {"command": "make"}}
    message = {"role": "assistant", "content": [use]}
    return {"isSidechain": False, "type": "assistant", "message": message, **more}


def test_two_objects_on_a_line_are_two(written: Callable[..., Read]) -> None:
    line = json.dumps(_claude(1)) + json.dumps(_claude(2)) + "\n" + json.dumps(_claude(3))
    read = written(line.encode())
    assert list(read.calls) == ["t1", "t2", "t3"]
    assert read.skipped == []


def test_a_pretty_printed_document_may_be_called_jsonl(written: Callable[..., Read]) -> None:
    records = [json.loads(line) for line in CODEX.splitlines()]
    whole = written(json.dumps(records, indent=2).encode())
    loose = written("\n".join(json.dumps(one, indent=4) for one in records).encode())
    assert {call for call in whole.calls if whole.calls[call].is_shell} == SHELLS
    assert {call for call in loose.calls if loose.calls[call].is_shell} == SHELLS


def test_a_truncated_last_line_is_skipped_and_said(written: Callable[..., Read]) -> None:
    read = written(CODEX[:-40])
    assert [one.line for one in read.skipped] == [CODEX.count(b"\n")]


@pytest.mark.parametrize(
    "bad",
    [b"oops", b'{"type": 5}', b'{"a": }', b'{"a": "' + b"x" * 9000, b"[1,2", b'{"a":' * 3000],
    ids=["text", "shape", "syntax", "torn", "list", "deep"],
)
def test_a_bad_line_costs_no_other(written: Callable[..., Read], bad: bytes) -> None:
    lines = CODEX.splitlines()
    read = written(b"\n".join([*lines[:4], bad, *lines[4:]]))
    assert {name for name, call in read.calls.items() if call.is_shell} == SHELLS
    assert [one.line for one in read.skipped] == [5]


@pytest.mark.parametrize(
    "encode",
    [
        lambda text: text.encode("utf-8-sig"),
        lambda text: text.encode("utf-16"),
        lambda text: text.encode("utf-16-le"),
        lambda text: text.encode("utf-16-be"),
        lambda text: text.encode("utf-32"),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.replace("\n", "\n\0\0\n").encode() + b"\0" * 5000,
    ],
    ids=["bom", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "crlf", "nul"],
)
def test_odd_encodings_are_read(
    written: Callable[..., Read], encode: Callable[[str], bytes]
) -> None:
    read = written(encode(CODEX.decode()))
    assert {name for name, call in read.calls.items() if call.is_shell} == SHELLS
    assert read.skipped == []


def test_bytes_that_are_no_text_are_replaced(written: Callable[..., Read]) -> None:
    line = json.dumps(_claude(1)).replace("make", "ma\\ud83dke \\ud83d\\ude00 \\\\ud800").encode()
    read = written(line.replace(b"ke", b"\xffke"))
    assert read.call.command == "ma��ke 😀 \\ud800"
    assert read.skipped == []


def test_a_line_of_50_megabytes_is_one_line(written: Callable[..., Read]) -> None:
    long = json.dumps(_claude(2, note="x" * 50_000_000))
    lines = (json.dumps(_claude(1)), long, json.dumps(_claude(3)))
    read = written("\n".join(lines).encode())
    assert list(read.calls) == ["t1", "t2", "t3"]


def test_a_first_line_that_tells_nothing_is_made_up_for_by_the_end(
    written: Callable[..., Read],
) -> None:
    first = json.dumps({"note": "x" * 70_000, "isSidechain": False})
    assert written(f"{first}\n{json.dumps(_claude(1))}\n".encode()).reader == "claude_code"
    with pytest.raises(TranscriptError, match="no known transcript format"):
        written(b'{"note": "' + b"x" * 70_000 + b'"}')


def test_what_another_agents_transcript_quotes_does_not_decide(
    written: Callable[..., Read],
) -> None:
    quoting = {**_claude(1), "isSidechain": False, "quote": CODEX.decode()}
    assert written(json.dumps(quoting).encode()).reader == "claude_code"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b" \n\n", "the file is empty"),
        (gzip.compress(CODEX), "compressed; unpack it first: gunzip"),
        (b"SQLite format 3\0", "a database; export the session"),
        (b"hello\n", "in no known transcript format"),
        (b'{"schema":"proctor.span/1","span_id":"x","argv":[]}', "a span log, not a transcript"),
        (b"\x7fELF\0\0", "in no known transcript format"),
    ],
)
def test_what_is_no_transcript_is_refused_with_a_cure(
    written: Callable[..., Read], content: bytes, message: str
) -> None:
    with pytest.raises(TranscriptError, match=message):
        written(content)


def test_a_path_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TranscriptError, match="there is no such transcript"):
        read_transcript(str(tmp_path / "none"))
    with pytest.raises(TranscriptError, match="no file was found for it"):
        read_transcript("")
    with pytest.raises(TranscriptError, match="proctor audit"):
        read_transcript(str(tmp_path))
    with pytest.raises(TranscriptError, match="it is a folder"):
        claimed(str(tmp_path))
    link = tmp_path / "loop"
    link.symlink_to(link)
    with pytest.raises(TranscriptError, match="cannot be read"):
        claimed(str(link))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_path_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(CODEX)
    path.chmod(0)
    with pytest.raises(TranscriptError, match="may not be read"):
        read_transcript(str(path))


def test_a_pipe_is_read(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    threading.Thread(target=lambda: path.write_bytes(CODEX)).start()
    assert read_to_end(path).reader == "codex"


def test_progress_is_told_every_byte(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(CODEX * 10)
    seen: list[int] = []
    for _ in read_transcript(str(path), seen.append).entries:
        pass
    assert sum(seen) == len(CODEX) * 10


def test_an_event_that_cannot_be_read_is_skipped(tmp_path: Path) -> None:
    folder = tmp_path / "events"
    shutil.copytree(ASSETS / "openhands/4f2a/events", folder)
    (folder / "event-00003-action.json").unlink()
    (folder / "event-00003-action.json").mkdir()
    read = read_to_end(folder)
    assert "oh_1" in read.calls
    assert ["it is a folder" in one.why for one in read.skipped] == [True]


def test_a_call_that_stands_there_twice_comes_once(written: Callable[..., Read]) -> None:
    assert len(written(json.dumps(_claude(1)).encode() * 3).calls) == 1


def _call(name: str, **more: object) -> ToolCall:
    return ToolCall(call_id=name, agent="a", session="s", tool="t", **more)  # type: ignore[arg-type]


def test_an_id_that_is_used_again_leaves_the_first_call_unanswered() -> None:
    calls = Pending()
    assert list(calls.open(_call("1", command="a"))) == []
    assert [one.command for one in calls.open(_call("1", payload_sha256="b"))] == ["a"]


def test_too_many_open_calls_let_the_oldest_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pending, "MOST", 2)
    calls = Pending()
    gone = [one.call_id for name in "abcd" for one in calls.open(_call(name))]
    assert gone == ["a", "b"]
    assert [one.call_id for one in calls.rest()] == ["c", "d"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
@settings(max_examples=25)
@given(data=st.data())
def test_no_mutation_raises_anything_but_our_own(
    path: Path, tmp_path: Path, data: st.DataObject
) -> None:
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content)))
        size = data.draw(st.integers(0, 40))
        odd = st.sampled_from([b"null", b"5", b"[]", b"{}", b'"x"', b"1e400", b"\n", b"\\ud800"])
        content[at : at + size] = data.draw(odd | st.binary(max_size=8))
    mutated = tmp_path / "mutated"
    mutated.write_bytes(content)
    try:
        read_to_end(mutated)
    except Error:
        return
    except AssertionError:  # a call came twice: an id was altered
        return
