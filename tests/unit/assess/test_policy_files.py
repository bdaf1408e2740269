"""Which files are policy, by their names."""

import pytest

from proctor.assess.policy_files import changed_policy_files, is_telling, policy_kind
from proctor.gate.evidence import Change

ENTRY = f'[[approval]]\ndigest = "{"ab" * 32}"\nreason = "r"\nowner = "o"\nexpires = 2026-04-01\n'


def _said(change: Change) -> list[tuple[str, str, bool]]:
    return [(one.path, one.what, one.tightens) for one in changed_policy_files([change])]


def _edit(path: str, old: str | None = "a\n", new: str | None = "b\n") -> Change:
    return Change(
        path=path,
        old_path=path if old is not None else None,
        old_blob=None if old is None else "b0",
        new_blob=None if new is None else "b1",
        old_text=old,
        new_text=new,
    )


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        (".github/workflows/ci.yml", "a CI workflow"),
        (".github/actions/test/action.yml", "a CI workflow"),
        (".gitlab-ci.yml", "a CI workflow"),
        (".circleci/config.yml", "a CI workflow"),
        (".claude/settings.json", "a hook or setting of an agent"),
        ("api/.claude/settings.local.json", "a hook or setting of an agent"),
        (".codex/config.toml", "a hook or setting of an agent"),
        (".gemini/settings.json", "a hook or setting of an agent"),
        (".cursor/hooks.json", "a hook or setting of an agent"),
        (".mcp.json", "a hook or setting of an agent"),
        ("CODEOWNERS", "the code owners"),
        (".github/CODEOWNERS", "the code owners"),
        ("quarantine.txt", "the quarantine"),
        ("oracle/policy.json", "the oracle's policy"),
        (".claude", "a folder of policy files"),
        (".github", "a folder of policy files"),
    ],
)
def test_policy_is_known_by_its_name(path: str, kind: str) -> None:
    assert policy_kind(path) == kind
    assert is_telling(path)


@pytest.mark.parametrize(
    "path",
    [
        "AGENTS.md", "CLAUDE.md", ".claude/commands/fix.md", ".cursor/rules/style.mdc",
        ".github/ISSUE_TEMPLATE.md", ".github/dependabot.yml", "docs/quarantine.txt", "src/oracle",
        "src/workflows/a.yml", "docs", "oracle/corpus.jsonl", "app/Jenkinsfile",
    ],
)  # fmt: skip
def test_prose_and_code_are_no_policy(path: str) -> None:
    assert policy_kind(path) is None
    assert _said(_edit(path)) == []


def test_what_was_done_to_a_file_is_said() -> None:
    path = ".gitlab-ci.yml"
    assert _said(_edit(path)) == [(path, "a CI workflow was changed", False)]
    assert _said(_edit(path, old=None)) == [(path, "a CI workflow was added", False)]
    assert _said(_edit(path, new=None)) == [(path, "a CI workflow was deleted", False)]


def test_a_moved_file_is_said_for_each_of_its_names() -> None:
    away = Change(path="old.yml", old_path=".gitlab-ci.yml", old_blob="b0", new_blob="b0")
    assert _said(away) == [(".gitlab-ci.yml", "a CI workflow was moved to old.yml", False)]
    here = Change(path=".gitlab-ci.yml", old_path="old.yml", old_blob="b0", new_blob="b0")
    assert _said(here) == [(".gitlab-ci.yml", "a CI workflow was moved here", False)]


def test_a_quarantine_that_only_shrinks_tightens() -> None:
    path = "quarantine.txt"
    a, b = (
        f"{test}\n  since 2026-03-01\n  until 2026-03-0{last}\n  fingerprint 00000000000000f1\n"
        for test, last in (("a", 5), ("b", 8))
    )
    assert _said(_edit(path, a + b, b))[0][2]
    assert _said(_edit(path, a, None))[0][2]
    assert not _said(_edit(path, a, a + b))[0][2]
    assert not _said(_edit(path, None, a))[0][2]
    longer = a.replace("  until 2026-03-05\n", "  until 2026-03-08\n")
    assert not _said(_edit(path, a + b, longer))[0][2]
    assert not _said(_edit(path, a, "nonsense\n"))[0][2]
    binary = Change(path=path, old_path=path, old_blob="b0", new_blob="b1", old_text="a\n")
    assert not _said(binary)[0][2]


def test_a_hook_of_git_counts_where_it_starts_proctor() -> None:
    path = ".pre-commit-config.yaml"
    assert _said(_edit(path, "entry: ruff\n", "entry: ruff check\n")) == []
    what = "a hook of git that starts Proctor was changed"
    assert _said(_edit(path, "entry: proctor gate\n", "entry: ruff\n")) == [(path, what, False)]


def test_approvals_that_can_be_read_have_a_rule_of_their_own() -> None:
    path = "approvals.toml"
    assert _said(_edit(path, "", ENTRY)) == []
    assert _said(_edit(path, ENTRY, None)) == []
    ((_, what, tightens),) = _said(_edit(path, "", "[[approval]]\n"))
    assert what.startswith("cannot be read now: approvals.toml: ")
    assert not tightens
    binary = Change(path=path, new_blob="b1")
    assert _said(binary) == [(path, "is no text now", False)]
