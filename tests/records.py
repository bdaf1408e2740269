"""A factory of records."""

from typing import Any

Record = dict[str, Any]


def make_record(**members: Any) -> Record:
    """Return a record with the core members, as the recorder writes them."""
    record: Record = {
        "schema": "proctor.span/1",
        "span_id": "00000000000000a1",
        "run_id": "r1",
        "parent_tool_span": None,
        "parent_span_id": None,
        "argv": ["pytest", "-q"],
        "cwd": "/work/app",
        "exit_code": 0,
        "started_at": "2026-03-01T10:00:00.000000Z",
        "duration_ms": 1200,
        "stdout_sha256": None,
        "stderr_sha256": None,
        "stdout_bytes": None,
        "stderr_bytes": None,
        "env_names": ["HOME", "PATH"],
        "duration_floor_ms": 500,
        "duration_ok": True,
        "denied_binary": False,
    }
    return record | members
