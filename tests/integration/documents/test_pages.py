"""Every command block of the documentation is run, and what a page shows is what is printed."""

import json
import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from proctor import config
from proctor.cli import parse
from tests.integration.documents.page import DOCUMENTS, ROOT, Block, blocks, is_shown
from tests.integration.documents.play import play, why_not
from tests.integration.documents.stages import NOT_PLAYED

BLOCKS = [(path, block) for path in DOCUMENTS for block in blocks(path)]
WITH_COMMANDS = [path for path in DOCUMENTS if any(b.kind == "sh" for b in blocks(path))]
SERVERS = {"demo": "`make demo` runs it", "hook": "agents call it", "mcp": "a server"}
"""Commands whose examples are on no page."""
WHO = ("AUTHOR", "COMMITTER")


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def commands() -> list[str]:
    return [one for _, block in BLOCKS if block.kind == "sh" for one in block.commands]


@pytest.mark.heavy
@pytest.mark.timeout(600)
@pytest.mark.parametrize("path", WITH_COMMANDS, ids=name_of)
def test_the_commands_of_a_page_do_what_it_says(path: Path, tmp_path: Path) -> None:
    last = None
    for block, played in play(path, tmp_path):
        for one in played:
            assert one.code == one.owed, str(one)
        last = played[-1] if played else last
        if block.kind == "text" and last is not None:
            assert is_shown(block.text, last.output), f"line {block.line}\n{last}"
        last = None if block.kind == "text" else last


def test_few_commands_are_not_played_and_each_reason_is_needed() -> None:
    left_out = [(why_not(one), one) for one in commands() if why_not(one)]
    assert {reason for reason, _ in left_out} == set(NOT_PLAYED)
    assert len(left_out) <= len(commands()) / 5


def test_what_is_shown_belongs_to_what_was_typed() -> None:
    assert is_shown("a 12 ms\n…\nz\n", "a 7 ms\nb\nc\nz\n")
    assert is_shown(
        "tree e0ad00d7cf39 at 2026-01-01 10:00:00", "tree 546329978beb at 2026-02-02 11:11:11\n"
    )
    assert not is_shown("PASS", "FAIL\n")
    assert not is_shown("a\n…", "b\na\n")


def test_a_command_may_take_several_lines() -> None:
    text = "cat > x <<'END'\na\nEND\n# a remark\n\nls \\\n  -l\necho 'a\nb'\n"
    block = Block("sh", text, 1, "", (), ())
    assert block.commands == ["cat > x <<'END'\na\nEND\n", "ls \\\n  -l\n", "echo 'a\nb'\n"]


@pytest.mark.parametrize(
    ("path", "block"), [one for one in BLOCKS if one[1].kind in ("toml", "json")], ids=str
)
def test_settings_and_json_on_a_page_can_be_read(path: Path, block: Block) -> None:
    if block.kind == "json":
        assert all(json.loads(line) for line in _documents(block.text))
    elif "[[approval]]" not in block.text:
        assert config.parse(block.text.encode(), str(path)) != config.Config()
    else:
        assert tomllib.loads(block.text)


def _documents(text: str) -> list[str]:
    """Return the documents of a block: one, or one a line."""
    try:
        json.loads(text)
    except ValueError:
        return text.splitlines()
    return [text]


def test_every_example_of_a_help_is_played_on_some_page() -> None:
    played = "".join(commands())
    examples = [
        (parser.epilog or "").partition("example:\n  ")[2].partition("\n")[0]
        for name, command in parse.commands()
        for parser in parse.parsers(parse.parser_of(name, command))
        if name not in SERVERS
    ]
    assert all(examples), "each help ends with an example"
    assert [one for one in examples if one not in played] == []


def test_the_example_begins_as_a_patch_on_its_old_build(tmp_path: Path) -> None:
    example = ROOT / "examples" / "kv"
    made = tmp_path / "demo" / "kv"
    who = {f"GIT_{who}_{what}": "ann@example.org" for who in WHO for what in ("NAME", "EMAIL")}
    begin = ["sh", str(example / "begin.sh"), str(made)]
    subprocess.run(begin, env=os.environ | who, check=True)
    patch = ["git", "diff", "--name-only", "origin/main", "work"]
    assert subprocess.check_output(patch, cwd=made, text=True) == "kv\n"
    assert (made / "kv").read_bytes() == (example / "new" / "kv").read_bytes()
    again = subprocess.run(begin, capture_output=True, text=True, check=False)
    assert again.returncode == 1
    assert "File exists" in again.stderr


def test_every_anchor_within_the_project_exists() -> None:
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        for file, anchor in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", text):
            target = (path.parent / file) if file else path
            assert anchor in _anchors(target), f"{name_of(path)}: {file}#{anchor}"


def _anchors(path: Path) -> set[str]:
    titles = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    plain = [re.sub(r"[^\w\- ]", "", title.lower()) for title in titles]
    return {title.strip().replace(" ", "-") for title in plain}
