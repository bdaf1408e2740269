"""Records of another job are read as this clone's own, and nothing that they name is opened."""

import os
from pathlib import Path

import msgspec
import pytest

from proctor.assess.bundled import Bundled, Mover, junit_written, opened
from proctor.errors import EvidenceError
from proctor.gate.evidence import Seen
from proctor.receipt.bundle import Origin, pack
from proctor.records.place import Clone
from proctor.records.span import KeptFile, Span
from tests.unit.gate.conftest import make_evidence, make_git, make_report, make_seen, make_span

THERE = Origin(root="/there/app", repository="a" * 16)
HERE = Clone("/here/deep/app", "/here/deep/app/.git", "/here/deep/app/.git")
ID = "1" * 40


def moved(span: Span, origin: Origin = THERE) -> Span:
    bundled = Bundled(path="b.zip", folder="/tmp/open", origin=origin)
    return Mover(bundled, HERE).moved(span)


def there(**members: object) -> Span:
    git = make_git(
        ID, root="/there/app", repository=("c0ffee", "a" * 16), objects="/etc", **members
    )
    return make_span("pytest /there/app/tests", cwd="/there/app/web", git=git)


def test_the_other_jobs_folder_and_clone_become_the_ones_here() -> None:
    found = moved(there(head=ID))
    assert found.git is not None
    assert (found.git.root, found.cwd) == (HERE.root, f"{HERE.root}/web")
    assert found.argv == ("pytest", f"{HERE.root}/tests")
    assert found.git.repository == ("c0ffee", HERE.repository_id)
    assert (found.git.head, found.git.tree) == (ID, ID)


def test_a_folder_that_only_begins_alike_stays_what_it_is() -> None:
    span = make_span("pytest", cwd="/there/application", git=make_git(ID, root="/tmp/base/app"))
    found = moved(span)
    assert found.cwd == "/there/application"
    assert found.git is not None
    assert (found.git.root, found.git.repository) == (
        "/tmp/base/app",
        span.git.repository if span.git else "",
    )


@pytest.mark.parametrize("root", ["/", "", "relative"])
def test_a_bundle_that_names_no_folder_moves_none(root: str) -> None:
    assert moved(there(head=ID), Origin(root=root, repository="")).cwd == "/there/app/web"


def test_no_folder_that_a_record_names_is_used_for_objects() -> None:
    found = moved(there(head=ID))
    assert found.git is not None
    assert found.git.objects is None


@pytest.mark.parametrize("name", ["head", "tree", "tree_after"])
@pytest.mark.parametrize("value", ["--output=/tmp/owned", "HEAD", f"{ID}\n", "", None])
def test_what_is_no_id_reaches_no_git(name: str, value: str | None) -> None:
    span = msgspec.structs.replace(
        there(), git=msgspec.structs.replace(make_git(ID), **{name: value})
    )
    found = moved(span)
    assert getattr(found.git, name) is None


@pytest.mark.parametrize("path", ["/etc/passwd", "../../x", "/x/..", "a" * 64])
def test_reports_are_those_of_the_bundle(path: str) -> None:
    own = f"/there/state/reports/{'a' * 64}.json"
    also = (KeptFile(path=path, sha256="1", format="junit"),)
    found = moved(msgspec.structs.replace(there(), report=make_report(path=own, also=also))).report
    assert found is not None
    assert found.path == f"/tmp/open/log/reports/{'a' * 64}.json"
    assert found.also[0].path == "/tmp/open/log/reports/unknown"


def test_an_open_bundle_is_gone_afterwards(tmp_path: Path) -> None:
    path = str(tmp_path / "b.zip")
    pack(path, {"log/spans.jsonl": b"x\n", "evidence/manifest.json": b"{}"}, THERE)
    with opened(path) as found:
        assert Path(found.log).read_bytes() == b"x\n"
        assert found.evidence is not None
        assert found.named(found.log) == f"{path}: log/spans.jsonl"
        assert os.stat(found.folder).st_mode & 0o777 == 0o700
    assert not os.path.exists(found.folder)


@pytest.mark.parametrize("origin", [THERE, None])
def test_a_bundle_without_a_log_or_an_origin_is_refused(
    tmp_path: Path, origin: Origin | None
) -> None:
    path = str(tmp_path / "b.zip")
    name = "evidence/manifest.json" if origin else "log/spans.jsonl"
    pack(path, {name: b"{}"}, origin)
    with pytest.raises(EvidenceError, match="proctor bundle make --log"), opened(path):
        pass


def test_a_junit_file_is_known_by_what_the_newest_run_wrote_there() -> None:
    def ran(sha256: str, started_at: str, source: str | None) -> Seen:
        also = (KeptFile(path="x", sha256=sha256, format="junit", source=source),)
        return make_seen("pytest", started_at=started_at, report=make_report(also=also))

    path = "/work/app/out/../junit.xml"
    runs = (ran("new", "2026-02", path), ran("old", "2026-01", path), ran("none", "2026-03", None))
    found = junit_written(["junit.xml", "other.xml"], make_evidence(*runs))
    assert found == {"junit.xml": "new", "other.xml": None}
