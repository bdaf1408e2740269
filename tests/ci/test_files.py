"""The files for CI services are valid, and nothing that others write reaches their shells."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from proctor.setup.ci import github, gitlab
from proctor.setup.ci.base import Origin, installed_from
from tests.ci.machine import ACTION, PROJECT, VENV

COMMIT = "0123456789abcdef0123456789abcdef01234567"
KNOWN = Origin(url="https://github.com/example/proctor", commit=COMMIT)
LINES = ["cd 'a b' && pytest -q", "npm test"]


def noted(url: str, commit: str = COMMIT) -> str:
    """Return what an installer notes beside what it installed."""
    return json.dumps({"url": url, "vcs_info": {"vcs": "git", "commit_id": commit}})


def workflow(origin: Origin = KNOWN) -> dict[Any, Any]:
    return dict(yaml.safe_load(github.SERVICE.text(LINES, origin)))


def shells() -> dict[str, str]:
    """Return every piece of shell in the files, by name."""
    found = {step["name"]: step["run"] for step in ACTION["runs"]["steps"] if "run" in step}
    for name, job in yaml.safe_load(gitlab.SERVICE.text(LINES, KNOWN)).items():
        if "script" in job:
            found[name] = "\n".join(["proctor=proctor", *job["script"]])
    found["before"] = "\n".join(
        yaml.safe_load(gitlab.SERVICE.text(LINES, KNOWN))[".proctor"]["before_script"]
    )
    return found


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("schema", "name"),
    [("github-actions", "action.yml"), ("github-workflows", "w.yml"), ("gitlab-ci", "g.yml")],
)
def test_each_file_is_valid_by_the_services_own_schema(
    schema: str, name: str, tmp_path: Path
) -> None:
    text = {
        "action.yml": (PROJECT / "action.yml").read_text(encoding="utf-8"),
        "w.yml": github.SERVICE.text(LINES, Origin()),
        "g.yml": gitlab.SERVICE.text(LINES, Origin()),
    }[name]
    path = tmp_path / name
    path.write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", path],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


@pytest.mark.heavy
@pytest.mark.parametrize("name", shells())
def test_shellcheck_finds_nothing_in_the_shell(name: str) -> None:
    # What the services and earlier lines set is not assigned here, nor used what later ones do.
    left_out = "--exclude=SC2148,SC2154,SC2034"
    kind = "sh" if name.startswith(("proctor-", "before")) else "bash"
    done = subprocess.run(
        [VENV / "bin" / "shellcheck", f"--shell={kind}", "--severity=warning", left_out, "-"],
        input=f"set -e\n{shells()[name]}", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == ""


@pytest.mark.parametrize("name", shells())
def test_no_expression_stands_in_a_shell(name: str) -> None:
    assert "${{" not in shells()[name]


def test_the_workflow_is_given_nothing_to_lose() -> None:
    found = workflow()
    assert found[True] == "pull_request"  # `on`, as YAML 1.1 reads it
    assert found["permissions"] == {"contents": "read"}
    assert set(found["jobs"]) == {"run", "judge"}
    text = github.SERVICE.text(LINES, KNOWN)
    assert not re.search(r"secrets\.|vars\.|github\.token|permissions: write", text)
    for job in found["jobs"].values():
        (checkout,) = [one for one in job["steps"] if one["uses"].startswith("actions/checkout@")]
        assert checkout["with"] == {"fetch-depth": 0, "persist-credentials": False}


def test_the_judge_runs_proctor_alone() -> None:
    steps = workflow()["jobs"]["judge"]["steps"]
    assert [one["uses"].partition("@")[0] for one in steps] == [
        "actions/checkout",
        "example/proctor",
    ]
    assert [one.get("with") for one in steps[1:]] == [{"mode": "judge"}]


def test_every_action_is_named_by_its_full_commit() -> None:
    steps = [
        *ACTION["runs"]["steps"],
        *(s for j in workflow()["jobs"].values() for s in j["steps"]),
    ]
    used = {step["uses"] for step in steps if "uses" in step}
    assert used
    for name in used:
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", name), name


def test_what_is_owed_stands_in_the_file_as_it_is() -> None:
    given = workflow()["jobs"]["run"]["steps"][-1]["with"]
    assert given["command"].splitlines() == LINES
    assert "pytest -q" in gitlab.SERVICE.text(LINES, KNOWN)


@pytest.mark.parametrize("service", [github.SERVICE, gitlab.SERVICE])
def test_an_unknown_origin_is_left_to_a_person(service: Any) -> None:
    assert len(service.then(Origin())) == len(service.then(KNOWN)) + 1
    assert COMMIT in service.text(LINES, KNOWN)
    assert "None" not in service.text(LINES, Origin())


@pytest.mark.parametrize(
    ("text", "action", "package"),
    [
        (noted("https://github.com/a/b.git"), f"a/b@{COMMIT}",
         f"git+https://github.com/a/b.git@{COMMIT}"),
        (noted("https://git.example.org/a"), "", f"git+https://git.example.org/a@{COMMIT}"),
        ('{"url": "file:///home/a", "dir_info": {}}', "", ""),
        (noted("https://x/$(id)"), "", ""),
        (noted("https://github.com/a/b", "main"), "", ""),
        ("", "", ""),
        ("[]", "", ""),
    ],
)  # fmt: skip
def test_the_file_installs_the_commit_that_wrote_it(text: str, action: str, package: str) -> None:
    found = installed_from(text)
    assert (found.action, found.package) == (action, package)


def test_where_nothing_is_noted_nothing_is_known() -> None:
    assert isinstance(installed_from(), Origin)


@pytest.mark.parametrize("service", [github.SERVICE, gitlab.SERVICE])
def test_the_documented_file_is_the_one_that_is_written(service: Any) -> None:
    page = (PROJECT / "docs" / "ci.md").read_text(encoding="utf-8")
    assert f"```yaml\n{service.text(['pytest -q'], Origin())}```" in page


def test_every_input_of_the_action_is_documented() -> None:
    page = (PROJECT / "docs" / "ci.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `([a-z]+)` \|", page, re.MULTILINE) == list(ACTION["inputs"])
