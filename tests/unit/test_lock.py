"""The lock file of the build pins what pyproject.toml asks for, each file by its hash."""

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent.parent
LOCK = (ROOT / "requirements-dev.lock").read_text()
PINNED = {
    canonicalize_name(name): version
    for name, version in re.findall(r"^([\w.-]+)==([^\s;\\]+)", LOCK, re.MULTILINE)
}


def _asked() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = project["dependency-groups"]
    wanted = (*project["project"]["dependencies"], *groups["dev"], *groups["docs"])
    return [Requirement(text) for text in wanted]


def test_what_the_build_asks_for_is_pinned_within_its_range() -> None:
    for wanted in _asked():
        version = PINNED.get(canonicalize_name(wanted.name))
        assert version is not None, f"{wanted} is not in the lock file; run: make lock"
        assert wanted.specifier.contains(version), f"{wanted} is {version}; run: make lock"


def test_every_pin_has_hashes_and_names_no_server() -> None:
    pins = re.split(r"^(?=\S)", LOCK, flags=re.MULTILINE)[1:]
    assert len(pins) == len(re.findall(r"^\S+==", LOCK, re.MULTILINE))
    assert [pin.split()[0] for pin in pins if "--hash=sha256:" not in pin] == []
    assert "://" not in LOCK
