"""What a patch changes, on a real repository."""

import subprocess
from pathlib import Path

import pytest

from proctor.assess import changes as subject
from proctor.gate.evidence import Change


class Project:
    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir()
        self.git("init", "-q", "-b", "main")

    def git(self, *words: str) -> str:
        names = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        done = subprocess.run(
            ["git", *names, *words], cwd=self.root, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    def commit(self, **files: str | bytes | None) -> str:
        for name, content in files.items():
            path = self.root / name.replace("__", "/").replace("_dot_", ".")
            if content is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "change")
        return self.git("rev-parse", "HEAD")

    def changes(self, before: str, after: str) -> tuple[Change, ...]:
        return subject.changes_of(str(self.root), None, before, after)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "app")


def test_each_side_is_there_by_id_and_text(project: Project) -> None:
    before = project.commit(a_dot_py="a = 1\n", gone_dot_py="g = 1\n", same_dot_py="s = 1\n")
    after = project.commit(a_dot_py="a = 2\n", gone_dot_py=None, new_dot_py="n = 1\n")
    edited, gone, new = project.changes(before, after)
    assert (edited.path, edited.old_path, edited.old_text, edited.new_text) == (
        "a.py",
        "a.py",
        "a = 1\n",
        "a = 2\n",
    )
    assert edited.old_blob == project.git("rev-parse", f"{before}:a.py")
    assert (gone.path, gone.old_text, gone.new_blob, gone.new_text) == (
        "gone.py",
        "g = 1\n",
        None,
        None,
    )
    assert (new.path, new.old_path, new.old_blob, new.new_text) == ("new.py", None, None, "n = 1\n")


def test_a_renamed_file_is_one_change_with_both_names(project: Project) -> None:
    text = "".join(f"x{number} = {number}\n" for number in range(20))
    before = project.commit(tests__a_dot_py=text)
    after = project.commit(tests__a_dot_py=None, tests__b_dot_py=text + "y = 1\n")
    (change,) = project.changes(before, after)
    assert (change.old_path, change.path) == ("tests/a.py", "tests/b.py")
    assert (change.old_text, change.new_text) == (text, text + "y = 1\n")
    assert change.paths == ("tests/a.py", "tests/b.py")
    assert subject.diff_of([change]) == ("tests/a.py", "tests/b.py")


def test_what_cannot_change_tests_or_is_no_text_has_only_ids(project: Project) -> None:
    before = project.commit(a_dot_py="a = 1\n")
    after = project.commit(
        logo_dot_png="picture",
        nul_dot_py=b"a\0b",
        latin_dot_py=b"\xe9 = 1\n",
        big_dot_py="#" * 2**21,
    )
    changes = project.changes(before, after)
    assert [change.path for change in changes] == ["big.py", "latin.py", "logo.png", "nul.py"]
    assert all(change.new_blob and change.new_text is None for change in changes)


def test_only_so_many_texts_are_read(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subject, "MOST_TEXTS", 1)
    before = project.commit(a_dot_py="a = 1\n")
    after = project.commit(b_dot_py="b = 1\n", c_dot_py="c = 1\n")
    assert [change.new_text for change in project.changes(before, after)] == ["b = 1\n", None]
    assert project.changes(after, after) == ()


def test_the_base_is_a_plain_value(project: Project) -> None:
    commit = project.commit(a_dot_py="a = 1\n")
    base = subject.base_of(str(project.root), "main")
    assert (base.name, base.commit, base.merge_base) == ("main", commit, commit)
    assert base.how == "branch main"
    assert base.doubt
