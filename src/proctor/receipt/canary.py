"""A test that must fail, in the words of a runner.

It is put beside a test that the run takes, under a name of the same form and with
nothing in it that says what it is for. A run that does not notice it reports what it
likes, whatever its other tests do.
"""

import os
import re
import secrets
from collections.abc import Callable, Sequence

import msgspec

_JEST = "test('{name}', () => {{\n  expect(1).toBe(2)\n}})\n"
_VITEST = (
    "import {{ expect, test }} from 'vitest'\n\ntest('{name}', () => {{\n  expect(1).toBe(2)\n}})\n"
)
_MOCHA = "it('{name}', () => {{\n  throw new Error('1 is not 2')\n}})\n"
_NODE_CALL = "test('{name}', () => {{\n  throw new Error('1 is not 2')\n}})\n"
_NODE_MODULE = "import test from 'node:test'\n\n" + _NODE_CALL
_NODE_SCRIPT = "const test = require('node:test')\n\n" + _NODE_CALL
_PYTHON = (
    "import unittest\n\n\nclass Test{name}(unittest.TestCase):\n    def test_{name}(self):\n"
    "        self.assertEqual(1, 2)\n"
)
_GO = (
    'package {package}\n\nimport "testing"\n\nfunc TestX{name}(t *testing.T) {{\n'
    "\tif 1 != 2 {{\n\t\tt.Error(1)\n\t}}\n}}\n"
)


class Canary(msgspec.Struct, frozen=True, kw_only=True):
    """A file that was added."""

    path: str
    """Relative to the root."""
    name: str
    """What its test's id holds."""


def _node(model: str, text: str) -> str:
    is_module = model.endswith(("mjs", "mts")) or re.search(r"(?m)^\s*import\b", text)
    return _NODE_MODULE if is_module and not model.endswith(("cjs", "cts")) else _NODE_SCRIPT


def _go(model: str, text: str) -> str:
    del model
    package = re.search(r"(?m)^package\s+(\w+)", text)
    return _GO.replace("{package}", package[1] if package else "main")


_FAMILIES: dict[str, Callable[[str, str], str]] = {
    "pytest": lambda *_: _PYTHON,
    "unittest": lambda *_: _PYTHON,
    "node --test": _node,
    "jest": lambda *_: _JEST,
    "vitest": lambda *_: _VITEST,
    "mocha": lambda *_: _MOCHA,
    "go test": _go,
}
"""Command class → the text of a failing test, given a test beside it."""
KNOWN = tuple(_FAMILIES)


def add_canary(root: str, command_class: str, models: Sequence[str]) -> Canary | None:
    """Add a failing test to the project at `root` and return it.

    `models` are test files of the same runner that the run takes; none without one, or
    where the runner's words are not known.
    """
    family = _FAMILIES.get(command_class)
    if family is None or not models:
        return None
    model = min(models, key=lambda path: (path.count("/"), path))
    name = secrets.token_hex(4).replace("0", "a")
    path = os.path.join(os.path.dirname(model), _like(os.path.basename(model), name))
    with open(os.path.join(root, model), encoding="utf-8", errors="replace") as file:
        text = family(model, file.read()).format(name=name)
    with open(os.path.join(root, path), "x", encoding="utf-8") as file:
        file.write(text)
    return Canary(path=path, name=name)


def _like(base: str, name: str) -> str:
    """Return a file name of the same form as a test's, with another word in it."""
    stem, dot, rest = base.partition(".")
    own = f"x{name}"
    for mark in ("test_", "test-"):
        if stem.startswith(mark):
            return f"{mark}{own}{dot}{rest}"
    for mark in ("_test", "-test", "_spec"):
        if stem.endswith(mark):
            return f"{own}{mark}{dot}{rest}"
    return f"{own}{dot}{rest}"
