"""What a patch puts in the place of the code under test."""

import pytest

from proctor.gate.standins import standins
from proctor.gate.weakening import File
from proctor.outline.read import outline

IMPORTS = "from app import add\nimport shop.cart as cart\n"
TEST = "def test_add():\n    assert add(1, 2) == 3\n    assert cart.total() == 0\n"


def said(old: str, new: str) -> list[tuple[str, str]]:
    path = "tests/test_a.py"
    file = File(path=path, old=outline(path, old), new=outline(path, new))
    return [(one.kind, one.after) for one in standins([file])]


@pytest.mark.parametrize(
    ("head", "kind", "text"),
    [
        ("import shop.cart as cart\nadd = sum\n", "replaced", "add = …"),
        ("import shop.cart as cart\ndef add(a, b):\n    return a + b\n", "replaced", "add = …"),
        ("from app import add\nclass cart:\n    pass\n", "replaced", "cart = …"),
        ("import pytest\nfrom app import add\ncart = pytest.importorskip('shop.cart')\n",
         "optional", "pytest.importorskip('shop.cart')"),
        (IMPORTS + "cart.total = lambda: 0\n", "overridden", "cart.total = lambda: 0"),
        (IMPORTS + "def ours():\n    return 0\ncart.total = ours\n", "overridden",
         "cart.total = ours"),
        (IMPORTS + "setattr(cart, 'total', int)\n", "overridden", "setattr(cart, 'total', int)"),
        (IMPORTS + "cart.total = mock.Mock()\n", "overridden", "cart.total = mock.Mock()"),
    ],
)  # fmt: skip
def test_a_stand_in_is_named(head: str, kind: str, text: str) -> None:
    assert said(IMPORTS + TEST, head + TEST) == [(kind, text)]


@pytest.mark.parametrize(
    "head",
    [
        IMPORTS,
        "from app.maths import add\nfrom shop import cart\n",
        IMPORTS + "import numpy\nnp = pytest.importorskip('numpy')\ncart.debug = True\n",
        IMPORTS + "value = add\ncart.options['x'] = lambda: 0\nother.total = lambda: 0\n",
    ],
)
def test_other_imports_and_settings_are_none(head: str) -> None:
    assert said(IMPORTS + TEST, head + TEST) == []


CASE = "class T(unittest.TestCase):\n    def assertEqual(self, a, b):\n        {}\n"
PATCHED = "def test_total(monkeypatch):\n    {}\n    assert {} == 5\n"


@pytest.mark.parametrize(
    ("text", "said_of_it"),
    [
        (CASE.format("pass"), "def assertEqual in T"),
        (PATCHED.format("monkeypatch.setattr(cart, 'total', lambda: 5)", "cart.total()"),
         "monkeypatch.setattr(cart, 'total', lambda: 5)"),
        (PATCHED.format("mocker.patch('cart.total', return_value=5)", "cart.total()"),
         "mocker.patch('cart.total', return_value=5)"),
        (("@mock.patch.object(cart, 'total', return_value=5)\n"
         "def test_total(_):\n    self.assertEqual(cart.total(), 5)\n"),
         "mock.patch.object(cart, 'total', return_value=5)"),
        (("def test_total():\n    with mock.patch.object(cart, 'total', return_value=5):\n"
         "        assert cart.total() == 5\n"),
         "mock.patch.object(cart, 'total', return_value=5)"),
        (("def test_total():\n    with ExitStack() as stack:\n"
         "        stack.enter_context(mock.patch('cart.total', return_value=5))\n"
         "    assert cart.total() == 5\n"),
         "mock.patch('cart.total', return_value=5)"),
        (("@mock.patch('cart.total', wraps=lambda: 5)\n"
         "def test_total(_):\n    assert cart.total() == 5\n"),
         "mock.patch('cart.total', wraps=lambda: 5)"),
        (("@mock.patch('cart.total', wraps=cart.total, return_value=5)\n"
         "def test_total(_):\n    assert cart.total() == 5\n"),
         "mock.patch('cart.total', wraps=cart.total, return_value=5)"),
    ],
)  # fmt: skip
def test_a_test_that_patches_what_it_checks_is_named(text: str, said_of_it: str) -> None:
    assert said(IMPORTS + TEST, IMPORTS + TEST + text) == [("overridden", said_of_it)]


@pytest.mark.parametrize(
    "text",
    [
        CASE.format("super().assertEqual(a, b)"),
        CASE.format("unittest.TestCase.assertEqual(self, a, b)"),
        PATCHED.format("monkeypatch.setattr(cart, 'rate', lambda: 5)", "cart.total()"),
        PATCHED.format("monkeypatch.setattr('cart.rate', 5)", "cart.total()"),
        PATCHED.format(
            "monkeypatch.setattr(os, 'getcwd', lambda: '/a')", "cart.total(os.getcwd())"
        ),
        PATCHED.format("mocker.patch('cart.total', side_effect=ours)", "shop.buy()"),
        (
            "def test_total(mocker):\n    mocker.patch.object(cart, 'total')\n    shop.buy()\n"
            "    cart.total.assert_called_once()\n    assert cart.total.call_count == 1\n"
        ),
        (
            "def test_total():\n    with mock.patch('cart.total', side_effect=OSError) as fake:\n"
            "        shop.buy()\n    assert fake.called\n    assert cart.total() == 5\n"
        ),
        (
            "def test_total(monkeypatch):\n    assert cart.total() == 5\n"
            "    monkeypatch.setattr(cart, 'total', lambda: 6)\n    assert shop.buy() == 6\n"
        ),
        (
            "def test_total(monkeypatch):\n    monkeypatch.setattr(cart, 'total', lambda: 6)\n"
            "    shop.buy()\n    monkeypatch.undo()\n    assert cart.total() == 5\n"
        ),
        (
            "@mock.patch.object(cart, 'total', wraps=cart.total)\n"
            "def test_total(total):\n    assert cart.total() == 5\n    assert total.called\n"
        ),
    ],
)
def test_a_patch_of_what_the_tested_code_uses_is_none(text: str) -> None:
    assert said(IMPORTS + TEST, IMPORTS + TEST + text) == []


def test_what_was_so_before_is_not_said_again() -> None:
    text = "import pytest\ncart = pytest.importorskip('cart')\ncart.total = lambda: 0\n" + TEST
    assert said(text, text) == []
