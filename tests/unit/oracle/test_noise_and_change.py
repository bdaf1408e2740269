"""Changes that hid within noise, noise that showed as a change, and files that mislead."""

import os
from collections.abc import Sequence as Many
from pathlib import Path

import msgspec
import pytest

from proctor.errors import OracleError
from proctor.oracle import corpus
from proctor.oracle.compare import compare_text, compare_value
from proctor.oracle.delta import Change
from proctor.oracle.difference import today_utc
from proctor.oracle.limited import named_twice, read_limited
from proctor.oracle.masks import Masks
from proctor.oracle.policy import parse_policy
from proctor.oracle.sandbox import remove_root, sweep, temporary_root
from proctor.oracle.steps import compare_steps
from proctor.oracle.trace import File, Step, keep
from proctor.report.deltas.base import verdict_of
from tests.unit.oracle.traces import Bench

UUID = "a1b2c3d4-a1b2-a1b2-a1b2-a1b2c3d4e5f6"


def step(files: dict[str, bytes] | None = None, stdout: bytes = b"") -> Step:
    return Step(
        seed="A",
        step=1,
        argv=("x",),
        exit_code=0,
        stdout=keep(stdout, 1 << 20),
        stderr=keep(b"", 0),
        created={
            name: File(kind="file", mode="0644", content=keep(data, 1 << 20))
            for name, data in (files or {}).items()
        },
    )


def changed(old: Step, new: Step, *others: Step) -> set[str]:
    found = compare_steps(old, new, others, Masks()).delta
    return {field.path for field in found.changed} if found is not None else set()


@pytest.mark.parametrize(
    ("old", "old2", "new"),
    [
        ("2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z", "2026-01-01 00:00:03"),
        ("2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z", "2026-01-01T00:00:03+01:00"),
        (UUID, UUID.replace("f6", "f7"), UUID.replace("f6", "f8").upper()),
        ("at 0x7fabcdefab", "at 0x7fabcdefad", "at 0x7FABCDEFAC"),
        ("pid=41 up", "pid=42 up", "pid=0 up"),
    ],
)
def test_noise_that_is_written_another_way_is_a_change(old: str, old2: str, new: str) -> None:
    field = compare_text("stdout", old, new, [old2], Masks()).field
    assert field is not None
    assert field.change is Change.CHANGED


def test_a_pid_that_is_none_any_more_is_a_change_of_its_key() -> None:
    field = compare_value("stdout.pid", "41", "0", ["42"], Masks()).field
    assert field is not None
    assert field.change is Change.CHANGED


@pytest.mark.parametrize(
    ("old", "old2", "new"),
    [
        ("2026-01-01T00:00:00.5Z", "2026-01-01T00:00:01.25Z", "2026-01-01T00:00:03Z"),
        ("Mon Nov  3 00:00:00 UTC 2025", "Mon Nov  3 00:00:01 UTC 2025", "Tue Dec 13 00:00:00 UTC 2025"),
        (UUID, UUID.replace("f6", "f7"), "11111111-1111-1111-1111-111111111111"),
        ("took 0.5 s", "took 0.6 s", "took 9.5 s"),
    ],
)  # fmt: skip
def test_noise_that_is_written_as_ever_is_none(old: str, old2: str, new: str) -> None:
    field = compare_text("stdout", old, new, [old2], Masks()).field
    assert field is None or field.change is Change.UNSTABLE


def test_files_whose_names_vary_are_compared_by_what_they_have_in_common() -> None:
    runs = [step({f"out-{n}.txt": b"x", "fixed": b"y"}) for n in (11, 27, 38)]
    assert changed(*runs) == set()
    assert changed(runs[0], step({"out-9.txt": b"z", "fixed": b"y"}), runs[2]) == {
        "files.out-*.txt.content"
    }
    assert "files.log-10.txt" in changed(
        runs[0], step({"log-10.txt": b"x", "out-10.txt": b"x", "fixed": b"y"}), runs[1]
    )
    assert changed(runs[0], step({"fixed": b"y"}), runs[1]) == {"files.out-*.txt"}


def test_a_folder_whose_name_varies_brings_its_files_along() -> None:
    def run(name: str, text: bytes) -> Step:
        made = step({f"{name}/a.txt": text, f"{name}/sub/b": b"b"})
        folder = File(kind="folder", mode="0755")
        return msgspec.structs.replace(made, created={**made.created, name: folder})

    old, again = run("tmp-ab12", b"1"), run("tmp-cd34", b"1")
    assert changed(old, run("tmp-ef56", b"1"), again) == set()
    assert changed(old, run("tmp-ef56", b"2"), again) == {"files.tmp-*/a.txt.content"}


