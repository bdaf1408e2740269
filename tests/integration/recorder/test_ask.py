"""Whether node is asked for JUnit, and what is put into its environment."""

from pathlib import Path

import pytest

from proctor.recorder.ask import ask_for_junit


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
