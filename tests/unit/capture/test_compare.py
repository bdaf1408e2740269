"""How two captures differ, and what that weighs."""

from collections.abc import Callable
from pathlib import Path

import pytest

from proctor.capture.compare import compare, is_comparable, read_side
from proctor.errors import EvidenceError

Folder = Callable[..., str]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    def make(name: str, **files: str) -> str:
        path = tmp_path / name
        path.mkdir()
        for key, text in files.items():
            (path / key.replace("_", ".", 1).replace("__", ".")).write_text(text)
        return str(path)

    return make


def weigh(folder: Folder, key: str, one: str, two: str) -> list[tuple[str, str]]:
    sides = [read_side(folder(n, **{key: text})) for n, text in (("a", one), ("b", two))]
    return [(drift.weight, drift.what) for drift in compare(*sides)]


@pytest.mark.parametrize(
    ("line", "one", "two", "weight"),
    [
        ("python", "3.12.1", "3.11.9", "heavy"),
        ("python", "3.12.1", "3.12.9", "light"),
        ("node", "20.1.0", "22.1.0", "heavy"),
        ("python_platform_tag", "linux-x86_64", "linux-aarch64", "heavy"),
        ("platform", "Linux-x86_64", "Darwin-arm64", "heavy"),
        ("libc", "glibc 2.36", "musl 1.2", "heavy"),
        ("libc", "glibc 2.36", "glibc 2.39", "medium"),
        ("python_wheel_tag", "cp312-cp312-manylinux_2_36_x86_64", "cp311-cp311-manylinux_2_36_x86_64", "heavy"),
        ("python_wheel_tag", "cp312-cp312-manylinux_2_36_x86_64", "cp312-cp312-musllinux_1_2_x86_64", "heavy"),
        ("python_wheel_tag", "cp312-cp312-manylinux_2_36_x86_64", "cp312-cp312-manylinux_2_36_aarch64", "heavy"),
        ("python_wheel_tag", "cp312-cp312-manylinux_2_36_x86_64", "cp312-cp312-manylinux_2_39_x86_64", "medium"),
        ("npm", "10.1", "11.0", "medium"),
        ("npm", "10.1", "10.2", "light"),
        ("venue", "ci", "scratch", "light"),
        ("python", "", "3.12", "medium"),
        ("date_utc", "a", "b", None),
        ("npm", "", "10", None),
    ],
)  # fmt: skip
def test_each_difference_has_its_weight(
    folder: Folder, line: str, one: str, two: str, weight: str | None
) -> None:
    found = weigh(folder, "toolchain_txt", f"{line}={one}\nx=1\n", f"{line}={two}\nx=1\n")
    assert found == ([] if weight is None else [(weight, line)])


def test_of_uname_only_its_parts_count(folder: Folder) -> None:
    text = "uname=Linux {} {} #1 SMP x86_64 {}\n"
    found = weigh(
        folder, "toolchain_txt", text.format("a", "6.1", "x86_64"), text.format("b", "6.2", "arm64")
    )
    assert found == [("heavy", "machine"), ("light", "kernel")]


def test_another_lock_file_is_heavy(folder: Folder) -> None:
    assert weigh(folder, "lock_copy", "a", "b") == [("heavy", "lock.copy")]


def test_a_missing_lock_file_is_heavy(folder: Folder) -> None:
    a, b = folder("a", lock_copy="x"), folder("b", NO_LOCKFILE="none\n")
    (Path(b) / "NO.LOCKFILE").rename(Path(b) / "NO_LOCKFILE")
    (drift,) = compare(read_side(a), read_side(b))
    assert (drift.weight, drift.b) == ("heavy", "(none)")


def test_packages_are_compared_by_name(folder: Folder) -> None:
    one = "# python\nRich==13.0\nattrs==1.0\n-e app @ file:///a\n# node\n@s/x@1.0.0\nx@1.0.0\nx@2.0.0\n# go\ngo/y v1.0\nodd\n"
    two = "# python\nrich==14.0\nattrs==1.2\n-e app @ file:///a\n# node\n@s/x@1.0.0\nx@1.0.0\n# go\ngo/y v1.0\nodd\n"
    assert weigh(folder, "freeze_txt", one, two) == [
        ("medium", "python: rich"),
        ("light", "node: x"),
        ("light", "python: attrs"),
    ]


def test_a_folder_is_compared_with_a_toolchain_file(folder: Folder, tmp_path: Path) -> None:
    a = read_side(folder("a", toolchain_json='{"schema": "x", "python": "3.12.1"}'))
    (tmp_path / "ci.txt").write_text("python=3.11.1\n\n")
    b = read_side(str(tmp_path / "ci.txt"))
    assert [drift.what for drift in compare(a, b)] == ["python"]


def test_sides_that_share_nothing_cannot_be_compared(folder: Folder, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("python=3\npwd=/a\n")
    (tmp_path / "b.txt").write_text("ruby=3\npwd=/b\n")
    a, b = (read_side(str(tmp_path / name)) for name in ("a.txt", "b.txt"))
    assert not is_comparable(a, b)
    freeze = read_side(folder("c", freeze_txt="# python\n"))
    assert not is_comparable(a, freeze)
    assert is_comparable(freeze, freeze)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "neither an evidence folder nor a toolchain file"),
        ("{not json", "no toolchain file"),
        ("python=3\nnonsense\n", ":2: a line of a toolchain file is NAME=VALUE"),
    ],
)
def test_what_is_no_side_is_refused(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "x").write_text(text)
    with pytest.raises(EvidenceError, match=says):
        read_side(str(tmp_path / "x"))
