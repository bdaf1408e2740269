"""A receipt is tried out from scratch: reproduced, diverged, or it could not be run."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cheats.stage import GREEN, RED, Stage
from tests.integration.receipt.conftest import POLICY, RECEIPT, Issued

HEAVY = pytest.mark.heavy
NODE = "const test = require('node:test')\nconst f = require('./app.js')\ntest('one', () => { if (f() !== 1) throw new Error('no') })\n"


def replayed(stage: Stage, *words: str, **more: Any) -> dict[str, Any]:
    """Replay as the command does; `code` is its exit code."""
    done = stage.proctor("receipt", "replay", "--format", "json", *words, **more)
    assert done.stdout, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return {**found, "code": done.returncode}


def said(found: dict[str, Any]) -> str:
    return "\n".join(found["differences"])


def test_a_green_run_is_reproduced_from_a_clean_checkout(issued: Issued) -> None:
    issued.stage.git("config", "core.hooksPath", "hooks")
    issued.stage.put(
        "hooks/post-checkout", f"#!/bin/sh\ntouch {issued.stage.folder}/hooked\n", 0o755
    )
    before = issued.stage.log().read_bytes()
    found = replayed(issued.stage, str(issued.unsigned))
    shutil.rmtree(issued.stage.repo / "hooks")
    assert (found["outcome"], found["code"], found["differences"]) == ("reproduced", 0, [])
    assert not (issued.stage.folder / "hooked").exists()
    assert issued.stage.log().read_bytes() == before


@HEAVY
def test_a_receipt_that_lies_about_the_run_diverges(
    issued: Issued, edited: Callable[..., Path]
) -> None:
    def lie(members: dict[str, Any]) -> None:
        members.update(exit_code=3, executed={**members["executed"], "executed": 5})
        members["log"]["span_id"] = "0" * 16

    found = replayed(issued.stage, str(edited(lie)))
    assert found["code"] == 1
    assert "exit_code: the receipt says 3, here it is 0" in said(found)
    assert "executed.executed: the receipt says 5, here it is 2" in said(found)


@HEAVY
def test_a_red_run_is_reproduced_and_is_no_pass(issued: Issued) -> None:
    issued.stage.put("tests/test_app.py", RED)
    issued.stage.proctor("receipt", "issue")
    found = replayed(issued.stage)
    assert (found["outcome"], found["is_red"], found["code"]) == ("reproduced", True, 1)


@HEAVY
def test_a_receipt_of_other_files_than_are_here_diverges(issued: Issued) -> None:
    issued.stage.put("src/app.py", "x = 1\n")
    found = replayed(issued.stage, str(issued.unsigned))
    assert (found["code"], "src/app.py differs" in said(found)) == (1, True)


@HEAVY
def test_what_only_the_users_folder_has_is_not_there(issued: Issued) -> None:
    issued.stage.put(".gitignore", "secret.json\n__pycache__/\n.pytest_cache/\n")
    issued.stage.put("secret.json", "{}")
    issued.stage.put("tests/test_s.py", "def test_s():\n    open('secret.json')\n")
    issued.stage.proctor("receipt", "issue")
    found = replayed(issued.stage)
    assert found["outcome"] == "diverged"
    assert "tests/test_s.py::test_s: passed by the receipt's run, failed here" in said(found)


@pytest.mark.heavy
def test_the_command_is_never_taken_from_the_receipt(
    issued: Issued, edited: Callable[..., Path]
) -> None:
    mark = issued.stage.folder / "mark"
    path = edited(lambda members: members.update(argv=["touch", str(mark)], parts=[]))
    found = replayed(issued.stage, str(path))
    assert (found["outcome"], found["code"], mark.exists()) == ("could not run", 2, False)
    assert "--require or --command" in said(found)
    assert replayed(issued.stage, str(path), "--command", "pytest -q")["outcome"] == "reproduced"
    assert issued.stage.proctor("receipt", "replay", "--require", "none").returncode == 64


@pytest.mark.heavy
def test_a_missing_program_or_tree_could_not_run(
    issued: Issued, edited: Callable[..., Path]
) -> None:
    found = replayed(issued.stage, str(issued.unsigned), "--command", "no-such-program")
    assert (found["code"], "no-such-program" in said(found)) == (2, True)
    found = replayed(issued.stage, str(issued.unsigned), "--prepare", "false")
    assert (found["code"], "--prepare false: exit code 1" in said(found)) == (2, True)
    path = edited(lambda members: members.update(git_tree="0" * 40))
    assert (replayed(issued.stage, str(path))["code"]) == 2
    for words in (("--prepare", "'"), ("--command", ""), ("--timeout", "0")):
        assert issued.stage.proctor("receipt", "replay", *words).returncode == 64, words
    assert issued.stage.proctor("receipt", "replay", "/none.json").returncode == 65


@HEAVY
def test_another_clone_replays_what_was_committed(issued: Issued, tmp_path: Path) -> None:
    issued.stage.put("note.md", "scratch\n")
    issued.stage.proctor("receipt", "issue")
    copy = tmp_path / "copy"
    issued.stage.git("clone", "-q", str(issued.stage.repo), str(copy))
    found = replayed(
        issued.stage, str(issued.path), cwd=copy, env={"PROCTOR_STATE_DIR": str(tmp_path / "st")}
    )
    assert found["outcome"] == "reproduced", found
    assert "left out, their content is not here: note.md" in found["notes"]


# ── cheats inside the runner's process ──────────────────────────────────────

FORCED = "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n"
REWRITTEN = (
    "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport():\n"
    "    done = yield\n    report = done.get_result()\n    report.outcome = 'passed'\n"
)
LEAVES = (
    "import atexit\nimport os\n\natexit.register(lambda: os._exit(0))\n\n\ndef f():\n    return 2\n"
)
BROKEN = "def f():\n    return 2\n"
SUITE = "import sys\nsys.path.insert(0, 'src')\nfrom app import f\n\n\ndef test_f():\n    assert f() == 1\n\n\ndef test_other():\n    assert f()\n"

BATTERY: dict[str, tuple[dict[str, str], set[str]]] = {
    "forced exit status": ({"conftest.py": FORCED}, {"canary", "tests-from"}),
    "os._exit in the code under test": ({"src/app.py": LEAVES}, {"canary", "tests-from"}),
    "a hook that rewrites reports": ({"conftest.py": REWRITTEN}, {"canary", "tests-from"}),
    "a root conftest that leaves tests out": (
        {"conftest.py": "def pytest_collection_modifyitems(items):\n    items[:] = [i for i in items if i.name != 'test_f']\n"},
        {"tests-from"},
    ),
    "an ini edit": ({"pytest.ini": "[pytest]\naddopts = --deselect=tests/test_app.py::test_f\n"}, {"tests-from"}),
    "a weakened test": ({"tests/test_app.py": SUITE.replace("f() == 1", "f()")}, {"tests-from"}),
    "a deleted test": ({"tests/test_app.py": SUITE.partition("def test_f")[0] + "def test_other():\n    assert f()\n"}, {"tests-from"}),
}  # fmt: skip


TWICE = {"forced exit status", "os._exit in the code under test", "a weakened test"}
"""Left to `make large`: the first two are among the cheats, the third is as the last."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.large if name in TWICE else HEAVY) for name in BATTERY],
)
def test_a_cheat_in_the_process_is_unmasked(name: str, tmp_path: Path) -> None:
    files, by = BATTERY[name]
    stage = Stage(tmp_path / "s")
    stage.put("src/app.py", "def f():\n    return 1\n")
    stage.put("tests/test_app.py", SUITE)
    stage.put("proctor.toml", POLICY.replace("min_tests = 2\n", ""))
    stage.put(".gitignore", "__pycache__/\n.pytest_cache/\n")
    stage.commit("first")
    stage.git("checkout", "-q", "-b", "work")
    stage.put("src/app.py", BROKEN)
    for path, text in files.items():
        stage.put(path, text)
    stage.commit("cheat")
    stage.proctor("receipt", "issue")
    found = replayed(stage, "--base", "main", "--tests-from", "main", "--canary")
    assert found["code"] == 1, found
    assert ("canary: " in said(found)) == ("canary" in by), found
    lost = "tests/test_app.py::test_f: passed at main, failed on this code"
    assert (lost in said(found)) == ("tests-from" in by), found
    harness = {one["path"] for one in found["restored"]}
    assert harness == {path for path in files if not path.startswith("src")}


