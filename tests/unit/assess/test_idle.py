from pathlib import Path
from typing import Any

import msgspec
import pytest

from proctor.assess import idle
from proctor.assess.idle import idle_files
from proctor.classify.base import Classification
from proctor.gate.evidence import Evidence, Known, LogFacts, Run, Seen
from proctor.records.span import Span
from tests.records import make_record

LIVE = "const test = require('node:test')\ntest('a', () => {})\n"
SKIPS = LIVE.replace("test('a'", "test.skip('a'")


def evidence(root: Path, *files: str, **members: Any) -> Evidence:
    record = make_record(argv=["node", "--test"], **members)
    span = msgspec.convert(record, Span)
    what = Classification(span.argv, "node --test", "test", "leaf")
    return Evidence(
        logs=(LogFacts(path="log"),),
        runs=(Run(run_id="r", seen=(Seen(span=span, what=what),)),),
        root=str(root),
        known={"node --test": Known(files=files)},
    )


@pytest.mark.parametrize(
    ("name", "text", "is_idle"),
    [
        ("a.test.js", LIVE, False),
        ("a.test.js", SKIPS, True),
        ("a.test.js", SKIPS + LIVE, False),
        ("a.test.js", "", True),
        ("a.test.js", "// later\n/* or never */\n", True),
        ("a.test.js", "for (const skip of cases) test(skip, () => {})\n", False),
        ("a.test.js", "run(cases)\n", False),
        ("test_a.py", "# skip all of this\n", False),
        ("test_a.py", "import pytest\n\n@pytest.mark.skip\ndef test_a():\n    f()\n", True),
        (
            "test_a.py",
            "import pytest\n\n@pytest.mark.skipif(WIN)\ndef test_a():\n    f()\n",
            False,
        ),
        (
            "test_a.py",
            "import pytest\npytestmark = pytest.mark.skip\ndef test_a():\n    f()\n",
            True,
        ),
    ],
)
def test_only_a_file_that_certainly_executes_nothing_is_idle(
    tmp_path: Path, name: str, text: str, is_idle: bool
) -> None:
    (tmp_path / name).write_text(text)
    assert idle_files(evidence(tmp_path, name)) == ({name} if is_idle else set())


def files_taken_by_red_runs_are_not_looked_into(tmp_path: Path) -> None:
    (tmp_path / "a.test.js").write_text(SKIPS)
    assert idle_files(evidence(tmp_path, "a.test.js", exit_code=1)) == frozenset()


def test_a_file_that_cannot_be_read_or_is_too_large_is_not_idle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert idle_files(evidence(tmp_path, "gone.test.js")) == frozenset()
    (tmp_path / "a.test.js").write_text(SKIPS)
    monkeypatch.setattr(idle, "LARGEST", 10)
    assert idle_files(evidence(tmp_path, "a.test.js")) == frozenset()


def test_with_too_many_files_none_is_taken_for_idle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.test.js").write_text(SKIPS)
    monkeypatch.setattr(idle, "MOST_FILES", 0)
    assert idle_files(evidence(tmp_path, "a.test.js")) == frozenset()
