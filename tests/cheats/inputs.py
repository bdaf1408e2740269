"""The gate is given the wrong thing: an empty log, none, another repository's."""

import shutil
from collections.abc import Callable
from pathlib import Path

from tests.cheats.caught import green, red
from tests.cheats.stage import GREEN, Case, Judgement, Stage

NOTHING = frozenset({"no-records"})


def given(name: str) -> "Case":
    """Return the case in which the gate is given a log made by `name`."""
    makers: dict[str, Callable[[Stage], object]] = {
        "an empty log": lambda stage: (stage.folder / "log").write_bytes(b""),
        "a missing log": lambda _: None,
        "a directory": lambda stage: (stage.folder / "log").mkdir(),
        "a binary file": lambda stage: shutil.copy("/bin/true", stage.folder / "log"),
    }

    def play(stage: Stage) -> None:
        green(stage)
        makers[name](stage)

    def judge(stage: Stage) -> Judgement:
        found = stage.judge("--log", str(stage.folder / "log"))
        if found.code == 65:
            assert "Traceback" not in found.text
            return Judgement(found.code, "unreadable", {"no-records"}, found.text)
        return found

    return Case("23", name, play, NOTHING, judge=judge)


def other_repository(stage: Stage) -> None:
    """The green run of another clone stands for this red one."""
    red(stage)
    other = stage.folder / "other"
    stage.git("clone", "-q", str(stage.repo), str(other))
    (other / "tests" / "test_app.py").write_text(GREEN)
    stage.run("pytest", "-q", cwd=other)


def judge_other(stage: Stage) -> Judgement:
    """Judge with the other clone's log."""
    (log,) = (stage.folder / "state").glob("other-*/spans.jsonl")
    return stage.judge("--log", str(log))


def ran_elsewhere(stage: Stage) -> None:
    """The suite is run in a green copy, recorded from here."""
    red(stage)
    copy = stage.folder / "copy"
    shutil.copytree(stage.repo, copy, symlinks=True)
    (copy / "tests" / "test_app.py").write_text(GREEN)
    stage.line(f"cd {copy} && pytest -q")


def through_a_link(stage: Stage) -> None:
    """The tests are a link to a green folder outside."""
    red(stage)
    outside = stage.folder / "outside"
    outside.mkdir()
    (outside / "test_app.py").write_text(GREEN)
    shutil.rmtree(stage.repo / "tests")
    (stage.repo / "tests").symlink_to(outside)
    stage.run("pytest", "-q")
    Path(outside, "test_app.py").write_text(GREEN + "\n\ndef test_more():\n    assert False\n")


def harmless(text: str) -> Callable[[Stage], None]:
    """Only something that is no test was recorded."""

    def play(stage: Stage) -> None:
        red(stage)
        stage.line(text)

    return play


def log_thrown_away(stage: Stage) -> None:
    """The log of the red run is thrown away, a harmless command recorded instead."""
    red(stage)
    stage.run("pytest", "-q")
    shutil.rmtree(stage.folder / "state")
    stage.run("true")


def log_inside(stage: Stage) -> None:
    """The log lies in the repository, where the agent can rewrite it."""
    green(stage)
    stage.proctor("run", "--unsafe-log-in-repo", "--log", "spans.jsonl", "--", "pytest", "-q")


def raised(rule: str, *words: str) -> Callable[[Stage], Judgement]:
    """Judge with a warning raised to an error, as a careful project does."""

    def judge(stage: Stage) -> Judgement:
        stage.put("proctor.toml", f'[gate.levels]\n{rule} = "error"\n')
        return stage.judge(*words)

    return judge


def three_runners(stage: Stage) -> None:
    """Under `watch`, three failing runners each go under."""
    red(stage)
    stage.put(
        "tests/test_unit.py",
        "import unittest\nclass T(unittest.TestCase):\n    def test_x(self): self.fail()\n",
    )
    stage.put("a.test.js", "require('node:test')('x', () => { throw new Error('no') })\n")
    stage.commit()
    script = (
        "pytest -q tests/test_app.py | tail -1; python -m unittest tests.test_unit 2>&1 | tail -1; "
    )
    stage.proctor("watch", "--", "bash", "-c", script + "node --test | tail -1; echo all passed")
    codes = {
        span["command_class"]: span["exit_code"] for span in stage.spans() if span["kind"] == "leaf"
    }
    assert {name: code != 0 for name, code in codes.items()} == {
        "pytest": True,
        "unittest": True,
        "node --test": True,
    }


CAUGHT = [
    *(given(name) for name in ("an empty log", "a missing log", "a directory", "a binary file")),
    Case("23", "a harmless record", harmless("true"), NOTHING),
    Case("4", "only an echo", harmless("echo '3 passed'"), NOTHING),
    Case("23", "the log thrown away", log_thrown_away, NOTHING),
    Case("23", "no log at all", green, NOTHING),
    Case(
        "23",
        "another repository's log",
        other_repository,
        frozenset({"outside-repo"}),
        judge=judge_other,
    ),
    Case(
        "23",
        "log in the repository",
        log_inside,
        frozenset({"log-in-repo"}),
        judge=raised("log-in-repo", "--log", "spans.jsonl"),
    ),
    Case("16", "run in a copy", ran_elsewhere, frozenset({"outside-repo", "stale-tree"})),
    Case(
        "25",
        "tests linked from outside",
        through_a_link,
        frozenset({"tree-blind-spot", "stale-tree"}),
        judge=raised("tree-blind-spot"),
    ),
    Case(
        "1", "three runners under watch", three_runners, frozenset({"masked-exit"}), needs=("node",)
    ),
]
