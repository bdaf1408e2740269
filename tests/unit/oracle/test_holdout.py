"""Sequences that are drawn for one check: what they are, and that they decide nothing."""

from pathlib import Path

import pytest

from proctor.config import OracleCommandTable, OracleTable
from proctor.findings import Outcome
from proctor.oracle.generate import generate
from proctor.oracle.holdout import sample
from proctor.report.deltas.text import FORMAT
from proctor.report.style import Style
from tests.integration.oracle.builds import Pair

TABLE = OracleTable(
    command=("./kv",),
    commands={
        "set": OracleCommandTable(args=("key", "key"), options=("--force",)),
        "get": OracleCommandTable(args=("key",)),
    },
    domains={"key": ("a", "b", "")},
)
GRAMMAR = """
[oracle.commands.set]
args = ["key"]
[oracle.domains]
key = ["a", "b", "c"]
"""


def test_a_sample_is_new_and_the_same_for_the_same_number() -> None:
    known = generate(TABLE, [], 30)
    drawn = sample(TABLE, known, 20, 7)
    assert len({one.steps for one in drawn}) == len(drawn) == 20
    assert not {one.steps for one in drawn} & {one.steps for one in known}
    assert drawn == sample(TABLE, known, 20, 7) != sample(TABLE, known, 20, 8)
    assert sample(OracleTable(), [], 5, 7) == []


def test_a_grammar_that_the_corpus_exhausts_gives_fewer() -> None:
    one = OracleTable(commands={"x": OracleCommandTable()}, length=1)
    assert len(sample(one, sample(one, [], 3, 1), 500, 1)) < 500


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    made = Pair(tmp_path / "p")
    made.settings = GRAMMAR
    old = 'echo "got $1 $2"'
    return made.builds(old, f'[ "$2" != b ] || set -- set B; {old}').corpus([["set", "a"]])


def test_what_only_the_sample_shows_is_named_and_decides_nothing(pair: Pair) -> None:
    report = pair.check(holdout=30)
    assert report.outcome is Outcome.PASS
    assert report.holdout is not None
    assert (report.holdout.seeds, bool(report.holdout.differing)) == (30, True)
    first = report.holdout.differing[0]
    assert first.line.startswith('{"seed":"h')
    text = FORMAT.render(report, Style())
    assert "hold-out (decides nothing): 30 sequences" in text
    assert f"a line for the corpus: {first.line}" in text


def test_what_the_policy_allows_is_not_named_and_keeps_no_entry_alive(pair: Pair) -> None:
    entry = {"command": "set", "path": "stdout", "from": "got set b\n", "to": "got set B\n"}
    report = pair.policy({**entry, "reason": "shout"}).check(holdout=30)
    assert report.holdout is not None
    assert not [one for one in report.holdout.differing if one.delta.command == "set b"]
    assert [one.kind for one in report.remarks] == ["stale"]
