"""What is wrong with a receipt is said, all of it, and nothing else is."""

import json
import operator
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from proctor.errors import EvidenceError, UsageError
from proctor.receipt.fields import CORE
from proctor.receipt.where import Wanted
from tests.cheats.stage import GREEN, RED, Stage
from tests.integration.receipt.conftest import POLICY, Change, Issued

Edit = Callable[[Change], Path]
FIRST = ("proctor", "receipt", "issue")


def test_a_green_run_on_these_files_is_good(issued: Issued) -> None:
    found = issued.check()
    assert (found.exit_code, found.level, found.requirement) == (0, 0, "unit")
    assert issued.refused(issued.path, keys=(issued.public,)) == set()


def test_the_command_prints_the_level_first(issued: Issued) -> None:
    done = issued.stage.proctor("receipt", "check", str(issued.unsigned))
    assert (done.returncode, done.stdout.split(";")[0]) == (
        0, "good      level 0 of 3 (rests on this clone's log alone)",
    )  # fmt: skip
    assert "2 tests executed" in done.stdout
    signed = issued.stage.proctor("receipt", "check", "--key", issued.public)
    assert signed.stdout.startswith(f"good      level 2 of 3 (signed by {issued.public[:12]}…)")


def test_everything_wrong_is_listed_and_the_lowest_code_counts(issued: Issued) -> None:
    issued.stage.put("src/app.py", "def f():\n    return 2\n")
    done = issued.stage.proctor(
        "receipt", "check", str(issued.unsigned), "--command", "npm test", "--host", "nowhere",
        "--platform", "darwin*", "--max-age", "0s", "--require-signed",
    )  # fmt: skip
    lines = [line.split()[:3] for line in done.stdout.splitlines()[1:] if line[2].isdigit()]
    assert [tuple(words) for words in lines] == [
        ("3", "stale-tree:", "git_tree:"),
        ("3", "expired:", "finished_utc:"),
        ("6", "unsigned:", "signature:"),
        ("7", "wrong-command:", "command:"),
        ("8", "wrong-host:", "hostname:"),
        ("8", "wrong-host:", "platform:"),
    ]
    assert done.returncode == 3
    assert "src/app.py differs" in done.stdout


def test_a_missing_receipt_is_2(issued: Issued, tmp_path: Path) -> None:
    assert issued.refused(tmp_path / "none.json") == {(2, "no-records", "file")}


@pytest.mark.parametrize(
    "content", [b"", b"\0\1\2", b"[]", b"{", b'{"a": 1, "a": 2}', b"[" * 99999]
)
def test_what_is_no_receipt_is_unreadable(issued: Issued, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(content)
    with pytest.raises(EvidenceError, match="proctor receipt issue"):
        issued.check(path)


def test_a_folder_or_a_pipe_is_unreadable(issued: Issued, tmp_path: Path) -> None:
    with pytest.raises(EvidenceError, match="a folder"):
        issued.check(tmp_path)
    subprocess.run(["mkfifo", tmp_path / "pipe"], check=True)
    with pytest.raises(EvidenceError, match="no plain file"):
        issued.check(tmp_path / "pipe")


# ── fields ──────────────────────────────────────────────────────────────────


def test_eight_fields_by_hand_are_read_and_refused(issued: Issued, tmp_path: Path) -> None:
    bare = {name: issued.members[name] for name in CORE}
    path = tmp_path / "bare.json"
    path.write_text(json.dumps(bare))
    assert issued.refused(path) == {
        (6, "receipt-without-record", "log"), (7, "partial-run", "executed"),
    }  # fmt: skip
    path.write_text(json.dumps({**bare, "exit_code": 1, "git_head": "0" * 40}))
    assert {code for code, _, _ in issued.refused(path)} == {3, 4, 6, 7}
    del bare["kernel"]
    path.write_text(json.dumps(bare))
    assert (5, "missing-fields", "kernel") in issued.refused(path)


def test_each_missing_field_is_named(issued: Issued, edited: Edit) -> None:
    for name in issued.members.keys() - {"junit", "executed", "digest"}:
        found = issued.check(edited(operator.methodcaller("pop", name)))
        assert name in {one.field for one in found.refusals if one.code in (5, 6)}, name


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("exit_code", "0"),
        ("argv", "pytest"),
        ("log", []),
        ("schema", "proctor.receipt/2"),
        ("parts", [1]),
    ],
)
def test_a_field_of_another_kind_is_named(
    issued: Issued, edited: Edit, name: str, value: Any
) -> None:
    path = edited(lambda members: members.update({name: value}))
    assert (5, "missing-fields", name) in issued.refused(path)


