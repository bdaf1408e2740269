import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.report.plain import visible, visible_argv


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\x1b[31mred", "a\\x1b[31mred"),
        ("two\nlines\t", "two\\nlines\\t"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("byte\udcff", "byte\\xff"),
        ("lone\ud800", "lone\\ud800"),
        ("\u2028", "\\u2028"),
        ("né 漢字 😀", "né 漢字 😀"),
    ],
)
def test_what_cannot_be_seen_is_shown_as_an_escape(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text(st.characters()))
def test_what_is_shown_is_one_printable_line(text: str) -> None:
    shown = visible(text)
    assert len(shown.splitlines()) <= 1
    shown.encode("utf-8")


def test_argv_is_shown_as_a_shell_would_read_it() -> None:
    assert visible_argv(["bash", "-c", "pytest | tail -3", ""]) == "bash -c 'pytest | tail -3' ''"
