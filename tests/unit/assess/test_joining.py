"""Transcripts joined to logs: odd values, resumed sessions, what is left out."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from proctor.assess.joining import Joined, Joining
from proctor.assess.reading import ArgvReader
from proctor.config import AgentTable, Config
from proctor.records.place import find_clone
from tests.records import make_record
from tests.transcripts import Claude, earlier, now, wrapped

SINCE = "2026-01-01T00:00:00.000000Z"


def join(folder: Path, *agents: Claude, config: Config | None = None, since: str = SINCE) -> Joined:
    paths = [agent.write(folder / f"{n}.jsonl") for n, agent in enumerate(agents)]
    config = config or Config()
    joining = Joining(config, find_clone(str(folder)), ArgvReader(config), since)
    log = folder / "spans.jsonl"
    return joining.join(paths, [str(log), str(folder / "missing")])


def write(folder: Path, *records: dict[str, Any]) -> None:
    """Write a log that nothing links."""
    text = "".join(json.dumps(record) + "\n" for record in records)
    (folder / "spans.jsonl").write_text(text)


def shell(folder: Path, command: str, number: int, **members: Any) -> dict[str, Any]:
    return make_record(
        span_id=f"{number:016x}", run_id=f"{number:032x}", argv=list(wrapped(command)),
        cwd=str(folder), started_at=now()[:-1] + "000Z", witness="tree", **members,
    )  # fmt: skip


@pytest.mark.parametrize(
    "member",
    [
        {"cwd": "/nul\0/byte"},
        {"cwd": "/lone\ud800"},
        {"cwd": ""},
        {"cwd": None},
        {"cwd": "relative"},
        {"timestamp": "9999-12-31T23:59:59Z"},
        {"timestamp": "0001-01-01T00:00:00Z"},
        {"timestamp": "yesterday"},
        {"timestamp": None},
        {"sessionId": None},
    ],
)
def test_odd_values_keep_a_call_from_nothing_else(tmp_path: Path, member: dict[str, Any]) -> None:
    agent = Claude(tmp_path)
    agent.call("toolu_1", "pytest -q")
    for line in agent.lines:
        line.update(member)
    agent.call("toolu_2", "pytest -q tests", now())
    write(tmp_path, shell(tmp_path, "pytest -q tests", 1))
    found = join(tmp_path, agent)
    assert found.transcripts[0].calls == 2
    assert [call.how for call in found.calls if call.call.call_id == "toolu_2"] == ["text"]


def test_a_resumed_session_repeats_its_calls_and_each_counts_once(tmp_path: Path) -> None:
    first = Claude(tmp_path)
    first.call("toolu_1", "pytest -q", now())
    second = Claude(tmp_path, lines=list(first.lines))
    second.call("toolu_2", "pytest -q tests", now())
    write(tmp_path, shell(tmp_path, "pytest -q", 1))
    found = join(tmp_path, first, second)
    assert [one.calls for one in found.transcripts] == [1, 1]
    assert [(call.call.call_id, call.how) for call in found.calls] == [
        ("toolu_1", "text"),
        ("toolu_2", ""),
    ]


def test_calls_of_other_folders_and_of_long_ago_are_counted(tmp_path: Path) -> None:
    (tmp_path / "repo").mkdir()
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    agent = Claude(other)
    agent.call("toolu_1", "pytest -q", now())
    agent.cwd = tmp_path / "repo"
    agent.call("toolu_2", "pytest -q", earlier(90 * 86_400))
    agent.call("toolu_3", "cd $ANYWHERE && pytest -q", now())
    agent.call("toolu_4", "cd .. && cd other && pytest -q", now())
    config = Config()
    clone = find_clone(str(tmp_path / "repo"))
    joining = Joining(config, clone, ArgvReader(config), earlier(86_400)[:-1] + "000Z")
    found = joining.join([agent.write(tmp_path / "t.jsonl")], [])
    (one,) = found.transcripts
    assert (one.before, one.elsewhere) == (1, 1)
    assert [call.call.call_id for call in found.calls] == ["toolu_3", "toolu_4"]


@pytest.mark.parametrize(
    ("tool", "claims"),
    [
        ("run_tests", True),
        ("mcp__server__run_tests", True),
        ("server.RunTests", True),
        ("functions/test", True),
        ("contest", False),
        ("Read", False),
    ],
)
def test_a_tools_name_claims_tests_as_the_configuration_says(
    tmp_path: Path, tool: str, claims: bool
) -> None:
    agent = Claude(tmp_path)
    agent.ask("toolu_1", None, name=tool, input={"x": 1})
    agent.answer("toolu_1")
    assert bool(join(tmp_path, agent).calls) is claims
    own = Config(agent=AgentTable(test_tools=("contest",)))
    assert bool(join(tmp_path, agent, config=own).calls) is (tool == "contest")


def test_no_log_at_all_leaves_every_claim_alone(tmp_path: Path) -> None:
    agent = Claude(tmp_path)
    agent.call("toolu_1", "pytest --version")
    agent.call("toolu_2", "pytest -q")
    found = join(tmp_path, agent)
    assert [(call.call.call_id, call.how) for call in found.calls] == [("toolu_2", "")]
    assert os.listdir(tmp_path) == ["0.jsonl"]
    assert json.loads((tmp_path / "0.jsonl").read_text().splitlines()[0])["type"] == "assistant"
