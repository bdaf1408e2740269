import pytest

from proctor.outline.base import Check, Outline, Strength, Test
from proctor.outline.read import outline


def read(text: str, path: str = "a.test.ts") -> Outline:
    return outline(path, text)


def only(text: str, path: str = "a.test.ts") -> Test:
    (test,) = read(text, path).tests
    return test


def check(statement: str) -> Check:
    (found,) = only(f"test('a', async () => {{ {statement} }})").checks
    return found


@pytest.mark.parametrize(
    ("statement", "strength"),
    [
        ("expect(f(x)).toBe(3)", Strength.EXACT),
        ("expect(await f(x)).toStrictEqual({a: 1})", Strength.EXACT),
        ("expect(f(x)).to.equal(3)", Strength.EXACT),
        ("expect(f(x)).to.be.true", Strength.EXACT),
        ("expect(f(x)).not.toBeTruthy()", Strength.EXACT),
        ("expect(() => f()).toThrow('no')", Strength.EXACT),
        ("assert.strictEqual(f(x), 3)", Strength.EXACT),
        ("assert.ok(f(x) === 3)", Strength.EXACT),
        ("assert(f(x) === 3 && y)", Strength.EXACT),
        ("assert.fail()", Strength.EXACT),
        ("t.deepEqual(f(x), 3)", Strength.EXACT),
        ("expectRows(f(x))", Strength.EXACT),
        ("expect(f(x)).toBeCloseTo(3)", Strength.CLOSE),
        ("expect(() => f()).toThrow(TypeError)", Strength.CLOSE),
        ("assert.throws(() => f(), TypeError)", Strength.CLOSE),
        ("expect(f(x)).toContain(3)", Strength.PARTIAL),
        ("expect(f(x)).toEqual(expect.objectContaining({a: 1}))", Strength.PARTIAL),
        ("assert.ok(f(x) > 3)", Strength.PARTIAL),
        ("assert.ok(f(x) === 3 || f(x) === 4)", Strength.PARTIAL),
        ("expect(f(x)).toBeTruthy()", Strength.PRESENT),
        ("expect(f(x)).not.toBe(3)", Strength.PRESENT),
        ("expect(f(x)).toHaveBeenCalled().and(y)(z)", Strength.EXACT),
        ("expect(f(x)).to.be.ok", Strength.PRESENT),
        ("expect(f(x)).toEqual(expect.anything())", Strength.PRESENT),
        ("expect(() => f()).toThrow()", Strength.PRESENT),
        ("expect(() => f()).toThrow(Error)", Strength.PRESENT),
        ("assert.ok((f(x)))", Strength.PRESENT),
        ("assert.ok(f(x) !== 3)", Strength.PRESENT),
        ("assert.throws(() => f())", Strength.PRESENT),
        ("t.truthy(f(x))", Strength.PRESENT),
        ("expect(true).toBe(true)", Strength.NOTHING),
        ("expect(x).toBe(x)", Strength.NOTHING),
        ("assert.ok(true)", Strength.NOTHING),
        ("assert.ok(x === x)", Strength.NOTHING),
        ("assert.equal(x, x)", Strength.NOTHING),
        ("assert.equal(1, 1)", Strength.NOTHING),
    ],
)
def test_a_check_is_as_strong_as_what_it_pins_down(statement: str, strength: Strength) -> None:
    assert check(statement).strength is strength


@pytest.mark.parametrize(
    "statement", ["expect(x)", "t.plan(1)", "log(x)", "t.not(x)", "a.b.c", "(() => 1)()"]
)
def test_other_calls_check_nothing(statement: str) -> None:
    assert only(f"test('a', () => {{ {statement} }})").checks == ()


def test_digits_are_a_tolerance() -> None:
    assert check("expect(x).toBeCloseTo(3, 5)").tolerance == pytest.approx(1e-5)
    assert check("expect(x).toBeCloseTo(3)").tolerance == pytest.approx(1e-2)


