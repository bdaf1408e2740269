"""What carries a lost test on, and what explains its going."""

from proctor.gate.carried import Carried
from proctor.gate.evidence import Change

PATH = "tests/test_a.py"


def change(old: str | None, new: str | None, path: str = PATH) -> Change:
    return Change(path=path, old_path=path if old is not None else None, old_text=old, new_text=new)


def carried(*changes: Change, before: list[str], now: list[str]) -> Carried:
    return Carried(changes, dict.fromkeys(before, "passed"), now)


def test_a_name_in_another_file_with_half_its_words_carries_a_test_on() -> None:
    old = "def test_x():\n    assert f(1, 2) == g(3)\n"
    for body, expected in (("f(1, 2) == h(4)", True), ("True", False)):
        new = f"def test_x():\n    assert {body}\n"
        found = carried(
            change(old, None), change(None, new, "tests/test_b.py"),
            before=[f"{PATH}::test_x"], now=["tests/test_b.py::test_x"],
        )  # fmt: skip
        assert found.goes_on(f"{PATH}::test_x") is expected


def test_an_unchanged_test_carries_nothing_on() -> None:
    old = "def test_x():\n    f(1)\n\ndef test_y():\n    f(1)\n"
    found = carried(
        change(old, "def test_y():\n    f(1)\n"),
        before=[f"{PATH}::test_x", f"{PATH}::test_y"],
        now=[f"{PATH}::test_y"],
    )
    assert not found.goes_on(f"{PATH}::test_x")


def test_a_test_that_takes_over_a_name_must_keep_its_own_words() -> None:
    old = "def test_x():\n    f(1)\n\ndef test_y():\n    g(2)\n"
    ids = [f"{PATH}::test_x", f"{PATH}::test_y"]
    for body, expected in (("f(1)", False), ("f(1); g(2)", True)):
        found = carried(
            change(old, f"def test_y():\n    {body}\n"), before=ids, now=[f"{PATH}::test_y"]
        )
        assert found.goes_on(ids[0]) is expected


def test_a_test_of_another_language_is_followed_by_its_name() -> None:
    found = carried(before=["a.test.js::adds"], now=["b.test.js::adds"])
    assert found.goes_on("a.test.js::adds")
    assert not found.goes_on("a.test.js::subtracts")


def test_a_python_file_that_is_still_there_carries_nothing_on() -> None:
    found = carried(before=[f"{PATH}::test_x"], now=["tests/test_b.py::test_x"])
    assert not found.goes_on(f"{PATH}::test_x")


def test_a_file_of_inherited_tests_goes_with_its_module() -> None:
    found = carried(
        change("class TestX(Base): pass\n", None),
        change("def f(): pass\n", None, "src/a.py"),
        before=[],
        now=[],
    )
    assert found.explanation(f"{PATH}::TestX::test_inherited") == "a was removed"


def test_helpers_of_the_tests_explain_nothing() -> None:
    found = carried(
        change("def test_x():\n    helper(1)\n", ""),
        change("def helper(n): pass\n", None, "tests/helpers.py"),
        before=[],
        now=[],
    )
    assert found.explanation(f"{PATH}::test_x") == ""


def test_code_that_moved_explains_nothing() -> None:
    found = carried(
        change("def test_x():\n    f(1)\n", ""),
        change("def f(n): pass\n", None, "src/a.py"),
        change(None, "def f(n): pass\n", "src/b.py"),
        before=[],
        now=[],
    )
    assert found.explanation(f"{PATH}::test_x") == ""


def test_a_new_test_that_cannot_be_read_carries_no_known_one_on() -> None:
    found = carried(
        change("def test_x():\n    f(1)\n", ""),
        before=[f"{PATH}::test_x"],
        now=[f"{PATH}::TestBase::test_x"],
    )
    assert not found.goes_on(f"{PATH}::test_x")
