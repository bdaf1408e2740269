from pathlib import Path

import pytest

from proctor.setup.automation import gate_in_automation


@pytest.mark.parametrize(
    ("line", "calls"),
    [
        ("run: proctor gate --base origin/main", True),
        ("run: uvx proctor merge-check", True),
        ("run: proctor run -- pytest", False),
        ("# proctor gate", False),
        ("run: my-proctor-gate", False),
    ],
)
def test_a_workflow_that_calls_the_gate_is_found(line: str, *, calls: bool, tmp_path: Path) -> None:
    folder = tmp_path / ".github" / "workflows"
    folder.mkdir(parents=True)
    (folder / "a.yml").write_text("on: push\n")
    (folder / "b.yml").write_text(f"steps:\n  - {line}\n")
    names = [".github/workflows/a.yml", ".github/workflows/b.yml"]
    assert gate_in_automation(str(tmp_path)) == (names, names[1] if calls else None)


def test_a_repository_without_automation_has_no_gate_there(tmp_path: Path) -> None:
    assert gate_in_automation(str(tmp_path)) == ([], None)


def test_a_file_that_cannot_be_read_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / ".gitlab-ci.yml").symlink_to("/proc/self/mem")
    assert gate_in_automation(str(tmp_path)) == ([".gitlab-ci.yml"], None)
