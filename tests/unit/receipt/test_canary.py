"""A test that must fail, in each runner's words and under a name like the others'."""

from pathlib import Path

import pytest

from proctor.receipt.canary import KNOWN, add_canary


@pytest.mark.parametrize(
    ("command_class", "model", "text", "name", "holds"),
    [
        ("pytest", "tests/test_a.py", "", r"tests/test_x{}.py", "class Test{}(unittest.TestCase)"),
        ("unittest", "a_test.py", "", "x{}_test.py", "assertEqual(1, 2)"),
        ("node --test", "a.test.js", "const t = require('node:test')", "x{}.test.js", "require('node:test')"),
        ("node --test", "a.test.js", "import t from 'node:test'", "x{}.test.js", "import test from"),
        ("node --test", "test-a.mjs", "", "test-x{}.mjs", "import test from"),
        ("node --test", "a.test.cjs", "import x", "x{}.test.cjs", "require('node:test')"),
        ("jest", "src/a.spec.ts", "", "src/x{}.spec.ts", "expect(1).toBe(2)"),
        ("vitest", "a.test.ts", "", "x{}.test.ts", "from 'vitest'"),
        ("mocha", "test/a.js", "", "test/x{}.js", "throw new Error"),
        ("go test", "p/a_test.go", "// x\npackage p_test\n", "p/x{}_test.go", "package p_test\n"),
        ("go test", "a_test.go", "", "x{}_test.go", "package main"),
    ],
)  # fmt: skip
def test_it_reads_like_the_test_beside_it(
    tmp_path: Path, command_class: str, model: str, text: str, name: str, holds: str
) -> None:
    path = tmp_path / model
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    canary = add_canary(str(tmp_path), command_class, [f"deep/er/{model}", model])
    assert canary is not None
    assert canary.path == name.format(canary.name)
    written = (tmp_path / canary.path).read_text()
    assert holds.format(canary.name) in written
    assert canary.name in written
    assert not {"proctor", "canary"} & set(written.lower().split())


def test_without_a_model_or_the_runners_words_there_is_none(tmp_path: Path) -> None:
    assert add_canary(str(tmp_path), "pytest", []) is None
    assert add_canary(str(tmp_path), "rspec", ["a_spec.rb"]) is None
    assert set(KNOWN) >= {"pytest", "unittest", "node --test", "jest", "vitest", "mocha", "go test"}
