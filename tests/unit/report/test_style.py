import io

import pytest

from proctor.report.style import Style, style_of


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def terminal(encoding: str = "utf-8") -> Terminal:
    return Terminal(io.BytesIO(), encoding=encoding)


def test_colour_is_for_terminals() -> None:
    assert style_of(terminal(), {"TERM": "xterm"}).colour
    assert not style_of(io.StringIO(), {"TERM": "xterm"}).colour


@pytest.mark.parametrize("environ", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colour_can_be_declined(environ: dict[str, str]) -> None:
    assert not style_of(terminal(), environ).colour


def test_signs_follow_the_encoding() -> None:
    assert style_of(terminal("utf-8"), {}).sign("✓", "ok") == "✓"
    assert style_of(terminal("ascii"), {}).sign("✓", "ok") == "ok"
    assert not style_of(io.StringIO(), {}).unicode


def test_only_a_terminal_has_a_width() -> None:
    assert style_of(terminal(), {}).width is not None
    assert style_of(io.StringIO(), {}).width is None


def test_a_line_is_cut_by_cells_not_characters() -> None:
    style = Style(width=20)
    assert style.cut("short", 5) == "short"
    assert style.cut("x" * 30, 8) == "x" * 11 + "…"
    assert style.cut("漢" * 30, 8) == "漢" * 5 + "…"
    assert Style(width=20, unicode=False).cut("x" * 30, 8) == "x" * 9 + "..."


def test_a_line_that_just_fits_is_left_alone() -> None:
    assert Style(width=20).cut("x" * 12, 8) == "x" * 12


def test_a_line_without_a_terminal_is_never_cut() -> None:
    assert Style().cut("x" * 500) == "x" * 500


def test_paint_colours_only_on_demand() -> None:
    assert Style(colour=True).paint("x", "red") == "\x1b[31mx\x1b[0m"
    assert Style(colour=True).paint("x", None) == "x"
    assert Style().paint("x", "red") == "x"
