"""Receipts and signed approvals at the gate, and through the Python interface."""

import json
import re
from pathlib import Path

import pytest

import proctor
from proctor.errors import UsageError
from tests.cheats.stage import GREEN, Stage
from tests.integration.receipt.conftest import POLICY, Issued

pytestmark = pytest.mark.heavy


def test_a_signed_receipt_tells_the_gate_of_the_red_runs_before_it(
    issued: Issued, tmp_path: Path
) -> None:
    stage = issued.stage
    stage.put("proctor.toml", f'[receipt]\ntrusted_keys = ["{issued.public}"]\n')
    stage.commit("trust CI")
    stage.git("checkout", "-q", "-b", "work")
    stage.put("tests/test_flaky.py", "import os\ndef test_a():\n    assert 'FLAG' in os.environ\n")
    stage.commit("Add a test")
    stage.proctor("run", "--", "pytest", "-q")
    env = {"FLAG": "1"}
    stage.proctor("receipt", "issue", "--sign", str(issued.key), "--", "pytest", "-q", env=env)
    copy = tmp_path / "copy"
    stage.git("clone", "-q", "-b", "work", str(stage.repo), str(copy))
    env = {"PROCTOR_STATE_DIR": str(tmp_path / "state")}
    found = stage.judge("--base", "origin/main", "--receipt", str(issued.path), cwd=copy, env=env)
    assert (found.outcome, found.rules) == ("unproven", {"retried-to-green"}), found.text
    assert "attempts on this tree: 2, red 1" in found.text


def test_a_signed_receipt_stands_for_a_log_that_is_elsewhere(
    issued: Issued, tmp_path: Path
) -> None:
    stage = issued.stage
    stage.put("proctor.toml", f'{POLICY}[receipt]\ntrusted_keys = ["{issued.public}"]\n')
    stage.commit("trust CI")
    stage.git("checkout", "-q", "-b", "work")
    stage.put("src/app.py", "def f():\n    return 2\n")
    stage.commit("Return 2")
    copy = tmp_path / "copy"
    stage.git("clone", "-q", "-b", "work", str(stage.repo), str(copy))
    env = {"PROCTOR_STATE_DIR": str(tmp_path / "state")}
    stage.proctor("receipt", "issue", "--sign", str(issued.key), "--", "pytest", "-q")
    found = stage.judge("--base", "origin/main", "--receipt", str(issued.path), cwd=copy, env=env)
    verdict = json.loads(found.text)
    assert (found.outcome, verdict["trust_level"], verdict["executed"]) == ("pass", 2, 2), (
        found.text
    )
    assert f"receipt {issued.path}" in verdict["inputs"] or any(
        "receipt" in n for n in verdict["inputs"]
    )
    without = stage.judge("--base", "origin/main", cwd=copy, env=env)
    assert without.outcome == "unproven"
    (copy / "src/app.py").write_text("def f():\n    return 9\n")
    stale = stage.judge("--base", "origin/main", "--receipt", str(issued.path), cwd=copy, env=env)
    assert (stale.outcome, "stale-tree" in stale.rules) == ("fail", True)


def test_an_unsigned_receipt_adds_nothing_to_the_log(issued: Issued) -> None:
    found = issued.stage.judge("--receipt", str(issued.unsigned))
    assert (found.outcome, found.rules) == ("pass", {"unsigned"})
    missing = issued.stage.judge("--receipt", str(issued.stage.folder / "none.json"))
    assert (missing.outcome, missing.rules) == ("unproven", {"no-records"})
    assert issued.stage.proctor("gate", "--every", "--receipt", "x").returncode == 64


