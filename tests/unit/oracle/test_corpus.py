"""A corpus is frozen as a file; every way in which it can be none is one line."""

import json
from pathlib import Path

import pytest

from proctor.config import OracleCommandTable, OracleTable
from proctor.errors import ConfigError, OracleError
from proctor.oracle.corpus import (
    Command,
    Sequence,
    drifted,
    line_of,
    read_corpus,
    totals_of,
    write_corpus,
)
from proctor.oracle.coverage import described, reach_of
from proctor.oracle.generate import generate, mistakes, operations, with_strategies
from proctor.oracle.recorded import append, arguments_of, recorded

KV = OracleTable(
    command=("{build}/kv",),
    commands={
        "set": OracleCommandTable(args=("key", "value"), options=("--force", "--ttl=number")),
        "get": OracleCommandTable(args=("key",)),
        "list": OracleCommandTable(args=("prefix?",), stdin="value"),
    },
    options=("--json",),
    domains={"key": ("a", "b", ""), "value": ("1", ""), "number": ("0",), "prefix": ("a",)},
    variables={"KV_STORE": ("other",)},
)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "not a sequence"),
        ("[]", "not a sequence"),
        ('{"seed":"A"}', "not a sequence"),
        ('{"seed":"A","steps":[["a"]],"tzz":"x"}', "not a sequence"),
        ('{"seed":"A","steps":[]}', "has no steps"),
        ('{"seed":"","steps":[["a"]]}', "`seed` is a name"),
        ('{"seed":"A","steps":[["a\\u0000"]]}', "NUL"),
        ('{"seed":"A","steps":[["a"]],"files":{"../x":"1"}}', "not below"),
        ('{"seed":"A","steps":[["a"]],"files":{"/x":"1"}}', "not below"),
        ('{"seed":"A","steps":[["a"]],"files":{"x":{}}}', "one of `text`"),
        ('{"seed":"A","steps":[["a"]],"files":{"x":{"b64":"%"}}}', "base64"),
        ('{"seed":"A","steps":[["a"]],"files":{"x":{"text":"1","mode":"9"}}}', "octal"),
        ('{"seed":"A","steps":[["a"]],"fixtures":["a/../b"]}', "not below"),
        ("\xff", "not a sequence"),
    ],
)
def test_a_line_that_is_none_is_named(line: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_bytes(b'{"seed":"0","steps":[["x"]]}\n\n' + line.encode("latin-1") + b"\n")
    with pytest.raises(OracleError) as raised:
        list(read_corpus(str(path)))
    assert f"{path}:3: " in str(raised.value)
    assert why in str(raised.value)


@pytest.mark.parametrize("names", [["A", "A"], ["B", "A", "B"], ["S10", "S2", "S1", "S10"]])
def test_a_name_is_there_once(names: list[str], tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text("".join(json.dumps({"seed": n, "steps": [["x"]]}) + "\n" for n in names))
    with pytest.raises(OracleError, match="is there twice"):
        totals_of(str(path))


def test_what_is_written_is_read_back_and_the_same_again(tmp_path: Path) -> None:
    path = str(tmp_path / "deep" / "c.jsonl")
    made = [
        Sequence(
            seed="A", steps=(("a", ""), Command(shell="a | b"), Command(argv=("c",), stdin="x"))
        )
    ]
    assert write_corpus(path, iter(made)) == 1
    (back,) = read_corpus(path)
    assert [c.shown for c in back.commands] == [("a", ""), ("sh", "-c", "a | b"), ("c",)]
    assert line_of(back) == Path(path).read_bytes()


def test_more_sequences_are_no_drift_and_fewer_are(tmp_path: Path) -> None:
    base = b'{"steps": [["a"]], "seed": "A"}\n{"seed":"B","steps":[["b"]]}\n'
    path = tmp_path / "c.jsonl"
    path.write_text(
        '{"seed":"A","steps":[["a"]]}\n{"seed":"B","steps":[["b"]]}\n{"seed":"C","steps":[["c"]]}\n'
    )
    assert drifted(base, str(path)) == []
    path.write_text('{"seed":"A","steps":[["a"]]}\n{"seed":"B","steps":[["b","--quiet"]]}\n')
    assert drifted(base, str(path)) == ["B"]


def test_the_grammar_is_tried_from_the_plain_to_the_wrong() -> None:
    argvs = [one.argv for one in operations(KV)]
    assert argvs[0] == ("set", "a", "1")
    assert ("set", "--ttl=0", "a", "1") in argvs
    assert ("list",) in argvs
    assert {one.stdin for one in operations(KV) if one.argv[0] == "list"} == {"1", ""}
    wrong = [one.argv for one in mistakes(KV)]
    assert {("set", "a"), ("get", "a", "extra"), ("no-such-command",), ()} <= set(wrong)


@pytest.mark.parametrize("budget", [1, 5, 30, 60, 400])
def test_the_budget_is_kept_and_names_are_there_once(budget: int) -> None:
    found = generate(KV, [], budget)
    assert len(found) <= budget
    assert len({one.seed for one in found}) == len(found)
    assert len({line_of(one).partition(b",")[2] for one in found}) == len(found)


def test_what_the_corpus_holds_stays_as_it_is() -> None:
    kept = [Sequence(seed="mine", steps=(("get", "a"),)), Sequence(seed="g2", steps=(("x",),))]
    found = generate(KV, kept, 30)
    assert found[:2] == kept
    assert generate(KV, found, 30) == found


def test_sixty_sequences_reach_pairs_about_one_thing_and_each_turn() -> None:
    found = generate(KV, [], 60)
    steps = {tuple(one.argv for one in seq.commands) for seq in found}
    assert (("set", "a", "1"), ("set", "a", "1")) in steps
    assert (("set", "a", "1"), ("get", "a")) in steps
    assert list(reach_of(KV, found)) == []
    assert any(one.env == {"KV_STORE": "other"} for one in found)
    assert "environment turned: hash_seed, locale, tty, tz" in described(KV, found)


def test_what_no_step_reaches_is_said() -> None:
    said = list(reach_of(KV, [Sequence(seed="A", steps=(("get", "a"),))]))
    assert "commands: set, list" in said
    assert any(line.startswith("options: --force (set)") for line in said)
    assert "variables: KV_STORE" in said


def test_hypothesis_draws_the_same_again_and_what_the_grammar_lacks() -> None:
    base = generate(KV, [], 20)
    more = with_strategies(KV, base, 60, 7)
    assert more == with_strategies(KV, base, 60, 7)
    assert more[:20] == base
    assert len(more) > 50
    assert max(len(one.steps) for one in more) > 2
    words = {word for one in more for step in one.commands for word in step.argv}
    assert words - {w for one in (*operations(KV), *mistakes(KV)) for w in one.argv}


@pytest.mark.parametrize(
    ("table", "why"),
    [
        (OracleTable(), "there is no grammar"),
        (OracleTable(commands={"a": OracleCommandTable(args=("k",))}), "names the domain 'k'"),
    ],
)
def test_a_grammar_that_is_none_is_said(table: OracleTable, why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        generate(table, [], 10)


@pytest.mark.parametrize(
    ("argv", "command", "words"),
    [
        (["./kv", "get", "a"], ["{build}/kv"], ("get", "a")),
        (["/usr/bin/python3", "/x/kv", "get"], ["python3", "{build}/kv"], ("get",)),
        (["kvx", "get"], ["{build}/kv"], None),
        (["black", "-q", "x"], [], ("black", "-q", "x")),
    ],
)
def test_the_program_is_told_by_its_name(
    argv: list[str], command: list[str], words: tuple[str, ...] | None
) -> None:
    assert arguments_of(argv, command) == words


def test_a_recorded_command_line_brings_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.txt").write_text("1\n")
    (tmp_path / "raw").write_bytes(b"\xff")
    one = recorded(["./kv", "get", "a"], ["{build}/kv"], b"typed\n", ["in.txt", "raw"], None)
    assert one.files["in.txt"] == "1\n"
    assert one.commands[0].stdin == "typed\n"
    path = str(tmp_path / "c.jsonl")
    assert append(path, one)
    assert not append(path, one)
    (back,) = read_corpus(path)
    assert back.seed == one.seed
    other = Sequence(seed=one.seed, steps=(("x",),))
    with pytest.raises(OracleError, match="is there already"):
        append(path, other)
    for bad in ("/etc/passwd", "../x", "none"):
        with pytest.raises(OracleError, match=bad):
            recorded(["./kv"], ["{build}/kv"], None, [bad], None)
    with pytest.raises(OracleError, match="is not the program"):
        recorded(["ls"], ["{build}/kv"], None, [], None)
