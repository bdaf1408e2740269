"""Packing the pytest plugin."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from proctor.results import wheel


def test_the_same_plugin_gives_the_same_bytes(tmp_path: Path) -> None:
    first = Path(wheel.ensure_wheel(str(tmp_path / "a")))
    second = Path(wheel.ensure_wheel(str(tmp_path / "b")))
    assert first.read_bytes() == second.read_bytes()
    assert first.name == "proctor_report-1-py3-none-any.whl"
    assert first.parent.name == second.parent.name


def test_a_wheel_that_is_there_is_not_built_again(tmp_path: Path) -> None:
    path = Path(wheel.ensure_wheel(str(tmp_path)))
    before = path.stat()
    assert wheel.ensure_wheel(str(tmp_path)) == str(path)
    assert path.stat() == before
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_the_record_names_every_file_but_the_one_that_stands_before_anothers(
    tmp_path: Path,
) -> None:
    with zipfile.ZipFile(wheel.ensure_wheel(str(tmp_path))) as archive:
        record = archive.read("proctor_report-1.dist-info/RECORD").decode()
        named = [line.split(",")[0] for line in record.splitlines()]
        assert named == [name for name in archive.namelist() if name != "sitecustomize.py"]
        assert archive.testzip() is None


def test_pip_takes_it_for_a_wheel(tmp_path: Path) -> None:
    path = wheel.ensure_wheel(str(tmp_path / "state"))
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target",
         str(tmp_path / "t"), path],
        check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "t" / "proctor_report.py").is_file()


def test_a_path_that_cannot_stand_in_a_search_path_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="colon"):
        wheel.ensure_wheel(str(tmp_path / "a:b"))


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError):
        wheel.ensure_wheel(str(tmp_path / "file"))


def test_finding_the_wheel_needs_light_modules_only(tmp_path: Path) -> None:
    wheel.ensure_wheel(str(tmp_path))
    code = (
        "import sys; from proctor.results.wheel import ensure_wheel;"
        f"ensure_wheel({str(tmp_path)!r});"
        "print(sorted({'json','re','typing','zipfile','hashlib','enum','pathlib'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, 'src'); {code}"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout.strip() == "[]"
