import pytest

from proctor.outline.base import Check, Outline, Strength, Test
from proctor.outline.read import outline


def read(text: str) -> Outline:
    return outline("tests/test_a.py", text)


def only(text: str) -> Test:
    (test,) = read(text).tests
    return test


def check(statement: str) -> Check:
    (found,) = only(f"def test_a():\n    {statement}\n").checks
    return found


@pytest.mark.parametrize(
    ("statement", "strength"),
    [
        ("assert f(x) == 3", Strength.EXACT),
        ("assert f(x) is None", Strength.EXACT),
        ("assert x.equals(y)", Strength.EXACT),
        ("self.assertEqual(f(x), 3)", Strength.EXACT),
        ("self.assertTrue(f(x) == 3)", Strength.EXACT),
        ("assert_frame_equal(a, b)", Strength.EXACT),
        ("m.assert_called_once_with(1)", Strength.EXACT),
        ("self.fail('no')", Strength.EXACT),
        ("await check(x)", Strength.EXACT),
        ("assert f(x) == pytest.approx(3)", Strength.CLOSE),
        ("assert math.isclose(f(x), 3)", Strength.CLOSE),
        ("self.assertAlmostEqual(f(x), 3)", Strength.CLOSE),
        ("assert 3 in f(x)", Strength.PARTIAL),
        ("assert f(x) > 3", Strength.PARTIAL),
        ("assert len(f(x)) == 3", Strength.PARTIAL),
        ("assert f(x).startswith('a')", Strength.PARTIAL),
        ("assert (f(x) == 3 or f(x) == 4)", Strength.PARTIAL),
        ("self.assertIn(3, f(x))", Strength.PARTIAL),
        ("assert f(x)", Strength.PRESENT),
        ("assert not f(x)", Strength.PRESENT),
        ("assert f(x) != 3", Strength.PRESENT),
        ("assert f(x) is not None", Strength.PRESENT),
        ("assert isinstance(f(x), int)", Strength.PRESENT),
        ("self.assertIsNotNone(f(x))", Strength.PRESENT),
        ("assert x or (y and z)", Strength.PRESENT),
        ("assert True", Strength.NOTHING),
        ("assert not False", Strength.NOTHING),
        ("assert 1 == 1", Strength.NOTHING),
        ("assert f(x) == f(x)", Strength.NOTHING),
        ("assert f(x) == 3 or True", Strength.NOTHING),
        ("assert (f(x) == 3, 'three')", Strength.NOTHING),
        ("assert lambda: f(x)", Strength.NOTHING),
        ("self.assertEqual(f(x), f(x))", Strength.NOTHING),
        ("self.assertEqual(3, 3)", Strength.NOTHING),
    ],
)
def test_a_check_is_as_strong_as_what_it_pins_down(statement: str, strength: Strength) -> None:
    assert check(statement).strength is strength


def test_parts_joined_by_and_are_checks_of_their_own() -> None:
    test = only("def test_a():\n    assert a == 1 and (b == 2 and c)\n")
    assert [one.text for one in test.checks] == ["a == 1", "b == 2", "c"]


@pytest.mark.parametrize(
    ("call", "strength"),
    [
        ("pytest.raises(ValueError, match='x')", Strength.EXACT),
        ("pytest.raises(ValueError)", Strength.CLOSE),
        ("pytest.raises(Exception, match='x')", Strength.PARTIAL),
        ("pytest.raises(Exception)", Strength.PRESENT),
        ("self.assertRaises((ValueError, Exception))", Strength.PRESENT),
    ],
)
def test_an_expected_exception_is_as_strong_as_it_is_narrow(call: str, strength: Strength) -> None:
    found = check(f"with {call}:\n        f(x)")
    assert found.strength is strength
    assert {"f", "x"} <= found.names
    assert check(call).strength is strength


@pytest.mark.parametrize(
    ("statement", "tolerance"),
    [
        ("assert x == pytest.approx(1, rel=0.1)", 0.1),
        ("self.assertAlmostEqual(x, 1, places=2)", 0.01),
        ("assert x == pytest.approx(1)", 1e-6),
        ("assert x == pytest.approx(1, abs=1e-)", 1e-6),
    ],
)
def test_a_tolerance_is_read(statement: str, tolerance: float) -> None:
    assert check(statement).tolerance == pytest.approx(tolerance)


@pytest.mark.parametrize(
    ("block", "guard"),
    [
        (
            "try:\n        assert x\n    except Exception:\n        pass",
            "in a `try` that swallows it",
        ),
        ("try:\n        assert x\n    except:\n        log()", "in a `try` that swallows it"),
        ("try:\n        assert x\n    except AssertionError:\n        raise", ""),
        ("try:\n        assert x\n    except Exception:\n        pytest.fail()", ""),
        ("try:\n        assert x\n    except KeyError:\n        pass", ""),
        ("try:\n        f()\n    finally:\n        assert x", ""),
        ("with suppress(Exception):\n        assert x", "below `suppress`"),
        ("with f() as x:\n        assert x", ""),
        ("if y:\n        assert x", "in a branch"),
        ("if y:\n        f()\n    elif z:\n        assert x", "in a branch"),
        ("match y:\n        case 1:\n            assert x", "in a branch"),
        ("return\n    assert x", "after a return"),
        ("def inner():\n        assert x", ""),
    ],
)
def test_what_keeps_a_check_from_failing_the_test_is_said(block: str, guard: str) -> None:
    assert only(f"def test_a():\n    {block}\n").checks[0].guard == guard


