"""The plugin says which of the project's packages came from elsewhere."""

import os
import py_compile
import subprocess
import sys
from pathlib import Path

import pytest

from proctor.results.read import read_report
from proctor.results.wheel import ensure_wheel
from tests.cheats.stage import Stage

APP = "def double(x):\n    return 2 * x\n"


def reported(tmp_path: Path, files: dict[str, str], *path: str) -> list[list[str]]:
    """Run `import app` in a test of a project; return what the report calls foreign."""
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    folder = tmp_path / "reports"
    folder.mkdir()
    found = [str(tmp_path / one) for one in path]
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "PROCTOR", "COV"))}
    env |= {
        "PYTHONPATH": os.pathsep.join([*found, ensure_wheel(str(tmp_path / "state"))]),
        "PROCTOR_REPORT": str(folder),
    }
    subprocess.run(
        [str(Path(sys.executable).parent / "pytest"), "-q", "-c", "/dev/null", "--rootdir=.", "--import-mode=importlib"],
        cwd=tmp_path / "project", env=env, capture_output=True, check=False,
    )  # fmt: skip
    (report,) = folder.glob("*.json")
    foreign = read_report(str(report), "proctor_pytest")["foreign"]
    assert isinstance(foreign, list)
    return foreign


TEST = {
    "project/tests/test_a.py": "import app, json\n\ndef test_a():\n    assert app.double(1) == 2\n"
}


@pytest.mark.parametrize("place", ["app.py", "src/app.py", "lib/app.py"])
def test_another_copy_with_other_content_is_foreign(tmp_path: Path, place: str) -> None:
    files = {**TEST, f"project/{place}": f"# new\n{APP}", "elsewhere/app.py": APP}
    assert reported(tmp_path, files, "elsewhere") == [["app", str(tmp_path / "elsewhere/app.py")]]


def test_a_package_is_compared_by_what_was_loaded_of_it(tmp_path: Path) -> None:
    files = {
        "project/tests/test_a.py": "import app.one\n\ndef test_a():\n    assert app.one.X\n",
        "project/app/__init__.py": "",
        "project/app/one.py": "X = 2\n",
        "project/app/two.py": "X = 3\n",
        "elsewhere/app/__init__.py": "",
        "elsewhere/app/one.py": "X = 1\n",
        "elsewhere/app/_version.py": "",
    }
    assert [name for name, _ in reported(tmp_path, files, "elsewhere")] == ["app"]


def test_a_copy_with_the_same_content_is_not(tmp_path: Path) -> None:
    assert (
        reported(tmp_path, {**TEST, "project/app.py": APP, "elsewhere/app.py": APP}, "elsewhere")
        == []
    )


def test_an_installed_copy_within_the_project_is_foreign(tmp_path: Path) -> None:
    copy = "project/.venv/lib/site-packages/app.py"
    files = {**TEST, "project/app.py": f"# new\n{APP}", copy: APP}
    found = reported(tmp_path, files, "project/.venv/lib/site-packages")
    assert found == [["app", str(tmp_path / copy)]]


def test_the_project_s_own_files_and_the_standard_library_are_not(tmp_path: Path) -> None:
    files = {
        **TEST,
        "project/app.py": APP,
        "project/src/json.py": "X = 1\n",
        "project/docs/index.py": "",
    }
    assert reported(tmp_path, files, "nowhere", "project") == []


@pytest.mark.parametrize(
    ("mode", "now", "said"),
    [
        (py_compile.PycInvalidationMode.UNCHECKED_HASH, 2, True),
        (py_compile.PycInvalidationMode.TIMESTAMP, 1, True),
        (py_compile.PycInvalidationMode.TIMESTAMP, 2, False),
    ],
)
def test_a_compiled_file_that_is_taken_for_a_changed_source_is_foreign(
    tmp_path: Path, mode: py_compile.PycInvalidationMode, now: int, said: bool
) -> None:
    app = tmp_path / "project/app.py"
    app.parent.mkdir()
    app.write_text(APP)
    os.utime(app, (1, 1))
    compiled = py_compile.compile(str(app), invalidation_mode=mode)
    back = f"import os\nos.utime('app.py', ({now}, {now}))\n"
    files = {**TEST, "project/app.py": APP.replace("2", "3"), "project/conftest.py": back}
    found = reported(tmp_path, files, "project")
    assert found == ([["app", compiled]] if said else [])


def test_a_source_that_was_only_touched_is_not(tmp_path: Path) -> None:
    app = tmp_path / "project/app.py"
    app.parent.mkdir()
    app.write_text(APP)
    py_compile.compile(str(app), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    assert reported(tmp_path, {**TEST, "project/app.py": APP}, "project") == []


def test_a_package_that_pythonpath_finds_outside_of_the_repository_is_named(
    tmp_path: Path,
) -> None:
    stage = Stage(tmp_path / "s")
    (stage.folder / "out").mkdir()
    (stage.folder / "out" / "helper.py").write_text("def f():\n    return 1\n")
    stage.put("services/a/common/mine.py", "x = 1\n")
    stage.put("services/a/pytest.ini", "[pytest]\npythonpath = ../../../out ../a/common .\n")
    stage.put(
        "services/a/tests/test_a.py",
        "import mine\nfrom helper import f\n\n\ndef test_f():\n    assert f() == mine.x\n",
    )
    stage.commit("first")
    stage.run("pytest", "-q", cwd=stage.repo / "services" / "a")
    report = next(span["report"] for span in stage.spans() if span["report"])
    assert [name for name, _ in report["foreign"]] == ["helper"]
    assert "foreign-code" in stage.judge().rules
