"""A pull request's life, each verdict on one screen as a person sees it.

`python -m tests.integration.test_pull_request` writes the golden files anew.
"""

import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cheats import base
from tests.cheats.stage import BIN, Stage

pytestmark = pytest.mark.heavy

GOLDEN = Path(__file__).parents[1] / "golden" / "pull-request"
SCREEN = 24
"""Lines of a small terminal."""

LOOSER = base.POLICY + "[gate]\nenforce = 'observe'\n"
CASES: dict[str, Callable[[Stage], None]] = {
    "honest-feature": base.with_patch(lambda _: None),
    "narrowed-run": base.narrow_run,
    "deleted-test": base.deleted_test,
    "renamed-test": base.renamed_test,
    "harness-edit": base.harness_edit,
    "policy-edit": base.with_patch(base.put("proctor.toml", LOOSER)),
    "policy-edit-approved-by-itself": base.approve_in_patch,
    "policy-edit-approved-at-base": base.approved,
    "policy-edit-left-to-code-owners": base.left_to_code_owners,
    "policy-tightened": base.tightened,
    "docs-only": base.nothing_but("README.md", "# The app\n"),
    "other-paths": base.nothing_but("web/index.js", "export const x = 2\n"),
    "nothing-run": base.nothing_but("src/app.py", "def f():\n    return 1  # one\n"),
    "squash-merge": base.squashed,
    "main-merged-in": base.merged,
    "base-moved": base.moved_base,
}


def verdict(stage: Stage) -> str:
    done = stage.proctor("gate", "--base", "origin/main")
    assert done.stderr == ""
    return scrubbed(f"{done.stdout}exit code {done.returncode}\n", stage)


def scrubbed(text: str, stage: Stage) -> str:
    text = text.replace(str(stage.folder), "…").replace(f"{BIN}/", "")
    text = re.sub(r"\b[0-9a-f]{64}\b", "<digest>", text)
    text = re.sub(r"\b[0-9a-f]{40}\b", "<commit>", text)
    text = re.sub(r"\b[0-9a-f]{9,12}\b", "<id>", text)
    text = re.sub(
        r"^note below-floor .*\n", "", text, flags=re.MULTILINE
    )  # a matter of the machine
    return re.sub(r"\b\d{4}-\d\d-\d\d\b", "<day>", text)


@pytest.mark.parametrize("name", CASES)
def test_each_verdict_of_a_pull_request_reads_as_its_golden_file(name: str, tmp_path: Path) -> None:
    stage = Stage(tmp_path / "s")
    CASES[name](stage)
    text = verdict(stage)
    assert text == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= SCREEN


def test_observing_says_what_it_would_have_blocked(tmp_path: Path) -> None:
    stage = Stage(tmp_path / "s")
    base.published(stage, **{"proctor.toml": LOOSER})
    base.feature(stage)
    stage.put("proctor.toml", base.POLICY)
    done = stage.proctor("gate", "--base", "origin/main")
    assert done.returncode == 0
    assert "would have blocked" in done.stdout
    assert "nothing is blocked (enforce = observe)" in done.stdout


def test_a_broken_policy_at_the_base_names_the_revision(tmp_path: Path) -> None:
    stage = Stage(tmp_path / "s")
    base.published(stage, **{"proctor.toml": "[gate]\nenfroce = 'block'\n"})
    done = stage.proctor("gate", "--base", "origin/main")
    assert done.returncode == 65
    assert "origin/main:proctor.toml:2: unknown key 'enfroce' in gate" in done.stderr


def test_an_unknown_base_is_said_with_the_command_that_fetches_it(tmp_path: Path) -> None:
    stage = Stage(tmp_path / "s")
    base.published(stage)
    done = stage.proctor("gate", "--base", "origin/next")
    assert done.returncode == 65
    assert done.stderr.count("\n") == 1
    assert "git fetch origin +refs/heads/next:refs/remotes/origin/next" in done.stderr


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name in sys.argv[1:] or CASES:
        with tempfile.TemporaryDirectory() as folder:
            stage = Stage(Path(folder) / "s")
            CASES[name](stage)
            (GOLDEN / f"{name}.txt").write_text(verdict(stage), encoding="utf-8")