def test_a_loop_over_a_list_asks_as_often_as_the_list_is_long() -> None:
    assert check("for n in [1, 2, 3]:\n        assert f(n)").weight == 3
    assert check("for n in names:\n        assert f(n)").weight == 1
    assert check("while n:\n        assert f(n)").weight == 1


@pytest.mark.parametrize(
    ("table", "cases"),
    [
        ("@pytest.mark.parametrize('x', [1, 2, 3])\n", 3),
        ("@pytest.mark.parametrize('x', argvalues=(1, 2))\n", 2),
        ("@pytest.mark.parametrize('x', [1, 2])\n@pytest.mark.parametrize('y', [1, 2])\n", 4),
        ("@pytest.mark.parametrize('x', CASES)\n", 2),
        ("@pytest.mark.parametrize('x', cases())\n", None),
        ("@pytest.mark.parametrize('x', [*CASES, 1])\n", None),
        ("@pytest.mark.parametrize('x', [1, pytest.param(2, marks=pytest.mark.skip)])\n", 1),
        ("@parameterized.expand([1, 2])\n", 2),
        ("@pytest.mark.parametrize\n", None),
        ("@pytest.mark.usefixtures('a')\n", 1),
    ],
)
def test_the_cases_of_a_table_are_counted(table: str, cases: int | None) -> None:
    assert only(f"CASES = [1, 2]  # two\n\n{table}def test_a(x):\n    assert x\n").cases == cases


@pytest.mark.parametrize(
    "text",
    [
        "@pytest.mark.skip\ndef test_a():\n    assert x\n",
        "@pytest.mark.skipif(x, reason='y')\ndef test_a():\n    assert x\n",
        "@unittest.expectedFailure\ndef test_a():\n    assert x\n",
        "def test_a():\n    pytest.skip('no')\n    assert x\n",
        "def test_a():\n    raise unittest.SkipTest\n",
        "@unittest.skip('x')\nclass A:\n    def test_a(self):\n        assert x\n",
        "class A:\n    pytestmark = pytest.mark.xfail\n    def test_a(self):\n        assert x\n",
    ],
)
def test_what_skips_a_test_is_named(text: str) -> None:
    assert only(text).skipped


def test_a_skip_in_a_branch_is_no_skip() -> None:
    assert not only("def test_a():\n    if x:\n        pytest.skip('no')\n    assert x\n").skipped


@pytest.mark.parametrize(
    "text",
    [
        "pytestmark = pytest.mark.skip\n",
        "__test__ = False\n",
        "pytest.skip('x', allow_module_level=True)\n",
        "if x:\n    pytest.skip('x', allow_module_level=True)\n",
        "try:\n    import x\nexcept ImportError:\n    raise SkipTest\n",
        "raise unittest.SkipTest\n",
    ],
)
def test_what_skips_a_whole_file_is_named(text: str) -> None:
    assert read(f"import a\n{text}\ndef test_a():\n    assert x\n").skipped


def test_other_marks_skip_nothing() -> None:
    assert not read("pytestmark = pytest.mark.slow\n").skipped
    assert not read("raise ValueError\n").skipped


def test_tests_are_named_with_their_classes() -> None:
    text = "class A:\n    class B:\n        def test_a(self):\n            ...\n"
    test = only(text)
    assert (test.name, test.short, test.empty, test.line) == ("A > B > test_a", "test_a", True, 3)


def test_a_function_that_checks_for_tests_is_kept_as_such() -> None:
    tests = read("def same(x):\n    assert x == 1\n\ndef helper():\n    pass\n").tests
    assert [(test.name, test.is_test) for test in tests] == [("same", False)]


@pytest.mark.parametrize(
    "text",
    [
        "def test_a(:\n    assert ((\n",
        "assert\n",
        "def test_a():\n"
        + "".join(f"{' ' * n}if x:\n" for n in range(4, 200))
        + " " * 200
        + "assert x\n",
        "def test_a():\n    assert " + "not " * 5000 + "x\n",
        "def test_a():\n    assert " + "(" * 3000 + "x" + ")" * 3000 + "\n",
        "def test_a():\n    assert x == " + " or ".join("y" for _ in range(3000)) + "\n",
        "class A:\n"
        + "".join(f"{' ' * n}class B:\n" for n in range(1, 150))
        + " " * 151
        + "x = 1\n",
        "\0\ufffd\n@\n",
        "@pytest.mark.parametrize('x', )\ndef test_a():\n    raise\n    with: pass\n    try: assert x\n",
    ],
)
def test_broken_and_boundless_source_is_read_all_the_same(text: str) -> None:
    assert isinstance(read(text), Outline)


def test_a_file_beyond_the_limit_is_read_by_lines() -> None:
    text = "def test_a():\n    assert x == 1\n" + "#" * (1 << 20) + "\n"
    assert only(text).checks[0].strength is Strength.EXACT
