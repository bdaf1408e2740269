"""What a patch does to files, as the rules about it ask: by path and by text."""

import re

from proctor.gate.evidence import Change
from proctor.gate.matters import is_code

_NAMES = re.compile(
    r"^(?:test_.*|tests?|conftest|.*[_.-](?:test|spec|tests)|.*(?:Test|Tests|TestCase|Spec|IT))\.\w+$"
)
_FOLDERS = frozenset(
    (
        *("test", "tests", "testing", "__tests__", "spec", "specs", "e2e", "testdata", "test-d"),
        *("__mocks__", "androidTest", "testFixtures", "features", "cypress", "fixtures"),
    )
)


def is_test_code(path: str) -> bool:
    """Return whether a file is code that only tests use, by its name and folders."""
    folders, _, base = path.rpartition("/")
    return is_code(path) and (
        bool(_NAMES.match(base)) or not _FOLDERS.isdisjoint(folders.split("/"))
    )


def old_text(change: Change) -> str | None:
    """Return the text before; empty where there was no file, none where it is unknown."""
    return "" if change.old_blob is None else change.old_text


def new_text(change: Change) -> str | None:
    """Return the text now; empty where there is no file, none where it is unknown."""
    return "" if change.new_blob is None else change.new_text


def old_path(change: Change) -> str:
    """Return where a file was; where it is, for a new one."""
    return change.old_path or change.path
