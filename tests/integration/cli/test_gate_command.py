"""`proctor gate` and `proctor explain` as a person types them."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from proctor.records.append import LogWriter
from tests.conftest import Proctor

CORE = {
    "schema": "proctor.span/1",
    "span_id": "00000000000000a1",
    "run_id": "r1",
    "argv": ["pytest", "-q"],
    "cwd": "/nowhere",
    "exit_code": 0,
    "duration_ms": 900,
    "duration_floor_ms": 500,
    "duration_ok": True,
    "denied_binary": False,
    "stdout_sha256": None,
    "stderr_sha256": None,
    "stdout_bytes": None,
    "stderr_bytes": None,
    "env_names": [],
}


def _write(path: Path, **members: Any) -> None:
    writer = LogWriter(str(path), pytest.fail)
    writer.append({**CORE, **members})
    writer.close()


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    root = tmp_path / "app"
    subprocess.run(["git", "init", "-q", root], check=True)
    return root


def test_every_good_record_passes_with_0(proctor: Proctor, repo: Path) -> None:
    _write(proctor.log)
    done = proctor("gate", "--every", cwd=repo)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("PASS  level 0")


def test_a_bad_record_fails_with_1_and_its_cure(proctor: Proctor, repo: Path) -> None:
    _write(proctor.log, exit_code=1)
    done = proctor("gate", "--every", cwd=repo)
    assert done.returncode == 1
    assert "error nonzero-exit: `pytest -q` returned 1" in done.stdout
    assert "    proctor run -- pytest -q" in done.stdout


def test_nothing_recorded_is_unproven_with_2(proctor: Proctor, repo: Path) -> None:
    done = proctor("gate", cwd=repo)
    assert done.returncode == 2
    assert "no-records" in done.stdout


def test_json_goes_where_it_is_asked_for(proctor: Proctor, repo: Path, tmp_path: Path) -> None:
    target = tmp_path / "verdict.json"
    done = proctor("gate", "--format", "json", "--output", str(target), cwd=repo)
    assert (done.returncode, done.stdout) == (2, "")
    assert json.loads(target.read_text())["schema"] == "proctor.verdict/1"


def test_a_place_that_cannot_be_written_is_one_line(proctor: Proctor, repo: Path) -> None:
    done = proctor("gate", "--output", "/proc/nowhere/at/all", cwd=repo)
    assert done.returncode == 65
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("bad", ["missing.jsonl", ".", "binary"])
def test_a_log_that_cannot_be_read_is_65(proctor: Proctor, repo: Path, bad: str) -> None:
    (repo / "binary").write_bytes(b"\0\1\2\n" * 50)
    done = proctor("gate", "--log", bad, cwd=repo)
    assert done.returncode == 65
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1


def test_an_unknown_format_is_a_usage_error(proctor: Proctor, repo: Path) -> None:
    done = proctor("gate", "--format", "yaml", cwd=repo)
    assert done.returncode == 64
    assert "(known: github, gitlab, html, json, junit, markdown, sarif, text)" in done.stderr
    assert proctor("gate", "--format", "otlp", cwd=repo).returncode == 64
    near = proctor("gate", "--format", "markdwn", cwd=repo)
    assert "did you mean 'markdown'?" in near.stderr


def test_a_configuration_that_cannot_be_understood_is_65(proctor: Proctor, repo: Path) -> None:
    (repo / "proctor.toml").write_text("[gat]\n")
    done = proctor("gate", cwd=repo)
    assert done.returncode == 65
    assert "proctor.toml:1" in done.stderr


def test_several_logs_are_judged_together(proctor: Proctor, repo: Path, tmp_path: Path) -> None:
    second = tmp_path / "second.jsonl"
    _write(proctor.log)
    _write(second, exit_code=3)
    words = ("--log", str(proctor.log), "--log", str(second))
    done = proctor("gate", "--every", *words, cwd=repo)
    assert "1 of 2 records do not hold" in done.stdout


def test_a_rule_is_explained(proctor: Proctor) -> None:
    done = proctor("explain", "masked-exit")
    assert done.returncode == 0
    assert done.stdout.startswith("masked-exit (error)\n")
    assert "Likely cause: " in done.stdout
    assert "Next: " in done.stdout


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("masked-exits", "did you mean 'masked-exit'"),
        ("zzzz", "unknown rule 'zzzz' (known: argv-mismatch, "),
    ],
)
def test_an_unknown_rule_is_a_usage_error(proctor: Proctor, name: str, hint: str) -> None:
    done = proctor("explain", name)
    assert done.returncode == 64
    assert hint in done.stderr