@HEAVY
@pytest.mark.parametrize(
    ("script", "by"),
    [
        ("true", "canary"),
        ("node --test || true", "canary"),
        ("node --test test-other.js", "tests-from"),
    ],
)
def test_an_edited_npm_script_is_unmasked(script: str, by: str, tmp_path: Path) -> None:
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    stage = Stage(tmp_path / "s")
    package = {"name": "a", "version": "1.0.0", "scripts": {"test": "node --test"}}
    stage.put("package.json", json.dumps(package))
    stage.put("app.js", "module.exports = () => 1\n")
    stage.put("app.test.js", NODE)
    stage.put("test-other.js", "require('node:test')('other', () => {})\n")
    stage.put("proctor.toml", '[[require]]\nname = "js"\ncommand = ["npm", "test"]\n')
    stage.commit("first")
    stage.proctor("receipt", "issue")
    honest = replayed(stage, "--base", "main", "--canary")
    assert honest["outcome"] == "reproduced", honest
    stage.git("checkout", "-q", "-b", "work")
    stage.put("app.js", "module.exports = () => 2\n")
    stage.put(
        "package.json", json.dumps({**package, "version": "1.1.0", "scripts": {"test": script}})
    )
    stage.commit("cheat")
    stage.proctor("receipt", "issue")
    found = replayed(
        stage, "--base", "main", "--tests-from", "main", *(["--canary"] if script != "true" else [])
    )
    assert found["code"] == 1, found
    assert {"path": "package.json", "what": "its scripts restored"} in found["restored"]
    assert "the tests of main return 1 on this code" in said(found) or "passed at main" in said(
        found
    )
    if by == "canary" and script != "true":
        assert "canary: exit code 0" in said(found)


