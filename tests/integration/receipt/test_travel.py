"""Receipts travel: as notes between real clones, and in one file that holds nothing else."""

import io
import json
import os
import shutil
import stat
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from proctor.errors import EvidenceError
from proctor.receipt.bundle import LARGEST, is_allowed, pack, read_bundle, unpack
from tests.cheats.stage import Stage
from tests.integration.receipt.conftest import RECEIPT, Issued

pytestmark = pytest.mark.heavy

REF = "refs/notes/proctor"


@pytest.fixture
def clones(issued: Issued, tmp_path: Path) -> tuple[Issued, Stage]:
    """The issuing clone with a server, and somebody else's clone of it."""
    stage = issued.stage
    server = tmp_path / "server.git"
    stage.git("init", "-q", "--bare", "-b", "main", str(server))
    stage.git("push", "-q", str(server), "main")
    theirs = Stage(tmp_path / "other")
    shutil.rmtree(theirs.repo)
    stage.git("clone", "-q", str(server), str(theirs.repo))
    return issued, theirs


def test_a_receipt_travels_with_a_push(clones: tuple[Issued, Stage]) -> None:
    issued, theirs = clones
    stage = issued.stage
    server = theirs.git("remote", "get-url", "origin").strip()
    stage.put("evidence/manifest.json", "{}")
    before = stage.git("status", "--porcelain")
    done = stage.proctor("receipt", "attach")
    assert (done.returncode, f"git push origin {REF}" in done.stdout) == (0, True), done.stderr
    assert stage.git("status", "--porcelain") == before
    nothing = theirs.proctor("receipt", "fetch", "--remote", "origin")
    assert (nothing.returncode, nothing.stderr.count("\n")) == (65, 1)
    stage.git("push", "-q", server, REF)
    done = theirs.proctor("receipt", "fetch", "--remote", "origin")
    assert done.returncode == 0, done.stderr
    assert (theirs.repo / RECEIPT).read_bytes() == issued.path.read_bytes()
    assert (theirs.repo / "evidence/manifest.json").read_text() == "{}"
    assert theirs.proctor("receipt", "check", "--key", issued.public).returncode == 0
    assert theirs.proctor("receipt", "check").returncode == 6


@pytest.mark.heavy
def test_notes_of_two_clones_are_merged_by_git_itself(clones: tuple[Issued, Stage]) -> None:
    issued, theirs = clones
    stage = issued.stage
    server = theirs.git("remote", "get-url", "origin").strip()
    stage.proctor("receipt", "attach")
    stage.git("push", "-q", server, REF)
    assert theirs.proctor("receipt", "issue", "--", "pytest").returncode == 0
    assert theirs.proctor("receipt", "attach").returncode == 0
    theirs.git("fetch", "-q", "origin", f"{REF}:refs/notes/origin")
    theirs.git("notes", "--ref=proctor", "merge", "-q", "-s", "cat_sort_uniq", "refs/notes/origin")
    out = theirs.folder / "out"
    done = theirs.proctor("receipt", "fetch", "--output", str(out))
    assert sorted(os.listdir(out / "artifacts")) == [
        "test-receipt.2.json", "test-receipt.intoto.jsonl", "test-receipt.json",
    ] or len(done.stdout.splitlines()) == 3  # fmt: skip


@pytest.mark.heavy
def test_a_newer_receipt_takes_the_place_of_an_older_note(issued: Issued) -> None:
    for _ in range(2):
        issued.stage.proctor("receipt", "issue", "--", "pytest", "-q")
        done = issued.stage.proctor("receipt", "attach")
    assert done.stdout.startswith("1 receipt is noted")


@pytest.mark.parametrize(
    "path",
    [
        "../x.json",
        "/etc/x.json",
        "src/app.json",
        "artifacts/../../x.json",
        "artifacts/test-receipt.sh",
    ],
)
def test_a_note_writes_nothing_elsewhere(issued: Issued, tmp_path: Path, path: str) -> None:
    line = json.dumps({"schema": "proctor.note/1", "path": path, "receipt": "e30="})
    issued.stage.git("notes", "--ref=proctor", "add", "-f", "-m", f"hello\n{line}", "HEAD")
    done = issued.stage.proctor("receipt", "fetch", "--output", str(tmp_path / "out"))
    assert (done.returncode, done.stderr.count("\n")) == (65, 1)
    assert not (tmp_path / "out").exists()


