"""The files of an evidence folder and its manifest."""

import os
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from proctor.capture.folder import Folder, check_writable
from proctor.capture.keep import LARGEST_LOCK, Request, capture
from proctor.capture.manifest import Manifest, mismatches, read_file, read_manifest
from proctor.capture.show import show
from proctor.errors import EvidenceError


def sealed(folder: Folder) -> Manifest:
    manifest = Manifest(
        captured_utc="2026-11-29T12:00:00Z",
        venue="scratch",
        root="/app",
        head=None,
        tree=None,
        commands=(),
        files=tuple(folder.files),
    ).sealed()
    folder.seal(manifest, msgspec.json.encode(manifest))
    return manifest


def test_what_was_written_is_what_the_manifest_says(tmp_path: Path) -> None:
    folder = Folder(str(tmp_path / "e"))
    folder.put("toolchain.txt", b"python=3\n")
    manifest = sealed(folder)
    assert read_manifest(folder.path) == manifest
    assert list(mismatches(folder.path, manifest)) == []


def test_only_own_files_of_an_earlier_capture_go(tmp_path: Path) -> None:
    for name in ("freeze.txt", "junit.2.xml", "a.exit", "notes.md", "lock.copy.x"):
        (tmp_path / name).touch()
    Folder(str(tmp_path))
    assert os.listdir(tmp_path) == ["notes.md"]


@pytest.mark.parametrize("change", ["edit", "remove", "manifest"])
def test_every_change_is_seen(tmp_path: Path, change: str) -> None:
    folder = Folder(str(tmp_path))
    folder.put("freeze.txt", b"a==1\n")
    sealed(folder)
    path = tmp_path / "freeze.txt"
    if change == "edit":
        path.write_text("a==2\n")
    elif change == "remove":
        path.unlink()
    else:
        manifest = tmp_path / "manifest.json"
        manifest.write_text(manifest.read_text().replace("scratch", "ci"))
    found = read_manifest(str(tmp_path))
    assert found is not None
    assert len(list(mismatches(str(tmp_path), found))) == 1
    assert len(show(str(tmp_path)).problems) == 1


@pytest.mark.parametrize("name", ["../x", "/etc/passwd", "", ".."])
def test_a_manifest_names_only_files_of_its_folder(tmp_path: Path, name: str) -> None:
    folder = Folder(str(tmp_path))
    folder.put("freeze.txt", b"")
    (tmp_path / "freeze.txt").unlink()
    kept = msgspec.structs.replace(folder.files[0], name=name)
    manifest = msgspec.structs.replace(sealed(folder), files=(kept,), digest="").sealed()
    assert list(mismatches(str(tmp_path), manifest)) == [
        (name, "is no name of a file in this folder")
    ]


def test_a_file_that_was_blown_up_is_not_read_to_its_end(tmp_path: Path) -> None:
    folder = Folder(str(tmp_path))
    folder.put("junit.xml", b"<x/>")
    manifest = sealed(folder)
    os.truncate(tmp_path / "junit.xml", 1 << 40)
    assert list(mismatches(str(tmp_path), manifest)) == [
        ("junit.xml", f"has {1 << 40} bytes, the manifest says 4")
    ]


def test_a_result_that_the_manifest_lacks_is_seen(tmp_path: Path) -> None:
    folder = Folder(str(tmp_path))
    manifest = sealed(folder)
    (tmp_path / "pytest.exit").write_text("0\n")
    (tmp_path / "notes.md").touch()
    assert list(mismatches(str(tmp_path), manifest)) == [("pytest.exit", "is not in the manifest")]


def test_a_later_version_of_the_schema_is_refused(tmp_path: Path) -> None:
    manifest = msgspec.structs.replace(sealed(Folder(str(tmp_path))), schema="proctor.evidence/2")
    (tmp_path / "manifest.json").write_bytes(msgspec.json.encode(manifest))
    with pytest.raises(EvidenceError, match=r"schema is 'proctor\.evidence/2'"):
        read_manifest(str(tmp_path))


def test_secrets_are_masked_and_that_is_kept(tmp_path: Path) -> None:
    folder = Folder(str(tmp_path))
    folder.put(
        "lock.copy", b"--index-url https://me:hunter2@host/simple\n", source="r.txt", masks=True
    )
    assert b"hunter2" not in (tmp_path / "lock.copy").read_bytes()
    assert folder.files[0].source_sha256 is not None
    folder.put("lock.copy.b", b"\xff\xfe", masks=True)
    assert folder.files[1].source_sha256 is None


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(EvidenceError, match=r"evidence cannot be written: .*; choose another"):
        Folder(str(tmp_path / "file"))
    with pytest.raises(EvidenceError, match="evidence cannot be written"):
        check_writable(str(tmp_path / "file"))
    check_writable(str(tmp_path / "e"))
    folder = Folder(str(tmp_path / "e"))
    (tmp_path / "e").rmdir()
    with pytest.raises(EvidenceError, match="evidence cannot be written"):
        folder.put("freeze.txt", b"")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{}", "no manifest of evidence"),
        ("nonsense", "no manifest of evidence"),
    ],
)
def test_what_is_no_manifest_is_refused(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(EvidenceError, match=says):
        read_manifest(str(tmp_path))


def test_another_schema_is_refused(tmp_path: Path) -> None:
    manifest = msgspec.structs.replace(sealed(Folder(str(tmp_path))), schema="other/1")
    (tmp_path / "manifest.json").write_bytes(msgspec.json.encode(manifest))
    with pytest.raises(EvidenceError, match="schema is 'other/1'"):
        read_manifest(str(tmp_path))


def test_links_and_folders_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/etc/passwd")
    for name, says in (("link", "is a link"), (".", "is no plain file")):
        with pytest.raises(EvidenceError, match=says):
            read_file(str(tmp_path / name))
    assert read_file(str(tmp_path / "absent")) is None


def test_files_without_a_manifest_are_held_together_by_nothing(tmp_path: Path) -> None:
    (tmp_path / "junit.xml").touch()
    assert show(str(tmp_path)).problems == (
        "manifest.json is missing: nothing holds these files together",
    )


def test_an_empty_folder_shows_no_rows_and_a_file_is_refused(tmp_path: Path) -> None:
    assert show(str(tmp_path / "absent")).rows == ()
    assert [row.have for row in show(str(tmp_path)).instead] == [
        "(only a chat sentence)",
        "(only a freeze)",
    ]
    (tmp_path / "x").touch()
    with pytest.raises(EvidenceError, match="name a folder that `proctor evidence capture` wrote"):
        show(str(tmp_path / "x"))


def test_what_is_too_large_for_a_lock_file_is_left_out_and_said(tmp_path: Path) -> None:
    project, target = tmp_path / "p", tmp_path / "e"
    project.mkdir()
    (project / "uv.lock").touch()
    os.truncate(project / "uv.lock", LARGEST_LOCK + 1)
    request = Request(
        root=str(project), target=str(target), venue="ci", now=datetime.now(UTC), environ={}
    )
    manifest = capture(request, ())
    assert "uv.lock: larger than 64 MiB: that is no lock file" in manifest.absent
    assert not (target / "lock.copy").exists()
