"""The base's tests and harness go back into a checkout, and nothing else does."""

import json
from pathlib import Path

import pytest

from proctor.errors import RepositoryError
from proctor.receipt.checkout import check_out
from proctor.receipt.harness import files_taken_by, restore
from proctor.records.place import find_clone
from tests.cheats.stage import Stage

BASE = {
    "src/app.py": "x = 1\n", "src/testing/kit.py": "x = 1\n", "tests/test_a.py": "1\n", "tests/run.sh": "#!/bin/sh\n",
    "tests/gone.py": "1\n", "conftest.py": "def pytest_configure(config):\n    pass\n", "pytest.ini": "[pytest]\n",
    "Makefile": "test:\n\tpytest\n", "README.md": "a\n", "pyproject.toml": "[project]\nname = 'a'\n",
    "package.json": json.dumps({"name": "a", "scripts": {"test": "jest"}, "dependencies": {"x": "1"}}),
}  # fmt: skip


def test_each_restored_file_is_named_and_the_code_stays(tmp_path: Path) -> None:
    stage = Stage(tmp_path / "s")
    for path, text in BASE.items():
        stage.put(path, text)
    stage.commit("base")
    base = stage.git("rev-parse", "HEAD").strip()
    patch = {
        **dict.fromkeys(("src/app.py", "src/testing/kit.py", "tests/test_a.py", "README.md"), "2\n"),
        "conftest.py": "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n",
        "sub/conftest.py": "def pytest_sessionfinish():\n    pass\n", "pytest.ini": "[pytest]\naddopts = -k x\n",
        "Makefile": "SHELL = /bin/true\ntest:\n\tpytest\n", "pyproject.toml": "[project]\nname = 'b'\n",
        "package.json": json.dumps({"name": "b", "scripts": {"test": "true"}, "jest": {}, "dependencies": {"y": "1"}}),
    }  # fmt: skip
    for path, text in patch.items():
        stage.put(path, text)
    (stage.repo / "tests/gone.py").unlink()
    (stage.repo / "tests/run.sh").unlink()
    (stage.repo / "tests/link.py").symlink_to("test_a.py")
    stage.commit("patch")
    head = stage.git("rev-parse", "HEAD").strip()
    out = check_out(find_clone(str(stage.repo)), None, head, head, str(tmp_path / "out"))
    done = {one.path: one.what for one in restore(out, str(stage.repo), base)}
    assert done == {
        "Makefile": "restored", "conftest.py": "restored", "package.json": "its scripts restored",
        "pytest.ini": "restored", "sub/conftest.py": "removed", "tests/gone.py": "restored",
        "tests/link.py": "removed", "tests/run.sh": "restored", "tests/test_a.py": "restored",
    }  # fmt: skip
    root = Path(out.root)
    package = json.loads((root / "package.json").read_text())
    assert package == {"name": "b", "scripts": {"test": "jest"}, "dependencies": {"y": "1"}}
    assert (root / "src/app.py").read_text() == "2\n"
    assert (root / "tests/run.sh").stat().st_mode & 0o111
    out.settle()
    assert not (root / "sub/conftest.py").exists()


def test_a_checkout_runs_no_hook_and_no_filter_and_holds_no_output(tmp_path: Path) -> None:
    stage = Stage(tmp_path / "s")
    stage.put(".gitattributes", "*.txt filter=evil\n")
    stage.put("a.txt", "plain\n")
    stage.put("artifacts/test-receipt.json", "{}")
    stage.git("add", "-f", ".")
    stage.commit("all")
    mark = tmp_path / "mark"
    stage.git("config", "filter.evil.smudge", f"touch {mark}; cat")
    stage.git("config", "core.hooksPath", "hooks")
    stage.put("hooks/post-checkout", f"#!/bin/sh\ntouch {mark}\n", 0o755)
    head = stage.git("rev-parse", "HEAD").strip()
    out = check_out(find_clone(str(stage.repo)), None, head, head, str(tmp_path / "out"))
    assert (Path(out.root) / "a.txt").read_text() == "plain\n"
    assert not mark.exists()
    assert not (Path(out.root) / "artifacts").exists()
    assert out.commit != head
    assert set(out.blobs()) == {".gitattributes", "a.txt"}


def test_content_that_is_not_here_is_said_or_left_out(tmp_path: Path) -> None:
    stage = Stage(tmp_path / "s")
    stage.put("a.py", "1\n")
    stage.commit("first")
    blob = "0123456789" * 4
    for name, code in (("note.md", False), ("b.py", True)):
        stage.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{name}")
        tree = stage.git("write-tree", "--missing-ok").strip()
        where = str(tmp_path / name)
        clone = find_clone(str(stage.repo))
        if code:
            with pytest.raises(RepositoryError, match=r"b\.py of tree .* is not in this clone"):
                check_out(clone, None, tree, None, where)
        else:
            assert check_out(clone, None, tree, None, where).left_out == ("note.md",)
    with pytest.raises(RepositoryError):
        check_out(find_clone(str(tmp_path)), None, "HEAD", None, str(tmp_path / "x"))


def test_a_runners_test_files_are_told_from_others() -> None:
    files = ["tests/test_a.py", "src/app.py", "a_test.go"]
    assert list(files_taken_by("pytest", files)) == ["tests/test_a.py"]
    assert list(files_taken_by("go test", files)) == ["a_test.go"]
    assert list(files_taken_by("unheard of", files)) == []
