"""Nine tests that pass on both builds: KV names the program, old/kv by default."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = os.path.abspath(os.environ.get("KV", Path(__file__).parents[1] / "old" / "kv"))


@pytest.fixture
def kv(tmp_path):
    def run(*words):
        done = subprocess.run(
            [sys.executable, PROGRAM, *words], cwd=tmp_path, capture_output=True, text=True
        )
        return done.returncode, dict(part.split("=", 1) for part in done.stdout.strip().split("|"))

    return run


def test_a_value_is_stored(kv):
    assert kv("set", "a", "1")[0] == 0
    assert kv("get", "a")[1]["value"] == "1"


def test_a_key_that_is_not_there_is_no_hit(kv):
    assert kv("get", "a")[1]["hit"] == "false"


def test_the_last_value_counts(kv):
    kv("set", "a", "1")
    kv("set", "a", "2")
    assert kv("get", "a")[1]["value"] == "2"


def test_a_first_value_warns_of_nothing(kv):
    assert kv("set", "a", "1")[1]["warn"] == "none"


def test_a_deleted_key_is_gone(kv):
    kv("set", "a", "1")
    assert kv("delete", "a")[0] == 0
    assert kv("get", "a")[1]["hit"] == "false"


def test_an_empty_store_lists_nothing(kv):
    assert kv("list")[1]["count"] == "0"


def test_every_key_is_counted(kv):
    kv("set", "a", "1")
    kv("set", "b", "2")
    assert kv("list")[1]["count"] == "2"


def test_an_unknown_command_fails(kv):
    code, said = kv("rename", "a", "b")
    assert code != 0
    assert said["error"] == "unknown"


def test_letters_of_any_script_are_kept(kv):
    kv("set", "ключ", "値")
    assert kv("get", "ключ")[1]["value"] == "値"
