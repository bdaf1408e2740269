import pytest

from proctor.errors import ConfigError
from proctor.setup.contract import BEGIN, END, contract, with_contract
from tests.conftest import Proctor


def test_sentences_on_commands_that_do_not_exist_are_left_out() -> None:
    bare = contract([])
    assert "receipt check" not in bare
    assert "evidence" not in bare
    assert "`proctor gate` says PASS" in bare
    whole = contract(["evidence", "receipt"])
    assert "a receipt exists that matches the tree\n  with exit code 0, and paste it" in whole
    assert "`proctor evidence capture`" in whole
    for text in (bare, whole):
        assert "say NO RECEIPT" in text
        assert max(map(len, text.splitlines())) <= 88


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "{}\n"),
        ("# Ours\n", "# Ours\n\n{}\n"),
        ("# Ours", "# Ours\n\n{}\n"),
        (f"a\n{BEGIN}\nold\n{END}\nb\n", "a\n{}\nb\n"),
        (f"a\n<!-- proctor:begin -->\n{END}", "a\n{}"),
    ],
)
def test_the_contract_stands_between_its_marks(before: str, after: str) -> None:
    found = with_contract(before, "AGENTS.md", "text\n")
    assert found == after.format(f"{BEGIN}\ntext\n{END}")
    assert with_contract(found, "AGENTS.md", "text\n") == found


def test_line_ends_stay() -> None:
    assert with_contract("a\r\n", "x", "t\n") == f"a\r\n\r\n{BEGIN}\r\nt\r\n{END}\r\n"


@pytest.mark.parametrize("text", [BEGIN, END, f"{END}{BEGIN}", f"{BEGIN}{BEGIN}{END}"])
def test_damaged_marks_are_refused(text: str) -> None:
    with pytest.raises(ConfigError, match=r"AGENTS\.md: the marks of Proctor's part are damaged"):
        with_contract(text, "AGENTS.md", "t\n")


def test_the_command_prints_it(proctor: Proctor) -> None:
    done = proctor("contract")
    assert done.returncode == 0
    assert done.stdout.startswith("## Tests and what you say about them\n")
