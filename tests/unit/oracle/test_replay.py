"""What a step finds in its folders, and what is seen of what it did there."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from proctor.oracle.corpus import Command, Sequence
from proctor.oracle.files import Writes
from proctor.oracle.replay import Player, Playing
from proctor.oracle.sandbox import Box, Build
from proctor.oracle.trace import Step

Play = Callable[..., list[Step]]
KINDS = ["folders", *(["bubblewrap"] if shutil.which("bwrap") else [])]


@pytest.fixture(params=KINDS)
def play(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Play]:
    """Plays shell lines as the steps of a sequence, each call in the same player."""
    playing = Playing(Build("", (), ()), Box(request.param), 10.0, "process")
    player = Player(playing, str(tmp_path / "s"))

    def made(*lines: str, **more: object) -> list[Step]:
        steps = tuple(Command(argv=(), shell=line) for line in lines)
        return player.play(Sequence(seed="A", steps=steps, **more)).steps  # type: ignore[arg-type]

    yield made
    player.close()


def test_what_a_step_makes_after_quiet_ones_is_seen_and_gone_for_the_next(play: Play) -> None:
    for _ in range(2):
        steps = play("true", "echo a > f; echo b > ~/g; mkdir d", "echo c > d/h", "rm -r f d", "ls")
        assert [(sorted(s.created), s.deleted) for s in steps] == [
            ([], ()),
            (["d", "f", "~/g"], ()),
            (["d/h"], ()),
            ([], ("d", "d/h", "f")),
            ([], ()),
        ]


def test_a_file_changed_by_another_name_is_seen(play: Play) -> None:
    steps = play("echo a > f; mkdir $TMPDIR/d; ln f $TMPDIR/d/g", "echo b > $TMPDIR/d/g")
    assert [(sorted(s.created), sorted(s.changed)) for s in steps] == [(["f"], []), ([], ["f"])]


@pytest.mark.parametrize(
    "line",
    [
        "chmod 500 .",
        "echo x > $TMPDIR/f",
        "mkdir -p ~/.cache && echo x > ~/.cache/f",
        "echo x > a.pyc",
        "echo x > f; rm f; chmod 700 ~",
    ],
)
def test_a_sequence_finds_its_folders_as_if_it_were_the_first(line: str, play: Play) -> None:
    look = "stat -c %a . ~ $TMPDIR; ls -A . ~ $TMPDIR"
    (first,) = play(look)
    play(line)
    (later,) = play(look)
    assert later.stdout == first.stdout
    assert (first.stdout.text or "").startswith("755\n755\n755\n")


def test_folders_that_were_exchanged_are_looked_into(tmp_path: Path) -> None:
    playing = Playing(Build("", (), ()), Box("folders"), 10.0, "process")
    player = Player(playing, str(tmp_path / "s"))
    root = tmp_path / "s"
    line = f"mv {root} {root}-; mkdir -p {root}/work {root}/home; echo x > {root}/work/f"
    steps = player.play(Sequence(seed="A", steps=(("true",), Command(argv=(), shell=line)))).steps
    player.close()
    assert [sorted(s.created) for s in steps] == [[], ["f"]]


def test_a_folder_that_was_taken_away_is_made_anew(tmp_path: Path) -> None:
    playing = Playing(Build("", (), ()), Box("folders"), 10.0, "process")
    player = Player(playing, str(tmp_path / "s"))
    gone = f"mv {tmp_path}/s {tmp_path}/away"
    for line in ("rmdir ~; echo x", "ls -d ~ && echo x > f", "true", gone):
        player.play(Sequence(seed="A", steps=(Command(argv=(), shell=line),)))
    words = Command(argv=(), shell="ls -A ~; pwd -P")
    (step,) = player.play(Sequence(seed="A", steps=(words,))).steps
    player.close()
    assert (step.exit_code, step.stdout.text) == (0, "<work>\n")


def test_a_folder_that_cannot_be_watched_counts_as_changed(tmp_path: Path) -> None:
    writes = Writes()
    writes.watch(str(tmp_path), "")
    writes.stirred()
    assert (writes.lost, writes.stirred()) == (False, False)
    writes.watch(str(tmp_path / "none"), "none/")
    assert (writes.lost, writes.stirred()) == (True, True)
    writes.forget()
    writes.watch(str(tmp_path), "")
    assert (writes.lost, writes.stirred()) == (False, False)
    writes.close()


IGNORING = """
import signal, sys, threading
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
from proctor.oracle.corpus import Command, Sequence
from proctor.oracle.replay import Player, Playing
from proctor.oracle.sandbox import Box, Build
def play():
    player = Player(Playing(Build("", (), ()), Box(sys.argv[1]), 10.0, "process"), sys.argv[2])
    steps = Command(argv=(), shell="exit 7"), Command(argv=(), shell="kill -TERM $$")
    print([(s.exit_code, s.signal) for s in player.play(Sequence(seed="A", steps=steps)).steps])
    player.close()
thread = threading.Thread(target=play)
thread.start()
thread.join()
"""


@pytest.mark.parametrize("kind", KINDS)
def test_ends_are_seen_where_the_parent_ignored_them(kind: str, tmp_path: Path) -> None:
    words = [sys.executable, "-c", IGNORING, kind, str(tmp_path / "s")]
    ended = subprocess.run(words, capture_output=True, text=True, check=True)
    assert ended.stdout == "[(7, None), (None, 'SIGTERM')]\n"
