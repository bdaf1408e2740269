"""Reports and evidence that are not those of the run that is judged."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.cheats.stage import GREEN, RED, Case, Stage

OUTSIDE = frozenset({"junit-outside-run"})
POLICY = "[[require]]\nname = 'all'\ncommand = ['pytest']\njunit = 'junit.xml'\n"
HAND = '<testsuite name="pytest" tests="2" failures="0"><testcase name="a"/><testcase name="b"/></testsuite>'
FORCED = "import pytest\n@pytest.hookimpl(trylast=True)\ndef pytest_sessionfinish(session):\n    session.exitstatus = 0\n"
NODE = "const test = require('node:test')\ntest('adds', () => {})\ntest('skips', {skip: 'no net'}, () => {})\n"
_EVIDENCE = ("--evidence", "evidence")


def project(stage: Stage, tests: str = GREEN) -> None:
    """A committed project that owes a JUnit file, which git ignores."""
    stage.put("proctor.toml", POLICY)
    stage.put(".gitignore", "junit.xml\n__pycache__\n.pytest_cache\n")
    stage.put("tests/test_app.py", tests)
    stage.commit()


def with_report(stage: Stage) -> None:
    """A green run that writes the report."""
    project(stage)
    stage.run("pytest", "-q", "--junitxml=junit.xml")


def by_hand(stage: Stage) -> None:
    """The report is written by hand."""
    project(stage)
    stage.run("pytest", "-q")
    stage.put("junit.xml", HAND)


def from_earlier(stage: Stage) -> None:
    """The report is that of a run on other files; the last run wrote none."""
    with_report(stage)
    stage.put("tests/test_app.py", GREEN + "\n\ndef test_three():\n    pass\n")
    stage.run("pytest", "-q")


def edited(stage: Stage) -> None:
    """The report is edited after the run."""
    with_report(stage)
    report = stage.repo / "junit.xml"
    report.write_text(report.read_text().replace("test_one", "test_ten"))


def capture(stage: Stage, *argv: str) -> None:
    """`proctor evidence capture`."""
    done = stage.proctor("evidence", "capture", *(("--", *argv) if argv else ()))
    assert done.returncode in (0, 1), done.stderr


def captured(change: Callable[[Stage], object] = lambda _: None) -> Callable[[Stage], None]:
    """Return a play: evidence is captured, then something changes."""

    def play(stage: Stage) -> None:
        stage.put("tests/test_app.py", GREEN)
        stage.put("requirements.txt", "pytest==9.0.0\n")
        stage.commit()
        capture(stage, "pytest", "-q")
        change(stage)

    return play


def edit_junit(stage: Stage) -> None:
    """A test is added to the captured report."""
    report = stage.repo / "evidence/junit.xml"
    report.write_text(
        report.read_text().replace("</testsuite>", '<testcase name="z"/></testsuite>')
    )


def seal(path: Path, manifest: dict[str, Any]) -> None:
    """Write a manifest whose digest fits."""
    manifest["digest"] = ""
    whole = json.dumps(dict(sorted(manifest.items())), separators=(",", ":"))
    manifest["digest"] = hashlib.sha256(whole.encode()).hexdigest()
    path.write_text(json.dumps(manifest))


def forge_manifest(stage: Stage) -> None:
    """The report is edited and every digest of the manifest made anew."""
    edit_junit(stage)
    path = stage.repo / "evidence/manifest.json"
    manifest = json.loads(path.read_text())
    for kept in manifest["files"]:
        data = (path.parent / kept["name"]).read_bytes()
        kept |= {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
    seal(path, manifest)


def empty_manifest(stage: Stage) -> None:
    """The manifest names no command and no file any more: nothing is left to compare."""
    path = stage.repo / "evidence/manifest.json"
    seal(path, {**json.loads(path.read_text()), "commands": [], "files": []})


def forge_count(stage: Stage) -> None:
    """The manifest counts more tests than the recorded run executed."""
    path = stage.repo / "evidence/manifest.json"
    manifest = json.loads(path.read_text())
    manifest["commands"][0]["counts"][0] |= {"executed": 99, "passed": 99}
    seal(path, manifest)


def forge_run(stage: Stage) -> None:
    """The manifest names a run that nobody recorded."""
    path = stage.repo / "evidence/manifest.json"
    manifest = json.loads(path.read_text())
    manifest["commands"][0]["run_id"] = "0" * 32
    seal(path, manifest)


def older_tree(stage: Stage) -> None:
    """The code changes, the tests run again, the evidence stays."""
    stage.put("tests/test_app.py", GREEN + "\n\ndef test_three():\n    pass\n")
    stage.run("pytest", "-q")


def forced_exit(stage: Stage) -> None:
    """A conftest turns the exit status of a red suite into 0."""
    stage.put("tests/test_app.py", RED)
    stage.put("conftest.py", FORCED)
    stage.commit()
    capture(stage, "pytest", "-q")


def node_project(stage: Stage) -> None:
    """An npm project whose tests run under node's own runner."""
    stage.put(
        "package.json", '{"name": "x", "version": "1.0.0", "scripts": {"test": "node --test"}}'
    )
    stage.put("package-lock.json", '{"name": "x", "lockfileVersion": 3}')
    stage.put("a.test.js", NODE)
    stage.commit()
    capture(stage)
    assert (stage.repo / "evidence/junit.xml").exists()


def skips(stage: Stage) -> None:
    """One test is skipped, one is expected to fail."""
    more = "\n\nimport pytest\n@pytest.mark.skip\ndef test_s(): pass\n@pytest.mark.xfail\ndef test_x(): assert 0\n"
    stage.put("tests/test_app.py", GREEN + more)
    stage.commit()
    capture(stage, "pytest", "-q")


CAUGHT = [
    Case("14", "report by hand", by_hand, OUTSIDE),
    Case("14", "report of an earlier run", from_earlier, OUTSIDE),
    Case("14", "report edited afterwards", edited, OUTSIDE),
    Case("14", "evidence edited", captured(edit_junit), frozenset({"digest-mismatch"}), gate=_EVIDENCE),
    Case("14", "evidence edited, manifest forged", captured(forge_manifest), OUTSIDE, gate=_EVIDENCE),
    Case("14", "evidence whose manifest is emptied", captured(empty_manifest), frozenset({"digest-mismatch"}), gate=_EVIDENCE),
    Case("14", "evidence that counts more than was run", captured(forge_count), frozenset({"digest-mismatch"}), gate=_EVIDENCE),
    Case("14", "evidence of a run that nobody recorded", captured(forge_run), frozenset({"receipt-without-record"}), gate=_EVIDENCE),
    Case("14", "evidence of another tree", captured(older_tree), OUTSIDE, gate=_EVIDENCE),
    Case("15", "forced exit, evidence captured", forced_exit, frozenset({"junit-contradicts-exit"}), gate=_EVIDENCE),
]  # fmt: skip
HONEST = [
    Case("I", "report beside the offered plugin", with_report),
    Case("I", "evidence", captured(), gate=_EVIDENCE),
    Case("I", "evidence, committed", captured(Stage.commit), gate=_EVIDENCE),
    Case("J", "evidence with a skip and an xfail", skips, gate=_EVIDENCE),
    Case("J", "evidence of an npm project", node_project, gate=_EVIDENCE, needs=("node", "npm")),
]