@pytest.mark.parametrize(
    "text",
    [
        "it.skip('a', () => { expect(x).toBe(1) })",
        "xit('a', () => { expect(x).toBe(1) })",
        "describe.skip('b', () => { it('a', () => { expect(x).toBe(1) }) })",
        "xdescribe('b', () => { it('a', () => { expect(x).toBe(1) }) })",
        "test('a', {skip: true}, () => { expect(x).toBe(1) })",
        "test.todo('a')",
        "test.failing('a', () => { expect(x).toBe(1) })",
        "it('a', function () { this.skip(); expect(x).toBe(1) })",
        "test('a', (t) => { t.skip(); expect(x).toBe(1) })",
    ],
)
def test_what_skips_a_test_is_named(text: str) -> None:
    assert only(text).skipped


def test_an_option_that_skips_nothing_is_no_skip() -> None:
    assert not only("test('a', {skip: false}, () => { expect(x).toBe(1) })").skipped


@pytest.mark.parametrize(
    "text", ["it.only('a', () => {})", "fit('a', () => {})", "fdescribe('a', () => {})"]
)
def test_what_leaves_all_others_out_is_named(text: str) -> None:
    assert read(text).focused


@pytest.mark.parametrize(
    ("text", "cases"),
    [
        ("it.each([[1, 2], [3, 4], /* x */])('a', () => {})", 2),
        ("it.each(table)('a', () => {})", None),
        ("it.each([...table])('a', () => {})", None),
        ("it.each()('a', () => {})", None),
        ("describe.each([1, 2])('b', () => { it('a', () => {}) })", 2),
        ("it.each`\na | b\n${1} | ${2}\n${3} | ${4}\n`('a', () => {})", 2),
        ("it('a', () => {})", 1),
    ],
)
def test_the_cases_of_a_table_are_counted(text: str, cases: int | None) -> None:
    assert only(text).cases == cases


@pytest.mark.parametrize(
    ("block", "guard", "weight"),
    [
        ("try { expect(x).toBe(1) } catch (e) { log(e) }", "in a `try` that swallows it", 1),
        ("try { expect(x).toBe(1) } catch (e) { throw e }", "", 1),
        ("try { expect(x).toBe(1) } finally { f() }", "", 1),
        ("if (y) { expect(x).toBe(1) }", "in a branch", 1),
        ("return; expect(x).toBe(1)", "after a return", 1),
        ("for (const n of [1, 2]) { expect(n).toBe(x) }", "", 2),
        ("for (let n = 0; n < y; n++) { expect(n).toBe(x) }", "", 1),
    ],
)
def test_what_stands_around_a_check_is_said(block: str, guard: str, weight: int) -> None:
    found = check(block)
    assert (found.guard, found.weight) == (guard, weight)


def test_tests_are_named_with_their_suites() -> None:
    test = only("describe('b', () => { describe('c', () => { it('a', () => { /* x */ }) }) })")
    assert (test.name, test.empty) == ("b > c > a", True)


def test_a_function_that_checks_for_tests_is_kept_as_such() -> None:
    text = "function same(x) { expect(x).toBe(1) }\nfunction other() {}\n"
    assert [(test.name, test.is_test) for test in read(text).tests] == [("same", False)]


def test_calls_that_declare_nothing_are_passed_over() -> None:
    assert (
        read("it()\ntest('a')\na.b.test('x', () => {})\nit`x`\nf().g.h.it('a', () => {})").tests
        == ()
    )


@pytest.mark.parametrize("path", ["a.test.js", "a.test.tsx", "a.spec.mts", "a.test.cjs"])
def test_every_kind_of_file_is_read_by_its_grammar(path: str) -> None:
    assert only("it('a', () => { expect(x).toBe(1) })", path).checks[0].strength is Strength.EXACT


@pytest.mark.parametrize(
    "text",
    [
        "it('a', () => { expect(",
        "describe('a', () => {" * 200 + "it('a', () => {})" + "})" * 200,
        "it('a', () => { assert.ok(" + "(" * 3000 + "x" + ")" * 3000 + ") })",
        "it('a', () => { assert.ok(" + " || ".join("x" for _ in range(2000)) + ") })",
        "it('a', () => {" + "{" * 3000 + "expect(x).toBe(1)" + "}" * 3000 + "})",
        "expect().toBe(); assert(); assert.ok()",
    ],
)
def test_broken_and_boundless_source_is_read_all_the_same(text: str) -> None:
    assert isinstance(read(text), Outline)
