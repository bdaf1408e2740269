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


def test_what_was_so_before_is_not_said_again() -> None:
    text = "import pytest\ncart = pytest.importorskip('cart')\ncart.total = lambda: 0\n" + TEST
    assert said(text, text) == []
