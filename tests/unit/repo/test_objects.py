"""Objects are read, and are what their ids say."""

import pytest

from proctor.errors import RepositoryError
from proctor.repo import objects as subject
from proctor.repo.history import object_place, renamed_files

from .conftest import Repo


def test_blobs_are_read_by_id_up_to_a_size(repo: Repo) -> None:
    repo.commit(b="b\n", c="c" * 50)
    ids = [repo.git("rev-parse", f"HEAD:{name}.py") for name in ("b", "c")]
    place = object_place(str(repo.root))
    missing = "1" * 40
    assert subject.read_blobs(place, [*ids, missing]) == {ids[0]: b"b\n", ids[1]: b"c" * 50}
    assert subject.read_blobs(place, [*ids, missing], limit=10) == {ids[0]: b"b\n"}
    assert subject.read_blobs(place, []) == {}


def test_much_is_read_in_several_goes(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subject, "BATCH_BYTES", 3)
    repo.commit(**{name: f"{name}\n" for name in "bcd"})
    ids = [repo.git("rev-parse", f"HEAD:{name}.py") for name in "bcd"]
    found = subject.read_blobs(object_place(str(repo.root)), ids)
    assert found == dict(zip(ids, (b"b\n", b"c\n", b"d\n"), strict=True))


def test_one_object_comes_with_its_kind(repo: Repo) -> None:
    place = object_place(str(repo.root))
    assert subject.read_object(place, repo.git("rev-parse", "HEAD"))[0] == "commit"
    with pytest.raises(RepositoryError, match="not in this clone"):
        subject.read_object(place, "1" * 40)


def test_other_bytes_under_an_id_are_refused(repo: Repo) -> None:
    repo.commit(b="b\n", c="c\n")
    ids = [repo.git("rev-parse", f"HEAD:{name}.py") for name in "bc"]
    first, second = (repo.root / ".git/objects" / one[:2] / one[2:] for one in ids)
    first.chmod(0o644)
    first.write_bytes(second.read_bytes())
    with pytest.raises(RepositoryError, match="holds other bytes than its id says"):
        subject.read_blobs(object_place(str(repo.root)), ids)


def test_moved_files_are_paired_by_content(repo: Repo) -> None:
    text = "".join(f"line {number}\n" for number in range(20))
    repo.write("old.txt", text)
    repo.write(".gitattributes", "* -diff binary\n")
    base = repo.commit()
    repo.git("mv", "old.txt", "new.txt")
    (repo.root / "new.txt").write_text(text + "more\n")
    head = repo.commit()
    assert renamed_files(None, str(repo.root), base, head) == {"new.txt": "old.txt"}
    assert renamed_files(None, str(repo.root), head, head) == {}


def test_a_file_is_read_by_its_path_in_a_tree(repo: Repo) -> None:
    repo.write("a/b/c.txt", "c\n")
    (repo.root / "link").symlink_to("a")
    (repo.root / "a/link.txt").symlink_to("b/c.txt")
    repo.commit()
    place, tree = object_place(str(repo.root)), repo.head_tree()
    assert subject.read_path(place, tree, "a/b/c.txt") == b"c\n"
    for path in ("a/b", "a/b/d.txt", "nope/c.txt", "link/b/c.txt", "a/link.txt", "a/b/c.txt/d"):
        assert subject.read_path(place, tree, path) is None