# ── altered, copied, without a record ───────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("command", "pytest"), ("argv", ["pytest"]), ("git_head", "0" * 40), ("git_tree", "0" * 40),
        ("hostname", "other"), ("kernel", "other"), ("runtime", "python 3.9"), ("dirty", True),
        ("platform", "Darwin-arm64"), ("started_utc", "2030-01-01T00:00:00Z"), ("exit_code", 1),
        ("toolchain", {}), ("parts", []), ("executed", None), ("untracked_count", 3),
        ("changed_during", ["a.py"]), ("level", 1), ("reviewed_by", "ann"),
    ],
)  # fmt: skip
def test_an_edit_is_seen_although_the_digest_fits(
    issued: Issued, edited: Edit, name: str, value: Any
) -> None:
    found = issued.refused(edited(lambda members: members.update({name: value})))
    rule = "unsigned" if name == "level" else "digest-mismatch"
    assert (6, rule, name) in found


def test_both_values_are_named(issued: Issued, edited: Edit) -> None:
    path = edited(lambda members: members.update(hostname="other"))
    own = issued.members["hostname"]
    (line,) = [r.line for r in issued.check(path).refusals if r.field == "hostname"]
    assert f"the receipt says other, the record {own}" in line


def test_a_member_deep_inside_that_no_record_holds_is_seen(issued: Issued, edited: Edit) -> None:
    path = edited(lambda members: members["parts"][0].update(note="x"))
    assert (6, "digest-mismatch", "parts[0].note") in issued.refused(path)


def test_a_digest_that_does_not_fit_is_seen(issued: Issued, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps({**issued.members, "kernel": "x"}))
    assert (6, "digest-mismatch", "digest") in issued.refused(path)


def test_order_and_layout_of_the_file_do_not_matter(issued: Issued, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    members = json.loads(issued.unsigned.read_bytes())
    path.write_text(json.dumps(dict(reversed(members.items())), indent=7))
    assert issued.refused(path) == set()


def test_a_record_that_is_not_in_the_log_is_refused(issued: Issued, edited: Edit) -> None:
    path = edited(lambda members: members["log"].update(span_id="0" * 16))
    assert (6, "receipt-without-record", "log.span_id") in issued.refused(path)
    path = edited(lambda members: members["log"].update(record="0" * 64))
    assert (6, "digest-mismatch", "log.record") in issued.refused(path)
    none = str(issued.stage.folder / "none.jsonl")
    assert issued.refused(log=none) == {(6, "receipt-without-record", "log")}


def test_a_copy_in_another_clone_is_refused_unsigned(issued: Issued, tmp_path: Path) -> None:
    issued.stage.git("clone", "-q", str(issued.stage.repo), str(tmp_path / "copy"))
    found = issued.refused(folder=tmp_path / "copy")
    assert found == {(6, "receipt-without-record", "repository")}
    with_log = issued.refused(folder=tmp_path / "copy", log=str(issued.stage.log()))
    assert with_log == found
    assert issued.refused(issued.path, folder=tmp_path / "copy", keys=(issued.public,)) == set()


def test_a_log_that_was_cut_short_is_seen(issued: Issued) -> None:
    issued.stage.run("git", "status")
    issued.stage.proctor("receipt", "issue", "--", "pytest", "-q")
    log = issued.stage.log()
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:1]))
    assert (6, "chain-broken", "log.length") in issued.refused(issued.path)
    log.write_bytes(b"".join([lines[0], *lines[:-1]]))
    assert (6, "chain-broken", "log") in issued.refused(issued.path)


def test_a_head_that_the_log_does_not_have_there_is_seen(issued: Issued, edited: Edit) -> None:
    path = edited(lambda members: members["log"].update(head="0" * 64))
    assert (6, "chain-broken", "log.head") in issued.refused(path)


def test_a_level_that_nobody_signed_for_is_refused(issued: Issued, tmp_path: Path) -> None:
    alone = tmp_path / "alone.json"
    alone.write_bytes(issued.path.read_bytes())
    assert issued.refused(alone) == {(6, "unsigned", "level")}


