"""Behaviour that a patch changes: what the oracle must catch, and what must pass."""

import json
from collections.abc import Callable

from tests.cheats.stage import Case, Judgement, Stage

STORE = """\
#!/bin/sh
case "$1" in
set) if [ -z "$3" ]; then echo "key=$2|status=1|error=empty"; exit 1; fi
     echo "$3" > "k_$2"; echo "key=$2|status=0";;
get) if [ -f "k_$2" ]; then echo "key=$2|hit=true|value=$(cat "k_$2")"
     else echo "key=$2|hit=false"; fi;;
*) echo "status=2|error=unknown"; exit 2;;
esac
"""
LENIENT = STORE.replace('if [ -z "$3" ]', "if false")
POLICY = (
    '[[require]]\nname = "unit"\npaths = ["/src/"]\ncommand = ["pytest"]\n\n'
    '[oracle]\ncommand = ["{build}/tool"]\nreruns = 1\nsandbox = "folders"\n'
)
CORPUS = (
    '{"seed":"A","steps":[["set","a","1"],["get","a"]]}\n'
    '{"seed":"B","steps":[["set","e",""],["get","e"]]}\n'
    '{"seed":"C","steps":[["get","z"]],"fixtures":["k_z"]}\n'
)
ALLOWED = [
    {"command": "set", "path": "exit_code", "from": 1, "to": 0, "reason": "empty is a value"},
    {"command": "set", "path": "stdout.status", "from": 1, "to": 0, "reason": "empty is a value"},
    {"command": "set", "path": "stdout.error", "from": "empty", "to": None, "reason": "as above"},
    {"command": "set", "path": "files.k_e", "from": None, "to": "created file", "reason": "as above"},
    {"command": "get", "path": "stdout.hit", "from": "false", "to": "true", "reason": "as above"},
    {"command": "get", "path": "stdout.value", "from": None, "to": "", "reason": "as above"},
]  # fmt: skip


def published(stage: Stage, **files: str) -> None:
    """A program with a pinned corpus on a server, and a branch `work`."""
    stage.put("tool", STORE, 0o755)
    stage.put("proctor.toml", POLICY)
    stage.put("oracle/corpus.jsonl", CORPUS)
    stage.put("oracle/policy.json", '{"allowed": []}\n')
    stage.put("oracle/fixtures/k_z", "26\n")
    stage.put("README.md", "# Tool\n")
    for path, text in files.items():
        stage.put(path, text)
    pinned = stage.proctor("oracle", "pin", "--no-vary")
    assert pinned.returncode == 0, pinned.stderr
    stage.commit("first")
    stage.git("init", "-q", "--bare", "-b", "main", str(stage.folder / "server.git"))
    stage.git("remote", "add", "origin", str(stage.folder / "server.git"))
    stage.git("push", "-q", "-u", "origin", "main")
    stage.git("checkout", "-q", "-b", "work")


def lenient(stage: Stage, **files: str) -> None:
    """A patch that accepts what was refused."""
    published(stage, **files)
    stage.put("tool", LENIENT, 0o755)
    stage.commit("Accept an empty value")


def on_main(stage: Stage, edit: Callable[[], object]) -> None:
    """Somebody else's commit on the main branch; the patch is rebased on it."""
    stage.git("checkout", "-q", "main")
    edit()
    stage.commit("reviewed")
    stage.git("push", "-q", "origin", "main")
    stage.git("checkout", "-q", "work")
    stage.git("rebase", "-q", "main")


def report_of(stage: Stage) -> str:
    """Check the patch and return the path of the report."""
    path = str(stage.folder / "oracle.json")
    words = ["oracle", "check", "--base", "origin/main", "--format", "json", "--output", path]
    done = stage.proctor(*words)
    assert done.returncode in (0, 1, 2), done.stderr
    return path


def judged(stage: Stage) -> Judgement:
    """Check, then gate."""
    return stage.judge("--base", "origin/main", "--oracle", report_of(stage))


def allowed_in_the_patch(stage: Stage) -> None:
    """The patch allows itself what it changes."""
    lenient(stage)
    stage.put("oracle/policy.json", json.dumps({"allowed": ALLOWED}))
    stage.commit("allow it")


def allowed_at_base(stage: Stage) -> None:
    """The policy on the main branch allows it."""
    lenient(stage)
    on_main(stage, lambda: stage.put("oracle/policy.json", json.dumps({"allowed": ALLOWED})))


