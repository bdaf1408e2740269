"""The jobs that `init --ci gitlab` writes, executed as one shell each, on a machine of their own."""

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from proctor.setup.ci.base import Origin
from proctor.setup.ci.gitlab import SERVICE
from tests.ci.machine import PROJECT, VENV, environment
from tests.ci.request import TESTS, Request, owned

pytestmark = pytest.mark.heavy


@dataclass
class Job:
    """What a job came to."""

    code: int
    output: str
    project: Path


def jobs(*lines: str) -> dict[str, Any]:
    return dict(yaml.safe_load(SERVICE.text(lines, Origin())))


def run_job(
    request: Request, commit: str, job: dict[str, Any], folder: Path, bundle: Path | None
) -> Job:
    """Run a job; of the installation, only that it happens elsewhere is left out."""
    project = folder / "builds" / "app"
    home = folder / "home"
    project.mkdir(parents=True)
    env = environment(home) | {
        "CI_PROJECT_DIR": str(project),
        "CI_PROJECT_ID": "2",
        "CI_MERGE_REQUEST_PROJECT_ID": "1",
        "CI_MERGE_REQUEST_PROJECT_URL": f"file://{request.server}",
        "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
        "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME": request.branch,
        "CI_REPOSITORY_URL": f"file://{request.server}",
        "CI_COMMIT_SHA": commit,
        "PROCTOR": str(PROJECT),
        "TMPDIR": str(home),
    }
    if job.get("variables", {}).get("GIT_STRATEGY") != "none":
        subprocess.run(["git", "clone", "-q", request.server, project], env=env, check=True)
        subprocess.run(["git", "checkout", "-q", commit], cwd=project, env=env, check=True)
    if bundle is not None:
        shutil.copy(bundle, project)
    before = ['cd "$(mktemp -d)"', f"proctor={VENV}/bin/proctor"]
    lines = "\n".join([*before, *job["script"]])
    done = subprocess.run(
        ["sh", "-e", "-c", lines], cwd=project, env=env,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip
    return Job(done.returncode, done.stdout, project)


def both(request: Request, folder: Path, *lines: str) -> tuple[Job, Job]:
    _, commit = request.service(folder / "service")
    found = jobs(*lines)
    first = run_job(request, commit, found["proctor-run"], folder / "run", None)
    bundle = first.project / "proctor-bundle.zip"
    return first, run_job(request, commit, found["proctor-judge"], folder / "judge", bundle)


def test_an_honest_merge_request_is_one_green_line(tmp_path: Path) -> None:
    """Two suites, files that nobody ignores, a JUnit file that stays on the first machine."""
    policy = (
        '[[require]]\nname = "unit"\njunit = "junit.xml"\n'
        'command = ["pytest", "tests", "--junitxml=junit.xml"]\n'
        '[[require]]\nname = "more"\ncommand = ["pytest", "more"]\n'
    )
    request = Request(tmp_path, **{"proctor.toml": policy, "more/test_h.py": TESTS})
    request.feature()
    setup = "mkdir -p x.egg-info && date > x.egg-info/PKG-INFO && date > setup.log"
    unit = f"{setup}; pytest -q tests --junitxml=junit.xml"
    first, second = both(request, tmp_path, unit, "pytest -q more")
    assert (first.code, second.code) == (0, 0), first.output + second.output
    assert second.output.startswith("PASS  level 3 · 5 tests executed"), second.output
    quality = json.loads((second.project / "gl-code-quality-report.json").read_text())
    assert {one["severity"] for one in quality} == {"info"}, "that files were there, nothing else"
    assert "<testsuite" in (second.project / "proctor-junit.xml").read_text()
    assert (second.project / "proctor-report.html").stat().st_size > 10_000
    assert owned(tmp_path) == []


def test_a_masked_failure_is_red_and_where_no_bundle_came_too(tmp_path: Path) -> None:
    request = Request(tmp_path)
    request.put("tests/test_app.py", TESTS.replace("== 1", "== 2"))
    first, second = both(request, tmp_path, "pytest -q | tail -n 1")
    assert (first.code, second.code) == (0, 1)
    (finding,) = json.loads((second.project / "gl-code-quality-report.json").read_text())
    assert finding["check_name"].endswith("masked-exit")
    _, commit = request.service(tmp_path / "service")
    third = run_job(request, commit, jobs("pytest")["proctor-judge"], tmp_path / "none", None)
    assert third.code == 1
    assert third.output.count("\n") == 1
    assert "there is no such file" in third.output