@pytest.mark.parametrize(
    ("new", "differs"),
    [(b"\x89PNG\xff\xe3\x00", False), (b"\x89GIF\xff\xe3\x00", True), (b"\x89PNG\xff", True)],
)
def test_bytes_that_vary_are_held_to_what_does_not(new: bytes, differs: bool) -> None:
    old, again = step({"f": b"\x89PNG\xff\xe1\x00"}), step({"f": b"\x89PNG\xff\xd2\x00"})
    assert (changed(old, step({"f": new}), again) == {"files.f.content"}) is differs


def test_a_text_beyond_measure_is_compared_by_its_digest() -> None:
    texts = ["a" * (9 << 20), "a" * (9 << 20) + "b"]
    field = compare_text("payload", texts[0], texts[1], [], Masks()).field
    assert field is not None
    assert field.old is not None
    assert field.old.startswith("9437184 characters, sha256 ")
    assert compare_text("payload", texts[0], texts[0], [], Masks()).field is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '{"allowed": [], "allowed": [{"seed": "A", "step": 1, "reason": "x"}]}',
            "'allowed' twice",
        ),
        ('{"allowed": [{"seed": "A", "step": 1, "reason": "", "reason": "x"}]}', "'reason' twice"),
        (
            '{"allowed": [{"command": "a", "path": "b", "from_class": "numbr", "reason": "x"}]}',
            "entry 1: no class 'numbr'; there are absent, empty, number",
        ),
    ],
)
def test_a_policy_that_can_be_read_two_ways_is_refused(text: str, said: str) -> None:
    with pytest.raises(OracleError, match=said):
        parse_policy(text.encode(), "p.json", today_utc())
    assert named_twice(b'{"a": {"a": 1}, "b": [{"a": 1}]}') is None


def test_a_step_that_is_argv_and_shell_at_once_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"seed": "A", "steps": [{"shell": "a", "argv": ["b"]}]}\n')
    with pytest.raises(
        OracleError, match=r"corpus.jsonl:1: a step has `argv` or `shell`, not both"
    ):
        list(corpus.read_corpus(str(path)))


def test_a_file_that_is_too_large_or_not_there_is_named(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"x" * (1 << 20))
    assert len(read_limited(str(path), 1 << 20, "cut it")) == 1 << 20
    path.write_bytes(b"x" * ((1 << 20) + 1))
    with pytest.raises(OracleError, match="larger than 1 MiB; cut it"):
        read_limited(str(path), 1 << 20, "cut it")
    with pytest.raises(OracleError, match="No such file or directory; write it"):
        read_limited(str(tmp_path / "g"), 1, "", missing="; write it")
    os.mkfifo(tmp_path / "pipe")
    assert read_limited(str(tmp_path / "pipe"), 1, "") == b""


def test_folders_of_a_killed_check_are_swept_and_those_of_a_living_one_stay(
    tmp_path: Path,
) -> None:
    left, foreign = tmp_path / "wleft", tmp_path / "wother"
    for folder in (left, foreign):
        folder.mkdir()
    (left / ".lock").touch()
    alive = temporary_root()
    try:
        sweep(str(tmp_path))
        sweep(os.path.dirname(alive))
        assert (left.exists(), foreign.exists(), os.path.isdir(alive)) == (False, True, True)
    finally:
        remove_root(alive)
    assert not os.path.exists(alive)


def _names(rows: Many[str]) -> str:
    return "".join(f"  {row}\n" for row in rows)


def test_the_first_grammar_has_the_arguments_that_argparse_lists() -> None:
    from proctor.setup.oracle import _command

    text = (
        "usage: greet sum [-h] [--loud] to [n ...]\n\npositional arguments:\n"
        + _names(["to          whom", "n"])
        + "\noptions:\n  -h, --help  show this\n  --loud\n"
    )
    assert _command(text).args == ("to", "n?")


def test_of_a_delta_that_is_allowed_in_part_the_rest_is_named(bench: Bench) -> None:
    allowed = {"seed": "A", "step": 1, "path": "a", "from": "1", "to": "2", "reason": "why"}
    report = bench.diff("A|1|x|a=1|b=1|c=1\n", "A|1|x|a=2|b=2|c=2\n", allowed)
    assert [verdict_of(delta) for delta in report.deltas] == ["FLAGGED: b, c"]
    report = bench.diff("A|1|x|a=1|b=1\n", "A|1|x|a=2|b=1\n", allowed)
    assert [verdict_of(delta) for delta in report.deltas] == ["allowed: why"]
