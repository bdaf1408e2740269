"""Steps that are started from within one sandbox."""

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from proctor.oracle.corpus import Command, Sequence
from proctor.oracle.replay import Player, Playing
from proctor.oracle.sandbox import Box, Build, choose
from proctor.oracle.spawn import MOST_OUTPUT
from proctor.oracle.trace import Step

pytestmark = pytest.mark.skipif(
    choose("auto").kind != "bubblewrap", reason=f"no bubblewrap here: {choose('auto').why}"
)
Play = Callable[..., list[Step]]


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Play]:
    """Plays shell lines as the steps of one sequence."""
    players: list[Player] = []

    def made(*lines: str, timeout_s: float = 10.0, **more: object) -> list[Step]:
        if not players:
            playing = Playing(Build("", (), ()), Box("bubblewrap"), timeout_s, "process")
            players.append(Player(playing, str(tmp_path / "s")))
        steps = tuple(Command(argv=(), shell=line) for line in lines)
        return players[0].play(Sequence(seed="A", steps=steps, **more)).steps  # type: ignore[arg-type]

    yield made
    for player in players:
        player.close()


def test_a_signal_is_told_from_the_exit_code_that_a_shell_makes_of_it(play: Play) -> None:
    killed, said = play("kill -TERM $$", "exit 143")
    assert (killed.exit_code, killed.signal) == (None, "SIGTERM")
    assert (said.exit_code, said.signal) == (143, None)


