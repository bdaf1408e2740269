"""Two small builds and a corpus, replayed: what the tests of the oracle share."""

import json
from pathlib import Path
from typing import Any

from proctor.assess.oracle import Request, checked
from proctor.oracle.result import Report


class Pair:
    """An old and a new build, each one shell script called `tool`, and a corpus."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.settings = ""
        (folder / "oracle").mkdir(parents=True)

    def builds(self, old: str, new: str) -> "Pair":
        for name, text in (("old", old), ("new", new)):
            self.put(f"{name}/tool", text if text.startswith("#!") else f"#!/bin/sh\n{text}\n")
            (self.folder / name / "tool").chmod(0o755)
        return self

    def put(self, path: str, text: str | bytes) -> None:
        where = self.folder / path
        where.parent.mkdir(parents=True, exist_ok=True)
        where.write_bytes(text if isinstance(text, bytes) else text.encode())

    def corpus(self, *lines: Any) -> "Pair":
        """Sequences: objects, or lists of steps that get names A, B, …"""
        rows = [
            line if isinstance(line, dict) else {"seed": chr(65 + n), "steps": line}
            for n, line in enumerate(lines)
        ]
        self.put("oracle/corpus.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
        return self

    def policy(self, *entries: Any) -> "Pair":
        self.put("oracle/policy.json", json.dumps({"allowed": entries}))
        return self

    def check(self, **more: Any) -> Report:
        self.put("proctor.toml", f'[oracle]\ncommand = ["{{build}}/tool"]\n{self.settings}')
        request = {"sandbox": "folders", "old": "old", "new": "new", **more}
        for side in ("old", "new"):
            if request[side] == side:
                request[side] = str(self.folder / side)
        return checked(
            Request(
                folder=str(self.folder),
                environ={"PROCTOR_STATE_DIR": str(self.folder / "state"), "HOME": "/root"},
                **request,
            )
        )

    def paths(self, **more: Any) -> set[str]:
        """The fields in which the builds differ."""
        return {field.path for delta in self.check(**more).deltas for field in delta.changed}
