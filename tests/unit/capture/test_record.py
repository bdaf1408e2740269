"""A manifest is held against the records that it rests on."""

from typing import Any

import msgspec
import pytest

from proctor.capture.keep import lock_name
from proctor.capture.manifest import Command, Counts, KeptFile, Manifest
from proctor.capture.record import disagreements, unrecorded
from proctor.records.span import Git, Report, Span

GIT = Git(root="/app", repository=("0" * 40, "c"), head="h", tree="t", tree_after="t")
REPORT = Report(
    path="/r", sha256="s", format="junit", executed=2, passed=2, failed=0, skipped=0, ids_sha256="i"
)


def span(**members: Any) -> Span:
    plain: dict[str, Any] = dict.fromkeys(
        ("stdout_sha256", "stderr_sha256", "stdout_bytes", "stderr_bytes", "exit_code")
    )
    return Span(
        **{
            **plain, "span_id": "1", "run_id": "r", "argv": ("python", "/b/pytest", "-q"),
            "cwd": "/app", "exit_code": 0, "started_at": "2026-11-29T12:00:00Z",
            "finished_at": "2026-11-29T12:00:01Z", "duration_ms": 1, "duration_floor_ms": 0,
            "duration_ok": True, "denied_binary": False, "env_names": (), "role": "test",
            "kind": "leaf", "witness": "tree", "git": GIT, "report": REPORT, "digest": "d",
            **members,
        }
    )  # fmt: skip


COMMAND = Command(
    name="pytest",
    argv=("pytest", "-q"),
    exit_code=0,
    run_id="r",
    span_id="1",
    span_sha256="d",
    junit=("junit.xml",),
    counts=(Counts(executed=2, passed=2, failed=0, skipped=0, ids_sha256="i"),),
)


def kept(name: str, source: str | None = None) -> KeptFile:
    return KeptFile(name=name, sha256="", bytes=0, source=source)


MANIFEST = Manifest(
    captured_utc="2026-11-29T12:00:02Z",
    venue="scratch",
    root="/app",
    head="h",
    tree="t",
    commands=(COMMAND,),
    files=(
        kept("lock.copy", "uv.lock"),
        kept(lock_name("web/yarn.lock"), "web/yarn.lock"),
        kept("pytest.exit"),
        kept("junit.xml"),
    ),
)
RUNS = {"r": [span()]}


def test_what_was_recorded_agrees() -> None:
    assert list(disagreements(MANIFEST, RUNS)) == []
    assert unrecorded(MANIFEST, RUNS) == ()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"exit_code": 1}, "exit_code 1"),
        ({"span_sha256": "x"}, "span_sha256"),
        ({"injected": ("X=1",)}, "injected"),
        ({"counts": ()}, "counts"),
        ({"argv": ("pytest",)}, "argv"),
        ({"argv": ()}, "argv"),
        ({"name": "npm"}, "npm.exit"),
        ({"junit": ()}, "junit.xml"),
    ],
)
def test_a_command_that_says_otherwise_is_seen(change: dict[str, Any], said: str) -> None:
    command = msgspec.structs.replace(COMMAND, **change)
    found = list(disagreements(msgspec.structs.replace(MANIFEST, commands=(command,)), RUNS))
    assert said in " ".join(found)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"head": None}, "head and tree"),
        ({"tree": "x"}, "head and tree"),
        ({"venue": "prod"}, "venue 'prod'"),
        ({"captured_utc": "now"}, "no time"),
        ({"files": MANIFEST.files[:3]}, "does not list junit.xml"),
        ({"files": (*MANIFEST.files, kept("npm.exit"))}, "lists npm.exit"),
        ({"files": (*MANIFEST.files, kept("freeze.txt", "x"))}, "a copy of 'x'"),
        ({"files": (kept("lock.copy"), *MANIFEST.files[1:])}, "a copy of None"),
        ({"files": (kept("lock.copy.a", "b"), *MANIFEST.files[1:])}, "a copy of 'b'"),
    ],
)
def test_a_manifest_that_says_otherwise_is_seen(change: dict[str, Any], said: str) -> None:
    (found,) = disagreements(msgspec.structs.replace(MANIFEST, **change), RUNS)
    assert said in found


@pytest.mark.parametrize("change", [{"run_id": "x"}, {"span_id": "2"}])
def test_a_command_without_a_record_is_named(change: dict[str, Any]) -> None:
    command = msgspec.structs.replace(COMMAND, **change)
    manifest = msgspec.structs.replace(MANIFEST, commands=(command,))
    assert unrecorded(manifest, RUNS) == ("pytest",)
    assert list(disagreements(manifest, RUNS)) == []


@pytest.mark.parametrize(
    "ran",
    [
        ("pytest", "-q"),
        ("/usr/bin/env", "-S python3 -u", "/b/pytest", "-q"),
        ("python", "/b/pytest", "***"),
    ],
)
def test_the_kernel_may_put_an_interpreter_before_a_script(ran: tuple[str, ...]) -> None:
    assert list(disagreements(MANIFEST, {"r": [span(argv=ran)]})) == []
