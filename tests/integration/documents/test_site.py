"""The documentation as a site."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.documents.page import ROOT

NAV = (ROOT / "mkdocs.yml").read_text().partition("\nnav:\n")[2]


def test_every_page_has_its_place() -> None:
    placed = re.findall(r"([\w/-]+\.md)$", NAV, re.MULTILINE)
    docs = ROOT / "docs"
    pages = sorted(str(path.relative_to(docs)) for path in docs.rglob("*.md"))
    assert sorted(placed) == pages


@pytest.mark.heavy
def test_the_site_is_built_without_a_warning_and_fetches_nothing(tmp_path: Path) -> None:
    pytest.importorskip("zensical", reason="the group `docs` is not installed: make docs")
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    done = subprocess.run(
        [Path(sys.executable).parent / "zensical", "build", "--strict"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    pages = list((tmp_path / "build" / "site").rglob("*.html"))
    assert len(pages) > 40
    for page in pages:
        fetched = re.findall(
            r"<(?:script|img|link|iframe)\b[^>]*\b(?:src|href)=\"?(https?:[^\" >]*)",
            page.read_text(),
        )
        assert not fetched, page
