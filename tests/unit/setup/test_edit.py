import os
import stat
import tomllib
from pathlib import Path

import pytest

from proctor.errors import ConfigError
from proctor.setup.edit import Change, append_blocks, read_own, set_value

OLD = """\
# our settings
[floors] # measured in May
pytest = 700   # ms
"npm test" = 1_000

[gate]
enforce = "observe"
"""


def set_floor(before: str, name: str, value: int) -> str:
    return set_value("proctor.toml", before, "floors", name, value).after


def test_a_value_is_replaced_where_it_stands() -> None:
    assert set_floor(OLD, "pytest", 350) == OLD.replace("700", "350")
    assert set_floor(OLD, "npm test", 5) == OLD.replace("1_000", "5")


def test_a_new_value_goes_into_its_table() -> None:
    after = set_floor(OLD, "go test", 12)
    assert after == OLD.replace("in May\n", 'in May\n"go test" = 12\n')


def test_a_table_that_is_not_there_is_added_at_the_end() -> None:
    assert set_floor("", "git", 2) == "[floors]\ngit = 2\n"
    assert set_floor("[gate]", "git", 2) == "[gate]\n\n[floors]\ngit = 2\n"
    assert set_floor("[gate]\n", "git", 2) == "[gate]\n\n[floors]\ngit = 2\n"
    assert set_floor("[floors]", "git", 2) == "[floors]\ngit = 2\n"


def test_the_same_value_changes_nothing() -> None:
    assert set_value("proctor.toml", OLD, "floors", "pytest", 700).empty


@pytest.mark.parametrize(
    "before",
    ["floors = {git = 1}\n", "floors.git = 1\n", "[floors]\ngit = 0x10\n", '"floors" = {}\n'],
)
def test_a_file_that_cannot_be_edited_safely_is_left_alone(before: str) -> None:
    with pytest.raises(ConfigError, match=r"edited safely; add `git = 2` in \[floors\]"):
        set_floor(before, "git", 2)


def test_blocks_are_appended_and_comments_stay() -> None:
    items = [{"name": "a", "paths": ["/a/"]}, {"name": 'b"\\', "command": ["x"]}]
    change = append_blocks("proctor.toml", "# top\n[gate]\n\n\n", "require", items)
    assert change.after.startswith('# top\n[gate]\n\n[[require]]\nname = "a"\n')
    assert tomllib.loads(change.after)["require"] == items
    more = append_blocks("proctor.toml", change.after, "require", [{"name": "c"}])
    assert [item["name"] for item in tomllib.loads(more.after)["require"]] == ["a", 'b"\\', "c"]


def test_numbers_are_written_as_they_are() -> None:
    assert append_blocks("p", "", "require", [{"min_tests": 3}]).after.endswith("min_tests = 3\n")


def test_line_ends_are_kept() -> None:
    change = append_blocks("proctor.toml", "# top\r\n", "require", [{"name": "a"}])
    assert change.after == '# top\r\n\r\n[[require]]\r\nname = "a"\r\n'


def test_no_blocks_change_nothing() -> None:
    assert append_blocks("proctor.toml", OLD, "require", []).empty


def test_an_inline_list_is_not_appended_to() -> None:
    with pytest.raises(ConfigError, match=r"add \[\[require\]\] tables"):
        append_blocks("proctor.toml", "require = []\n", "require", [{"name": "a"}])


def test_a_change_is_shown_as_a_diff() -> None:
    change = Change(path="/a/proctor.toml", before="x\n", after="y\n")
    assert change.diff() == "--- proctor.toml\n+++ proctor.toml\n@@ -1 +1 @@\n-x\n+y\n"
    assert Change(path="/a/p", before="", after="y\n").diff().startswith("--- /dev/null\n")


def test_writing_keeps_mode_and_link(tmp_path: Path) -> None:
    real = tmp_path / "real.toml"
    real.write_text("x\n")
    real.chmod(0o640)
    link = tmp_path / "proctor.toml"
    link.symlink_to(real)
    Change(path=str(link), before="x\n", after="y\n").write()
    assert link.is_symlink()
    assert real.read_text() == "y\n"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) in (["real.toml", "proctor.toml"], ["proctor.toml", "real.toml"])


def test_a_file_that_cannot_be_written_is_one_line() -> None:
    with pytest.raises(ConfigError, match=r"proctor\.toml: cannot be written: "):
        Change(path="/proc/proctor.toml", before="", after="y\n").write()


def test_settings_among_those_of_other_tools_are_left_to_their_owner(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.proctor.gate]\nenforce = 'block'\n")
    with pytest.raises(ConfigError, match=r"not edited; add there: THIS"):
        read_own(str(tmp_path), "THIS")


def test_a_file_that_is_not_there_is_empty(tmp_path: Path) -> None:
    assert read_own(str(tmp_path), "") == (str(tmp_path / "proctor.toml"), "")