def approved_by_owners(stage: Stage) -> None:
    """The approval rides in the patch; the base leaves that to the code owners."""
    policy = POLICY + "[approvals]\ncode_owners = true\n"
    lenient(stage, **{"proctor.toml": policy, "CODEOWNERS": "/approvals.toml @ann\n"})
    with open(report_of(stage), encoding="utf-8") as file:
        digest = json.load(file)["delta_set"]
    stage.proctor("approve", digest, "--reason", "meant", "--owner", "ann")
    stage.commit("approve")


def approved_by_itself(stage: Stage) -> None:
    """The approval rides in the patch, and nobody at base said that it may."""
    lenient(stage)
    with open(report_of(stage), encoding="utf-8") as file:
        digest = json.load(file)["delta_set"]
    stage.proctor("approve", digest, "--reason", "fine", "--owner", "me")
    stage.commit("approve")


def corpus_cut(stage: Stage) -> None:
    """The sequence that shows the change is taken out of the corpus."""
    lenient(stage)
    stage.put("oracle/corpus.jsonl", "".join(CORPUS.splitlines(keepends=True)[::2]))
    stage.proctor("oracle", "pin", "--no-vary")
    stage.commit("a smaller corpus")


def corpus_grown(stage: Stage) -> None:
    """A refactoring with one sequence more."""
    published(stage)
    stage.put("tool", STORE.replace("case", "# the commands\ncase", 1), 0o755)
    stage.put("oracle/corpus.jsonl", CORPUS + '{"seed":"D","steps":[["get","q"]]}\n')
    stage.commit("More")


def fixture_edited(stage: Stage) -> None:
    """An input of the replay is edited, so that the old output comes out."""
    published(stage)
    stage.put("tool", STORE.replace("$(cat", "$(rev"), 0o755)
    stage.put("oracle/fixtures/k_z", "22\n")
    stage.commit("a palindrome")


def mask_added(stage: Stage) -> None:
    """The patch masks what it changes."""
    lenient(stage)
    stage.put("proctor.toml", POLICY + "[oracle.masks]\nany = '.*'\n")
    stage.commit("mask")


def installed_copy(stage: Stage) -> None:
    """What is replayed is a program of the system, not the build."""
    published(stage, **{"proctor.toml": POLICY.replace("{build}/tool", "echo")})
    stage.put("tool", LENIENT, 0o755)
    stage.commit("Accept an empty value")


def edited_later(stage: Stage) -> Judgement:
    """The report is of an earlier state of the patch."""
    published(stage)
    stage.put("tool", STORE + "# the same\n", 0o755)
    stage.commit("A comment")
    path = report_of(stage)
    stage.put("tool", LENIENT, 0o755)
    stage.commit("and more")
    return stage.judge("--base", "origin/main", "--oracle", path)


def refactored(stage: Stage) -> None:
    """Nothing that the corpus reaches behaves otherwise."""
    published(stage)
    stage.put("tool", STORE.replace('if [ -z "$3" ]', 'if test -z "$3"'), 0o755)
    stage.commit("Say it with test")


def _caught(title: str, play: Callable[[Stage], None], *rules: str) -> Case:
    return Case("22", title, play, frozenset(rules), judge=judged)


CAUGHT = (
    _caught("behaviour nobody allowed", lenient, "flagged-delta"),
    _caught("oracle policy in the patch", allowed_in_the_patch, "policy-touched"),
    _caught("mask in the patch", mask_added, "policy-touched"),
    _caught("deltas approved by the patch itself", approved_by_itself, "unreviewed-approval"),
    _caught("sequence taken out of the corpus", corpus_cut, "corpus-drift"),
    _caught("fixture edited to hide a delta", fixture_edited, "fixture-drift"),
    _caught("installed copy replayed", installed_copy, "same-build"),
    Case("12", "oracle report of an earlier tree", lambda _: None, frozenset({"stale-tree"}),
         judge=edited_later),
)  # fmt: skip
HONEST = (
    Case("H", "refactoring under the oracle", refactored, judge=judged),
    Case("H", "deltas allowed at base", allowed_at_base, judge=judged),
    Case("H", "deltas approved by code owners", approved_by_owners, judge=judged),
    Case("H", "corpus that grew", corpus_grown, judge=judged),
)
