"""The reader of `docs/transcripts.md`: one file is enough."""

import importlib
import json
import sys
from pathlib import Path

import pytest

from proctor.join import reading
from tests.unit.join.conftest import read_to_end

DOCUMENT = Path(__file__).parents[3] / "docs" / "transcripts.md"


def test_the_reader_of_the_document_is_found_by_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = DOCUMENT.read_text().split("```python\n")[1].split("```")[0]
    (tmp_path / "example.py").write_text(code)
    package = importlib.import_module(reading.FAMILY)
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    transcript = tmp_path / "t.jsonl"
    line = {"example_version": 1, "id": "a", "command": "make test", "exit": 2, "output": "no"}
    transcript.write_text(json.dumps(line) + "\n{}\n")
    try:
        read = read_to_end(transcript)
    finally:
        sys.modules.pop(f"{reading.FAMILY}.example", None)
    assert read.reader == "example"
    assert (read.call.command, read.call.told.exit_code) == ("make test", 2)
    assert read.outputs == {"a": "no"}
    assert len(read.skipped) == 1
