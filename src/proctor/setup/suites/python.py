"""Python suites: pytest where the project speaks of it, else tox, nox or unittest."""

import configparser
import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from proctor.setup.suites.base import Found, Kind, text_of

_PROJECT = ("pyproject.toml", "setup.py", "setup.cfg", "pytest.ini", "tox.ini", "noxfile.py")
_FOLDERS = ("", "tests", "test")
_SAMPLES = 50
"""Test files that are looked into."""


def _find(folder: str) -> Found | None:
    tests = list(_test_files(folder))
    if not tests and not any(os.path.isfile(os.path.join(folder, name)) for name in _PROJECT):
        return None
    options = _pytest_options(folder)
    if options is not None:
        return Found(command=("pytest",), whole=not options.get("testpaths"))
    texts = [text_of(path, name) for path, name in tests[:_SAMPLES]]
    return _without_options(folder, texts)


def _without_options(folder: str, texts: Sequence[str]) -> Found | None:
    """Return the suite of a project that does not speak of pytest in its settings."""
    if any(re.search(r"^\s*(import|from) pytest\b", text, re.MULTILINE) for text in texts):
        return Found(command=("pytest",), whole=True)
    if text_of(folder, "noxfile.py"):
        return Found(command=("nox",))
    if "[testenv" in text_of(folder, "tox.ini"):
        return Found(command=("tox",))
    if any(re.search(r"\bunittest\b", text) for text in texts):
        return Found(command=("python", "-m", "unittest"))
    return Found(command=("pytest",), whole=True) if texts else None


def _test_files(folder: str) -> Iterator[tuple[str, str]]:
    for name in _FOLDERS:
        path = os.path.join(folder, name)
        try:
            entries = sorted(os.listdir(path))
        except OSError:
            continue
        for entry in entries:
            if entry == "conftest.py" or re.fullmatch(r"test_.*\.py|.*_test\.py", entry):
                yield path, entry


def _pytest_options(folder: str) -> Mapping[str, Any] | None:
    """Return the options that the project sets for pytest, none where it sets none."""
    try:
        tool = tomllib.loads(text_of(folder, "pyproject.toml")).get("tool", {})
        found = tool.get("pytest", {})
        if found:
            return found.get("ini_options", found)  # type: ignore[no-any-return]
    except (ValueError, RecursionError, AttributeError):
        pass  # what cannot be read says nothing
    for name, section in (
        ("pytest.ini", "pytest"),
        (".pytest.ini", "pytest"),
        ("tox.ini", "pytest"),
        ("setup.cfg", "tool:pytest"),
    ):
        parser = configparser.RawConfigParser(strict=False)
        try:
            parser.read_string(text_of(folder, name))
        except configparser.Error:
            continue
        if parser.has_section(section):
            return dict(parser.items(section))
        if name == "pytest.ini" and os.path.isfile(os.path.join(folder, name)):
            return {}
    return None


SUITE = Kind(find=_find)
