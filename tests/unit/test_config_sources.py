"""Where a configuration comes from, and what a requirement's folder may be."""

import pytest

from proctor.config import Config, load_from, parse
from proctor.errors import ConfigError

OBSERVE = b"[gate]\nenforce = 'observe'\n"
PROJECT = b"[tool.proctor.gate]\nenforce = 'observe'\n"


def test_either_file_may_hold_the_settings() -> None:
    for found in (load_from(OBSERVE, b"[project]\n", "x:"), load_from(None, PROJECT, "x:")):
        assert found.gate.enforce == "observe"
    assert load_from(None, b"[project]\n", "x:") == load_from(None, None, "x:") == Config()


def test_both_are_an_error() -> None:
    with pytest.raises(ConfigError, match="keep one of them"):
        load_from(OBSERVE, PROJECT, "x:")


@pytest.mark.parametrize("folder", ["/abs", "..", "a/../../b"])
def test_a_folder_outside_the_repository_is_an_error(folder: str) -> None:
    text = f"[[require]]\nname = 'a'\ncommand = ['pytest']\nfolder = '{folder}'\n"
    with pytest.raises(ConfigError, match=r"proctor.toml:2: .* inside it"):
        parse(text.encode(), "proctor.toml")


@pytest.mark.parametrize("text", [b"a = " + b"9" * 5000, b"a = " + b"[" * 20_000])
def test_what_a_parser_gives_up_on_is_an_error(text: bytes) -> None:
    with pytest.raises(ConfigError, match="not TOML"):
        parse(text, "proctor.toml")


def test_a_project_whose_tool_is_no_table_has_no_settings() -> None:
    assert parse(b"tool = 1\n", "pyproject.toml") == Config()