# ── signatures ──────────────────────────────────────────────────────────────


def test_an_unknown_signer_counts_as_none(issued: Issued, tmp_path: Path) -> None:
    found = issued.check(issued.path)
    assert (found.exit_code, found.level) == (0, 0)
    assert "no key is trusted" in " ".join(found.notes)
    other = "0" * 63 + "1"
    assert issued.check(issued.path, keys=(other,)).level == 0
    assert (6, "unsigned", "signature") in issued.refused(
        issued.path, keys=(other,), require_signed=True
    )
    issued.stage.git("clone", "-q", str(issued.stage.repo), str(tmp_path / "copy"))
    found = issued.check(issued.path, keys=(other,), folder=tmp_path / "copy")
    assert found.exit_code == 6


def test_why_a_signature_does_not_count_is_said(issued: Issued) -> None:
    other = issued.stage.folder / "other.key"
    public = issued.stage.proctor("key", "new", str(other)).stdout.strip()
    other.unlink()
    found = issued.check(issued.path, keys=(public,), require_signed=True)
    assert found.notes == ("it has a signature that no trusted key made: it counts as unsigned",)
    (refusal,) = found.refusals
    assert f"a signature that no trusted key made, owed is one by {public[:12]}" in refusal.message
    (refusal,) = issued.check(issued.path, require_signed=True).refusals
    assert refusal.message.endswith("owed is one by a trusted key")
    assert refusal.cure.startswith("trust its key: --key PUB")


def test_a_file_that_breaks_off_is_unreadable(issued: Issued) -> None:
    with pytest.raises(EvidenceError, match=r"/proc/self/mem: cannot be read: Input/output error"):
        issued.check(Path("/proc/self/mem"))


def test_a_trusted_signature_over_another_receipt_is_a_lie(issued: Issued, edited: Edit) -> None:
    path = edited(lambda members: members.update(hostname="other"))
    path.with_name("edited.intoto.jsonl").write_bytes(issued.envelope.read_bytes())
    assert (6, "digest-mismatch", "signature") in issued.refused(path, keys=(issued.public,))


def test_keys_come_from_the_base_and_never_from_the_patch(issued: Issued) -> None:
    stage = issued.stage
    keys = f'{POLICY}[receipt]\ntrusted_keys = ["{issued.public}"]\nrequire_signed = true\n'
    stage.git("checkout", "-q", "-b", "work")
    stage.put("proctor.toml", keys)
    stage.commit("trust myself")
    assert (6, "unsigned", "signature") in issued.refused(issued.path)
    stage.git("checkout", "-q", "-B", "main")
    assert issued.check(issued.path).level == 2
    assert issued.check(issued.path, base="main").level == 2


# ── tree ────────────────────────────────────────────────────────────────────


def test_the_same_content_under_a_new_commit_is_fresh(issued: Issued) -> None:
    issued.stage.put("src/app.py", "def f():\n    return 3\n")
    issued.stage.proctor("receipt", "issue", "--", "pytest", "-q")
    issued.stage.commit("Return three")
    assert issued.refused(issued.path) == set()
    issued.stage.git("commit", "-q", "--amend", "-m", "Return 3")
    assert issued.refused(issued.path) == set()


def test_our_own_outputs_make_nothing_stale(issued: Issued) -> None:
    issued.stage.git("add", "-f", "artifacts")
    issued.stage.commit("Add the receipt")
    issued.stage.put("evidence/junit.xml", "<x/>")
    issued.stage.put("artifacts/test-receipt.web.json", "{}")
    assert issued.refused() == set()


def test_a_scratch_note_is_not_what_was_tested(issued: Issued, tmp_path: Path) -> None:
    stage = issued.stage
    stage.put("notes.md", "todo\n")
    stage.put("src/app.py", "def f():\n    return 4\n")
    stage.proctor("receipt", "issue", "--sign", str(issued.key), "--", "pytest", "-q")
    stage.git("add", "src")
    stage.git("commit", "-q", "-m", "Only the source")
    assert issued.refused(issued.path, keys=(issued.public,)) == set()
    stage.git("clone", "-q", str(stage.repo), str(tmp_path / "copy"))
    elsewhere = {"env": {"PROCTOR_STATE_DIR": str(tmp_path / "state")}, "folder": tmp_path / "copy"}
    assert issued.refused(issued.path, keys=(issued.public,), **elsewhere) == set()


