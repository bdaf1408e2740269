"""One name for a test."""

import pytest

from proctor.flakes.names import canonical, steady, tail_of


@pytest.mark.parametrize(
    ("test_id", "name"),
    [
        ("tests/test_a.py::test_b", "tests.test_a::test_b"),
        ("tests/test_a.py::TestC::test_b[x::y]", "tests.test_a.TestC::test_b[x::y]"),
        ("tests.test_a.TestC::test_b[x::y]", "tests.test_a.TestC::test_b[x::y]"),
        ("shop::TestPay/a.py::x", "shop::TestPay/a.py::x"),
        ("a.test.js::adds", "a.test.js::adds"),
        ("test_a.py::test_a", "test_a"),
        ("test_a.py::test_a[1]", "test_a::test_a[1]"),
    ],
)
def test_the_ids_of_pytest_and_junit_are_one(test_id: str, name: str) -> None:
    assert canonical(test_id) == name


def test_what_differs_from_run_to_run_is_masked() -> None:
    a = steady("t::x[<object at 0x7f2e45c5dd40>]")
    assert a == steady("t::x[<object at 0x7f0000000010>]")
    assert steady("t::x[/tmp/pytest-1/a]") == steady("t::x[/tmp/pytest-2/b]")
    assert steady("t::x[10 s]") != steady("t::x[20 s]")


@pytest.mark.parametrize(
    ("name", "tail"),
    [
        ("tests.test_a::test_b", "test_b"),
        ("tests.test_a.TestC::test_b[x.y]", "TestC::test_b[x.y]"),
        ("adds", "adds"),
    ],
)
def test_the_tail_stays_when_a_file_is_moved(name: str, tail: str) -> None:
    assert tail_of(name) == tail
