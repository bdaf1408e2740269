"""What is owed, and which selection covers which."""

from collections.abc import Sequence
from typing import Any

import pytest

from proctor.classify.base import Classification
from proctor.config import RequireTable
from proctor.requirements import (
    Selecting,
    Selection,
    from_requirement,
    is_whole,
    project_of,
    selection_covers,
    touched,
    union,
    within_project,
)


def _covers(a: Classification, b: Classification) -> bool:
    """Whether the folders and files of `a` hold those of `b`."""
    wide = [word for word in a.selectors if word != "."]
    return not wide or (
        bool(b.selectors)
        and all(any(f"{one}/".startswith(f"{word}/") for word in wide) for one in b.selectors)
    )


SELECTING = Selecting(
    covers=_covers,
    is_narrowed=lambda what: bool(what.narrowing),
    selects_whole=lambda what, files: (
        all(_covers(what, _what(file)) for file in files) and (bool(files) or not what.selectors)
    ),
)


def _what(*selectors: str, **members: Any) -> Classification:
    found = Classification(("pytest", *selectors), "pytest", "test", "leaf")
    found.selectors = selectors
    for name, value in members.items():
        setattr(found, name, value)
    return found


def _select(*selectors: str, where: str = "", project: str = "", **members: Any) -> Selection:
    return Selection(what=_what(*selectors, **members), where=where, project=project)


def _covers_selection(a: Selection, b: Selection) -> bool:
    return selection_covers(a, b, SELECTING.covers)


def test_the_nearest_folder_with_a_project_file_is_the_project() -> None:
    projects = frozenset(("", "packages/a"))
    assert project_of("packages/a/tests", projects) == "packages/a"
    assert project_of("packages/b/tests", projects) == ""


def test_a_whole_run_covers_a_part_but_not_the_reverse() -> None:
    assert _covers_selection(_select(), _select("tests/test_a.py"))
    assert not _covers_selection(_select("tests/test_a.py"), _select())


def test_other_classes_cover_nothing() -> None:
    assert not _covers_selection(_select(), _select(command_class="jest"))


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (_select(), _select(where="api"), True),
        (_select(where="api"), _select(), False),
        (_select(where="api"), _select("api/tests"), True),
        (_select("api"), _select("test_a.py", where="api/tests"), True),
        (_select("tests", where="api"), _select("tests", where="web"), False),
    ],
)
def test_folders_count_from_the_root(a: Selection, b: Selection, expected: bool) -> None:
    assert _covers_selection(a, b) is expected


def test_names_cannot_be_moved_but_a_whole_run_above_covers_them() -> None:
    named = _select("pkg.Case", where="api", matching="dotted")
    assert _covers_selection(_select(), named)
    assert not _covers_selection(_select("pkg", matching="dotted"), named)
    assert not _covers_selection(_select(where="web"), named)


def test_a_driver_speaks_for_its_own_project_only() -> None:
    root = _select(kind="driver")
    assert not _covers_selection(root, _select(kind="driver", where="web", project="web"))
    assert _covers_selection(root, _select(kind="driver", where="src"))


def test_a_folder_below_a_project_is_a_part_of_it() -> None:
    assert within_project(_select(where="api/tests", project="api")).selectors == ("tests",)
    assert within_project(_select("./...", where="api", matching="package")).selectors == (
        "./api/...",
    )
    assert within_project(_select("-c=x.ini", where="api")).selectors == ("-c=x.ini",)
    assert within_project(_select("a.B", where="api", matching="dotted")).selectors == ("a.B",)


@pytest.mark.parametrize(
    ("selection", "files", "expected"),
    [
        (_select(), [], True),
        (_select(narrowing=("-k=x",)), [], False),
        (_select("tests"), ["tests/test_a.py"], True),
        (_select("tests"), ["tests/test_a.py", "more/test_b.py"], False),
        (_select("tests"), [], False),
        (_select("tests", where="api", project="api"), ["api/tests/t.py", "web/t.py"], True),
    ],
)
def test_whole_is_every_test_file_of_the_project(
    selection: Selection, files: Sequence[str], expected: bool
) -> None:
    assert is_whole(selection, files, SELECTING) is expected


def test_parts_select_together_what_each_selects() -> None:
    assert union([_select("a"), _select("b", "a")]).what.selectors == ("a", "b")
    assert union([_select("a"), _select()]).what.selectors == ()
    narrowed = _select("c", narrowing=("-k=x",))
    assert union([_select("a"), narrowed]).what.selectors == ("a",)
    assert union([narrowed]).what.narrowing == ("-k=x",)


def test_a_requirement_names_a_command_or_a_class() -> None:
    command = RequireTable(name="a", command=("pytest",))
    assert from_requirement(_what(), command).what.selectors == ()
    by_class = RequireTable(name="a", command_class="jest", selectors=("web",))
    found = from_requirement(_what(), by_class).what
    assert (found.command_class, found.selectors) == ("jest", ("web",))


def test_a_requirement_is_owed_where_its_paths_are_touched() -> None:
    item = RequireTable(name="a", command=("pytest",), paths=("src/", "!src/docs/"))
    assert touched(item, None)
    assert touched(item, ["src/a.py"])
    assert not touched(item, ["docs/a.md"])
    assert touched(RequireTable(name="a", command=("pytest",)), ["docs/a.md"])


@pytest.mark.parametrize(
    ("folder", "where"), [("", ""), (".", ""), ("api", "api"), ("./api/v1/", "api/v1")]
)
def test_a_requirement_is_owed_in_its_folder(folder: str, where: str) -> None:
    item = RequireTable(name="a", command=("pytest",), folder=folder)
    owed = from_requirement(_what(), item)
    assert (owed.where, owed.project) == (where, where)
    assert _covers_selection(_select(where=where, project=where), owed)
    assert not _covers_selection(_select(where="web", project="web"), owed)
