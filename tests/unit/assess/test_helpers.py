"""Which files in folders of tests are no tests themselves."""

from pathlib import Path

import msgspec
import pytest

from proctor.assess.helpers import without_helpers
from proctor.classify.base import Classification
from proctor.gate.evidence import Evidence, Known, LogFacts, Run, Seen
from proctor.records.span import Span
from tests.records import make_record

MAIN = "const test = require('node:test')\nconst two = require('./two')\ntest('a', () => {})\n"
SPAWNS = "test('a', () => spawn(process.execPath, [join(here, 'child.mjs')]))\n"


def known(root: Path, texts: dict[str, str], *selectors: str) -> set[str]:
    """Return the test files that are known in a folder of `texts`, where some were selected."""
    for path, text in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    span = msgspec.convert(make_record(argv=["node", "--test", *selectors]), Span)
    what = Classification(span.argv, "node --test", "test", "leaf")
    what.selectors = selectors
    evidence = Evidence(
        logs=(LogFacts(path="log"),),
        runs=(Run(run_id="r", seen=(Seen(span=span, what=what),)),),
        root=str(root),
        known={"node --test": Known(files=tuple(texts))},
    )
    return set(without_helpers(evidence)["node --test"].files)


@pytest.mark.parametrize(
    ("main", "path", "text"),
    [
        (MAIN, "test/two.js", "exports.two = 2\n"),
        (MAIN, "test/two.ts", "// test('a')\nexport const two = assert.equal\n"),
        (SPAWNS, "test/child.mjs", "process.exit(3)\n"),
        (SPAWNS, "test/fixtures/red.js", "process.exit(3)\n"),
        (SPAWNS, "test/unit/helpers/checks.js", "module.exports = (a) => assert.ok(a)\n"),
    ],
)
def test_a_helper_or_fixture_is_no_test(tmp_path: Path, main: str, path: str, text: str) -> None:
    texts = {"test/main.test.js": main, path: text}
    assert known(tmp_path, texts, "test/main.test.js") == {"test/main.test.js"}


@pytest.mark.parametrize(
    ("place", "text"),
    [
        (".mocharc.json", '{"require": ["ts-node/register", "./test/setup.js"]}'),
        (".mocharc.yml", "require:\n  - chai\n  - test/setup\n"),
        ("package.json", '{"scripts": {"test": "mocha -r test/setup test/*.test.js"}}'),
    ],
)
def test_what_is_loaded_before_the_tests_is_none(tmp_path: Path, place: str, text: str) -> None:
    (tmp_path / place).write_text(text)
    setup = "global.expect = require('chai').expect\n"
    texts = {"test/main.test.js": MAIN, "test/setup.js": setup, "test/setup-b.js": setup}
    assert known(tmp_path, texts, "test/main.test.js") == texts.keys() - {"test/setup.js"}
    texts = {"test/main.test.js": MAIN, "test/other.js": setup}
    found = known(tmp_path, texts, "--require=./test/other.js", "test/main.test.js")
    assert found == {"test/main.test.js"}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("test/two.js", "require('node:test')('two', () => {})\n"),
        ("test/two.js", "it('is two', () => {})\n"),
        ("test/two.js", "assert.equal(1 + 1, 2)\n"),
        ("test/two.test.js", "exports.two = 2\n"),
        ("test/three.js", "run(cases)\n"),
        ("test/fixtures/three.js", "describe.skip('three', () => {})\n"),
        ("test/two.js", ""),
    ],
)
def test_what_may_be_a_test_stays_one(tmp_path: Path, path: str, text: str) -> None:
    texts = {"test/main.test.js": MAIN, path: text}
    assert known(tmp_path, texts, "test/main.test.js") == set(texts)


def test_without_a_selection_no_file_is_looked_into(tmp_path: Path) -> None:
    texts = {"test/main.test.js": MAIN, "test/two.js": "exports.two = 2\n"}
    assert known(tmp_path, texts) == set(texts)
