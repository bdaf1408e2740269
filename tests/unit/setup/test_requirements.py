from pathlib import Path

import pytest

from proctor import config
from proctor.errors import ConfigError
from proctor.setup.requirements import HEADER, plan


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in {
        "pytest.ini": "",
        "web+admin/package.json": '{"scripts": {"test": "vitest run"}}',
        "go/[x]/go.mod": "module a\n",
        "go/[x]/a_test.go": "package a\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_every_suite_becomes_a_requirement_that_can_be_read(root: Path) -> None:
    found = plan(str(root))
    found.change.write()
    assert (root / "proctor.toml").read_text().startswith(HEADER)
    items = config.load(str(root)).require
    assert [(item.name, item.folder, item.paths, item.command) for item in items] == [
        ("pytest", "", (), ("pytest",)),
        ("go/-x-: go test", "go/[x]", ("/go/\\[x\\]/",), ("go", "test", "./...")),
        ("web-admin: npm test", "web+admin", ("/web+admin/",), ("npm", "test")),
    ]
    assert found.added == tuple(item.name for item in items)


def test_a_second_time_changes_nothing(root: Path) -> None:
    plan(str(root)).change.write()
    again = plan(str(root))
    assert (again.added, again.suites) == ((), 3)
    assert again.change.empty


@pytest.mark.parametrize(
    "item",
    [
        'name = "ours"\ncommand = ["pytest"]',
        'name = "ours"\nclass = "pytest"\nselectors = ["tests"]',
        'name = "pytest"\ncommand = ["tox"]',
        'name = "ours"\nfolder = "./"\nclass = "pytest"',
    ],
)
def test_what_is_required_already_is_not_added(item: str, root: Path) -> None:
    (root / "proctor.toml").write_text(f"# ours\n[[require]]\n{item}\n")
    found = plan(str(root))
    assert found.added == ("go/-x-: go test", "web-admin: npm test")
    assert found.change.after.startswith(f"# ours\n[[require]]\n{item}\n\n[[require]]\n")


def test_settings_elsewhere_are_not_edited_but_the_line_is_told(root: Path) -> None:
    (root / "pyproject.toml").write_text("[tool.proctor.gate]\n")
    with pytest.raises(
        ConfigError, match=r"add there: \[\[tool.proctor.require\]\] name = 'pytest'"
    ):
        plan(str(root))


def test_settings_elsewhere_that_lack_nothing_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        "[tool.pytest.ini_options]\naddopts = '-q'\n"
        "[[tool.proctor.require]]\nname = 'all'\nclass = 'pytest'\n"
    )
    assert plan(str(tmp_path)).added == ()


def test_a_module_run_is_named_by_its_module(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text("import unittest\n")
    assert plan(str(tmp_path)).added == ("unittest",)


def test_a_repository_without_suites_needs_nothing(tmp_path: Path) -> None:
    found = plan(str(tmp_path))
    assert (found.suites, found.added, found.change.empty) == (0, (), True)
