"""Puts the tests and the harness of a base revision into a checkout.

Tests are the files that any known runner takes tests from, and everything in folders
of tests. The harness is what the runners' own files say decides which tests run and
how they are reported: it is restored where a part that decides differs.
"""

import json
import os
import re
import stat
from collections.abc import Iterator

import msgspec

from proctor import _family
from proctor.classify.base import Runner
from proctor.outline.parts import parts_of, pattern_of
from proctor.receipt.checkout import Checkout
from proctor.repo.history import object_place, tree_files
from proctor.repo.names import decides_tests
from proctor.repo.objects import read_blobs
from proctor.requirements import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    import pathspec

_TEST_FOLDER = re.compile(
    r"(?i)(^|/)(tests?|__tests__|specs?|testdata|test-data|fixtures|e2e|__snapshots__|golden)/"
)
_LARGEST = 64 << 20
_OWN_KEYS = ("scripts", "jest", "mocha", "ava", "vitest", "nyc", "c8")
"""Members of a package.json that are restored; what it depends on stays the patch's."""


class Restored(msgspec.Struct, frozen=True, kw_only=True):
    """A file that was put back to what it was at the base."""

    path: str
    what: str
    """restored, its scripts restored, or removed."""


class _Families:
    """What all known runners take tests and settings from."""

    def __init__(self) -> None:
        tests: list[str] = []
        self._harness: list[tuple[str, pathspec.GitIgnoreSpec]] = []
        for _, runner in _family.members("proctor.classify.runners", "RUNNER"):
            assert isinstance(runner, Runner)  # noqa: S101 - what the family's files bind
            tests += runner.test_files
            self._harness += [(spec, patterns([pattern_of(spec)])) for spec in runner.harness]
        self._tests = patterns(list(dict.fromkeys(tests)))

    def is_test(self, path: str) -> bool:
        """Return whether a file is a test, or lies in a folder of tests."""
        return _TEST_FOLDER.search(path) is not None or self._tests.match_file(path)

    def decides(self, path: str, old: str | None, new: str | None) -> bool:
        """Return whether a file is harness, and a part that decides differs."""
        specs = [spec for spec, pattern in self._harness if pattern.match_file(path)]
        if not specs:
            return decides_tests(os.fsencode(path))
        return any(_parts(path, old, spec) != _parts(path, new, spec) for spec in specs)


def restore(checkout: Checkout, root: str, base: str) -> list[Restored]:
    """Make tests and harness in a checkout those of the commit or tree `base`.

    `root` is a clone that has `base`. Each file that was changed is named.

    Raises:
        RepositoryError: an object is not here.
    """
    old, new = dict(tree_files(None, root, base)), checkout.blobs()
    differing = [path for path in sorted({*old, *new}) if old.get(path) != new.get(path)]
    wanted = [old[path] for path in differing if path in old]
    contents = read_blobs(object_place(root), wanted, limit=_LARGEST)
    families = _Families()
    done: list[Restored] = []
    for path in differing:
        target = os.path.join(checkout.root, path)
        before = contents.get(old.get(path, ""))
        now = _content(target)
        if path in old and before is None:
            continue  # a submodule, or larger than anything that is a test
        if families.is_test(path) or families.decides(path, _text(before), _text(now)):
            done.append(_put(target, path, before, now))
    return done


def _put(target: str, path: str, before: bytes | None, now: bytes | None) -> Restored:
    if before is None:
        os.unlink(target)
        return Restored(path=path, what="removed")
    merged = _merged(before, now) if os.path.basename(path) == "package.json" else None
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.islink(target):
        os.unlink(target)
    with open(target, "wb") as file:
        file.write(before if merged is None else merged)
    if now is None and before.startswith(b"#!"):
        os.chmod(target, 0o755)  # noqa: S103 - it was a program
    return Restored(path=path, what="restored" if merged is None else "its scripts restored")


def _merged(before: bytes, now: bytes | None) -> bytes | None:
    """Return a package.json with the base's scripts and settings of runners."""
    try:
        old, new = json.loads(before), json.loads(now or b"")
    except (ValueError, RecursionError):
        return None
    if not isinstance(old, dict) or not isinstance(new, dict):
        return None
    for key in _OWN_KEYS:
        new.pop(key, None)
        if key in old:
            new[key] = old[key]
    return json.dumps(new, indent=2).encode() + b"\n"


def _content(path: str) -> bytes | None:
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return None
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None


def _text(data: bytes | None) -> str | None:
    return None if data is None else data.decode("utf-8", "replace")


def _parts(path: str, text: str | None, spec: str) -> dict[str, str]:
    return {} if text is None else parts_of(path, text, spec)


def files_taken_by(command_class: str, files: list[str]) -> Iterator[str]:
    """Yield those of `files` that a command class takes tests from."""
    for _, runner in _family.members("proctor.classify.runners", "RUNNER"):
        assert isinstance(runner, Runner)  # noqa: S101 - what the family's files bind
        if runner.command_class == command_class and runner.test_files:
            yield from patterns(runner.test_files).match_files(files)
