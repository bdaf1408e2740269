"""What the base says, on a real repository."""

import subprocess
from pathlib import Path

import pytest

from proctor.assess.policy_changes import policy_changes
from proctor.assess.trusted import approvals_of, config_in
from proctor.config import Config
from proctor.config import parse as parse_config
from proctor.errors import ConfigError
from proctor.gate.evidence import Approval, Base, Change
from proctor.repo.files import Files

OWNERS = parse_config(b"[approvals]\ncode_owners = true\n", "proctor.toml")


def entry(letter: str) -> str:
    return (
        f'[[approval]]\ndigest = "{letter * 64}"\nreason = "r"\nowner = "o"\nexpires = 2026-04-01\n'
    )


class Project:
    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir()
        self.git("init", "-q")

    def git(self, *words: str) -> str:
        command = ["git", "-c", "user.name=A", "-c", "user.email=a@x", *words]
        done = subprocess.run(command, cwd=self.root, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def tree(self, **files: str) -> Files:
        self.git("rm", "-rqf", "--ignore-unmatch", ".")
        for name, text in files.items():
            path = self.root / name.replace("__", "/").replace("_dot_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "c")
        return Files(str(self.root), self.git("rev-parse", "HEAD^{tree}"))

    def base(self) -> Base:
        commit, tree = self.git("rev-parse", "HEAD"), self.git("rev-parse", "HEAD^{tree}")
        return Base(
            name="main", commit=commit, tree=tree, how="id", merge_base=commit, merge_tree=tree
        )


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "app")


def _approvals(
    project: Project, before: Files, here: Files, policy: Config
) -> list[tuple[str, str]]:
    found = approvals_of(project.base(), before, here, policy)
    return [(one.digest[0], one.doubt) for one in found]


def test_the_configuration_of_a_tree_is_read_from_either_file(project: Project) -> None:
    own = project.tree(proctor_dot_toml="[gate]\nenforce = 'observe'\n", pyproject_dot_toml="[a]\n")
    assert config_in(own, "main:").gate.enforce == "observe"
    other = project.tree(pyproject_dot_toml="[tool.proctor.gate]\nenforce = 'observe'\n")
    assert config_in(other, "main:").gate.enforce == "observe"
    assert config_in(project.tree(), "main:") == Config()


def test_two_configurations_in_a_tree_are_an_error(project: Project) -> None:
    both = project.tree(proctor_dot_toml="", pyproject_dot_toml="[tool.proctor]\n")
    with pytest.raises(
        ConfigError, match=r"main:proctor.toml and .* main:pyproject.toml: keep one"
    ):
        config_in(both, "main:")


def test_approvals_of_the_base_count_even_where_the_branch_lacks_them(project: Project) -> None:
    before = project.tree(approvals_dot_toml=entry("a"))
    assert _approvals(project, before, project.tree(), Config()) == [("a", "")]


def test_approvals_that_the_patch_adds_do_not_count(project: Project) -> None:
    before = project.tree(approvals_dot_toml=entry("a"))
    later = entry("a").replace("2026-04-01", "2027-04-01")
    here = project.tree(approvals_dot_toml=entry("a") + later + entry("b"))
    doubt = "the patch itself adds it"
    assert _approvals(project, before, here, Config()) == [("a", ""), ("a", doubt), ("b", doubt)]


@pytest.mark.parametrize(
    ("files", "doubt"),
    [
        ({"CODEOWNERS": "* @ann\n"}, ""),
        ({"_dot_github__CODEOWNERS": "approvals.toml @ann\n", "CODEOWNERS": "*\n"}, ""),
        ({"CODEOWNERS": "docs/ @ann\n"}, ", and CODEOWNERS gives approvals.toml no owner"),
        ({}, ", and the base has no CODEOWNERS"),
    ],
)
def test_code_owners_are_trusted_where_the_base_says_so_and_names_one(
    project: Project, files: dict[str, str], doubt: str
) -> None:
    before = project.tree(**files)
    here = project.tree(approvals_dot_toml=entry("b"))
    expected = f"the patch itself adds it{doubt}" if doubt else ""
    assert _approvals(project, before, here, OWNERS) == [("b", expected)]


def test_approvals_that_cannot_be_read_do_not_count(project: Project) -> None:
    before = project.tree(approvals_dot_toml=entry("a"))
    here = project.tree(approvals_dot_toml="[[approval]]\n")
    assert _approvals(project, before, here, OWNERS) == [("a", "")]
    with pytest.raises(ConfigError, match=r"main:approvals\.toml"):
        approvals_of(project.base(), here, before, OWNERS)


def test_an_entry_is_a_plain_value(project: Project) -> None:
    before = project.tree(approvals_dot_toml=entry("a"))
    (found,) = approvals_of(project.base(), before, before, Config())
    assert found == Approval(digest="a" * 64, reason="r", owner="o", expires="2026-04-01")


def _changes(project: Project, *paths: str) -> list[tuple[str, str, bool]]:
    changes = [Change(path=path, new_blob="b") for path in paths]
    found = policy_changes(str(project.root), project.base(), changes)
    return [(one.path, one.what, one.tightens) for one in found]


def test_settings_are_compared_with_those_on_disk(project: Project) -> None:
    project.tree(proctor_dot_toml="")
    (project.root / "proctor.toml").write_text("[gate]\nenforce = 'observe'\n")
    said = ("proctor.toml", "[gate] enforce is 'observe'", False)
    assert _changes(project, "proctor.toml") == [said]
    assert _changes(project, "CODEOWNERS") == [
        said,
        ("CODEOWNERS", "the code owners was added", False),
    ]


def test_settings_of_pyproject_are_said_of_pyproject(project: Project) -> None:
    project.tree(pyproject_dot_toml="[tool.proctor]\n")
    path = project.root / "pyproject.toml"
    path.write_text("[tool.proctor.gate]\nenforce = 'observe'\n")
    assert _changes(project, "pyproject.toml")[0][0] == "pyproject.toml"
    path.write_text("[tool.proctor.gate]\n# other text\n")
    assert _changes(project, "pyproject.toml") == []


def test_settings_that_can_no_longer_be_read_are_a_change(project: Project) -> None:
    project.tree()
    (project.root / "proctor.toml").write_text("[gate]\nx = 1\n")
    ((path, what, tightens),) = _changes(project, "proctor.toml")
    assert path == "proctor.toml"
    assert what.startswith("cannot be read now: proctor.toml:2: unknown key 'x' in gate")
    assert not tightens


def test_settings_that_could_not_be_read_before_asked_for_nothing(project: Project) -> None:
    project.tree(proctor_dot_toml="[gate]\nx = 1\n")
    (project.root / "proctor.toml").write_text("[gate]\nenforce = 'observe'\n")
    assert _changes(project) == [("proctor.toml", "[gate] enforce is 'observe'", False)]
