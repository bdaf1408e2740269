from collections.abc import Callable
from pathlib import Path

import pytest

from proctor.setup.find import DEPTH, find_suites

Make = Callable[..., str]
MAKE_TEST = "test: all\n\tpython -m pytest\n"


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """A folder with the files that are named, and their content."""

    def write(files: dict[str, str]) -> str:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return str(tmp_path)

    return write


def found(root: str) -> list[tuple[str, str]]:
    return [(suite.folder, " ".join(suite.found.command)) for suite in find_suites(root)]


@pytest.mark.parametrize(
    ("files", "command"),
    [
        ({"pyproject.toml": "[tool.pytest.ini_options]\n"}, "pytest"),
        ({"pyproject.toml": "[tool.black]\n"}, None),
        ({"pyproject.toml": "[tool.pytest.ini_options]\naddopts = '-q'\n"}, "pytest"),
        ({"pyproject.toml": "[tool.pytest]\naddopts = ['-q']\n"}, "pytest"),
        ({"pyproject.toml": "not toml [", "tests/test_a.py": "import pytest\n"}, "pytest"),
        ({"pyproject.toml": "tool = 1\n", "tests/test_a.py": "import pytest\n"}, "pytest"),
        ({"pytest.ini": ""}, "pytest"),
        ({"pytest.ini": "[pytest]\naddopts = -q\n"}, "pytest"),
        ({"tox.ini": "[tox]\n[pytest]\n"}, "pytest"),
        ({"setup.cfg": "[tool:pytest]\n"}, "pytest"),
        ({"setup.cfg": "not an ini"}, None),
        ({"tests/test_a.py": "from pytest import raises\n"}, "pytest"),
        ({"test_a.py": "def test_a(): assert 1\n"}, "pytest"),
        ({"tests/a_test.py": "import unittest\n"}, "python -m unittest"),
        ({"tox.ini": "[tox]\n[testenv]\ncommands = python check.py\n"}, "tox"),
        ({"noxfile.py": "import nox\n", "tests/test_a.py": "import unittest\n"}, "nox"),
        ({"setup.py": "setup()\n"}, None),
        ({"package.json": '{"scripts": {"test": "vitest run"}}'}, "npm test"),
        ({"package.json": '{"scripts": {"test": "jest"}}', "yarn.lock": ""}, "yarn test"),
        ({"package.json": '{"scripts": {"test": "jest"}}', "bun.lock": ""}, "bun run test"),
        (
            {"package.json": '{"scripts": {"test": "jest"}, "packageManager": "pnpm@9.1.0"}'},
            "pnpm test",
        ),
        ({"package.json": '{"scripts": {"test": "echo \\"no test specified\\" && exit 1"}}'}, None),
        ({"package.json": '{"scripts": {"build": "x"}}'}, None),
        ({"package.json": '{"scripts": 7}'}, None),
        ({"package.json": "{"}, None),
        ({"go.mod": "module a\n", "a/a_test.go": "package a\n"}, "go test ./..."),
        ({"go.mod": "module a\n", "vendor/a/a_test.go": "package a\n"}, None),
        ({"Cargo.toml": "[package]\n"}, "cargo test"),
        ({"Cargo.toml": "[workspace]\n", "a/Cargo.toml": "[package]\n"}, "cargo test --workspace"),
        ({"Cargo.toml": "[dependencies]\n"}, None),
        ({"Cargo.toml": "="}, None),
        ({"Makefile": MAKE_TEST}, "make test"),
        ({"GNUmakefile": "check:\n\tctest\n"}, "make check"),
        ({"Makefile": "test := 1\nall:\n\ttrue\n"}, None),
        ({"README.md": "# nothing\n"}, None),
    ],
)
def test_a_suite_is_known_by_its_files(
    files: dict[str, str], command: str | None, make: Make
) -> None:
    assert found(make(files)) == ([] if command is None else [("", command)])


def test_a_makefile_counts_only_where_nothing_else_is_found(make: Make) -> None:
    root = make({"Makefile": MAKE_TEST, "tests/test_a.py": "import pytest\n"})
    assert found(root) == [("", "pytest")]


def test_a_makefile_at_the_root_stands_back_for_the_suites_below(make: Make) -> None:
    root = make({"Makefile": MAKE_TEST, "api/test_a.py": "import pytest\n"})
    assert found(root) == [("api", "pytest")]


def test_a_makefile_takes_in_those_below(make: Make) -> None:
    assert found(make({"Makefile": MAKE_TEST, "a/Makefile": MAKE_TEST})) == [("", "make test")]


def test_every_project_of_a_monorepo_is_found(make: Make) -> None:
    root = make(
        {
            "web/package.json": '{"scripts": {"test": "vitest run"}}',
            "web/pnpm-lock.yaml": "",
            "services/api/pyproject.toml": "[tool.pytest.ini_options]\naddopts='-q'\n",
            "services/mail/go.mod": "module mail\n",
            "services/mail/mail_test.go": "package mail\n",
            "core/Cargo.toml": "[package]\n",
        }
    )
    assert found(root) == [
        ("core", "cargo test"),
        ("services/api", "pytest"),
        ("services/mail", "go test ./..."),
        ("web", "pnpm test"),
    ]


def test_a_suite_that_takes_in_those_below_stands_alone(make: Make) -> None:
    root = make(
        {
            "package.json": '{"scripts": {"test": "turbo test"}, "workspaces": ["packages/*"]}',
            "packages/a/package.json": '{"scripts": {"test": "jest"}}',
            "pytest.ini": "",
            "tools/test_tool.py": "import pytest\n",
        }
    )
    assert found(root) == [("", "npm test"), ("", "pytest")]


def test_testpaths_leave_the_other_folders_to_themselves(make: Make) -> None:
    root = make(
        {
            "pytest.ini": "[pytest]\ntestpaths = tests\n",
            "tools/test_tool.py": "import pytest\n",
        }
    )
    assert found(root) == [("", "pytest"), ("tools", "pytest")]


@pytest.mark.parametrize(
    "folder", ["node_modules/a", ".hidden", "tests/sample", "examples/a", "made", "a/b/c/d"]
)
def test_some_folders_are_passed_over(folder: str, make: Make) -> None:
    root = make({".gitignore": "/made\n", f"{folder}/pytest.ini": ""})
    assert found(root) == []
    assert folder.count("/") <= DEPTH


def test_other_repositories_environments_and_links_are_passed_over(
    make: Make, tmp_path: Path
) -> None:
    root = make(
        {
            "other/.git": "gitdir: elsewhere\n",
            "other/pytest.ini": "",
            "environment/pyvenv.cfg": "",
            "environment/pytest.ini": "",
            "odd\nname/pytest.ini": "",
        }
    )
    (tmp_path / "link").symlink_to(tmp_path / "environment")
    assert found(root) == []


def test_a_folder_that_does_not_exist_has_no_suites(tmp_path: Path) -> None:
    assert found(str(tmp_path / "none")) == []


def test_a_repository_without_measure_is_looked_at_in_part(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("proctor.setup.find.FOLDERS", 2)
    root = make({"a/pytest.ini": "", "b/pytest.ini": ""})
    assert found(root) == [("a", "pytest")]
