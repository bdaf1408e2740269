"""What a snapshot of a working tree says, on real repositories."""

import ctypes
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from proctor._digest import encode
from proctor.records.span import Git
from proctor.repo import blind, git, plan
from proctor.repo import snapshot as subject
from proctor.repo.history import changed_files

from .conftest import ENV, Repo


def take(repo: Repo, folder: str = "", **options: Any) -> dict[str, Any]:
    found = subject.snapshot(str(repo.root / folder), state_folder=str(repo.state), **options)
    assert found is not None
    return found


def finish(repo: Repo, before: dict[str, Any], started_ns: int) -> dict[str, Any]:
    return subject.finish_snapshot(before, str(repo.root), started_ns=started_ns)


def settle() -> None:
    """Wait until the file system's clock has left the tick of the last write."""
    time.sleep(0.03)


def test_a_clean_tree_has_the_id_of_its_commit(repo: Repo) -> None:
    facts = take(repo)
    assert facts["tree"] == repo.head_tree()
    assert facts["head"] == repo.git("rev-parse", "HEAD")
    assert facts["repository"][0] == facts["head"]
    assert (facts["untracked"], facts["untracked_count"], facts["blind_spots"]) == ([], 0, [])


def test_the_facts_are_the_fields_of_a_record(repo: Repo) -> None:
    facts = take(repo)
    record = msgspec.json.decode(encode(facts), type=Git, strict=True)
    assert set(facts) == {field.name for field in msgspec.structs.fields(Git)}
    assert record.root == str(repo.root)


def test_a_commit_of_exactly_that_content_keeps_the_id(repo: Repo) -> None:
    repo.write("a.py", "a = 2\n")
    repo.write("new/b.py")
    before = take(repo)
    assert before["tree"] != repo.head_tree()
    repo.commit()
    assert take(repo)["tree"] == before["tree"] == repo.head_tree()


def test_an_amended_message_keeps_the_id(repo: Repo) -> None:
    before = take(repo)
    repo.git("commit", "-q", "--amend", "-m", "other")
    after = take(repo)
    assert after["tree"] == before["tree"]
    assert after["repository"][0] == after["head"] != before["head"]


def test_untracked_files_count_and_are_listed(repo: Repo) -> None:
    repo.write("note.txt", "n\n")
    facts = take(repo)
    blob = repo.git("hash-object", "note.txt")
    assert facts["untracked"] == [["note.txt", blob]]
    assert facts["untracked_count"] == 1
    assert facts["tree"] != repo.head_tree()


def test_the_list_of_untracked_files_is_capped_and_counted(repo: Repo) -> None:
    for number in range(subject.UNTRACKED_CAP + 5):
        repo.write(f"n{number}.txt", f"{number}\n")
    facts = take(repo)
    assert len(facts["untracked"]) == subject.UNTRACKED_CAP
    assert facts["untracked_count"] == subject.UNTRACKED_CAP + 5


def test_ignored_files_do_not_count(repo: Repo) -> None:
    repo.write(".gitignore", "*.log\ncache/\n")
    before = take(repo)
    repo.write("x.log")
    repo.write("cache/y")
    assert take(repo)["tree"] == before["tree"]


def test_a_deleted_file_changes_the_id_and_putting_it_back_restores_it(repo: Repo) -> None:
    (repo.root / "a.py").unlink()
    assert take(repo)["tree"] != repo.head_tree()
    repo.write("a.py", "a = 1\n")
    assert take(repo)["tree"] == repo.head_tree()


def test_a_file_that_became_a_folder_is_followed(repo: Repo) -> None:
    take(repo)
    (repo.root / "a.py").unlink()
    repo.write("a.py/inner.py")
    facts = take(repo)
    repo.commit()
    assert facts["tree"] == repo.head_tree()
    shutil.rmtree(repo.root / "a.py")
    repo.write("a.py", "a = 1\n")
    assert take(repo)["tree"] == repo.git("rev-parse", "HEAD~^{tree}")


def test_the_executable_bit_counts(repo: Repo) -> None:
    take(repo)
    (repo.root / "a.py").chmod(0o755)
    facts = take(repo)
    repo.commit()
    assert facts["tree"] == repo.head_tree()


def test_the_users_index_and_objects_stay_as_they_were(repo: Repo) -> None:
    repo.write("a.py", "a = 2\n")
    index = repo.root / ".git/index"
    before = (index.read_bytes(), index.stat().st_mtime_ns, count_files(repo.root / ".git"))
    take(repo)
    assert (index.read_bytes(), index.stat().st_mtime_ns, count_files(repo.root / ".git")) == before


