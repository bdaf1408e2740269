"""`proctor init`, `floors` and `doctor` on real folders."""

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from proctor.recorder.untraced import is_supported
from tests.conftest import PROCTOR, Proctor
from tests.records import make_record


@pytest.fixture
def app(tmp_path: Path) -> Path:
    """A small repository with a pytest suite."""
    folder = tmp_path / "app"
    (folder / "tests").mkdir(parents=True)
    (folder / "tests" / "test_a.py").write_text("import pytest\n\ndef test_a():\n    pass\n")
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    return folder


@pytest.fixture
def alone(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which no agent is found."""
    return {"HOME": str(tmp_path_factory.mktemp("home")), "PATH": "/usr/bin:/bin"}


def test_init_shows_the_change_and_makes_it_once(
    proctor: Proctor, app: Path, alone: dict[str, str]
) -> None:
    dry = proctor("init", "--dry-run", cwd=app, env=alone)
    assert dry.returncode == 0
    assert '+command = ["pytest"]' in dry.stdout
    assert "would write: proctor.toml\n" in dry.stdout
    assert not (app / "proctor.toml").exists()

    done = proctor("init", cwd=app / "tests", env=alone)
    assert done.returncode == 0
    assert "wrote: proctor.toml\n" in done.stdout
    text = (app / "proctor.toml").read_text()
    assert tomllib.loads(text)["require"] == [{"name": "pytest", "command": ["pytest"]}]

    again = proctor("init", cwd=app, env=alone)
    assert (again.returncode, again.stdout) == (0, "nothing to add: all is set up already\n")
    assert (app / "proctor.toml").read_text() == text


def test_init_without_a_suite_proves_nothing(
    proctor: Proctor, tmp_path: Path, alone: dict[str, str]
) -> None:
    done = proctor("init", cwd=tmp_path, env=alone)
    assert done.returncode == 2
    assert "no test suite was found; name what runs your tests in proctor.toml" in done.stdout
    assert 'command = ["make", "check"]' in done.stdout
    assert not done.stdout.endswith("\n\n\n")


def test_init_leaves_the_settings_of_other_tools_alone(proctor: Proctor, app: Path) -> None:
    (app / "pyproject.toml").write_text("[tool.proctor.gate]\n")
    done = proctor("init", cwd=app, env={"HOME": str(app), "PATH": "/usr/bin:/bin"})
    assert done.returncode == 65
    assert "[[tool.proctor.require]] name = 'pytest'" in done.stderr
    assert done.stderr.count("\n") == 1


def test_floors_are_half_the_fastest_run(proctor: Proctor, app: Path) -> None:
    (app / "proctor.toml").write_text("# ours\n")
    words = ["floors", "measure", "-n", "2", "--", sys.executable, "-m", "pytest", "-q", "tests"]
    done = proctor(*words, cwd=app)
    assert done.returncode == 0, done.stderr
    times = [int(line.split()[-2]) for line in done.stderr.splitlines()]
    stored = tomllib.loads((app / "proctor.toml").read_text())["floors"]
    assert stored == {"pytest": min(times) // 2}
    assert f"+pytest = {stored['pytest']}" in done.stdout
    shown = proctor("floors", "show", cwd=app).stdout
    assert f"{stored['pytest']:>8} ms  pytest           [floors]" in shown
    assert "     800 ms  npm test         default" in shown


def test_floors_of_the_projects_own_classes_are_shown(proctor: Proctor, app: Path) -> None:
    (app / "proctor.toml").write_text(
        '[classes.ci]\nmatch = [["ci"]]\nfloor_ms = 7\n[classes.x]\nmatch = [["x"]]\n'
    )
    shown = json.loads(proctor("floors", "show", "--format", "json", cwd=app).stdout)
    assert {"command_class": "ci", "floor_ms": 7, "source": "[classes.ci] floor_ms"} in shown
    assert [floor["command_class"] for floor in shown] == [
        "ci",
        "git",
        "make",
        "npm test",
        "pytest",
    ]


def test_floors_can_be_tried_without_storing_them(proctor: Proctor, app: Path) -> None:
    words = ["floors", "measure", "-n", "1", "--dry-run", "--", "git", "--version"]
    done = proctor(*words, cwd=app)
    assert done.returncode == 0, done.stderr
    assert "+git = " in done.stdout
    assert not (app / "proctor.toml").exists()


def test_a_floor_that_stays_is_said_to(proctor: Proctor, app: Path) -> None:
    (app / "ci").write_text("#!/bin/sh\n")
    (app / "ci").chmod(0o755)
    (app / "proctor.toml").write_text('[classes.ci]\nmatch = [["ci"]]\n')
    for _ in range(20):
        done = proctor("floors", "measure", "-n", "3", "--", "./ci", cwd=app)
        if "stays" in done.stdout:
            break
    assert done.returncode == 0
    assert "the floor of ci stays " in done.stdout


@pytest.mark.parametrize(
    ("words", "code", "line"),
    [
        (["-n", "0", "--", "pytest"], 64, "-n takes a number from 1"),
        (["--", "cp", "a", "b"], 64, "cp a b: Proctor knows no class for this command"),
        (["--", "/none/pytest"], 65, "/none/pytest: cannot be started: No such file"),
        (["--", sys.executable, "-m", "pytest", "none"], 65, "the command ended with 4; a floor"),
        ([], 64, "required: CMD"),
    ],
)
def test_what_cannot_be_measured_is_one_line(
    words: list[str], code: int, line: str, proctor: Proctor, app: Path
) -> None:
    done = proctor("floors", "measure", *words, cwd=app)
    assert done.returncode == code
    assert line in done.stderr
    assert done.stderr.count("\n") == 1


Checks = Callable[..., dict[str, Any]]


@pytest.fixture
def checks(proctor: Proctor, app: Path) -> Checks:
    """The diagnosis of the app, its checks by name."""

    def examine(*words: str, env: dict[str, str] | None = None) -> dict[str, Any]:
        done = proctor("doctor", "--format", "json", *words, cwd=app, env=env or {})
        found: dict[str, Any] = json.loads(done.stdout)
        assert done.returncode == (0 if found["can_record"] else 1)
        found["checks"] = {check["name"]: check for check in found["checks"]}
        return found

    return examine


def states(found: dict[str, Any]) -> dict[str, str]:
    return {name: check["state"] for name, check in found["checks"].items()}


def test_a_fresh_set_up_can_record_and_is_told_what_it_lacks(checks: Checks, app: Path) -> None:
    found = checks()
    assert (found["can_record"], found["trust_level"]) == (True, 0)
    assert found["witness"]["kind"] in ("tree", "direct")
    assert states(found) == {
        "configuration": "ok",
        "log": "ok",
        "log outside the repository": "ok",
        "records": "hint",
        "size": "ok",
        "/proc": "ok",
        "sudo, gdb, sanitizers": "ok" if is_supported() else "hint",
        "--pty": "ok",
        "arun_recorded": "ok",
        "git": "ok",
        "extras": "ok",
        "tests counted": "ok",
        "secrets masked": "ok",
        "requirements": "hint",
        "floors measured": "hint",
        "gate in CI": "hint",
        "signing key": "ok",
    }
    assert all(check["cure"] for check in found["checks"].values() if check["state"] != "ok")
    assert not list(app.glob("*.toml"))


def test_a_finished_set_up_lacks_nothing(checks: Checks, proctor: Proctor, app: Path) -> None:
    (app / "proctor.toml").write_text(
        '[floors]\npytest = 1\n[[require]]\nname = "a"\nclass = "pytest"\n'
    )
    (app / ".gitlab-ci.yml").write_text("test:\n  script: [proctor gate]\n")
    write(proctor.log, make_record(parent_tool_span="toolu_1"))
    write(proctor.log, make_record(span_id="00000000000000b2", parent_span_id="00000000000000a1"))
    found = checks()
    lacking = {name for name, state in states(found).items() if state != "ok"}
    assert lacking <= {"sudo, gdb, sanitizers"}
    assert found["checks"]["records"]["detail"] == "2, the chain is whole"
    assert found["checks"]["parents joined"]["detail"] == "1 of 1 runs name the agent's tool call"


def write(log: Path, record: dict[str, Any]) -> None:
    from proctor.records.append import LogWriter

    writer = LogWriter(str(log), pytest.fail)
    writer.append(record)
    writer.close()


def test_a_log_in_the_repository_is_bad(checks: Checks, app: Path) -> None:
    found = checks("--log", str(app / "spans.jsonl"))
    assert states(found)["log outside the repository"] == "bad"


def test_records_are_looked_at(checks: Checks, proctor: Proctor) -> None:
    from proctor.host import boot_id
    from proctor.records.pending import Marker

    write(proctor.log, make_record())
    start: dict[str, object] = {"run_id": "r1", "boot_id": boot_id()}
    os.close(Marker(str(proctor.log), "r1", start).fileno())
    found = checks()
    assert states(found)["parents joined"] == "hint"
    assert found["checks"]["ends"]["detail"] == "1 recorders ended before what they recorded"
    with proctor.log.open("a") as file:
        file.write("noise\n")
    proctor.log.chmod(0o644)
    found = checks()
    assert states(found)["records"] == "bad"
    assert found["checks"]["records"]["cure"] == f"proctor verify {proctor.log}"
    assert states(found)["log"] == "hint"


def test_a_folder_in_which_others_may_replace_the_log_is_named(
    checks: Checks, proctor: Proctor
) -> None:
    write(proctor.log, make_record())
    proctor.folder.chmod(0o777)
    assert checks()["checks"]["log"]["cure"] == f"chmod go-w {proctor.folder}"
    proctor.folder.chmod(0o1777)
    assert states(checks())["log"] == "ok"


def test_what_is_no_log_can_take_no_records(checks: Checks, proctor: Proctor) -> None:
    proctor.log.write_bytes(b"\0\0\0")
    assert states(checks())["records"] == "bad"
    proctor.log.unlink()
    proctor.log.mkdir()
    found = checks()
    assert (found["can_record"], states(found)["log"]) == (False, "bad")


def test_a_configuration_that_cannot_be_read_is_bad(checks: Checks, app: Path) -> None:
    (app / "proctor.toml").write_text("[gate]\nenforec = 'block'\n")
    found = checks()
    assert not found["can_record"]
    assert "did you mean 'enforce'?" in found["checks"]["configuration"]["detail"]


def test_a_log_that_the_user_cannot_write_reaches_level_1(proctor: Proctor, app: Path) -> None:
    write(proctor.log, make_record())
    proctor.log.chmod(0o444)
    proctor.folder.chmod(0o555)
    if os.getuid() == 0:
        for folder in proctor.folder.parents[:-2]:
            folder.chmod(folder.stat().st_mode | 0o055)
    program = (
        "import os, sys; from proctor.setup.doctor import examine; "
        "examine('/', os.environ, sys.argv[1]); "  # imports what it needs as long as it may
        "os.getuid() or os.setuid(65534); "
        "found = examine('/', os.environ, sys.argv[1]); "
        "print(found.trust_level, found.can_record)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(proctor.log)],
        env=proctor.env, cwd=app, capture_output=True, text=True, check=False,
    )  # fmt: skip
    proctor.folder.chmod(0o755)
    assert done.stdout == "1 False\n", done.stderr


def test_people_see_a_list_with_a_cure_for_each_point(proctor: Proctor, app: Path) -> None:
    shown = proctor("doctor", cwd=app, env={"LC_ALL": "C.UTF-8"}).stdout
    assert "✓  trust                       level 0 of 3: this user can write the log" in shown
    assert "! " in shown
    assert "→ proctor init" in shown


@pytest.mark.heavy
def test_below_an_outer_proctor_the_tree_is_seen_already(proctor: Proctor, app: Path) -> None:
    alone = json.loads(proctor("doctor", "--format", "json", cwd=app).stdout)["witness"]
    words = ["run", "--report", "off", "--", PROCTOR, "doctor", "--format", "json"]
    inner = json.loads(proctor(*words, cwd=app).stdout)["witness"]
    assert inner["kind"] == alone["kind"]
    if alone["kind"] == "tree":
        assert inner["detail"] == "an outer Proctor sees every process here already"
        assert inner["facts"]["tracer"] != "none"
        words[4:4] = ["env", "-u", "PROCTOR_WITNESS"]
        other = json.loads(proctor(*words, cwd=app).stdout)["witness"]
        assert other["kind"] == "direct"
        assert other["cure"].startswith("another tracer is at work")


def test_a_place_that_cannot_be_written_takes_no_records(checks: Checks) -> None:
    found = checks("--log", "/dev/null/none/spans.jsonl")
    assert found["checks"]["log"]["detail"] == "/dev/null: cannot be written"
    assert not found["can_record"]


def test_who_cannot_write_the_log_is_trusted_further(
    proctor: Proctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    from proctor.setup import doctor

    proctor.log.touch()
    assert doctor._trust(str(proctor.log))[0] == 0
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everywhere
    assert doctor._trust(str(proctor.log))[0] == 1


def test_a_secret_that_would_show_is_bad(monkeypatch: pytest.MonkeyPatch) -> None:
    from proctor.config import Config
    from proctor.setup import doctor

    monkeypatch.setattr(doctor, "_SAMPLES", (("{secret:.3}",),))
    monkeypatch.setattr(doctor, "_SECRET", "abc")
    assert doctor._secrets(Config()).state == "bad"


def test_approve_writes_an_entry_that_stays_readable(proctor: Proctor, app: Path) -> None:
    words = ("approve", "ab" * 32, "--reason", "fine", "--owner", "ann", "--expires", "2w")
    dry = proctor(*words, "--dry-run", cwd=app)
    assert '+owner = "ann"' in dry.stdout
    assert not (app / "approvals.toml").exists()
    assert proctor(*words, cwd=app).returncode == 0
    (entry,) = tomllib.loads((app / "approvals.toml").read_text())["approval"]
    assert entry["digest"] == "ab" * 32
    assert "has this approval already" in proctor(*words, cwd=app).stdout


def test_approve_needs_a_digest_and_a_reason(proctor: Proctor, app: Path) -> None:
    assert proctor("approve", "ab" * 32, cwd=app).returncode == 64
    done = proctor("approve", "abc", "--reason", "fine", cwd=app)
    assert (done.returncode, done.stderr.count("\n")) == (64, 1)
