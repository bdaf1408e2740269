"""The runner of `docs/adding-a-runner.md`: one file is enough."""

import importlib
import sys
from pathlib import Path

import pytest

from proctor.classify import index
from proctor.classify.classify import classify_argv

DOCUMENT = Path(__file__).parents[3] / "docs" / "adding-a-runner.md"


def test_the_runner_of_the_document_is_found_by_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = DOCUMENT.read_text().split("```python\n")[1].split("```")[0]
    (tmp_path / "uvu.py").write_text(code)
    package = importlib.import_module(index.PACKAGE)
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    monkeypatch.setattr(index, "_loaded", {})
    try:
        table = index.build()
        found = classify_argv(["npx", "uvu", "-i", "x", "tests"], peel=True, table=table)
    finally:
        sys.modules.pop(f"{index.PACKAGE}.uvu", None)
    assert found is not None
    assert (found.command_class, found.narrowing, found.selectors) == (
        "uvu",
        ("--ignore=x",),
        ("tests",),
    )
