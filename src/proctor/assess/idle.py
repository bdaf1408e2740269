"""Test files of runs that nothing counted, which hold no test that would be executed.

Only what is certain: a file without code, or one in which every test is skipped
whatever the circumstances. A file whose tests are made while it runs is not idle.
"""

import os

from proctor.gate.evidence import Evidence
from proctor.outline.read import outline, without_comments

MOST_FILES = 2000
"""Test files of a class that are looked into; with more, none is taken for idle."""
LARGEST = 1 << 20
_MARKS = ("skip", "todo", "pending", "ignore", "disabled", "xit", "xtest", "xdescribe")
"""One of these words stands in every file whose tests are skipped."""
_MAYBE = "if"
"""In what skips a test under a condition: `skipIf`, `skipif`."""


def idle_files(evidence: Evidence) -> frozenset[str]:
    """Return the idle ones among the known test files of uncounted green leaves."""
    classes = {
        seen.what.command_class
        for seen in evidence.every_seen()
        if seen.what is not None
        and seen.what.kind == "leaf"
        and seen.span.exit_code == 0
        and seen.span.report is None
    }
    found: set[str] = set()
    for name in classes & evidence.known.keys():
        files = evidence.known[name].files
        if len(files) <= MOST_FILES:
            found.update(path for path in files if _is_idle(evidence.root, path))
    return frozenset(found)


def text_of(root: str, path: str) -> str | None:
    """Return a file's text; nothing of one that cannot be read, or is too large."""
    try:
        with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
            text = file.read(LARGEST + 1)
    except OSError:
        return None
    return text if len(text) <= LARGEST else None


def _is_idle(root: str, path: str) -> bool:
    text = text_of(root, path)
    if text is None:
        return False
    low = text.lower()
    if not any(mark in low for mark in _MARKS):
        return not without_comments(path, text).strip()
    seen = outline(path, text)
    tests = [test for test in seen.tests if test.is_test]
    if not tests:
        return False
    return _skips(seen.skipped) or all(_skips(test.skipped) for test in tests)


def _skips(words: str) -> bool:
    return bool(words) and _MAYBE not in words.lower()
