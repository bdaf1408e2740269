"""Whether node is asked for JUnit, and what is put into its environment."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from proctor.recorder.ask import ask_for_junit, ask_node_to_count
from proctor.recorder.offer import may_start_node_tests


def asked(
    folder: Path,
    version: str,
    *,
    scripts: str = "node --test",
    options: str = "",
    tty: bool = False,
) -> str:
    (folder / "bin").mkdir(exist_ok=True)
    (folder / "bin/node").write_text(f"#!/bin/sh\n{version}\n")
    (folder / "bin/node").chmod(0o755)
    (folder / "package.json").write_text(f'{{"scripts": {{"test": "{scripts}"}}}}')
    inner = folder / "src"
    inner.mkdir(exist_ok=True)
    environ = {"PATH": f"{folder}/bin:/bin", "NODE_OPTIONS": options}
    said = ask_for_junit(environ, "/live", str(inner), terminal=tty)
    assert said[0] == "PROCTOR_JUNIT=1"
    assert len(said) == (1 if environ["NODE_OPTIONS"] == options else 2)
    return environ["NODE_OPTIONS"]


@pytest.mark.parametrize(
    ("version", "tty", "plain"),
    [("v20.1.0", False, "tap"), ("v20.1.0", True, "spec"), ("v23.0.0", False, "spec")],
)
def test_the_reporter_that_node_would_use_stays(
    tmp_path: Path, version: str, tty: bool, plain: str
) -> None:
    words = asked(tmp_path, f"echo {version}", tty=tty, options="--no-warnings")
    assert words == (
        f"--no-warnings --test-reporter={plain} --test-reporter-destination=stdout "
        "--test-reporter=junit --test-reporter-destination=/live/node.xml"
    )


@pytest.mark.parametrize("version", ["echo v18.1.0", "echo nonsense", "exec sleep 9", "exit 1"])
def test_a_node_that_cannot_be_asked_is_not(
    tmp_path: Path, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("proctor.recorder.ask._TIMEOUT_S", 0.5)
    assert asked(tmp_path, version) == ""


def test_reporters_that_somebody_chose_are_left_alone(tmp_path: Path) -> None:
    assert asked(tmp_path, "echo v22.1.0", scripts="node --test --test-reporter=dot") == ""
    assert asked(tmp_path, "echo v22.1.0", scripts="jest") == ""
    own = "--test-reporter=dot"
    assert asked(tmp_path, "echo v22.1.0", options=own) == own


def test_without_a_package_nothing_is_asked(tmp_path: Path) -> None:
    environ: dict[str, str] = {}
    assert ask_for_junit(environ, "/live", str(tmp_path), terminal=False) == ["PROCTOR_JUNIT=1"]


def counting(folder: Path, argv: list[str], scripts: str = "{}", options: str = "") -> str:
    (folder / "node").write_text("#!/bin/sh\necho v23.1.0\n")
    (folder / "node").chmod(0o755)
    (folder / "package.json").write_text(f'{{"scripts": {scripts}}}')
    environ = {"PATH": f"{folder}:/bin", "NODE_OPTIONS": options}
    said = ask_node_to_count(environ, argv, str(folder), terminal=False)
    assert said == ([f"NODE_OPTIONS+={environ['NODE_OPTIONS']}"] if said else [])
    return environ["NODE_OPTIONS"]


@pytest.mark.parametrize("argv", [["node", "--test"], ["npm", "t"], ["npm", "run", "unit", "-s"]])
def test_node_is_asked_to_count_beside_its_own_reporter(tmp_path: Path, argv: list[str]) -> None:
    words = counting(tmp_path, argv, '{"test": "node --test", "unit": "node --test test/a.js"}')
    assert words.startswith("--test-reporter=spec --test-reporter-destination=stdout ")
    assert words.endswith("/node_report.cjs --test-reporter-destination=stderr")


@pytest.mark.parametrize(
    ("argv", "scripts"),
    [
        (["node", "--test", "--test-reporter=dot"], "{}"),
        (["node", "--permission", "--test"], "{}"),
        (["npm", "test"], "{}"),
        (["npm", "test"], "[]"),
        (["npm", "test"], "broken"),
        (["npm", "test"], '{"test": "jest"}'),
        (["npm", "test"], '{"test": "node --test && node --test --test-reporter=dot"}'),
        (["npm", "test"], '{"test": "node --test", "pretest": "node build.js"}'),
    ],
)
def test_node_is_not_asked_where_another_runner_may_choose_reporters(
    tmp_path: Path, argv: list[str], scripts: str
) -> None:
    assert counting(tmp_path, argv, scripts) == ""


@pytest.mark.parametrize(
    ("argv", "may"),
    [
        (["/usr/bin/node", "--test", "a.js"], True),
        (["npm", "test"], True),
        (["node", "a.js"], False),
        (["make", "test"], False),
    ],
)
def test_only_what_may_start_node_s_runner_is_looked_at(argv: list[str], may: bool) -> None:
    assert may_start_node_tests(argv) is may


def test_a_node_that_cannot_count_is_not_asked(tmp_path: Path) -> None:
    assert counting(tmp_path, ["node", "--test"], options="--test-reporter=dot") == (
        "--test-reporter=dot"
    )
    (tmp_path / "node.config.json").write_text("{}")
    assert counting(tmp_path, ["node", "--test"]) == ""
    environ = {"PATH": str(tmp_path / "nowhere")}
    assert ask_node_to_count(environ, ["node", "--test"], "/", terminal=False) == []


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_what_node_executed_is_written_and_its_tests_see_the_callers_options(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.test.js").write_text(
        "const { describe, it, test } = require('node:test')\n"
        "test('options', () => { if (process.env.NODE_OPTIONS !== '--no-warnings') throw 1 })\n"
        "describe('of', () => { it.skip('b', () => {}); it('c', () => { throw 1 }) })\n"
    )
    (tmp_path / "b.test.js").write_text("process.exit(0)\n")
    environ = {**os.environ, "NODE_OPTIONS": "--no-warnings", "PROCTOR_REPORT": str(tmp_path)}
    environ.pop("NODE_TEST_CONTEXT", None)
    if not ask_node_to_count(environ, ["node", "--test"], str(tmp_path), terminal=False):
        pytest.skip("this node takes no reporters from its environment")
    subprocess.run(["node", "--test"], cwd=tmp_path, env=environ, capture_output=True, check=False)
    (report,) = tmp_path.glob("*.ctrf.json")
    tests = json.loads(report.read_text())["results"]["tests"]
    assert [(one["filePath"], *one["suite"], one["name"], one["status"]) for one in tests] == [
        ("a.test.js", "options", "passed"),
        ("a.test.js", "of", "b", "skipped"),
        ("a.test.js", "of", "c", "failed"),
    ]