def test_bad_notes_and_names_are_one_line(issued: Issued, tmp_path: Path) -> None:
    stage = issued.stage
    line = json.dumps({"schema": "proctor.note/1", "path": RECEIPT, "receipt": "%%%"})
    stage.git("notes", "--ref=proctor", "add", "-f", "-m", line, "HEAD")
    for words in (
        ("fetch", "--output", str(tmp_path / "o")),
        ("fetch", "--remote", "nowhere"),
        ("fetch", "--commit", "nothing"),
        ("attach", "--commit", "nothing"),
        ("attach", str(issued.unsigned)),
        ("attach", str(stage.repo / "artifacts/test-receipt.none.json")),
    ):
        done = stage.proctor("receipt", *words)
        assert (done.returncode, done.stderr.count("\n")) == (65, 1), words
    done = stage.proctor("receipt", "attach", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (65, 1)


# ── bundles ─────────────────────────────────────────────────────────────────


def test_a_bundle_is_checked_where_only_it_and_the_key_are(
    clones: tuple[Issued, Stage], tmp_path: Path
) -> None:
    issued, theirs = clones
    stage = issued.stage
    stage.put("evidence/manifest.json", "{}")
    stage.put("evidence/secret.txt", "x")
    bundle = tmp_path / "b.zip"
    done = stage.proctor("bundle", "make", "--output", str(bundle), "--log")
    assert done.returncode == 0, done.stderr
    shown = stage.proctor("bundle", "show", str(bundle)).stdout
    names = {line.split()[1] for line in shown.splitlines()}
    assert {
        RECEIPT,
        "artifacts/test-receipt.intoto.jsonl",
        "evidence/manifest.json",
        "log/spans.jsonl",
    } < names
    assert not any("secret" in name for name in names)
    check = theirs.proctor("receipt", "check", str(bundle), "--key", issued.public)
    assert check.returncode == 0, check.stdout
    assert theirs.proctor("receipt", "check", str(bundle)).returncode == 6
    assert theirs.proctor("gate", "--receipt", str(bundle)).returncode != 0
    out = tmp_path / "out"
    assert theirs.proctor("bundle", "open", str(bundle), "--output", str(out)).returncode == 0
    assert (out / RECEIPT).read_bytes() == issued.path.read_bytes()
    again = theirs.proctor("bundle", "open", str(bundle), "--output", str(out))
    assert (again.returncode, "is not empty" in again.stderr) == (65, True)


def test_the_same_files_make_the_same_bundle(tmp_path: Path) -> None:
    files = {RECEIPT: b"{}", "evidence/freeze.txt": b"x"}
    for name, given in (("a", files), ("b", dict(reversed(files.items())))):
        pack(str(tmp_path / name), given)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert read_bundle(str(tmp_path / "a")).files == files


@pytest.mark.parametrize(
    "name",
    ["../x", "/abs", "artifacts/../../x", "artifacts\\x", "src/app.py", "evidence/../artifacts/test-receipt.json",
     "log/reports/x", "log/other.jsonl", "", "evidence//manifest.json", "./artifacts/test-receipt.json", "evidence/a\0.exit", "evidence/ä.exit"],
)  # fmt: skip
def test_no_other_name_is_packed_or_read(tmp_path: Path, name: str) -> None:
    assert not is_allowed(name)
    with pytest.raises(EvidenceError):
        pack(str(tmp_path / "b.zip"), {name: b"x"})
    assert not (tmp_path / "b.zip").exists()


def _zip(change: Callable[[zipfile.ZipFile], object]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        change(archive)
    return data.getvalue()


def _good() -> bytes:
    data = io.BytesIO()
    manifest = {
        "schema": "proctor.bundle/1",
        "members": [{"path": RECEIPT, "sha256": "0" * 64, "bytes": 2}],
    }
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("bundle.json", json.dumps(manifest))
        archive.writestr(RECEIPT, "{}")
    return data.getvalue()


def _link(archive: zipfile.ZipFile) -> None:
    info = zipfile.ZipInfo(RECEIPT)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    archive.writestr(info, "/etc/passwd")


def _twice() -> bytes:
    """Two members of one name, as no library writes them unwarned."""
    other = f"{RECEIPT[:-1]}N"
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr(RECEIPT, "{}")
        archive.writestr(other, "[]")
    return data.getvalue().replace(other.encode(), RECEIPT.encode())


def _many(archive: zipfile.ZipFile) -> None:
    for number in range(5001):
        archive.writestr(f"evidence/{number}.exit", "")


@pytest.mark.parametrize(
    "data",
    [
        b"", b"PK\x03\x04", b"hello", _good(), _good()[:-1], _good() + b"x",
        _zip(lambda a: a.writestr("../../evil", "x")),
        _zip(lambda a: a.writestr("/abs", "x")),
        _twice(),
        _zip(_link),
        _zip(lambda a: a.writestr(RECEIPT, "0" * 9999, zipfile.ZIP_DEFLATED)),
        _zip(lambda a: a.mkdir("artifacts")),
        _zip(_many),
    ],
)  # fmt: skip
def test_what_is_no_bundle_of_ours_is_refused_in_one_line(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "b.zip"
    path.write_bytes(data)
    with pytest.raises(EvidenceError) as error:
        read_bundle(str(path))
    assert "\n" not in str(error.value)
    assert str(path) in str(error.value)


def test_what_is_too_large_or_not_there_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "b.zip"
    with pytest.raises(EvidenceError, match="no such file"):
        read_bundle(str(path))
    with open(path, "wb") as file:
        file.truncate(LARGEST + 1)
    with pytest.raises(EvidenceError, match="MiB"):
        read_bundle(str(path))
    with pytest.raises(EvidenceError, match="nothing to pack"):
        pack(str(path), {})
    pack(str(path), {RECEIPT: b"{}"})
    with pytest.raises(EvidenceError, match="cannot be written"):
        unpack(read_bundle(str(path)), "/proc/x")
    with pytest.raises(EvidenceError, match="cannot be written"):
        pack("/proc/x/b.zip", {RECEIPT: b"{}"})


# ── another machine ─────────────────────────────────────────────────────────


@pytest.mark.heavy
def test_another_user_with_another_python_believes_it_by_files_and_key_alone(
    clones: tuple[Issued, Stage], tmp_path: Path
) -> None:
    """Another clone, another user id, another interpreter: nothing but files and the key."""
    others = [Path(p) / "bin/python3" for p in Path.home().glob(".pyenv/versions/3.1[23]*")]
    python = next((p for p in others if p.exists()), None)
    if os.getuid() != 0 or shutil.which("setpriv") is None or python is None:
        pytest.skip("needs root, setpriv and another Python")
    issued, theirs = clones
    bundle = tmp_path / "b.zip"
    issued.stage.proctor("bundle", "make", "--output", str(bundle))
    world = Path("/tmp") / f"proctor-elsewhere-{os.getpid()}"
    world.mkdir(mode=0o755)
    try:
        subprocess.run(["cp", "-rL", str(python.parent.parent), str(world / "python")], check=True)
        own = world / "python/bin/python3"
        source = Path(__file__).parents[3]
        where = {**os.environ, "LD_LIBRARY_PATH": str(world / "python/lib")}
        install = subprocess.run(
            [own, "-m", "pip", "install", "-q", "--target", str(world / "lib"), f"{source}[sign]"],
            capture_output=True, text=True, check=False, env=where,
        )  # fmt: skip
        if install.returncode != 0:
            pytest.skip(f"cannot be installed there: {install.stderr[-300:]}")
        shutil.copytree(theirs.repo, world / "repo")
        shutil.copy(bundle, world / "b.zip")
        (world / "home").mkdir()
        subprocess.run(["chown", "-R", "65534:65534", str(world)], check=True)
        check = subprocess.run(
            ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", own, "-c",
             "from proctor.cli.main import main; main()", "receipt", "check", str(world / "b.zip"), "--key", issued.public],
            cwd=world / "repo", capture_output=True, text=True, check=False,
            env={"PATH": os.defpath, "HOME": str(world / "home"), "PYTHONPATH": str(world / "lib"), "LD_LIBRARY_PATH": str(world / "python/lib")},
        )  # fmt: skip
        assert check.returncode == 0, check.stdout + check.stderr
        assert check.stdout.startswith("good      level 2 of 3")
    finally:
        shutil.rmtree(world)
