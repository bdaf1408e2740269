"""A pull request's life with the oracle, in a real repository with a server."""

import json
from pathlib import Path

import pytest

from tests.cheats import oracle
from tests.cheats.stage import Stage

pytestmark = pytest.mark.heavy


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path / "s")


def check(stage: Stage, *words: str) -> tuple[int, str]:
    done = stage.proctor("oracle", "check", "--base", "origin/main", *words)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout + done.stderr


def test_the_policy_is_read_at_the_base_and_not_in_the_patch(stage: Stage) -> None:
    oracle.allowed_in_the_patch(stage)
    code, text = check(stage)
    assert (code, "are flagged" in text) == (1, True)
    assert "policy.json differs from origin/main: its entries count, not the patch's" in text
    found = oracle.judged(stage)
    assert {"policy-touched", "flagged-delta"} <= found.rules


def test_what_the_base_allows_passes(stage: Stage) -> None:
    oracle.allowed_at_base(stage)
    code, text = check(stage)
    assert (code, "2 deltas are all allowed" in text) == (0, True)


@pytest.mark.heavy
def test_an_approval_rides_in_the_patch_and_retires_with_the_merge(stage: Stage) -> None:
    oracle.approved_by_owners(stage)
    code, text = check(stage)
    assert code == 0, text
    assert "approved by ann until" in text
    stage.git("push", "-q", "origin", "work:main")
    stage.git("fetch", "-q")
    # After the merge the approval has nothing left to allow …
    stage.git("checkout", "-q", "-b", "next", "origin/main")
    stage.put("tool", oracle.LENIENT.replace("status=0", "status=ok"), 0o755)
    stage.commit("Say ok")
    code, text = check(stage)
    # … and lets nothing else pass.
    assert code == 1, text
    assert "status 0 → ok" in text


def test_the_cause_is_named_by_file_and_line(stage: Stage) -> None:
    oracle.published(stage)
    stage.put("tool", oracle.STORE.replace("hit=false", "hit=maybe"), 0o755)
    stage.commit("Say maybe")
    code, text = check(stage)
    assert code == 1
    assert "cause: tool:6: " in text or "cause: tool:7: " in text
    assert "$ ./tool get" in text


def test_dependencies_come_first(stage: Stage) -> None:
    oracle.published(stage, **{"requirements.txt": "a==1\n"})
    stage.put("requirements.txt", "a==2\n")
    stage.put("tool", oracle.LENIENT, 0o755)
    stage.commit("Bump a")
    _, text = check(stage)
    assert "dependencies changed: requirements.txt: -a==1; +a==2" in text


def test_a_build_that_fails_is_one_line(stage: Stage) -> None:
    policy = oracle.POLICY + 'build = [["sh", "-c", "echo no compiler; exit 3"]]\n'
    oracle.published(stage, **{"proctor.toml": policy})
    code, text = check(stage)
    assert code == 65
    assert "sh -c 'echo no compiler; exit 3' ended with 3: no compiler" in text


@pytest.mark.heavy
def test_a_build_step_makes_what_is_run(stage: Stage) -> None:
    policy = oracle.POLICY.replace("{build}/tool", "{build}/out/tool")
    policy += 'build = [["sh", "-c", "mkdir out && cp tool out/tool"]]\n'
    oracle.published(stage, **{"proctor.toml": policy})
    stage.put("tool", oracle.LENIENT, 0o755)
    stage.put("README.md", "# More\n")
    stage.commit("x")
    assert check(stage)[0] == 1
    # The sources differ and what is built of them does not.
    stage.put("tool", oracle.STORE, 0o755)
    stage.commit("y")
    code, text = check(stage)
    assert (code, "one and the same" in text) == (2, True)


@pytest.mark.heavy
def test_the_report_of_a_forgotten_part_is_not_taken_for_the_whole(stage: Stage) -> None:
    oracle.refactored(stage)
    path = str(stage.folder / "part.json")
    check(stage, "--seed", "A", "--format", "json", "--output", path)
    found = stage.judge("--base", "origin/main", "--oracle", path)
    assert "stale-tree" in found.rules
    assert "only a part of the corpus" in found.text


def test_a_report_that_is_none_is_one_line(stage: Stage) -> None:
    oracle.published(stage)
    path = stage.folder / "bad.json"
    for content in ("", "{}", "[1]", '{"schema": "proctor.oracle/9"}', "\xff\0"):
        path.write_text(content, encoding="latin-1")
        done = stage.proctor("gate", "--base", "origin/main", "--oracle", str(path))
        assert (done.returncode, done.stderr.count("\n")) == (65, 1), content


def test_a_stale_allowance_is_a_warning(stage: Stage) -> None:
    entry = {"seed": "A", "step": 1, "field": "exit_code", "from": 1, "to": 0, "reason": "old"}
    oracle.published(stage, **{"oracle/policy.json": json.dumps({"allowed": [entry]})})
    stage.put("tool", oracle.STORE + "# x\n", 0o755)
    stage.commit("x")
    found = oracle.judged(stage)
    assert (found.code, found.rules) == (0, {"stale-allowance"})