def test_tested_code_that_the_commit_lacks_is_stale(issued: Issued, tmp_path: Path) -> None:
    stage = issued.stage
    stage.put("src/helper.py", "x = 1\n")
    stage.proctor("receipt", "issue", "--sign", str(issued.key), "--", "pytest", "-q")
    assert issued.refused(issued.path) == set()
    stage.git("commit", "-q", "--allow-empty", "-m", "nothing")
    assert (3, "stale-tree", "git_tree") in issued.refused(issued.path)
    stage.git("clone", "-q", str(stage.repo), str(tmp_path / "copy"))
    elsewhere = {"env": {"PROCTOR_STATE_DIR": str(tmp_path / "state")}, "folder": tmp_path / "copy"}
    found = issued.check(issued.path, keys=(issued.public,), **elsewhere)
    assert [one.rule for one in found.refusals] == ["stale-tree"]
    assert "src/helper.py differs" in found.refusals[0].message


def test_a_tree_that_nothing_here_knows_is_stale(issued: Issued, tmp_path: Path) -> None:
    other = Stage(tmp_path / "other")
    other.put("a.py", "x = 1\n")
    other.commit("first")
    found = issued.check(issued.path, keys=(issued.public,), folder=other.repo, env=other.env)
    assert any("nothing here tells how they differ" in one.message for one in found.refusals)


def test_ignored_paths_may_change(issued: Issued) -> None:
    issued.stage.put("README.md", "# Before\n")
    issued.stage.commit("readme")
    issued.stage.put("proctor.toml", f"{POLICY}[gate]\nignore_paths = ['*.md']\n")
    issued.stage.proctor("receipt", "issue", "--", "pytest", "-q")
    issued.stage.put("README.md", "# After\n")
    assert issued.refused(issued.path) == set()
    issued.stage.put("proctor.toml", POLICY)
    assert (3, "stale-tree", "git_tree") in issued.refused(issued.path)


@pytest.mark.heavy
def test_what_the_run_wrote_is_not_stale_and_what_it_edited_is(issued: Issued) -> None:
    write = "def test_w():\n    import pathlib\n    pathlib.Path('out.json').write_text('1')\n"
    issued.stage.put("tests/test_w.py", write)
    issued.stage.put("tests/test_x.py", write.replace("out.json", "src/app.py"))
    issued.stage.proctor("receipt", "issue", "--", "pytest", "-q", "tests/test_w.py")
    assert issued.refused(issued.path, command="pytest tests/test_w.py") == set()
    issued.stage.proctor("receipt", "issue", "--", "pytest", "-q", "tests/test_x.py")
    assert (3, "tree-changed-during-run", "changed_during") in issued.refused(issued.path)


# ── the run itself ──────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("pytest -q", "nonzero-exit"),
        ("pytest -q | tail -1", "masked-exit"),
        ("pytest -q || true", "masked-exit"),
    ],
)
def test_a_red_suite_is_refused_however_it_is_dressed(issued: Issued, line: str, rule: str) -> None:
    issued.stage.put("tests/test_app.py", RED)
    issued.stage.proctor("receipt", "issue", "--", "bash", "-c", line)
    assert rule in {name for code, name, _ in issued.refused(issued.path) if code == 4}


def test_what_the_environment_leaves_out_stands_in_the_receipt(issued: Issued) -> None:
    env = {"PYTEST_ADDOPTS": "-k one", "LD_PRELOAD": ""}
    issued.stage.proctor("receipt", "issue", "--", "pytest", "-q", env=env)
    assert (7, "narrowed-selection", "parts[0].narrowing_env") in issued.refused(issued.path)
    (part,) = json.loads(issued.path.read_bytes())["parts"]
    assert part["narrowing_env"][0].startswith("PYTEST_ADDOPTS: -k=#")
    assert "odd_env" in part


FLAKY = "import os\ndef test_a():\n    assert os.path.exists(os.environ['FLAG'])\n"


