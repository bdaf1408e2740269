"""What a comparison of standard output alone never sees."""

import sys

import pytest

from tests.integration.oracle.builds import Pair

pytestmark = pytest.mark.heavy

PYTHON = f"#!{sys.executable} -I\n"
LINE = [["x"]]


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        ("echo a > f; chmod 644 f", "echo a > f; chmod 755 f", "files.f.mode"),
        ("ln -s a l; echo x", "ln -s b l; echo x", "files.l.target"),
        ("echo x; exit 0", "echo x; exit 3", "exit_code"),
        ("echo x; echo a >&2", "echo x; echo b >&2", "stderr"),
        ("echo x; kill -9 $$", "echo x; kill -15 $$", "signal"),
        ("echo a > f", "echo a > f; echo a > f", "files.f.writes"),
        ("echo a > f", "echo a > t && mv t f && echo a > t && mv t f", "files.f.writes"),
        ("echo a > f", "printf a > f", "files.f.content"),
        ("mkdir d && echo a > d/f", "mkdir d", "files.d/f"),
        ("echo x; echo c > ~/.toolrc", "echo x", "files.~/.toolrc"),
        ("echo x", "echo x; echo x", "stdout"),
        ("echo x", "echo x; sleep 30 & exit 0", "left_running"),
        pytest.param("sleep 0.1; echo x", "sleep 1.2; echo x", "time", marks=pytest.mark.heavy),
    ],
)
def test_a_change_that_stdout_does_not_show_is_seen(
    old: str, new: str, path: str, pair: Pair
) -> None:
    assert path in pair.builds(old, new).corpus(LINE).paths()


def test_a_file_that_is_deleted_and_one_that_is_changed(pair: Pair) -> None:
    given = {"seed": "A", "steps": LINE, "files": {"a": "1", "b": {"text": "2", "mode": "0600"}}}
    pair.builds("rm a; echo 3 > b", "rm b; echo 3 > a").corpus(given)
    assert {"files.a", "files.b"} <= pair.paths()


def test_a_new_build_that_never_ends_is_a_timeout(pair: Pair) -> None:
    pair.settings = "timeout_s = 0.5\nreruns = 1\n"
    assert "timed_out" in pair.builds("echo x", "sleep 60").corpus(LINE).paths()


def test_output_without_end_is_stopped(pair: Pair) -> None:
    pair.settings = "timeout_s = 20\nreruns = 0\n"
    assert "signal" in pair.builds("echo x", "yes").corpus(LINE).paths()


def test_order_under_another_hash_seed(pair: Pair) -> None:
    words = "{'alpha', 'beta', 'gamma', 'delta'}"
    pair.builds(
        f"{PYTHON}import os, sys\nprint(*sorted({words}))\n",
        "#!/bin/sh\n"
        f"exec {sys.executable} -S -c \"print(*{words} if {{__import__('os').environ["
        f"'PYTHONHASHSEED']}} - {{'0'}} else sorted({words}))\"\n",
    )
    plain = {"seed": "A", "steps": LINE}
    pair.corpus(plain)
    assert pair.paths() == set()
    pair.corpus(plain, {"seed": "B", "steps": LINE, "hash_seed": 7})
    assert pair.paths() == {"stdout"}


@pytest.mark.parametrize(
    ("old", "new", "turn"),
    [
        ("date -u -d @0 +%H", "date -d @0 +%H", {"tz": "Asia/Kathmandu"}),
        ("echo x", "test -t 1 && echo colour || echo x", {"tty": True}),
        ('echo "${FORMAT:-text}"', "echo text", {"env": {"FORMAT": "json"}}),
        ("echo x", 'test "$LC_ALL" = C.UTF-8 && echo x || echo y', {"locale": "C"}),
    ],
)
def test_what_only_another_environment_shows(
    old: str, new: str, turn: dict[str, object], pair: Pair
) -> None:
    pair.builds(old, new).corpus(LINE)
    assert pair.paths() == set()
    pair.corpus(LINE, {"seed": "B", "steps": LINE, **turn})
    assert "stdout" in pair.paths()


def test_what_a_step_says_of_its_own_place_is_no_difference(pair: Pair) -> None:
    say = 'pwd; echo $HOME $TMPDIR; echo "$0"; pwd > f'
    assert pair.builds(say, say + " ").corpus(LINE, LINE, LINE).paths() == set()


def test_nothing_that_a_step_sees_says_what_it_is_for(pair: Pair) -> None:
    look = "env; pwd; echo $0; ls -la / ~ . ; cat /proc/$PPID/comm"
    report = (
        pair.builds(look, look + "; true")
        .corpus(LINE)
        .check(sandbox="auto", traces=str(pair.folder / "t"))
    )
    text = (pair.folder / "t" / "new.trace").read_text().lower()
    assert report.counts.steps == 1
    assert "proctor" not in text.partition("\n")[2]
    assert "oracle" not in text.partition("\n")[2]
    assert "pytest" not in text
