"""The whole of `oracle check`, on real processes."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from proctor.errors import OracleError
from proctor.findings import Outcome
from proctor.oracle.sandbox import choose
from tests.conftest import Proctor
from tests.integration.oracle.builds import Pair

ROOT = Path(__file__).parents[3]
BUBBLEWRAP = pytest.mark.skipif(
    choose("auto").kind != "bubblewrap", reason=f"no bubblewrap here: {choose('auto').why}"
)
STORE = """\
case "$1" in
set) if [ -z "$3" ]; then echo "key=$2|status=1|error=empty"; exit 1; fi
     echo "$3" > "k_$2"; echo "key=$2|status=0";;
get) if [ -f "k_$2" ]; then echo "key=$2|hit=true|value=$(cat "k_$2")"
     else echo "key=$2|hit=false"; fi;;
*) echo "status=2|error=unknown"; exit 2;;
esac
"""
LENIENT = STORE.replace('if [ -z "$3" ]', "if false")


def test_equal_builds_pass_and_nothing_is_flagged(pair: Pair) -> None:
    pair.builds(STORE, STORE + "# a comment").corpus([["set", "a", "1"], ["get", "a"]])
    report = pair.check()
    assert (report.outcome, report.counts.steps, report.counts.deltas) == (Outcome.PASS, 2, 0)


def test_a_consequence_is_told_from_its_root_by_experiment(pair: Pair) -> None:
    pair.builds(STORE, LENIENT).corpus([["get", "z"], ["set", "e", ""], ["get", "z"], ["get", "e"]])
    report = pair.check()
    assert report.counts.roots == 1
    root, follows = report.clusters
    assert (root.commands, root.follows, root.how) == (("set",), None, "replay")
    assert (follows.commands, follows.follows) == (("get",), 1)
    assert follows.reproducer == ("./tool set e", "./tool get e")
    assert root.reproducer == ("./tool set e",)


def test_deltas_that_the_policy_allows_pass(pair: Pair) -> None:
    pair.builds('echo x; test "$1" = b', "echo x").corpus([["a"], ["b"]])
    pair.policy(
        {"command": "a", "path": "exit_code", "from": 1, "to": 0, "reason": "a is lenient now"}
    )
    report = pair.check()
    assert report.counts.allowed == 1
    assert report.outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("exit 0", "exit 0 #", "printed or wrote anything"),
        ("echo no such module >&2; exit 1", "echo no such module >&2; exit 1 #", "exit code 0"),
    ],
)
def test_builds_that_show_no_life_prove_nothing(old: str, new: str, why: str, pair: Pair) -> None:
    report = pair.builds(old, new).corpus([["a"], ["b"]]).check()
    assert report.outcome is Outcome.UNPROVEN
    assert why in report.sentence


def test_an_empty_corpus_proves_nothing(pair: Pair) -> None:
    report = pair.builds("echo x", "echo x").corpus().check()
    assert (report.outcome, report.counts.steps) == (Outcome.UNPROVEN, 0)


def test_one_and_the_same_build_proves_nothing(pair: Pair) -> None:
    report = pair.builds("echo x", "echo x").corpus([["a"]]).check()
    assert report.same_build
    assert report.outcome is Outcome.UNPROVEN


def test_a_build_that_does_not_say_the_known_word_is_not_compared(pair: Pair) -> None:
    pair.settings = 'smoke = ["--version"]\nsmoke_output = "tool 1"\n'
    pair.builds("echo Traceback; exit 1", "echo tool 1").corpus([["a"]])
    with pytest.raises(OracleError, match="the old build does not start: --version said 'Trace"):
        pair.check()


def test_a_patch_that_breaks_the_start_is_compared_all_the_same(pair: Pair) -> None:
    pair.settings = 'smoke = ["--version"]\nsmoke_output = "tool 1"\n'
    report = pair.builds("echo tool 1", "echo Traceback; exit 1").corpus([["a"]]).check()
    assert (report.outcome, report.counts.flagged) == (Outcome.FAIL, 1)
    assert any("does not start as it should" in said for said in report.lifeless)
    pair.builds("echo tool 1", 'case "$1" in --version) echo tool 2;; *) echo tool 1;; esac')
    report = pair.check()
    assert report.outcome is Outcome.PASS
    assert any("said 'tool 2' (exit 0), not 'tool 1'" in said for said in report.problems)


def test_a_command_that_only_ever_fails_is_named(pair: Pair) -> None:
    pair.settings = "[oracle.commands.get]\n[oracle.commands.put]\n"
    line = '[ "$1" = get ] || { echo usage; exit 2; }; echo got'
    report = pair.builds(line, f"{line} ").corpus([["get"], ["put"]]).check()
    assert "exit code 0: of put; give them arguments that they take" in report.reach


def test_noise_is_no_delta_and_is_counted(pair: Pair) -> None:
    noisy = "echo pid=$$; date +%Y-%m-%dT%H:%M:%S.%NZ; echo key=1"
    report = pair.builds(noisy, noisy + " ").corpus([["a"]]).check()
    assert report.counts.deltas == 0
    assert report.masks.keys() >= {"pid", "timestamp"}


def test_a_change_beside_noise_is_flagged(pair: Pair) -> None:
    old = 'head -c 6 /dev/urandom | od -An -tx1 | tr -d " \\n"; echo " is the token"'
    pair.builds(old, old.replace("is the", "was the")).corpus([["a"]])
    assert pair.paths() == {"stdout"}


def test_a_field_that_turns_unstable_is_changed_and_says_how_often(pair: Pair) -> None:
    pair.builds("echo x", "head -c 9 /dev/urandom | od -An -tx1").corpus([["a"]])
    report = pair.check()
    assert report.counts.flagged == 1


def test_two_jobs_and_one_write_the_same_traces(pair: Pair) -> None:
    pair.builds(STORE, LENIENT).corpus(
        *[[["set", f"k{n}", ""], ["get", f"k{n}"]] for n in range(30)]
    )
    found = []
    for jobs in (1, 3):
        folder = pair.folder / f"traces{jobs}"
        pair.check(jobs=jobs, traces=str(folder))
        found.append([(folder / f"{name}.trace").read_bytes() for name in ("old1", "new", "old2")])
    assert found[0] == found[1]


def test_a_fixture_that_a_step_changes_in_place_is_drift(pair: Pair) -> None:
    pair.put("oracle/fixtures/data/a.txt", "1\n")
    where = pair.folder / "oracle" / "fixtures" / "data" / "a.txt"
    line = {"seed": "A", "steps": [["x"]], "fixtures": ["data"]}
    pair.builds("cat data/a.txt", f"cat data/a.txt; echo 2 > {where}").corpus(line)
    report = pair.check()
    assert report.drift == ("data/a.txt is not what it was since the replay began",)
    assert report.outcome is Outcome.FAIL


def test_a_fixture_that_is_not_there_is_said(pair: Pair) -> None:
    pair.builds("echo x", "echo y").corpus({"seed": "A", "steps": [["x"]], "fixtures": ["none"]})
    with pytest.raises(OracleError, match="the corpus names this fixture"):
        pair.check()


@BUBBLEWRAP
def test_a_new_build_cannot_call_the_old_one_nor_read_what_is_undeclared(pair: Pair) -> None:
    secret = pair.folder / "secret.txt"
    secret.write_text("x")
    pair.builds("echo x", f"{pair.folder}/old/tool; cat {secret}; ls /root").corpus([["a"]])
    report = pair.check(sandbox="bubblewrap")
    assert report.replay is not None
    assert report.replay.sandbox == "bubblewrap"
    (delta,) = report.deltas
    assert {"stdout", "stderr"} <= {field.path for field in delta.changed}
    assert all("x" not in (field.new or "") for field in delta.changed if field.path == "stdout")


def test_one_process_a_sequence_answers_line_by_line(pair: Pair) -> None:
    pair.settings = 'mode = "session"\n'
    loop = 'n=0; while read -r line; do n=$((n+1)); echo "n=$n got=$line"; done; echo bye'
    pair.builds(loop, loop.replace("n+1", "n+2")).corpus([["one"], ["two"], ["three"]])
    report = pair.check()
    assert [(d.step, [f.path for f in d.changed]) for d in report.deltas] == [
        (1, ["stdout.n"]),
        (2, ["stdout.n"]),
        (3, ["stdout"]),
    ]


@pytest.mark.heavy
def test_an_interrupted_replay_goes_on_where_it_stopped(pair: Pair, proctor: Proctor) -> None:
    pair.builds("sleep 0.1; echo x", "sleep 0.1; echo y").corpus(*[[["a"]] for _ in range(20)])
    lines = [{"seed": f"s{n}", "steps": [["a"]]} for n in range(120)]
    pair.corpus(*lines)
    pair.put("proctor.toml", '[oracle]\ncommand = ["{build}/tool"]\nreruns = 0\n')
    words = [
        "oracle",
        "check",
        "--old",
        "old",
        "--new",
        "new",
        "--sandbox",
        "folders",
        "--jobs",
        "2",
    ]
    process = proctor.start(*words, cwd=pair.folder, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    state = Path(proctor.env["PROCTOR_STATE_DIR"])
    while not list(state.rglob("*.old1")):
        assert process.poll() is None
    process.send_signal(2)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err == b"proctor: stopped; the same command goes on where this one was\n"
    done = proctor(*words, cwd=pair.folder, timeout=120)
    assert done.returncode == 1, done.stderr
    assert "chunks were there from before" in done.stdout
    assert not list(state.rglob("*.old1"))


@pytest.fixture
def example(tmp_path: Path) -> Path:
    folder = tmp_path / "kv"
    shutil.copytree(ROOT / "examples" / "kv", folder)
    return folder


def test_the_example_is_told_from_its_traces_and_leaves_with_1(
    proctor: Proctor, example: Path
) -> None:
    words = ["diff", "traces/old.trace", "traces/new.trace", "oracle/policy.json"]
    done = proctor("oracle", *words, cwd=example)
    assert (done.returncode, done.stderr) == (1, "")
    assert "4 of 6 deltas are flagged" in done.stdout
    assert "5 root changes, 1 that follows" in done.stdout


@pytest.mark.heavy
@pytest.mark.timeout(400)
def test_the_example_is_told_by_a_replay_as_from_its_traces(
    proctor: Proctor, example: Path
) -> None:
    out = example / "report.json"
    words = ["oracle", "check", "--old", "old", "--new", "new", "--format", "json"]
    done = proctor(*words, "--output", str(out), cwd=example, timeout=300)
    assert (done.returncode, done.stderr) == (1, "")
    counts = json.loads(out.read_text())["counts"]
    found = [counts[name] for name in ("steps", "deltas", "allowed", "flagged", "roots")]
    assert found == [10, 6, 2, 4, 5]


@pytest.mark.heavy
@pytest.mark.timeout(600)
def test_sixty_generated_sequences_reach_all_six_changes_of_the_example(
    proctor: Proctor, example: Path
) -> None:
    assert proctor("oracle", "generate", "--fresh", "--budget", "60", cwd=example).returncode == 0
    (example / "oracle" / "policy.json").write_text('{"allowed": []}')
    out = example / "report.json"
    words = ["oracle", "check", "--old", "old", "--new", "new", "--sandbox", "folders"]
    done = proctor(*words, "--format", "json", "--output", str(out), cwd=example, timeout=500)
    assert done.returncode == 1, done.stderr
    report = json.loads(out.read_text())
    assert report["counts"]["seeds"] <= 60
    said = {line for one in report["clusters"] for line in one["what"]}
    assert said >= {
        "stdout.warn none → duplicate",
        "stdout.error missing → none",
        "stdout.order insertion → sorted",
        "stdout.error empty → (absent)",
        "stdout.hit false → true",
        "exit_code 2 → 1",
    }


@pytest.mark.heavy
def test_the_unit_tests_of_the_example_pass_on_both_builds(example: Path) -> None:
    for build in ("old", "new"):
        env = {**os.environ, "KV": str(example / build / "kv")}
        words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
        done = subprocess.run(
            words, cwd=example, env=env, capture_output=True, text=True, check=False
        )
        assert "9 passed" in done.stdout, done.stdout