def count_files(folder: Path) -> int:
    return sum(len(files) for _, _, files in os.walk(folder))


def test_objects_are_kept_so_that_differences_can_be_named(repo: Repo) -> None:
    first = take(repo)
    repo.write("a.py", "a = 2\n")
    repo.write("b.py", "b\n")
    second = take(repo)
    changes = changed_files(second["objects"], str(repo.root), first["tree"], second["tree"])
    assert [path for path, _, _ in changes] == ["a.py", "b.py"]
    assert changes[1][1] is None


def test_an_edit_within_the_same_second_of_the_same_size_is_seen(repo: Repo) -> None:
    file = repo.write("a.py", "a = 1\n")
    os.utime(file, (1000, 1000))
    first = take(repo)
    file.write_text("a = 9\n")
    os.utime(file, (1000, 1000))
    assert take(repo)["tree"] != first["tree"]


def test_an_old_time_put_back_after_an_edit_hides_nothing(repo: Repo) -> None:
    file = repo.root / "a.py"
    old = time.time() - 3600
    os.utime(file, (old, old))
    take(repo)
    first = take(repo)
    file.write_text("a = 9\n")
    os.utime(file, (old, old))
    assert take(repo)["tree"] != first["tree"]


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_flags_that_blind_git_do_not_blind_the_snapshot(repo: Repo, flag: str) -> None:
    repo.git("update-index", flag, "a.py")
    repo.write("a.py", "a = 9\n")
    assert repo.git("status", "--porcelain") == ""
    facts = take(repo)
    assert facts["tree"] != repo.head_tree()
    assert facts["blind_spots"] == [f"{flag[2:]}:a.py"]


def test_a_sparse_checkout_has_the_id_of_its_commit(repo: Repo) -> None:
    repo.commit(big__x="x\n", small__y="y\n")
    repo.git("sparse-checkout", "set", "small")
    assert not (repo.root / "big").exists()
    facts = take(repo)
    assert facts["tree"] == repo.head_tree()
    assert facts["blind_spots"] == ["sparse-checkout"]


def test_a_file_hidden_by_a_sparse_checkout_counts_when_it_is_there(repo: Repo) -> None:
    repo.commit(big__x="x\n", small__y="y\n")
    repo.git("sparse-checkout", "set", "small")
    repo.write("big/x.py", "other\n")
    assert take(repo)["tree"] != repo.head_tree()


def test_a_source_folder_replaced_by_a_link_is_not_the_folder(repo: Repo, tmp_path: Path) -> None:
    repo.commit(src__m="m = 1\n")
    take(repo)
    shutil.move(repo.root / "src", tmp_path / "elsewhere")
    (repo.root / "src").symlink_to(tmp_path / "elsewhere")
    facts = take(repo)
    assert facts["tree"] != repo.head_tree()
    assert facts["blind_spots"] == ["symlink:src"]


def test_links_within_the_tree_are_no_blind_spot(repo: Repo) -> None:
    (repo.root / "here.py").symlink_to("a.py")
    facts = take(repo)
    repo.commit()
    assert facts["tree"] == repo.head_tree()
    assert facts["blind_spots"] == []


def test_the_interpreter_of_a_virtual_environment_is_no_blind_spot(repo: Repo) -> None:
    repo.write(".venv/pyvenv.cfg", "home = /usr/bin\n")
    repo.write("fake/a.txt", "a\n")
    for name in (".venv/bin/python3", ".venv/bin/data", "fake/bin/python3"):
        (repo.root / name).parent.mkdir(exist_ok=True)
        (repo.root / name).symlink_to(sys.executable)
    assert take(repo)["blind_spots"] == ["symlink:.venv/bin/data", "symlink:fake/bin/python3"]


