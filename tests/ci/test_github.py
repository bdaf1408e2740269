"""The workflow that `init --ci github` writes, executed with the project's own action."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from proctor.receipt.bundle import pack, read_bundle
from proctor.setup.ci.base import Origin
from proctor.setup.ci.github import SERVICE
from tests.ci.machine import Done, Service
from tests.ci.request import TESTS, Request, hand_over, owned

pytestmark = pytest.mark.heavy
WORKFLOW: dict[str, Any] = yaml.safe_load(SERVICE.text(["pytest -q"], Origin()))
JUDGE: dict[str, Any] = {"jobs": {"judge": {"steps": WORKFLOW["jobs"]["judge"]["steps"]}}}
GREEN = "Proctor: pass · level 3 · 3 tests executed · tree "


def played(request: Request, folder: Path) -> dict[str, Done]:
    service, head = request.service(folder / "service")
    return service.run(WORKFLOW, head)


@pytest.fixture(scope="module")
def honest(
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Request, Service, str, dict[str, Done]]:
    """An honest pull request whose workflow has run."""
    folder = tmp_path_factory.mktemp("honest")
    request = Request(folder)
    request.feature()
    service, head = request.service(folder / "service")
    return request, service, head, service.run(WORKFLOW, head)


Honest = tuple[Request, Service, str, dict[str, Done]]


def test_an_honest_pull_request_gets_one_green_line_and_nothing_else(honest: Honest) -> None:
    _, service, _, done = honest
    assert [one.result for one in done.values()] == ["success", "success"], done
    assert done["judge"].output.startswith(GREEN)
    assert done["judge"].output.count("\n") == 1
    assert done["judge"].summary.startswith("✅ **Proctor: pass**")
    assert (done["run"].summary, done["judge"].summary.count("\n")) == ("", 1)
    assert (service.artifacts / "proctor-report/proctor-report.html").stat().st_size > 10_000
    assert owned(service.folder) == []


def test_a_masked_failure_is_red(tmp_path: Path) -> None:
    request = Request(tmp_path)
    request.put("tests/test_app.py", TESTS.replace("== 1", "== 2"))
    service, head = request.service(tmp_path / "service")
    text = SERVICE.text(["pytest -q | tail -1"], Origin())
    done = service.run(yaml.safe_load(text), head)
    assert (done["run"].result, done["judge"].result) == ("success", "failure")
    assert "::error title=Proctor%3A masked-exit (error)::" in done["judge"].output
    assert done["judge"].summary.startswith("❌ **Proctor: fail**")


def test_a_patch_is_judged_by_the_policy_of_its_base(tmp_path: Path) -> None:
    request = Request(tmp_path)
    request.put("proctor.toml", '[gate]\nenforce = "observe"\n')
    request.put(".github/workflows/proctor.yml", "on: pull_request\njobs: {}\n")
    request.put(
        "tests/conftest.py", "import os\n\n\ndef pytest_sessionfinish():\n    os._exit(0)\n"
    )
    request.put("tests/test_app.py", TESTS.replace("== 1", "== 2"))
    done = played(request, tmp_path)["judge"]
    assert done.result == "failure"
    assert "would have blocked" not in done.output
    assert "level 0" in done.output
    for rule in ("policy-touched (error)", "harness-touched (warning)"):
        assert f"Proctor%3A {rule}" in done.output


@pytest.mark.timeout(300)
def test_nothing_of_the_patch_is_executed_where_it_is_judged(tmp_path: Path) -> None:
    mark = "import os, pathlib\npathlib.Path(os.environ['HOME'], 'owned').touch()\n"
    request = Request(tmp_path)
    request.feature()
    for name in ("venv", "pip", "json", "secrets", "sitecustomize", "msgspec", "conftest"):
        request.put(f"{name}.py", mark)
    request.put("proctor/__init__.py", mark)
    request.put(".gitattributes", "* filter=x diff=x merge=x\n")
    request.put("pip.conf", "[global]\nno-index = true\n")
    service, head = request.service(tmp_path / "service")
    service.really_installs = "judge"
    service.run(WORKFLOW, head)
    assert owned(tmp_path / "service" / "machine-run"), "the tests ran, so the mark works"
    assert owned(tmp_path / "service" / "machine-judge") == []


def test_no_bundle_is_no_verdict_and_says_so(honest: Honest, tmp_path: Path) -> None:
    _, service, head, _ = honest
    other = Service(tmp_path, service.server, service.event)
    done = other.run(WORKFLOW, head, skip=("run",))
    assert (done["run"].result, done["judge"].result) == ("cancelled", "failure")
    assert done["judge"].output.startswith("::error title=Proctor: no verdict::")
    assert "there is no such file" in done["judge"].output
    assert "no verdict" in done["judge"].summary


@pytest.mark.parametrize("how", ["edited", "not a zip", "of another project", "no log", "cut"])
def test_a_forged_bundle_is_no_pass(honest: Honest, tmp_path: Path, how: str) -> None:
    _, service, head, _ = honest
    other = Service(tmp_path, service.server, service.event)
    hand_over(service.artifacts, other)
    path = other.artifacts / "proctor-bundle/proctor-bundle.zip"
    forge(path, how)
    done = other.run(JUDGE, head)
    assert done["judge"].result == "failure"
    assert "Proctor: pass" not in done["judge"].output + done["judge"].summary
    assert "a fault in Proctor" not in done["judge"].output
    assert done["judge"].summary


def forge(path: Path, how: str) -> None:
    bundle = read_bundle(str(path))
    files = dict(bundle.files)
    if how == "edited":
        with zipfile.ZipFile(path, "a") as archive:
            archive.writestr("log/../../x", "x")
    elif how == "not a zip":
        path.write_text("::error::hello\n")
    elif how == "of another project":
        commits = {
            json.loads(line)["git"]["repository"][0] for line in spans(files) if b'"git":{' in line
        }
        text = files["log/spans.jsonl"].decode()
        for commit in commits:
            text = text.replace(commit, "0" * 40)
        pack(str(path), files | {"log/spans.jsonl": text.encode()}, bundle.origin)
    elif how == "no log":
        pack(str(path), {"evidence/manifest.json": b"{}"}, bundle.origin)
    else:
        pack(str(path), files | {"log/spans.jsonl": spans(files)[0] + b"\n"}, bundle.origin)


def spans(files: dict[str, bytes]) -> list[bytes]:
    return files["log/spans.jsonl"].splitlines()


def test_a_shallow_checkout_is_told_the_command_that_fetches_the_base(
    honest: Honest, tmp_path: Path
) -> None:
    _, service, head, _ = honest
    other = Service(tmp_path, service.server, service.event, depth=1)
    other.event["pull_request"]["base"]["sha"] = "1" * 40
    hand_over(service.artifacts, other)
    done = other.run(JUDGE, head)
    assert f"fetch it: git fetch --unshallow origin {'1' * 40}" in done["judge"].output
    assert "git fetch" in done["judge"].summary