def test_limits_hold_for_what_a_step_starts_at_once(play: Play) -> None:
    (step,) = play("(ulimit -f; ulimit -n; ulimit -c)")
    assert (step.stdout.text or "").split() == [str(MOST_OUTPUT // 512), "1024", "0"]


def test_what_a_step_leaves_is_counted_and_gone_for_the_next(play: Play) -> None:
    steps = play(
        "(sleep 300 & ) ; (setsid sleep 300 >/dev/null 2>&1 &)",
        "ls /proc | grep -c '^[0-9]'",
    )
    assert [step.left_running for step in steps] == [2, 0]
    # The keeper, the shell, `ls` and `grep`; a shell may become its last command.
    assert int(steps[1].stdout.text or "9") <= 5


def test_a_step_finds_the_shared_folders_empty(play: Play) -> None:
    made = "mkdir -p /tmp/a/b; echo x > /tmp/a/b/c; ln -s a /tmp/l; echo x > /dev/shm/d"
    _, after = play(f"{made}; chmod 000 /tmp/a", "find /tmp /dev/shm -mindepth 1 | head -5")
    assert after.stdout.text == ""


@pytest.mark.parametrize("above", ["/dev/shm", "/tmp", "/var/tmp"])
def test_a_build_is_there_wherever_it_lies(tmp_path: Path, above: str) -> None:
    with tempfile.TemporaryDirectory(dir=above) as folder:
        (Path(folder) / "kv").write_text("here\n")
        playing = Playing(Build(folder, (), ()), Box("bubblewrap"), 10.0, "process")
        player = Player(playing, str(tmp_path / "s"))
        words = Command(argv=(), shell=f"cat {folder}/kv; cat {folder}/kv")
        steps = player.play(Sequence(seed="A", steps=(words, words))).steps
        player.close()
    assert [step.stdout.text for step in steps] == ["here\nhere\n"] * 2


def test_the_rest_of_the_system_cannot_be_written(play: Play) -> None:
    (step,) = play("for at in / /run /dev /usr; do (echo x > $at/zz) 2>/dev/null && echo $at; done")
    assert step.stdout.text == ""


def test_a_step_has_no_privileges_even_where_root_plays_it(play: Play) -> None:
    (step,) = play("grep CapEff /proc/self/status; mount -o remount,rw / 2>/dev/null && echo rw")
    assert (step.stdout.text or "").split() == ["CapEff:", "0" * 16]


def test_a_step_cannot_reach_the_keeper(play: Play) -> None:
    first, second = play(
        "kill -KILL 1; kill -STOP 1; readlink /proc/1/fd/* | wc -l", "echo still here"
    )
    assert (first.stdout.text or "").strip() == "0"
    assert second.stdout.text == "still here\n"


def test_a_timeout_kills_all_that_a_step_started(play: Play) -> None:
    late, after = play("trap '' TERM INT; sleep 50 & setsid sleep 50", "echo x", timeout_s=0.5)
    assert (late.timed_out, late.exit_code) == (True, None)
    assert (after.stdout.text, after.left_running) == ("x\n", 0)


def test_a_flood_is_cut_at_the_same_place_each_time(play: Play) -> None:
    first, second = play("yes", "yes")
    assert first.signal == second.signal == "SIGXFSZ"
    assert first.stdout == second.stdout
    assert first.stdout.size == MOST_OUTPUT


@pytest.mark.parametrize(
    ("argv", "code", "said"),
    [(("/none",), 127, "No such file"), (("/etc/passwd",), 126, "Permission denied")],
)
def test_what_cannot_be_started_ends_as_in_a_shell(
    argv: tuple[str, ...], code: int, said: str, tmp_path: Path
) -> None:
    playing = Playing(Build("", (), ()), Box("bubblewrap"), 10.0, "process")
    player = Player(playing, str(tmp_path / "s"))
    (step,) = player.play(Sequence(seed="A", steps=(argv,))).steps
    player.close()
    assert step.exit_code == code
    assert said in (step.stderr.text or "")
    assert "bwrap" not in (step.stderr.text or "")


def test_a_script_without_a_first_line_is_the_shells(tmp_path: Path) -> None:
    (tmp_path / "tool").write_text("echo ran $1\n")
    (tmp_path / "tool").chmod(0o755)
    build = Build(str(tmp_path), (str(tmp_path / "tool"),), ())
    player = Player(Playing(build, Box("bubblewrap"), 10.0, "process"), str(tmp_path / "s"))
    (step,) = player.play(Sequence(seed="A", steps=(("a",),))).steps
    player.close()
    assert step.stdout.text == "ran a\n"


@pytest.mark.parametrize("above", ["/dev/shm", "/tmp"])
def test_a_build_below_a_shared_folder_stays_when_that_is_emptied(
    above: str, tmp_path: Path
) -> None:
    with tempfile.TemporaryDirectory(dir=above) as folder:
        tool = Path(folder) / "tool"
        tool.write_text(f"#!/bin/sh\necho ran; echo x > {above}/x; echo x > {folder}/../y\n")
        tool.chmod(0o755)
        build = Build(folder, (str(tool),), ())
        player = Player(Playing(build, Box("bubblewrap"), 10.0, "process"), str(tmp_path / "s"))
        steps = player.play(Sequence(seed="A", steps=((), ()))).steps
        player.close()
    assert [(step.stdout.text, step.exit_code) for step in steps] == [("ran\n", 0)] * 2


def test_a_keeper_that_died_is_followed_by_another(play: Play) -> None:
    (first,) = play("echo one")
    player_pids = [
        int(name)
        for name in os.listdir("/proc")
        if name.isdecimal() and _parent_of(name) == os.getpid() and _is_bubblewrap(name)
    ]
    assert player_pids
    for pid in player_pids:
        os.kill(pid, 9)
        while os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
            time.sleep(0.01)
    (second,) = play("echo two")
    assert (first.stdout.text, second.stdout.text) == ("one\n", "two\n")


def _parent_of(pid: str) -> int:
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0
    return int(text.rpartition(") ")[2].split()[1])


def _is_bubblewrap(pid: str) -> bool:
    return os.path.basename(os.readlink(f"/proc/{pid}/exe")) == "bwrap"


def test_standard_input_and_a_terminal_reach_the_step(play: Play) -> None:
    (step,) = play("test -t 1 && echo yes; stty size", tty=True)
    assert (step.stdout.text or "").split() == ["yes", "24", "80"]


def test_a_step_begins_in_its_own_folder_whatever_its_environment_says(play: Play) -> None:
    (step,) = play("pwd -P", env={"PWD": "/none"})
    assert (step.exit_code, step.stdout.text) == (0, "<work>\n")