def test_filters_are_not_run_and_are_named(repo: Repo, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    for name in ("clean", "process"):
        repo.git("config", f"filter.evil.{name}", f"touch {ran}; cat >/dev/null; echo same")
    repo.write(".gitattributes", "a.py filter=evil\n")
    first = take(repo)
    repo.write("a.py", "a = 9\n")
    second = take(repo)
    assert not ran.exists()
    assert first["tree"] != second["tree"]
    assert second["blind_spots"] == ["filter:a.py"]


def test_a_filter_that_is_required_does_not_stop_the_snapshot(repo: Repo) -> None:
    repo.git("config", "filter.evil.clean", "false")
    repo.git("config", "filter.evil.required", "true")
    repo.write(".gitattributes", "* filter=evil\n")
    assert take(repo)["tree"] is not None


def test_large_file_storage_gives_the_id_of_the_pointer(repo: Repo, tmp_path: Path) -> None:
    clean = tmp_path / "lfs-clean"
    clean.write_text(
        "#!/usr/bin/python3\n"
        "import hashlib, sys\n"
        "d = sys.stdin.buffer.read()\n"
        "print('version https://git-lfs.github.com/spec/v1')\n"
        "print('oid sha256:' + hashlib.sha256(d).hexdigest())\n"
        "print('size %d' % len(d))\n"
    )
    clean.chmod(0o755)
    repo.git("config", "filter.lfs.clean", str(clean))
    repo.write(".gitattributes", "*.bin filter=lfs\n")
    repo.write("w.bin", "weights\n")
    repo.write("empty.bin", "")
    facts = take(repo)
    assert take(repo)["tree"] == facts["tree"]
    repo.write("w.bin", "weights\n")
    assert take(repo)["tree"] == facts["tree"]
    repo.git("add", "w.bin", "empty.bin", ".gitattributes")
    repo.git("commit", "-q", "-m", "c")
    if repo.git("show", "HEAD:empty.bin") == "":
        assert facts["tree"] == repo.head_tree()
    assert facts["blind_spots"] == []
    repo.write("w.bin", repo.git("show", "HEAD:w.bin") + "\n")
    assert take(repo)["tree"] == facts["tree"]


def test_line_ends_are_normalised_as_git_does(repo: Repo) -> None:
    repo.write(".gitattributes", "*.bat text eol=crlf\n")
    (repo.root / "x.bat").write_bytes(b"one\r\ntwo\r\n")
    facts = take(repo)
    repo.commit()
    assert facts["tree"] == repo.head_tree()
    assert facts["blind_spots"] == []


def test_changed_attributes_are_applied_to_unchanged_files(repo: Repo) -> None:
    (repo.root / "x.bat").write_bytes(b"one\r\n")
    first = take(repo)
    repo.write(".gitattributes", "*.bat text\n")
    second = take(repo)
    changes = changed_files(second["objects"], str(repo.root), first["tree"], second["tree"])
    assert [path for path, _, _ in changes] == [".gitattributes", "x.bat"]


def test_autocrlf_is_followed_and_a_change_of_it_noticed(repo: Repo) -> None:
    (repo.root / "x.py").write_bytes(b"one\r\n")
    first = take(repo)
    repo.git("config", "core.autocrlf", "input")
    second = take(repo)
    repo.commit()
    assert first["tree"] != second["tree"] == repo.head_tree()


def test_content_that_git_itself_rewrites_is_named(repo: Repo) -> None:
    repo.write(".gitattributes", "*.py ident\n")
    repo.write("a.py", "a = '$Id: hidden $'\n")
    first = take(repo)
    assert first["blind_spots"] == ["attributes:a.py"]


def test_files_hidden_by_info_exclude_are_named(repo: Repo) -> None:
    (repo.root / ".git/info/exclude").write_text("hidden.py\nscratch/\n*.tmp\n")
    repo.write("hidden.py")
    repo.write("x.tmp")
    repo.write("scratch/inner/code.py")
    assert sorted(take(repo)["blind_spots"]) == ["info/exclude:hidden.py", "info/exclude:scratch/"]


def test_files_hidden_by_the_users_ignore_file_are_named(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / ".config/git").mkdir(parents=True)
    (tmp_path / ".config/git/ignore").write_text(".DS_Store\n*_local.py\n")
    repo.write(".DS_Store")
    repo.write("x_local.py")
    assert take(repo)["blind_spots"] == ["core.excludesFile:x_local.py"]


def test_ignored_files_that_runners_read_unasked_are_named(repo: Repo) -> None:
    repo.write(".gitignore", "conftest.py\n*.pth\nhidden/\n.venv/\nnode_modules/\nbuild/\n")
    for path in (
        "conftest.py",
        "tests/conftest.py",
        "hidden/sitecustomize.py",
        ".venv/lib/x.pth",
        "node_modules/p/conftest.py",
        "build/lib/conftest.py",
    ):
        repo.write(path)
    assert sorted(take(repo)["blind_spots"]) == [
        "ignored:conftest.py",
        "ignored:hidden/sitecustomize.py",
        "ignored:tests/conftest.py",
    ]


def test_a_virtual_environment_of_any_name_is_passed_over(repo: Repo) -> None:
    repo.write(".gitignore", "env/\n")
    repo.write("env/pyvenv.cfg")
    repo.write("env/x.pth")
    assert take(repo)["blind_spots"] == []


def test_many_blind_spots_of_a_kind_are_counted(repo: Repo) -> None:
    repo.write(".gitignore", "*.pth\n")
    for number in range(14):
        repo.write(f"f{number:02}.pth")
    spots = take(repo)["blind_spots"]
    assert len(spots) == 11
    assert spots[-1] == "ignored:(+4 more)"


def test_a_work_tree_elsewhere_by_configuration_is_named(repo: Repo, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    repo.git("config", "core.worktree", str(other))
    facts = take(repo)
    assert facts["blind_spots"] == ["core.worktree"]
    assert facts["tree"] is not None
    assert facts["root"] == str(repo.root)


def test_git_variables_of_the_command_are_not_followed(
    repo: Repo, make_repo: Callable[..., Repo], monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_repo("other")
    expected = take(repo)
    monkeypatch.setenv("GIT_DIR", str(other.root / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.root))
    monkeypatch.setenv("GIT_INDEX_FILE", "/nonexistent/index")
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'core.bare=true'")
    assert take(repo) == expected


def test_no_program_of_the_repositorys_choosing_runs(repo: Repo, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    hook = tmp_path / "hook"
    hook.write_text(f"#!/bin/sh\ntouch {ran}\n")
    hook.chmod(0o755)
    for name in ("core.fsmonitor", "diff.external", "core.pager", "core.sshCommand"):
        repo.git("config", name, str(hook))
    for name in ("post-index-change", "pre-commit", "reference-transaction"):
        shutil.copy(hook, repo.root / ".git/hooks" / name)
    ran.unlink(missing_ok=True)
    repo.write("a.py", "a = 9\n")
    take(repo)
    assert not ran.exists()


def test_replaced_objects_are_not_followed(repo: Repo) -> None:
    old = repo.git("rev-parse", "HEAD")
    tree = repo.head_tree()
    repo.commit(a="a = 7\n")
    new = repo.git("rev-parse", "HEAD")
    repo.git("replace", new, old)
    assert take(repo)["tree"] != tree
    assert take(repo)["untracked"] == []


def test_outside_git_there_is_no_snapshot(tmp_path: Path) -> None:
    assert subject.snapshot(str(tmp_path), state_folder=str(tmp_path / "state")) is None


def test_a_bare_repository_has_no_working_tree(make_repo: Callable[..., Repo]) -> None:
    bare = make_repo("bare.git", "--bare")
    assert subject.snapshot(str(bare.root), state_folder=str(bare.state)) is None


def test_a_bare_repository_in_a_dot_git_folder_has_none_either(repo: Repo) -> None:
    repo.git("config", "core.bare", "true")
    assert subject.snapshot(str(repo.root), state_folder=str(repo.state)) is None


def test_before_the_first_commit_everything_is_untracked(make_repo: Callable[..., Repo]) -> None:
    fresh = make_repo("fresh")
    empty = take(fresh)
    assert empty["head"] is None
    assert empty["repository"][0] is None
    assert empty["tree"] == "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
    fresh.write("a.py")
    assert [path for path, _ in take(fresh)["untracked"]] == ["a.py"]


def test_ids_of_a_sha256_repository_are_its_own(make_repo: Callable[..., Repo]) -> None:
    modern = make_repo("modern", "--object-format=sha256")
    modern.commit(a="a\n")
    modern.write("big.bin", "b" * 100)
    facts = take(modern)
    modern.commit()
    assert len(facts["tree"]) == 64
    assert facts["tree"] == modern.head_tree()


def test_without_git_only_the_tree_is_unknown(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git, "_SYSTEM_PATH", ())
    monkeypatch.setenv("PATH", "")
    git.find_git.cache_clear()
    try:
        facts = take(repo)
    finally:
        git.find_git.cache_clear()
    assert (facts["tree"], facts["blind_spots"]) == (None, ["no-git"])
    assert finish(repo, facts, 0) == facts


def test_a_damaged_index_of_the_user_is_said_and_head_stands_in(repo: Repo) -> None:
    (repo.root / ".git/index").write_bytes(b"rubbish")
    facts = take(repo)
    assert facts["tree"] == repo.head_tree()
    assert facts["blind_spots"] == ["index-unreadable"]


def test_a_damaged_index_of_ours_is_made_anew(repo: Repo) -> None:
    take(repo)
    (own,) = repo.state.glob("index-*/index")
    for rubbish in (b"", b"DIRC", b"DIRC\0\0\0\2\0\0\0\7" + b"x" * 90, own.read_bytes()[:-40]):
        own.write_bytes(rubbish)
        assert take(repo)["tree"] == repo.head_tree()


def test_a_damaged_repository_gives_a_reason_and_no_tree(repo: Repo) -> None:
    (repo.root / ".git/config").write_text("[core\n")
    facts = take(repo)
    assert facts["tree"] is None
    assert facts["blind_spots"][0].startswith("git-error:git config: fatal: bad config")
    assert finish(repo, facts, 0) == facts


def test_a_state_folder_that_cannot_be_made_gives_a_reason(repo: Repo) -> None:
    repo.state.write_text("in the way")
    facts = take(repo)
    assert facts["tree"] is None
    assert facts["blind_spots"][0].startswith("git-error:")


def test_worktrees_of_one_clone_have_one_id_and_their_own_trees(repo: Repo, tmp_path: Path) -> None:
    repo.git("worktree", "add", "-q", str(tmp_path / "wt"), "-b", "side")
    side = Repo(tmp_path / "wt", repo.state)
    side.write("a.py", "a = 5\n")
    main, other = take(repo), take(side)
    assert main["repository"] == other["repository"]
    assert main["tree"] != other["tree"]
    assert len(list(repo.state.glob("index-*"))) == 2


def test_a_worktree_within_the_tree_is_not_part_of_it(repo: Repo) -> None:
    repo.git("worktree", "add", "-q", str(repo.root / ".worktrees/x"), "-b", "side")
    facts = take(repo)
    assert facts["tree"] == repo.head_tree()
    assert facts["blind_spots"] == []


@pytest.fixture
def with_submodule(repo: Repo, make_repo: Callable[..., Repo]) -> Repo:
    inner = make_repo("inner")
    inner.commit(lib="lib = 1\n")
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.root), "sub")
    repo.commit()
    return repo


def test_a_clean_submodule_is_its_commit(with_submodule: Repo) -> None:
    facts = take(with_submodule)
    assert facts["tree"] == with_submodule.head_tree()
    assert facts["blind_spots"] == []


def test_an_edit_in_a_submodule_changes_the_id_and_is_named(with_submodule: Repo) -> None:
    clean = take(with_submodule)
    with_submodule.write("sub/lib.py", "lib = 2\n")
    one = take(with_submodule)
    with_submodule.write("sub/lib.py", "lib = 3\n")
    two = take(with_submodule)
    assert len({clean["tree"], one["tree"], two["tree"]}) == 3
    assert one["blind_spots"] == ["submodule:sub"]
    changes = changed_files(two["objects"], str(with_submodule.root), one["tree"], two["tree"])
    assert [path for path, _, _ in changes] == ["sub"]


def test_a_submodule_that_was_never_fetched_is_its_commit(with_submodule: Repo) -> None:
    with_submodule.git("submodule", "-q", "deinit", "-f", "sub")
    facts = take(with_submodule)
    assert facts["tree"] == with_submodule.head_tree()
    assert facts["blind_spots"] == []
    with_submodule.write("sub/loose.py")
    assert take(with_submodule)["blind_spots"] == ["submodule:sub"]


def test_the_working_tree_of_a_submodule_can_be_the_tree(with_submodule: Repo) -> None:
    facts = take(with_submodule, "sub")
    assert facts["root"] == str(with_submodule.root / "sub")
    assert facts["blind_spots"] == []


def test_blind_spots_of_a_submodule_are_those_of_the_tree(with_submodule: Repo) -> None:
    inner = Repo(with_submodule.root / "sub", with_submodule.state)
    inner.git("update-index", "--assume-unchanged", "lib.py")
    assert take(with_submodule)["blind_spots"] == ["assume-unchanged:sub/lib.py"]


def test_a_repository_within_the_tree_is_named_and_its_content_counts(
    repo: Repo, make_repo: Callable[..., Repo]
) -> None:
    nested = make_repo("repo/nested")
    unborn = take(repo)
    nested.write("code.py", "one\n")
    first = take(repo)
    nested.commit(code="two\n")
    second = take(repo)
    assert first["blind_spots"] == ["nested-repository:nested"]
    assert len({unborn["tree"], first["tree"], second["tree"]}) == 3


def test_a_repository_laid_over_tracked_files_hides_none_of_them(repo: Repo) -> None:
    repo.commit(src__m="m = 1\n")
    subprocess.run(["git", "init", "-q", str(repo.root / "src")], check=True, env=ENV)
    repo.write("src/m.py", "m = 2\n")
    facts = take(repo)
    assert facts["tree"] != repo.head_tree()


def test_an_empty_dot_git_folder_does_not_cut_the_tree_in_two(repo: Repo) -> None:
    (repo.root / "sub/.git").mkdir(parents=True)
    assert take(repo, "sub")["root"] == str(repo.root)


def test_names_that_are_not_utf8_are_kept_apart(repo: Repo) -> None:
    for name in (b"caf\xe9.py", b"new\nline.py", b'quote".py', b"tab\t.py"):
        (Path(os.fsdecode(os.path.join(os.fsencode(repo.root), name)))).write_text("x\n")
    facts = take(repo)
    assert [path for path, _ in facts["untracked"]] == [
        "caf\\xe9.py",
        "new\nline.py",
        'quote".py',
        "tab\t.py",
    ]
    json.dumps(facts).encode()
    repo.commit()
    assert facts["tree"] == repo.head_tree()


def test_special_files_are_passed_over(repo: Repo) -> None:
    take(repo)
    (repo.root / "a.py").unlink()
    os.mkfifo(repo.root / "a.py")
    os.mkfifo(repo.root / "pipe")
    facts = take(repo)
    assert [path for path, _ in facts["untracked"]] == []


def test_what_proctor_writes_does_not_count(repo: Repo) -> None:
    before = take(repo)
    for path in (
        "artifacts/test-receipt.json",
        "artifacts/test-receipt.intoto.jsonl",
        "evidence/toolchain.txt",
        "evidence/lock.copy.package-lock.json",
        "evidence/pytest.exit",
    ):
        repo.write(path)
    assert take(repo)["tree"] == before["tree"]
    repo.write("evidence/code.py")
    assert take(repo)["tree"] != before["tree"]


@pytest.mark.parametrize("place", ["logs", "."])
def test_a_log_in_the_tree_does_not_count(repo: Repo, place: str) -> None:
    repo.state = repo.root / place
    before = take(repo)
    repo.write(f"{place}/spans.jsonl")
    repo.write(f"{place}/spans.jsonl.pending/x.jsonl")
    repo.write(f"{place}/reports/x.json")
    assert take(repo)["tree"] == before["tree"] == repo.head_tree()
    repo.write(f"{place}/code.py")
    assert take(repo)["tree"] != before["tree"]


def test_large_files_are_identified_but_not_kept(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "STORE_LIMIT", 1000)
    repo.write("big.bin", "b" * 2000)
    facts = take(repo)
    assert facts["blind_spots"] == ["unstored:big.bin"]
    assert take(repo) == facts
    blob = repo.git("hash-object", "big.bin")
    assert not (repo.state / "objects" / blob[:2] / blob[2:]).exists()
    repo.commit()
    assert facts["tree"] == repo.head_tree()


def test_files_too_large_to_read_are_said(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "STORE_LIMIT", 1000)
    monkeypatch.setattr(plan, "READ_LIMIT", 1500)
    repo.write("big.bin", "b" * 2000)
    assert take(repo)["blind_spots"] == ["unstored:big.bin", "unread:big.bin"]
    assert take(repo)["tree"] == repo.head_tree()


def test_two_snapshots_at_once_do_not_clash(repo: Repo) -> None:
    for number in range(30):
        repo.write(f"n{number}.py", f"{number}\n")
    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.append(take(repo)["tree"])) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    repo.commit()
    assert found == [repo.head_tree()] * 6
    assert list(repo.state.glob("index-*/scratch*")) == []


def test_a_run_that_changes_nothing_has_touched_nothing(repo: Repo) -> None:
    before = take(repo)
    settle()
    started = time.time_ns()
    repo.write("cache.log", "x\n")
    after = finish(repo, before, started)
    assert after["touched"] == []
    assert after["tree_after"] != before["tree"]


def test_an_edit_put_back_during_the_run_is_named(repo: Repo) -> None:
    file = repo.root / "a.py"
    text, times = file.read_text(), file.stat()
    before = take(repo)
    settle()
    started = time.time_ns()
    settle()
    file.write_text("a = 9\n")
    file.write_text(text)
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    after = finish(repo, before, started)
    assert after["tree_after"] == before["tree"]
    assert after["touched"] == ["a.py"]


def test_a_file_that_did_change_is_not_among_the_touched(repo: Repo) -> None:
    before = take(repo)
    settle()
    started = time.time_ns()
    settle()
    repo.write("a.py", "a = 9\n")
    repo.write("test_a.py", (repo.root / "test_a.py").read_text())
    after = finish(repo, before, started)
    assert after["tree_after"] != before["tree"]
    assert after["touched"] == ["test_a.py"]


def test_blind_spots_of_both_ends_are_kept(repo: Repo) -> None:
    repo.git("update-index", "--assume-unchanged", "a.py")
    before = take(repo)
    repo.git("update-index", "--no-assume-unchanged", "a.py")
    repo.git("update-index", "--skip-worktree", "a.py")
    after = finish(repo, before, time.time_ns())
    assert after["blind_spots"] == ["assume-unchanged:a.py", "skip-worktree:a.py"]


def test_a_tree_removed_during_the_run_has_no_id_after_it(repo: Repo, tmp_path: Path) -> None:
    before = take(repo)
    shutil.rmtree(repo.root)
    after = subject.finish_snapshot(before, str(tmp_path), started_ns=0)
    assert (after["tree"], after["tree_after"]) == (before["tree"], None)


def test_the_tree_now_has_the_same_facts(repo: Repo) -> None:
    assert subject.current(str(repo.root), str(repo.state)) == take(repo)


def test_the_root_commit_of_a_shallow_clone_is_unknown(repo: Repo, tmp_path: Path) -> None:
    repo.commit(b="b\n")
    subprocess.run(
        ["git", "clone", "-q", "--depth", "1", f"file://{repo.root}", str(tmp_path / "shallow")],
        check=True,
        env=ENV,
    )
    facts = take(Repo(tmp_path / "shallow", repo.state))
    assert facts["repository"][0] is None
    assert facts["head"] is not None


def test_a_clone_owned_by_somebody_else_is_read(repo: Repo) -> None:
    tree = repo.head_tree()
    if os.getuid() != 0:
        pytest.skip("only root can give files away")
    for folder, folders, files in os.walk(repo.root):
        for name in (".", *folders, *files):
            os.chown(os.path.join(folder, name), 65534, 65534, follow_symlinks=False)
    assert take(repo)["tree"] == tree


def without_privilege(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return what `work` answers in a process that file permissions bind, root or not."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        header, sets = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
        libc.capget(header, sets)
        for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
            libc.prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP
            for at in range(3):
                sets[at] &= ~(1 << capability)
        libc.capset(header, sets)
        os.write(writer, json.dumps(work()).encode())
        os._exit(0)
    os.close(writer)
    os.waitpid(child, 0)
    with open(reader, "rb") as file:
        found: dict[str, Any] = json.loads(file.read())
    return found


def test_a_file_that_may_not_be_read_is_said_and_left_out(repo: Repo) -> None:
    tree = repo.head_tree()
    repo.write("secret.bin").chmod(0)
    repo.write("open.bin")
    (repo.root / "link").symlink_to("secret.bin")
    facts = without_privilege(lambda: take(repo))
    assert facts["blind_spots"] == ["unread:secret.bin"]
    assert [path for path, _ in facts["untracked"]] == ["link", "open.bin"]
    assert facts["tree"] != tree


def test_a_large_file_that_may_not_be_read_is_said(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "STORE_LIMIT", 1)
    tree = repo.head_tree()
    repo.write("secret.bin").chmod(0)
    facts = without_privilege(lambda: take(repo))
    assert facts["tree"] == tree
    assert "unread:secret.bin" in facts["blind_spots"]


def test_ignored_folders_and_rules_that_may_not_be_read_are_passed_over(repo: Repo) -> None:
    repo.write(".gitignore", "hidden/\n")
    repo.write("hidden/conftest.py")
    (repo.root / "hidden").chmod(0)
    (repo.root / ".git/info/exclude").chmod(0)
    try:
        assert without_privilege(lambda: take(repo))["tree"] is not None
    finally:
        (repo.root / "hidden").chmod(0o755)


def test_a_submodule_that_may_not_be_read_is_its_commit(with_submodule: Repo) -> None:
    sub = with_submodule.root / "sub"
    sub.chmod(0)
    try:
        facts = without_privilege(lambda: take(with_submodule))
    finally:
        sub.chmod(0o755)
    assert facts["tree"] == with_submodule.head_tree()


def test_repositories_are_looked_into_up_to_a_limit(
    with_submodule: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subject, "NESTED_LIMIT", 0)
    facts = take(with_submodule)
    assert facts["tree"] == with_submodule.head_tree()
    assert facts["blind_spots"] == ["submodule:sub"]


def test_many_links_are_not_all_followed(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blind, "_LINK_LIMIT", 1)
    for name in ("one", "two"):
        (repo.root / name).symlink_to("a.py")
    assert take(repo)["blind_spots"] == ["symlink:(more than are looked at)"]


def test_attributes_of_the_clone_itself_are_followed(repo: Repo) -> None:
    (repo.root / ".git/info").mkdir(exist_ok=True)
    (repo.root / ".git/info/attributes").write_text("*.bat text\n*.py filter=evil\n")
    repo.git("config", "filter.evil.clean", "false")
    (repo.root / "x.bat").write_bytes(b"one\r\n")
    facts = take(repo)
    repo.git("config", "--unset", "filter.evil.clean")
    repo.commit()
    assert facts["tree"] == repo.head_tree()
    assert "filter:a.py" in facts["blind_spots"]


def test_rules_outside_the_tree_that_hide_no_code_are_no_blind_spot(repo: Repo) -> None:
    (repo.root / ".git/info/exclude").write_text("*.tmp\n")
    repo.write(".gitignore", "*.log\n")
    for name in ("x.tmp", "y.log", "deep/a/b/c/conftest.log"):
        repo.write(name)
    assert take(repo)["blind_spots"] == []


def test_an_ignored_folder_is_searched_two_deep(repo: Repo) -> None:
    repo.write(".gitignore", "data/\n")
    repo.write("data/a/b/conftest.py")
    repo.write("data/a/b/c/conftest.py")
    assert take(repo)["blind_spots"] == ["ignored:data/a/b/conftest.py"]


def test_objects_that_were_thrown_away_are_written_again(repo: Repo) -> None:
    repo.write("b.py", "b\n")
    first = take(repo)
    shutil.rmtree(repo.state / "objects")
    second = take(repo)
    assert second == first
    assert changed_files(second["objects"], str(repo.root), "HEAD", second["tree"])


def test_a_tree_that_was_not_noted_is_worked_out_again(repo: Repo) -> None:
    first = take(repo)
    for note in (*repo.state.glob("index-*/tree"), *repo.state.glob("index-*/root")):
        note.unlink()
    assert take(repo) == first


def test_a_missing_history_leaves_the_root_commit_unknown(repo: Repo) -> None:
    first = repo.git("rev-parse", "HEAD")
    repo.commit(b="b\n")
    (repo.root / ".git/objects" / first[:2] / first[2:]).unlink()
    facts = take(repo)
    assert facts["repository"][0] is None
    assert facts["tree"] == repo.head_tree()


def test_a_tree_that_is_unknown_at_either_end_has_nothing_touched(repo: Repo) -> None:
    before = take(repo)
    repo.write("a.py", "a = 1\n")
    for tree in (None, "1" * 40):
        assert finish(repo, before | {"tree": tree}, 0)["touched"] == []


def test_a_snapshot_from_outside_git_stays_as_it_was(repo: Repo) -> None:
    before = take(repo)
    shutil.rmtree(repo.root)
    repo.root.mkdir()
    assert finish(repo, before, 0) == before


def test_a_tree_at_rest_is_not_written_again(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subject, "RACY_NS", -(10**11))
    first = take(repo)
    (own,) = repo.state.glob("index-*/index")
    before = own.stat()
    assert take(repo) == first
    assert own.stat() == before


def test_a_nested_repository_that_cannot_be_read_is_only_named(
    repo: Repo, make_repo: Callable[..., Repo]
) -> None:
    nested = make_repo("repo/nested")
    nested.commit(code="one\n")
    (nested.root / ".git/config").write_text("[core\n")
    facts = take(repo)
    assert facts["tree"] == repo.head_tree()
    assert facts["blind_spots"] == ["nested-repository:nested"]


def test_a_converted_file_that_may_not_be_read_is_named(repo: Repo) -> None:
    repo.write(".gitattributes", "*.bat text\n")
    file = repo.root / "x.bat"
    file.write_bytes(b"one\r\n")
    first = take(repo)
    file.chmod(0)

    def twice() -> dict[str, Any]:
        facts = take(repo)
        return {"spots": facts["blind_spots"], "same": facts["tree"] == first["tree"]}

    assert without_privilege(twice) == {"spots": ["unread:x.bat"], "same": False}
