"""Files in folders of tests that hold no test: helpers, fixtures, programs that tests start.

Some runners take every script below `test/` for a test unless they are told which to
run. Told, they leave these out, and that leaves out no test. Only what is certain: a
file named as a test is one, and so is one that no other test file speaks of.
"""

import re
from collections.abc import Iterable

import msgspec

from proctor.assess.idle import MOST_FILES, text_of
from proctor.classify.selection import positionals
from proctor.gate.evidence import Evidence, Known
from proctor.outline.read import without_comments

_SCRIPT = re.compile(r"(?P<stem>[^/]+)\.[cm]?[jt]s\Z")
_NAMED = re.compile(r"(?i)(?:^|[._-])(?:test|spec)s?(?:[._-]|$)")
_FOLDER = re.compile(r"(?i)(?:^|/)tests?/(?:.*/)?(?:_*fixtures?_*|_*mocks?_*|helpers?|support)/")
_TESTS = re.compile(
    r"(?<![\w$.])(?:test|it|describe|suite|specify|context|scenario|feature)\b\s*[.(]"
    r"|[\"'](?:node:test|tap|tape|ava|uvu|mocha|vitest|qunit|jasmine|zora|@hapi/lab|@jest/globals)\b"
)
_CHECKS = re.compile(r"\b(?:assert|expect|should)\b")
_EXPORTS = re.compile(r"\bexports\b|^\s*export\b", re.MULTILINE)

_LOADS = re.compile(
    r"(?:\b(?:require|import|loader)\b|(?<![\w-])-r\b)[\"']?\s*[:=]?\s*"
    r"(\[[^\]]*\]|(?:\s*-\s+\S+)+|[^\s,}]+)"
)
"""What a command line or a settings file has loaded before the tests."""
_SETTINGS = ("package.json", *(f".mocharc.{end}" for end in ("js", "cjs", "json", "yml", "yaml")))


def without_helpers(evidence: Evidence) -> dict[str, Known]:
    """Return what is known of each class's tests, without files that hold none.

    Files are looked into only where a run named some of them.
    """
    named: dict[str, list[str]] = {}
    for seen in evidence.every_seen():
        if seen.what is not None and seen.what.kind == "leaf" and positionals(seen.what):
            named.setdefault(seen.what.command_class, []).append(" ".join(seen.span.argv))
    return {
        name: _without(evidence.root, known, named[name]) if name in named else known
        for name, known in evidence.known.items()
    }


def _without(root: str, known: Known, lines: list[str]) -> Known:
    doubtful = [path for path in known.files if _is_doubtful(path)]
    if not doubtful or len(known.files) > MOST_FILES:
        return known
    texts = {path: text_of(root, path) or "" for path in known.files}
    told = [*lines, *(text_of(root, name) or "" for name in _SETTINGS)]
    loaded = " ".join(found[1] for text in told for found in _LOADS.finditer(text))
    helpers = {path for path in doubtful if _is_helper(path, texts, loaded)}
    files = tuple(path for path in known.files if path not in helpers)
    return msgspec.structs.replace(known, files=files) if files else known


def _is_doubtful(path: str) -> bool:
    found = _SCRIPT.search(path)
    return found is not None and not _NAMED.search(found["stem"])


def _is_helper(path: str, texts: dict[str, str], loaded: str) -> bool:
    text = without_comments(path, texts[path])
    if not text.strip() or _TESTS.search(text):
        return False
    stem = re.escape(_SCRIPT.sub(r"\g<stem>", path))
    if _FOLDER.search(path) or re.search(rf"(?<![\w.-]){stem}(?![\w-])", loaded):
        return True
    if _CHECKS.search(text) and not _EXPORTS.search(text):
        return False
    return _is_spoken_of(path, (other for name, other in texts.items() if name != path))


def _is_spoken_of(path: str, texts: Iterable[str]) -> bool:
    """Return whether a string in another file ends in the file's name."""
    found = _SCRIPT.search(path)
    assert found is not None  # noqa: S101 - doubtful files have such a name
    name = re.compile(rf"[/\"'`]{re.escape(found['stem'])}(?:\.[cm]?[jt]s)?[\"'`]")
    return any(name.search(text) for text in texts)
