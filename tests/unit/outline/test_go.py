import pytest

from proctor.outline.base import Check, Outline, Strength, Test
from proctor.outline.read import deciding, outline


def read(text: str) -> Outline:
    return outline("a_test.go", f"package a\n\n{text}\n")


def only(body: str) -> Test:
    (test,) = read(f"func TestA(t *testing.T) {{\n{body}\n}}").tests
    return test


def checks(body: str) -> list[Check]:
    return list(only(body).checks)


@pytest.mark.parametrize(
    ("body", "strength"),
    [
        ('if got != 3 { t.Errorf("x") }', Strength.EXACT),
        ("if got := F(); got != 3 { t.Fatal() }", Strength.EXACT),
        ("if !reflect.DeepEqual(a, b) { t.Fatal() }", Strength.EXACT),
        ("assert.Equal(t, 3, F())", Strength.EXACT),
        ("require.NoError(t, err)", Strength.EXACT),
        ("require.True(t, F() == 3)", Strength.EXACT),
        ('panic("no")', Strength.EXACT),
        ("assert.InDelta(t, 3, F(), 0.1)", Strength.CLOSE),
        ('if !strings.Contains(a, "x") { t.Fatal() }', Strength.PARTIAL),
        ("if got < 3 { t.Fatal() }", Strength.PARTIAL),
        ("if got != 3 && x { t.Fatal() }", Strength.PRESENT),
        ("if len(got) != 3 { t.Fatal() }", Strength.PARTIAL),
        ("assert.Contains(t, a, b)", Strength.PARTIAL),
        ("assert.True(t, F() > 3)", Strength.PARTIAL),
        ("if got == nil { t.Fatal() }", Strength.PRESENT),
        ("if (!ok) { t.Fatal() }", Strength.PRESENT),
        ("assert.NotNil(t, F())", Strength.PRESENT),
        ("assert.True(t, F())", Strength.PRESENT),
        ("if false { t.Fatal() }", Strength.NOTHING),
        ("if got != got { t.Fatal() }", Strength.NOTHING),
        ("if 1 != 2 { t.Fatal() }", Strength.NOTHING),
        ("assert.Equal(t, 1, 1)", Strength.NOTHING),
        ("assert.Equal(t, a, a)", Strength.NOTHING),
    ],
)
def test_a_check_is_as_strong_as_what_it_pins_down(body: str, strength: Strength) -> None:
    assert [one.strength for one in checks(body)] == [strength]


def test_parts_joined_by_or_are_checks_of_their_own() -> None:
    assert len(checks("if a != 1 || b != 2 || c { t.Fatal() }")) == 3


def test_a_branch_and_what_stands_in_it() -> None:
    (found,) = checks("if a { if b != 1 { t.Fatal() } }")
    assert found.guard == "in a branch"
    assert len(checks("if a != 1 { t.Fatal() } else if b != 1 { t.Fatal() }")) == 2
    assert checks('if a != 1 { t.Log("x") }') == []


def test_the_cases_of_a_table_are_counted() -> None:
    loop = "for _, tt := range tests { if F(tt) != 1 { t.Fatal() } }"
    assert only("tests := []struct{a int}{{1}, {2}, /* x */ {3}}\n" + loop).cases == 3
    assert only("var tests = map[string]int{}\n" + loop).cases == 1
    assert only("tests := load()\n" + loop).cases == 1


@pytest.mark.parametrize("call", ["t.Skip()", 't.Skipf("x")', "b.SkipNow()"])
def test_what_skips_a_test_is_named(call: str) -> None:
    assert only(call).skipped
    assert not only(f"if testing.Short() {{ {call} }}").skipped


def test_a_build_constraint_skips_the_file() -> None:
    text = "//go:build never\n\npackage a\n\nfunc TestA(t *testing.T) {}\n"
    assert outline("a_test.go", text).skipped == "//go:build never"
    assert read("func TestA(t *testing.T) {}").tests[0].empty
    assert read("func TestA(t *testing.T) {\n// nothing\n}").tests[0].empty


def test_helpers_are_no_tests_and_main_is_neither() -> None:
    text = (
        "func same(t *testing.T) { if a != 1 { t.Fatal() } }\n"
        "func (s *S) same(t *testing.T) { t.Fatal() }\n"
        "func Testing() {}\nfunc TestMain(m *testing.M) {}\n"
    )
    assert [(test.name, test.is_test) for test in read(text).tests] == [
        ("same", False),
        ("same", False),
    ]


def test_the_deciding_part_is_main_with_what_it_calls() -> None:
    text = "package a\nfunc TestMain(m *testing.M) { done() }\nfunc done() {}\nfunc TestA(t *testing.T) {}\n"
    assert set(deciding("a_test.go", text) or ()) == {"TestMain", "done"}


@pytest.mark.parametrize(
    "text",
    [
        "func TestA(t *testing.T) { if ",
        "func TestA(t *testing.T) { if " + "(" * 2000 + "x" + ")" * 2000 + " { t.Fatal() } }",
        "func TestA(t *testing.T) { if "
        + " && ".join("x" for _ in range(2000))
        + " { t.Fatal() } }",
        "func TestA(t *testing.T) {" + "{" * 3000 + "t.Fatal()" + "}" * 3000 + "}",
        "func TestA()\nfunc",
        "func TestA(t *testing.T) { require.True(); assert.Equal(t) }",
    ],
)
def test_broken_and_boundless_source_is_read_all_the_same(text: str) -> None:
    assert isinstance(read(text), Outline)