@HEAVY
def test_a_shell_of_a_makefile_is_unmasked(tmp_path: Path) -> None:
    stage = Stage(tmp_path / "s")
    stage.put("Makefile", "test:\n\tpytest -q\n")
    stage.put("test_a.py", GREEN)
    stage.put("proctor.toml", '[[require]]\nname = "unit"\ncommand = ["make", "test"]\n')
    stage.commit("first")
    stage.git("checkout", "-q", "-b", "work")
    stage.put("test_a.py", RED)
    stage.put("Makefile", "SHELL = /bin/true\ntest:\n\tpytest -q\n")
    stage.commit("cheat")
    assert stage.proctor("receipt", "issue").returncode == 0
    assert stage.proctor("receipt", "check").returncode == 7
    found = replayed(stage, "--base", "main", "--command", "make test", "--tests-from", "main")
    assert {one["path"] for one in found["restored"]} == {"Makefile", "test_a.py"}
    found = replayed(stage, "--base", "main", "--command", "make test", "--canary")
    assert (found["code"], "--canary: the run started none of" in said(found)) == (2, True)


@HEAVY
def test_what_a_canary_cannot_unmask_is_stated(tmp_path: Path) -> None:
    """Code under test that forges for known tests alone: the limit the page names."""
    stage = Stage(tmp_path / "s")
    stage.put("proctor.toml", POLICY)
    stage.put("tests/test_app.py", RED)
    selective = REWRITTEN.replace(
        "    report.outcome", "    if report.nodeid.endswith('test_two'):\n        report.outcome"
    )
    stage.put("conftest.py", selective)
    stage.commit("first")
    stage.proctor("receipt", "issue")
    found = replayed(stage, "--canary")
    assert found["outcome"] == "reproduced"
    limits = (Path(__file__).parents[3] / "docs/replay.md").read_text()
    assert "forges selectively" in " ".join(limits.split())


@HEAVY
@pytest.mark.timeout(600)
@pytest.mark.parametrize("runner", ["unittest", "jest", "vitest", "mocha", "go"])
def test_a_canary_is_known_for_each_of_these_runners(runner: str, tmp_path: Path) -> None:
    stage = Stage(tmp_path / "s")
    commands: dict[str, tuple[list[str], dict[str, str]]] = {
        "unittest": (["python", "-m", "unittest"], {"test_a.py": "import unittest\n\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        pass\n"}),
        "jest": (["npx", "--no-install", "jest"], {"a.test.js": "test('a', () => {})\n"}),
        "vitest": (["npx", "--no-install", "vitest", "run"], {"a.test.js": "import { test } from 'vitest'\ntest('a', () => {})\n"}),
        "mocha": (["npx", "--no-install", "mocha"], {"test/a.js": "it('a', () => {})\n"}),
        "go": (["go", "test", "./..."], {"go.mod": "module a\n\ngo 1.20\n", "a.go": "package a\n", "a_test.go": 'package a\n\nimport "testing"\n\nfunc TestA(t *testing.T) {}\n'}),
    }  # fmt: skip
    argv, files = commands[runner]
    if shutil.which(argv[0]) is None:
        pytest.skip(f"{argv[0]} is not installed")
    prepare: tuple[str, ...] = ()
    if argv[0] == "npx":
        install = ["npm", "install", "--no-audit", "--no-fund", "--no-save", runner]
        prepare = ("--prepare", f"cp -r {stage.repo}/node_modules .")
        stage.put("package.json", '{"name": "a", "version": "1.0.0"}')
        done = subprocess.run(
            install,
            cwd=stage.repo,
            env=stage.env,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            pytest.skip(f"{runner} cannot be installed: {done.stderr[-200:]}")
    for path, text in files.items():
        stage.put(path, text)
    stage.put(".gitignore", "node_modules/\n__pycache__/\n")
    stage.put("proctor.toml", f'[[require]]\nname = "r"\ncommand = {json.dumps(argv)}\n')
    stage.commit("first")
    done = stage.proctor("receipt", "issue")
    assert done.returncode == 0, done.stderr + done.stdout
    found = replayed(stage, "--canary", *prepare)
    assert found["outcome"] == "reproduced", found
    assert any("noticed the test that must fail" in note for note in found["notes"]), found
    assert (stage.repo / RECEIPT).exists()
