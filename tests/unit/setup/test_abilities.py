"""What `doctor` tries: each thing for real, and what it says where it fails."""

import os
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest

from proctor.recorder import proc, untraced
from proctor.setup import abilities
from proctor.setup.check import Check
from proctor.setup.growth import size_of_records

Program = Callable[[str, str], str]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """A program of a name that does what a line of shell says."""

    def make(name: str, line: str) -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{line}\n")
        path.chmod(0o755)
        return str(path)

    return make


def test_a_hint_always_says_what_to_do(tmp_path: Path) -> None:
    for check in abilities.abilities(str(tmp_path), os.environ):
        assert (check.cure == "") == (check.state == "ok"), check


def test_another_proc_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proc, "is_own", lambda: False)
    assert "--mount-proc" in abilities._own_proc().cure


def test_an_older_kernel_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(untraced, "_KERNEL", (99, 0))
    found = abilities._let_go()
    assert found.state == "hint"
    assert "--witness direct" in found.cure


def test_a_kernel_that_refuses_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(untraced, "_KERNEL", (0, 0))
    monkeypatch.setattr(untraced, "_PIDFD_GET_INFO", 0)
    assert "the exit of what is let go cannot be read: " in abilities._let_go().detail


def test_a_machine_without_terminals_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise OSError(2, "No such file or directory")

    monkeypatch.setattr(os, "openpty", refuse)
    assert abilities._terminal().cure == "mount /dev/pts, or run without --pty"


def test_a_failing_record_from_python_is_told() -> None:
    found = abilities._from_python({"PATH": "/none"})
    assert found.state == "hint"
    assert "recording from Python fails" in found.detail


@pytest.mark.parametrize(("said", "state"), [("git version 2.9.1", "hint"), ("?", "hint")])
def test_an_old_git_is_told(
    said: str, state: str, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = program("git", f"echo '{said}'")
    monkeypatch.setattr(abilities, "find_git", lambda: path)
    assert (abilities._git().state, abilities._git().cure) == (state, "install git 2.30 or newer")


def test_a_missing_git_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(abilities, "find_git", lambda: None)
    assert abilities._git().cure == "install git"


def test_extras_are_told_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["msgspec>=1", "no-such-thing>=1; extra == 'more'", "msgspec; extra == 'less'", "; x"]
    monkeypatch.setattr(metadata, "requires", lambda _: lines)
    found = abilities._extras()
    assert found.detail == "more: no no-such-thing"
    assert found.cure.startswith("pip install '.[more]'")


def test_a_proctor_that_is_not_installed_declares_no_extras(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(_: str) -> None:
        raise metadata.PackageNotFoundError

    monkeypatch.setattr(metadata, "requires", missing)
    assert abilities._extras().detail == "none declared"


def plugin(root: Path, **environ: str) -> Check | None:
    return abilities._plugin(str(root), {"PATH": "/none", **environ})


def test_the_pytest_of_the_project_loads_the_plugin(tmp_path: Path) -> None:
    folder = str(Path(sys.executable).parent)
    found = plugin(tmp_path, PATH=folder)
    assert found is not None
    assert found.state == "ok"
    off = plugin(tmp_path, PATH=folder, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", PYTHONPATH="/none")
    assert off is not None
    assert (off.state, off.cure) == ("hint", "unset it")


def test_a_project_without_pytest_is_not_asked(tmp_path: Path) -> None:
    assert plugin(tmp_path) is None


@pytest.mark.parametrize(
    ("line", "detail"),
    [
        ("echo broken; exit 3", "pytest: broken"),
        ("exit 3", "pytest: nothing was said"),
        ("echo pytest 8", "does not load the plugin"),
    ],
)
def test_a_pytest_that_does_not_count_is_told(
    line: str, detail: str, program: Program, tmp_path: Path
) -> None:
    program(".venv/bin/pytest", line)
    found = plugin(tmp_path)
    assert found is not None
    assert detail in found.detail


def test_a_program_without_an_answer_is_no_reason_to_wait(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(abilities, "_PATIENCE_S", 0.2)
    said = abilities._answer([program("slow", "exec sleep 5")], "/", {"PATH": "/bin"})
    assert said == (1, "no answer in 0.2 s")
    assert abilities._answer(["/none/x"], "/", {}) == (1, "No such file or directory")


def test_what_grows_is_measured_and_pruning_is_named(tmp_path: Path) -> None:
    log, state = tmp_path / "spans.jsonl", tmp_path / "state"
    assert size_of_records(str(log), str(state)).detail.startswith("nothing yet")
    (state / "index-1").mkdir(parents=True)
    (state / "index-1" / "index").write_bytes(b"x" * 5000)
    (tmp_path / "spans.jsonl.closed-1").write_bytes(b"x" * 3_000_000)
    log.write_bytes(b"x" * 100)
    small = size_of_records(str(log), str(state))
    assert small.state == "ok"
    assert "log 4 KiB, closed 2.9 MiB, the rest" in small.detail
    with log.open("ab") as file:
        os.posix_fallocate(file.fileno(), 0, 257 << 20)
    large = size_of_records(str(log), str(state))
    assert (large.state, "log prune" in large.cure) == ("hint", True)
