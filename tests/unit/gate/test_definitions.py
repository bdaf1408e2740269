"""What a file defines, and what its tests are made of."""

import pytest

from proctor.gate.definitions import altered, definitions, is_test_side, names


def words(text: str, name: str = "test_a") -> set[str]:
    return set(definitions(text)[name].words)


def test_words_are_what_a_test_calls_and_compares() -> None:
    text = "def test_a(tmp_path):\n    'Text.'\n    got = app.f(1, 'x')\n    assert got is None\n"
    assert words(text) == {"app", "f", "1", "'x'"}


def test_words_of_parameters_count_and_their_names_do_not() -> None:
    text = "@pytest.mark.parametrize('n', [1, 2], ids=['a', 'b'])\ndef test_a(n=3):\n    f(n)\n"
    assert words(text) == {"1", "2", "'a'", "'b'", "3", "f"}


def test_other_decorators_and_imports_count() -> None:
    text = "@slow\nasync def test_a():\n    from app.b import c\n    return [x for x in c]\n"
    assert words(text) == {"slow", "c"}


def test_methods_are_named_as_ids_name_them() -> None:
    found = definitions("class A:\n    class B:\n        def test_x(self): pass\n    y = 1\n")
    assert set(found) == {"A::B::test_x"}


@pytest.mark.parametrize("text", [None, "def (", "x = 1\0"])
def test_what_cannot_be_parsed_defines_nothing(text: str | None) -> None:
    assert definitions(text) == {}


def test_names_are_functions_classes_values_and_the_module() -> None:
    text = "LIMIT = 1\nx.y = 2\nclass A:\n    def m(self): pass\n    def __init__(self): pass\n"
    assert names("src/app.py", text) == {"app", "LIMIT", "A", "m"}
    assert names("src/app.py", None) == frozenset()


def test_names_of_other_languages_are_read_by_their_keywords() -> None:
    text = "export function a() {}\nconst b = 1\nfunc (s *S) C() {}\n"
    assert names("lib/tool.ts", text) == {"tool", "a", "b", "C"}


@pytest.mark.parametrize(
    "path",
    ["tests/helpers.py", "conftest.py", "src/test_x.py", "a.test.js", "pkg/x_test.go", "spec/x.rb"],
)
def test_the_side_of_the_tests_is_told_by_name(path: str) -> None:
    assert is_test_side(path)
    assert not is_test_side("src/app.py")


def test_code_that_differs_is_told_from_layout() -> None:
    old = "class A:\n    def test_x(self):\n        assert f(1)\ndef g(): pass\n"
    same = old.replace("assert f(1)", "'Text.'\n        assert f( 1 )  # so")
    assert altered(old, same) == frozenset()
    assert altered(old, old.replace("f(1)", "f(2)")) == {"A::test_x"}
    assert altered(old, old.replace("self):", "self, x=1):")) == {"A::test_x"}
    assert altered(old, old.replace("def g", "def h")) == frozenset()
    assert altered(old, "def (") == frozenset()
