"""Which paths can change a test's outcome, and which are Proctor's own.

Names only: nothing here looks at a file.
"""

import os
import re

from proctor._filenames import DATA, is_code, is_configuration, suffix_of

_PROSE = re.compile(rb"(?i)(^|/)(docs?|changelog\.d|newsfragments)/.*\.(md|rst|txt|html|css)$")
_TEST_FOLDER = re.compile(
    rb"(?i)(^|/)(tests?|__tests__|specs?|testdata|test-data|fixtures|testing|e2e)/"
)
_HARNESS = re.compile(
    rb"(?:conftest\.py|(?:site|user)customize\.py|[^/]*\.pth|\.?pytest\.(?:ini|toml)|tox\.ini"
    rb"|setup\.cfg|(?:jest|vitest|vite|playwright|karma|cypress)\.config\.[cm]?[jt]sx?"
    rb"|\.mocharc(?:\.[a-z]+)?)\Z"
)
_OWN = re.compile(
    rb"(?:artifacts/oracle\.json|artifacts/test-receipt(?:\.[\w-]+)?\.(?:json|intoto\.jsonl)"
    rb"|evidence/(?:toolchain\.(?:txt|json)|lock\.copy(?:\.[^/]+)?|NO_LOCKFILE|freeze\.txt"
    rb"|junit(?:\.[0-9]+)?\.xml|[^/]+\.exit|NO_PYTEST_LAYOUT|manifest\.json))\Z"
)
_OWN_IN_STATE = re.compile(
    rb"(?:objects/|reports/|index-[0-9a-f]{16}/|plugin-[0-9a-f]{12}/|logs\Z|[^/]+\.jsonl(?:\.pending/|\.|\Z)).*"
)


def may_change_tests(path: bytes) -> bool:
    """Return whether a file of this name is code, a test, test data or configuration.

    Everything in a folder of tests counts; prose in documentation folders does
    not. A name is a guess: a program may read any file.
    """
    if _TEST_FOLDER.search(path):
        return True
    base = path.rpartition(b"/")[2].decode("utf-8", "replace")
    if _PROSE.search(path):
        return False
    return is_code(base) or is_configuration(base) or suffix_of(base) in DATA


def decides_tests(path: bytes) -> bool:
    """Return whether a test runner or interpreter reads a file of this name unasked."""
    return _HARNESS.match(path.rpartition(b"/")[2]) is not None


class Own:
    """Tells Proctor's own outputs apart, which are no part of a tree's content.

    Only the names that Proctor writes: other files beside them count. `state`
    is the log's folder, which matters where it lies in the tree.
    """

    __slots__ = ("_state",)

    def __init__(self, root: str, state: str) -> None:
        inside = os.path.relpath(os.path.realpath(state), root)
        if inside.split("/", 1)[0] == "..":
            self._state: bytes | None = None
        else:
            self._state = b"" if inside == "." else os.fsencode(inside) + b"/"

    def holds(self, path: bytes) -> bool:
        """Return whether Proctor wrote the file at `path`, relative to the root."""
        if _OWN.match(path):
            return True
        if self._state is None or not path.startswith(self._state):
            return False
        return _OWN_IN_STATE.match(path[len(self._state) :]) is not None


def is_receipt(path: bytes) -> bool:
    """Return whether Proctor writes receipts or evidence under this name."""
    return _OWN.match(path) is not None
