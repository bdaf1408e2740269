"""What the documentation says is what the program does."""

import argparse
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import msgspec
import pytest

from proctor import errors
from proctor.cli import parse
from proctor.records import span
from tests.integration.documents.page import DOCUMENTS, ROOT, blocks


def proctor_lines() -> list[str]:
    """Return every `proctor …` line, in blocks and in the running text."""
    lines: set[str] = set()
    for path in DOCUMENTS:
        commands = [one for block in blocks(path) if block.kind == "sh" for one in block.commands]
        lines.update(one.rstrip() for one in commands if one.startswith("proctor "))
        inline = re.findall(r"`(proctor [a-z][^`]*)`", re.sub(r"\s+", " ", path.read_text()))
        lines.update(inline)
    return sorted(lines)


@pytest.fixture(scope="module")
def helps() -> dict[str, str]:
    return {name: whole_help(parse.parser_of(name, one)) for name, one in parse.commands()}


def whole_help(parser: argparse.ArgumentParser) -> str:
    """Return the help of a command and of its verbs."""
    return "".join(one.format_help() for one in parse.parsers(parser))


@pytest.mark.parametrize("line", proctor_lines())
def test_a_documented_command_exists_with_its_options(line: str, helps: dict[str, str]) -> None:
    plain = re.sub(r"\$\([^)]*\)", "", line)
    words = re.split(r" -- | #|\n|\|", plain, maxsplit=1)[0].split()
    assert words[1] in helps
    for option in (word for word in words[2:] if word.startswith("--") and word != "--"):
        assert option.partition("=")[0] in helps[words[1]], line


def test_the_table_of_commands_is_whole(helps: dict[str, str]) -> None:
    text = (ROOT / "README.md").read_text()
    assert set(re.findall(r"^\| `proctor ([a-z-]+)", text, re.MULTILINE)) == set(helps)


def test_every_make_target_that_is_named_exists() -> None:
    makefile = (ROOT / "Makefile").read_text()
    named = {
        target
        for path in DOCUMENTS
        for target in re.findall(r"(?:`|^)make ([a-z-]+)", path.read_text(), re.MULTILINE)
    }
    assert {"demo", "test", "check"} <= named
    for target in named:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_within_the_project_leads_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text()):
        assert (path.parent / target).exists(), target


def test_the_pages_made_from_the_code_are_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "pages.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_every_field_of_a_span_is_described_and_no_other() -> None:
    text = (ROOT / "docs" / "span.md").read_text()
    rows = re.findall(r"^\| (`.+?`) \|", text, re.MULTILINE)
    described = {name for row in rows for name in re.findall(r"`([a-z0-9_.]+)`", row)}
    parts: dict[str, type[msgspec.Struct]] = {
        "report": span.Report,
        "runner": span.Runner,
        "git": span.Git,
    }
    inner = {
        f"{part}.{field.name}"
        for part, kind in parts.items()
        for field in msgspec.structs.fields(kind)
    }
    assert described | set(parts) == {*span.FIELDS, *inner}


@pytest.mark.parametrize("document", ["README.md", "docs/exit-codes.md"])
def test_every_exit_code_is_documented(document: str) -> None:
    text = (ROOT / document).read_text()
    codes = [value for name, value in vars(errors).items() if name.startswith("EXIT_")]
    for code in codes:
        shown = "128" if code == errors.EXIT_SIGNAL else str(code)
        assert re.search(rf"\b{shown}\b", text), code


def test_the_index_names_every_page() -> None:
    index = (ROOT / "docs" / "index.md").read_text()
    for page in (ROOT / "docs").glob("*.md"):
        assert page.name == "index.md" or f"({page.name})" in index, page.name


def test_the_table_of_layers_is_that_of_the_contract() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    (contract,) = [
        one
        for one in settings["tool"]["importlinter"]["contracts"]
        if one["type"] == "layers" and one["containers"] == ["proctor"]
    ]
    layers = [set(re.findall(r"\w+", layer)) for layer in contract["layers"]]
    rows = re.findall(r"^\| \d+ \| (.*?) \|", text, re.MULTILINE)
    named = [set(re.findall(r"`(\w+)`", row)) for row in rows]
    kept = [{name for name in layer if not name.startswith("_")} for layer in layers]
    assert named == [layer for layer in kept if layer]


def test_the_table_of_additions_names_every_family() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    families = re.findall(r"\| `([\w/]+)/<\w+>\.py` \| `(\w+)` \|", text)
    assert families
    for folder, name in families:
        found = (ROOT / "src/proctor" / folder).glob("[a-z]*.py")
        members = [path for path in found if path.stem != "base"]
        assert members, folder
        for path in members:
            assert re.search(rf"^{name}\b", path.read_text(), re.MULTILINE), path
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    apart = {
        module.removeprefix("proctor.").removesuffix(".*").replace(".", "/")
        for one in settings["tool"]["importlinter"]["contracts"]
        if one["type"] == "independence"
        for module in one["modules"]
    }
    assert apart == {folder for folder, _ in families}


def test_every_environment_variable_is_described() -> None:
    text = (ROOT / "docs" / "settings.md").read_text()
    sources = (ROOT / "src").rglob("*.py")
    named = {
        name for path in sources for name in re.findall(r"\bPROCTOR_[A-Z_]+", path.read_text())
    }
    assert {name for name in named if f"`{name}`" not in text} == set()


def test_what_a_setting_says_is_also_had_by_an_option_exists(helps: dict[str, str]) -> None:
    text = (ROOT / "docs" / "settings.md").read_text()
    options = set(
        re.findall(r"`(?:proctor [\w ]+ )?(--[a-z-]+)`(?=[ ,].*\|$|, )", text, re.MULTILINE)
    )
    assert options
    assert {one for one in options if not any(one in told for told in helps.values())} == set()


def test_every_key_of_the_settings_is_explained() -> None:
    rows = re.findall(
        r"^\| `([a-z_]+)` \|.*\| (.*) \| .*\|$",
        (ROOT / "docs/settings.md").read_text(),
        re.MULTILINE,
    )
    assert len(rows) > 50
    assert [key for key, meaning in rows if not meaning.strip()] == []