def test_a_green_receipt_tells_of_the_red_runs_before_it(issued: Issued, tmp_path: Path) -> None:
    stage = issued.stage
    stage.put("tests/test_flaky.py", FLAKY)
    env = {"FLAG": str(tmp_path / "flag")}
    stage.proctor("run", "--", "pytest", "-q", env=env)
    stage.proctor("run", "--", "pytest", "-q", "tests/nowhere", env=env)
    (tmp_path / "flag").touch()
    stage.proctor("receipt", "issue", "--sign", str(issued.key), "--", "pytest", "-q", env=env)
    members = json.loads(issued.path.read_bytes())
    assert members["attempts"] == {"runs": 1, "red": 1}
    found = issued.check(issued.path, keys=(issued.public,))
    assert (found.exit_code, found.notes) == (
        0,
        ("the same tests failed before on these files: attempts 2, red 1",),
    )
    assert "1 of the same tests before" in stage.proctor("receipt", "show").stdout
    members |= {"attempts": {"runs": 0, "red": 0}, "level": 0}
    edited = issued.write(tmp_path / "edited.json", members)
    assert issued.refused(edited) == {(6, "digest-mismatch", "attempts")}
    verdict = stage.judge("--receipt", str(issued.path), env=env)
    assert verdict.outcome == "unproven"


def test_a_forced_exit_status_contradicts_the_report(issued: Issued) -> None:
    issued.stage.put("tests/test_app.py", RED)
    forced = "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n"
    issued.stage.put("conftest.py", forced)
    assert issued.stage.proctor("receipt", "issue", "--", "pytest", "-q").returncode == 0
    found = issued.refused(issued.path)
    assert (4, "junit-contradicts-exit", "parts[0].report") in found


def test_a_masked_exit_that_was_not_witnessed_is_not_believed(issued: Issued) -> None:
    line = ("bash", "-c", "pytest -q | tail -1")
    issued.stage.proctor("receipt", "issue", "--witness", "direct", "--", *line)
    assert (4, "unprovable-exit", "exit_code") in issued.refused(issued.path)


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("argv", "rule"),
    [
        (("true",), "wrong-command"),
        (("git", "status"), "wrong-command"),
        (("pytest", "-q", "--collect-only"), "wrong-command"),
        (("pytest", "-q", "tests/test_app.py"), "wrong-command"),
        (("pytest", "-q", "-k", "one"), "wrong-command"),
        (("python", "-m", "compileall", "-q", "src"), "wrong-command"),
    ],
)
def test_another_command_than_the_owed_one_is_refused(
    issued: Issued, argv: tuple[str, ...], rule: str
) -> None:
    issued.stage.proctor("receipt", "issue", "--", *argv)
    assert (7, rule, "command") in issued.refused(issued.path)


@pytest.mark.heavy
def test_without_any_requirement_a_test_run_is_still_owed(issued: Issued) -> None:
    issued.stage.put("proctor.toml", "")
    for argv, rule in (
        (("true",), "wrong-command"),
        (("pytest", "-q", "--collect-only"), "not-a-run"),
        (("python", "-m", "unittest", "-k", "nothing"), "no-tests-ran"),
    ):
        issued.stage.proctor("receipt", "issue", "--", *argv)
        rules = {name for code, name, _ in issued.refused(issued.path) if code == 7}
        assert rule in rules or argv[2:3] == ("unittest",), argv
    found = issued.check()
    assert found.exit_code == 0
    assert "nothing says which command is owed" in found.notes[0]


def test_fewer_tests_than_are_owed_is_refused(issued: Issued) -> None:
    issued.stage.put("proctor.toml", POLICY.replace("min_tests = 2", "min_tests = 3"))
    assert issued.refused() == {(7, "partial-run", "executed")}


@pytest.mark.heavy
def test_a_wrapped_run_answers_what_is_owed(issued: Issued) -> None:
    for argv in (
        ("python", "-m", "pytest"),
        ("env", "X=1", "pytest"),
        ("bash", "-c", "pytest -q | tail -2"),
    ):
        issued.stage.proctor("receipt", "issue", "--", *argv)
        assert issued.refused(issued.path) == set(), argv


# ── place and time ──────────────────────────────────────────────────────────


def test_platform_and_toolchain_are_asked_for(issued: Issued) -> None:
    tools = issued.members["toolchain"]
    good = Wanted(host="*", platform="linux", toolchain={"python": tools["python"][:4]})
    assert issued.refused(wanted=good) == set()
    bad = Wanted(toolchain={"python": "2.7", "node": "20"})
    assert issued.refused(wanted=bad) == {
        (8, "wrong-host", "toolchain.python"), (8, "wrong-host", "toolchain.node"),
    }  # fmt: skip
    issued.stage.put("proctor.toml", POLICY + 'platform = "darwin"\npython = "2.7"\n')
    assert {field for _, _, field in issued.refused()} == {"platform", "toolchain.python"}


