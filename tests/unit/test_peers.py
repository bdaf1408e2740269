"""The table that `make peers` prints."""

from bench.battery import CHEATS
from bench.peers import Column, cell, table, tally

ROWS = len(CHEATS)


def column(name: str, honest: str, *cells: str) -> Column:
    return Column(name, "1.0", cells=(honest, *cells, *["–"] * (ROWS - len(cells))))


def test_a_cell_says_caught_missed_or_not_applicable() -> None:
    assert [cell(good) for good in (False, True, None)] == ["C", "M", "–"]


def test_every_tool_has_a_column_and_a_refusal_a_line() -> None:
    gone = Column("gone", refused="does not install: no such package")
    known = Column("b", true_ms=12.4, size_mb=0.2, packages=1)
    lines = list(table([column("proctor", "passes", "C"), known, gone]))
    assert lines[0] == "| | proctor 1.0 |"
    assert lines[2] == "| an honest green run (must pass) | passes |"
    assert lines[3] == '| `bash -c "pytest \\| tail"` | C |'
    assert "| b | 12 | – | – | 0 | 1 |" in lines
    assert lines[-1] == "not played: gone: does not install: no such package"


def test_only_tools_that_let_the_honest_run_pass_are_counted() -> None:
    columns = [
        column("proctor", "passes", "C"),
        column("a", "passes", "M", "C"),
        column("b", "refused", "C", "C"),
    ]
    first, second, third, *_ = tally(columns)
    assert first.endswith("| 0 of 1 |")
    assert second.endswith("| 1 of 1 |")
    assert third.endswith("| 0 of 0 |")
