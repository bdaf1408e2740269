"""What Proctor offers to unittest, in real processes, as a wheel on `PYTHONPATH`."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from proctor.python_start import asks_for_unittest
from proctor.results.detect import detect
from proctor.results.read import read_report, read_summary
from proctor.results.wheel import ensure_wheel

Found = tuple[subprocess.CompletedProcess[str], list[Path]]
HEAD = "import unittest\nclass T(unittest.TestCase):\n"
RED = HEAD + "    def test_a(self): self.fail('no')\n"
EVERY = (
    HEAD
    + """\
    def test_ok(self): pass
    def test_parts(self):
        with self.subTest(n=1): self.fail('part')
    def test_bad(self): raise OSError('gone')
    def test_skip(self): self.skipTest('x')
    @unittest.expectedFailure
    def test_known(self): self.fail()
    @unittest.expectedFailure
    def test_cured(self): pass
    def test_inner(self):
        class Inner(unittest.TestCase):
            def test_red(self): self.fail()
        suite = unittest.defaultTestLoader.loadTestsFromTestCase(Inner)
        import io
        unittest.TextTestRunner(stream=io.StringIO()).run(suite)
        unittest.TestResult().startTest(self)
class Whole(unittest.IsolatedAsyncioTestCase):
    async def test_async(self): pass
class Broken(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise OSError('class')
    def test_never(self): pass
"""
)


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Found]:
    def run(files: dict[str, str], *words: str, **env: str) -> Found:
        project = tmp_path / "project"
        for name, text in files.items():
            (project / name).parent.mkdir(parents=True, exist_ok=True)
            (project / name).write_text(text)
        reports = tmp_path / "reports"
        reports.mkdir()
        path = os.pathsep.join(
            [ensure_wheel(str(tmp_path / "state")), *env.pop("path", "").split()]
        )
        done = subprocess.run(
            [sys.executable, *(words or ("-m", "unittest"))],
            cwd=project,
            env={**os.environ, "PYTHONPATH": path, "PROCTOR_REPORT": str(reports), **env},
            capture_output=True,
            text=True,
            check=False,
        )
        return done, sorted(reports.iterdir())

    return run


def content(found: Found) -> dict[str, Any]:
    (path,) = found[1]
    told: dict[str, Any] = json.loads(path.read_text())
    return told


def test_every_outcome_is_told(run: Callable[..., Found]) -> None:
    done, reports = run({"tests/__init__.py": "", "tests/test_a.py": EVERY})
    assert done.returncode == 1
    (report,) = reports
    found = content((done, reports))
    outcomes = {name.rpartition("::")[2]: outcome for name, outcome in found["tests"]}
    assert outcomes == {
        "test_ok": "passed", "test_parts": "failed", "test_bad": "error", "test_skip": "skipped",
        "test_known": "xfailed", "test_cured": "failed", "test_inner": "passed",
        "test_async": "passed",
    }  # fmt: skip
    assert found["tests"][0][0].startswith("tests/test_a.py::")
    assert found["errors"] == ["setUpClass (tests.test_a.Broken)"]
    said = read_report(str(report), "proctor_unittest")
    assert (said["executed"], said["failed"], said["skipped"], said["xfailed"]) == (7, 4, 1, 1)
    tries = read_summary(str(report), "proctor_unittest", detailed=True).results or []
    messages = {one.test.rpartition("::")[2]: one.message for one in tries if one.fingerprint}
    assert messages["test_bad"] == "gone"
    assert detect(str(report)) == "proctor_unittest"


@pytest.mark.parametrize(
    "files",
    [
        {"test_a.py": "import os; os._exit(0)\n" + RED},
        {"test_a.py": RED.replace("self.fail('no')", "__import__('os')._exit(0)")},
    ],
)
def test_a_process_that_leaves_early_leaves_a_report_that_is_not_finished(
    files: dict[str, str], run: Callable[..., Found]
) -> None:
    found = run(files)
    assert found[0].returncode == 0
    assert content(found)["complete"] is False


@pytest.mark.parametrize(
    "method",
    [
        "run(self, result): result.startTest(self); result.addSuccess(self)",
        "_callTestMethod(self, method): pass",
    ],
)
def test_a_test_whose_method_is_not_called_was_not_executed(
    method: str, run: Callable[..., Found]
) -> None:
    found = run({"test_a.py": RED + f"    def {method}\n"})
    assert found[0].returncode == 0
    told = content(found)
    assert told["uncalled"] == ["test_a.py::T::test_a"]
    assert told["tests"] == [["test_a.py::T::test_a", "skipped"]]


def test_a_case_of_the_projects_own_that_calls_its_tests_counts(run: Callable[..., Found]) -> None:
    own = "    def _callTestMethod(self, method): return method()\n"
    found = run({"test_a.py": RED.replace("self.fail('no')", "pass") + own})
    assert content(found)["tests"] == [["test_a.py::T::test_a", "passed"]]


@pytest.mark.parametrize("words", [("-c", "import unittest"), ("-m", "unittest", "--help")])
def test_where_no_tests_are_run_nothing_is_left(
    words: tuple[str, ...], run: Callable[..., Found]
) -> None:
    done, reports = run({"test_a.py": RED}, *words)
    assert (done.returncode, reports) == (0, [])


def test_the_sitecustomize_that_would_have_run_runs(
    tmp_path: Path, run: Callable[..., Found]
) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "sitecustomize.py").write_text("import os; os.environ['MET'] = 'yes'\n")
    test = HEAD + "    def test_a(self): import os; self.assertEqual(os.environ['MET'], 'yes')\n"
    found = run({"test_a.py": test}, path=str(tmp_path / "own"))
    assert found[0].returncode == 0, found[0].stderr
    assert content(found)["tests"] == [["test_a.py::T::test_a", "passed"]]


@pytest.mark.parametrize(
    ("line", "asks"),
    [
        ("python -m unittest", True),
        ("python -v -m unittest discover", True),
        ("python -munittest", True),
        ("python -m django test", True),
        ("python -m django migrate", False),
        ("python manage.py test app", True),
        ("python manage.py runserver", False),
        ("python -m pytest unittest", False),
        ("python -c test", False),
        ("python", False),
    ],
)
def test_only_unittest_is_met(line: str, asks: bool) -> None:
    assert asks_for_unittest(line.split()) is asks
