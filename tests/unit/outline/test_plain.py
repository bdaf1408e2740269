import sys

import pytest

from proctor.outline import plain
from proctor.outline.base import Outline, Strength
from proctor.outline.read import outline, without_comments

RUST = """
#[test]
fn adds() {
    assert_eq!(add(1, 2), 3);
}

#[test]
#[ignore]
fn subtracts() { assert!(sub(3, 1) == 2); }

fn helper() {
    println!("x");
}
"""


def read(path: str, text: str) -> Outline:
    return outline(path, text)


def test_each_test_has_its_annotations_and_its_checks() -> None:
    tests = read("src/lib.rs", RUST).tests
    assert [(test.name, test.is_test, test.skipped, len(test.checks)) for test in tests] == [
        ("adds", True, "", 1),
        ("subtracts", True, "#[ignore]", 1),
    ]


@pytest.mark.parametrize(
    ("line", "strength"),
    [
        ("expect(f(x)).to eq(3)", Strength.EXACT),
        ("assertEquals(3, f(x));", Strength.EXACT),
        ("assert_in_delta 3, f(x)", Strength.CLOSE),
        ("assertThat(f(x)).contains(3);", Strength.PARTIAL),
        ("assertNotNull(f(x));", Strength.PRESENT),
        ("assert!(x.is_some());", Strength.PRESENT),
        ("assertTrue(true);", Strength.NOTHING),
    ],
)
def test_a_line_is_as_strong_as_its_words(line: str, strength: Strength) -> None:
    (test,) = read("a_test.xyz", f"void testA() {{\n  {line}\n}}\n").tests
    assert [check.strength for check in test.checks] == [strength]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("ATest.java", "@Test\n@Disabled\nvoid testA() {\n  assertEquals(1, f());\n}\n"),
        ("a_spec.rb", "it 'adds' do\n  skip\n  expect(f).to eq 1\nend\n"),
        ("ATest.php", "function testA() {\n  $this->markTestSkipped();\n}\n"),
    ],
)
def test_what_skips_a_test_is_named(path: str, text: str) -> None:
    assert read(path, text).tests[0].skipped


def test_without_a_grammar_lines_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tree_sitter_python", None)
    text = "def test_without():\n    # no\n    assert f(1) == 2\n"
    (test,) = read("tests/test_w.py", text).tests
    assert [check.text for check in test.checks] == ["assert f(1) == 2"]
    assert without_comments("w.py", text) == "def test_without():\n\n    assert f(1) == 2\n"


def test_comments_go_and_lines_stay() -> None:
    assert without_comments("a.py", '"""D\nd"""\nx = "é"  # c\n') == '\n\nx = "é"  \n'
    assert without_comments("a.rs", "// a\nx /* b\nc */ y\n") == "\nx \n y\n"
    assert without_comments("a.ts", "#!/usr/bin/env node\nx // a\n") == "\nx \n"


@pytest.mark.parametrize(
    ("line", "skipped"),
    [
        ("pytestmark = pytest.mark.skipif(True, reason='x')", True),
        ("pytest.skip('later', allow_module_level=True)", True),
        ("__test__ = False", True),
        ("pytestmark = pytest.mark.slow", False),
        ("    pytest.skip('later')", False),
    ],
)
def test_a_line_may_skip_the_whole_file(line: str, *, skipped: bool) -> None:
    found = plain.read(f"import pytest\n{line}\n\ndef test_a():\n    assert f() == 1\n")
    assert bool(found.skipped) is skipped
    assert line.strip().startswith(found.skipped)


@pytest.mark.parametrize("check", ["assert f() == 1 or True", "assert(f() == 1 || true);"])
def test_a_check_that_is_always_true_asks_nothing(check: str) -> None:
    (test,) = plain.read(f"def test_a():\n    {check}\n").tests
    assert test.checks[0].strength is Strength.NOTHING


@pytest.mark.parametrize("head", ["xit", "xspecify"])
def test_a_test_that_is_set_aside_by_its_head_is_skipped(head: str) -> None:
    text = 'RSpec.describe("a") do\n  it("b") { expect(1).to eq 2 }\n  it("c") { expect(1).to eq 1 }\nend\n'
    tests = read("a_spec.rb", text.replace('it("b', f'{head}("b')).tests
    (found,) = [test for test in tests if test.name == "b"]
    assert found.is_test
    assert found.skipped