@pytest.mark.heavy
def test_a_signed_approval_counts_where_the_base_trusts_its_key(tmp_path: Path) -> None:
    stage = Stage(tmp_path / "s")
    key = tmp_path / "ann.key"
    public = stage.proctor("key", "new", str(key)).stdout.strip()
    trusted = f'{POLICY}[approvals]\ntrusted_keys = ["{public}"]\n'.replace("min_tests = 2\n", "")
    stage.put("tests/test_app.py", GREEN)
    stage.put("proctor.toml", trusted)
    stage.commit("first")
    stage.git("checkout", "-q", "-b", "work")
    stage.put("proctor.toml", trusted + "[gate]\nignore_paths = ['*.md']\n")
    stage.commit("ignore prose")
    stage.run("pytest", "-q")
    found = stage.judge("--base", "main")
    digest = next(
        f["digest"] for f in json.loads(found.text)["findings"] if f["rule"] == "policy-touched"
    )
    approve = ("approve", digest, "--reason", "prose only", "--owner", "ann")
    stage.proctor(*approve)
    assert "unreviewed-approval" in stage.judge("--base", "main").rules
    assert stage.proctor(*approve, "--sign", "/none").returncode == 65
    stage.put("approvals.toml", "")
    assert stage.proctor(*approve, "--sign", str(key)).returncode == 0
    signed = stage.judge("--base", "main")
    assert (signed.outcome, "unreviewed-approval" in signed.rules) == ("pass", False), signed.text
    text = (stage.repo / "approvals.toml").read_text()
    for edit in (("prose only", "anything"), ("ann", "bob"), (digest, "0" * 64)):
        stage.put("approvals.toml", text.replace(*edit))
        assert "unreviewed-approval" in stage.judge("--base", "main").rules, edit
    other = stage.proctor("key", "new", str(tmp_path / "other.key")).stdout.strip()
    assert re.fullmatch("[0-9a-f]{64}", other)
    stage.put("approvals.toml", "")
    stage.proctor(*approve, "--sign", str(tmp_path / "other.key"))
    assert "unreviewed-approval" in stage.judge("--base", "main").rules


def test_trusting_a_key_in_the_patch_loosens_its_policy(issued: Issued) -> None:
    stage = issued.stage
    stage.git("checkout", "-q", "-b", "work")
    stage.put("proctor.toml", f'{POLICY}[receipt]\ntrusted_keys = ["{issued.public}"]\n')
    stage.commit("trust me")
    stage.run("pytest", "-q")
    found = stage.judge("--base", "main")
    assert "policy-touched" in found.rules
    assert f"[receipt] trusted_keys has {issued.public[:12]}" in found.text
    stage.put("proctor.toml", f"{POLICY}[receipt]\nrequire_signed = true\n")
    assert "policy-touched" not in stage.judge("--base", "main").rules


def test_the_python_interface_checks_receipts_too(
    issued: Issued, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROCTOR_STATE_DIR", issued.stage.env["PROCTOR_STATE_DIR"])
    monkeypatch.delenv("PROCTOR_LOG", raising=False)
    found = proctor.check_receipt(issued.path, folder=issued.stage.repo, keys=[issued.public])
    assert (found.exit_code, found.checked[0].level) == (0, 2)
    monkeypatch.chdir(issued.stage.repo)
    done = proctor.run_recorded(["true"], receipt=str(issued.stage.folder / "r.json"))
    assert (done.returncode, (issued.stage.folder / "r.json").exists()) == (0, True)
    assert proctor.check_receipt(toolchain={"node": "1"}, max_age="1s", host="x").exit_code == 3
    for wrong in ({"max_age": "soon"}, {"keys": ["x"]}, {"command": ""}):
        with pytest.raises(UsageError):
            proctor.check_receipt(**wrong)


def test_doctor_warns_of_a_key_that_an_agent_could_read(issued: Issued) -> None:
    for path, state in ((str(issued.key), "hint"), ("/none", "ok")):
        done = issued.stage.proctor("doctor", "--format", "json", env={"PROCTOR_KEY": path})
        checks = {one["name"]: one for one in json.loads(done.stdout)["checks"]}
        assert checks["signing key"]["state"] == state
