"""Whose tool call asked for a process: `--parent`, a variable, a trace context."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cheats.stage import Stage

TRACE, CALLER = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
CONTEXT = f"00-{TRACE}-{CALLER}-01"


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    made = Stage(tmp_path)
    made.commit()
    return made


def asked_by(stage: Stage) -> list[tuple[str, Any, Any]]:
    return [
        (span["argv"][-1], span["parent_tool_span"], span["traceparent"]) for span in stage.spans()
    ]


@pytest.mark.parametrize(
    ("words", "env", "parent"),
    [
        ((), {}, None),
        ((), {"PROCTOR_PARENT_SPAN": "toolu_1"}, "toolu_1"),
        (("--parent", "toolu_2"), {"PROCTOR_PARENT_SPAN": "toolu_1"}, "toolu_2"),
        ((), {"TRACEPARENT": CONTEXT}, CALLER),
        (("--parent=toolu_2",), {"TRACEPARENT": CONTEXT}, "toolu_2"),
    ],
)
@pytest.mark.parametrize("witness", ["tree", "direct"])
def test_the_nearest_word_on_the_call_counts(
    stage: Stage, words: tuple[str, ...], env: dict[str, str], parent: str | None, witness: str
) -> None:
    stage.proctor("run", "--witness", witness, *words, "--", "true", env=env)
    assert asked_by(stage) == [("true", parent, env.get("TRACEPARENT"))]


@pytest.mark.parametrize("text", [f"00-{TRACE}-{CALLER}", "", "00-zz-1-1", CONTEXT.upper()])
def test_a_trace_context_that_is_none_is_not_recorded(stage: Stage, text: str) -> None:
    stage.run("true", env={"TRACEPARENT": text})
    assert asked_by(stage) == [("true", None, None)]


def test_each_process_below_has_the_trace_context_that_it_was_given(stage: Stage) -> None:
    other = CONTEXT.replace(CALLER, "1" * 16)
    stage.proctor(
        "watch", "--", "bash", "-c", f"TRACEPARENT={other} git status; git log",
        env={"TRACEPARENT": CONTEXT},
    )  # fmt: skip
    found = {word: (parent, context) for word, parent, context in asked_by(stage)}
    assert found["status"] == ("1" * 16, other)
    assert found["log"] == (CALLER, CONTEXT)


@pytest.mark.parametrize(
    "inner",
    [
        "proctor run --parent toolu_2 -- git status",
        "PROCTOR_PARENT_SPAN=toolu_2 proctor run -- git status",
    ],
)
def test_an_inner_recorder_hands_its_call_to_the_outer_one(stage: Stage, inner: str) -> None:
    stage.proctor(
        "watch", "--", "bash", "-c", f"{inner}; git log", env={"PROCTOR_PARENT_SPAN": "toolu_1"}
    )
    found = {word: parent for word, parent, _ in asked_by(stage)}
    assert (found["status"], found["log"]) == ("toolu_2", "toolu_1")


def test_an_agents_own_variable_names_the_call(stage: Stage) -> None:
    """Codex 0.171 sets one for every command."""
    told = "CODEX_TOOL_CALL_ID=call_1"
    line = f"{told} git status; {told} proctor run --parent toolu_2 -- git log"
    stage.proctor("watch", "--", "bash", "-c", line, env={"TRACEPARENT": CONTEXT})
    found = {word: parent for word, parent, _ in asked_by(stage)}
    assert (found["status"], found["log"]) == ("call_1", "toolu_2")


def test_an_odd_id_is_recorded_readably(stage: Stage) -> None:
    subprocess.run(
        [b"proctor", b"run", b"--parent", b"a\xff\n", b"--", b"true"],
        cwd=stage.repo, env=stage.env, check=True,
    )  # fmt: skip
    (line,) = stage.log().read_bytes().splitlines()
    assert json.loads(line)["parent_tool_span"] == "a\\xff\n"
