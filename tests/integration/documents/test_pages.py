"""Every command block of the documentation is run, and what a page shows is what is printed."""

from pathlib import Path

import pytest

from tests.integration.documents.page import DOCUMENTS, ROOT, blocks, is_shown
from tests.integration.documents.play import play

WITH_COMMANDS = [path for path in DOCUMENTS if any(b.kind == "sh" for b in blocks(path))]


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.heavy
@pytest.mark.parametrize("path", WITH_COMMANDS, ids=_name)
def test_the_commands_of_a_page_do_what_it_says(path: Path, tmp_path: Path) -> None:
    last = None
    for block, played in play(path, tmp_path):
        for one in played:
            assert one.code == one.owed, str(one)
        last = played[-1] if played else last
        if block.kind == "text" and last is not None:
            assert is_shown(block.text, last.output), f"line {block.line}\n{last}"
        last = None if block.kind == "text" else last