def test_an_old_receipt_is_expired_and_so_is_one_of_tomorrow(issued: Issued) -> None:
    later = datetime.now(UTC) + timedelta(days=8)
    assert issued.refused(now=later) == set()
    assert issued.refused(now=later, wanted=Wanted(max_age="7d")) == {
        (3, "expired", "finished_utc")
    }
    earlier = datetime.now(UTC) - timedelta(hours=1)
    assert issued.refused(now=earlier) == {(3, "expired", "finished_utc")}


def test_a_toolchain_file_is_read_in_both_forms(issued: Issued, tmp_path: Path) -> None:
    file = tmp_path / "toolchain.txt"
    check = ("receipt", "check", str(issued.unsigned), "--toolchain", str(file))
    for text, code in (
        ("python=2.7\n", 8),
        ('{"python": {"version": "2.7"}}', 8),
        (f"# from CI\npytest={issued.members['toolchain']['pytest']}\n", 0),
        ("date_utc=2026-01-01\npwd=/x\nplatform=Linux-x86_64\npython=2.7\ngo=1.2\n", 8),
        (f"date_utc=x\ngo=1.2\npython={issued.members['toolchain']['python']}\n", 0),
        ("date_utc=x\nelm=1.2\n", 8),
        ("nothing\n", 65),
        ("{", 65),
    ):
        file.write_text(text)
        assert issued.stage.proctor(*check).returncode == code, text


# ── what the patch owes ─────────────────────────────────────────────────────


@pytest.mark.heavy
def test_the_diff_decides_which_receipts_are_owed(issued: Issued) -> None:
    stage = issued.stage
    stage.put("web/test_web.py", GREEN)
    both = (
        '[[require]]\nname = "unit"\npaths = ["/src/", "/tests/"]\ncommand = ["pytest", "tests"]\n'
        '[[require]]\nname = "web"\npaths = ["/web/"]\ncommand = ["pytest", "web"]\n'
    )
    stage.put("proctor.toml", both)
    stage.commit("two suites")
    stage.git("checkout", "-q", "-b", "work")
    stage.put("src/app.py", "def f():\n    return 5\n")
    stage.commit("Return five")
    check = ("receipt", "check", "--base", "main")
    done = stage.proctor(*check)
    assert (done.returncode, "not owed  web" in done.stdout) == (3, True)
    stage.proctor("receipt", "issue", "--require", "unit")
    assert stage.proctor(*check).returncode == 0
    stage.put("web/test_web.py", GREEN + "\n")
    done = stage.proctor(*check)
    assert done.returncode == 7
    assert "web: " in done.stdout
    stage.proctor(
        "receipt", "issue", "--require", "web", "--output", "artifacts/test-receipt.web.json"
    )
    done = stage.proctor(*check)
    assert (done.returncode, done.stdout.count("good ")) == (0, 2), done.stdout


def test_a_patch_that_touches_nothing_owes_nothing(issued: Issued) -> None:
    stage = issued.stage
    stage.put("proctor.toml", POLICY + 'paths = ["/src/"]\n')
    stage.commit("paths")
    stage.git("checkout", "-q", "-b", "work")
    stage.put("README.md", "x\n")
    stage.commit("readme")
    assert stage.proctor("receipt", "check", "--base", "main").returncode == 0


def test_a_bad_question_is_64(issued: Issued) -> None:
    for words in (
        ("--command", " "),
        ("--command", "'"),
        ("--max-age", "soon"),
        ("--key", "nobody"),
    ):
        assert issued.stage.proctor("receipt", "check", *words).returncode == 64, words
    with pytest.raises(UsageError):
        issued.check(command="")


def test_a_pruned_log_still_bears_its_receipts(issued: Issued) -> None:
    stage = issued.stage
    stage.run("git", "status")
    kept = stage.log().read_bytes()
    done = stage.proctor("log", "prune", "--older-than", "0h", "--unsafe-within-window")
    assert done.returncode == 0, done.stderr
    assert stage.log().read_bytes() != kept
    assert issued.refused(issued.path) == set()
    for part in stage.log().parent.glob("spans.jsonl.closed-*"):
        part.unlink()
    assert {(6, "chain-broken", "log.head")} <= issued.refused(issued.path)
