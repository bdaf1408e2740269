"""The plugin in real pytest sessions, offered as a wheel on `PYTHONPATH`."""

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from proctor.flakes.reports import read_attempts
from proctor.results.read import read_report
from proctor.results.wheel import ensure_wheel

GREEN = "def test_ok() -> None:\n    pass\n"
RED = "def test_bad() -> None:\n    assert 0\n"
TRYLAST = "import pytest\n@pytest.hookimpl(trylast=True)\n"
WRAPPER = "import pytest\n@pytest.hookimpl(tryfirst=True, hookwrapper=True)\n"


class Session:
    """One finished pytest process and what it reported."""

    def __init__(self, code: int, output: str, folder: Path) -> None:
        self.code = code
        self.output = output
        self.folder = folder

    @property
    def reports(self) -> list[Path]:
        return sorted(self.folder.glob("*.json"))

    @property
    def content(self) -> dict[str, Any]:
        (path,) = self.reports
        found: dict[str, Any] = json.loads(path.read_text())
        return found

    @property
    def tests(self) -> dict[str, str]:
        return dict(self.content["tests"])


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Session]:
    folder = tmp_path / "reports"
    folder.mkdir()

    def run(
        files: dict[str, str],
        *words: str,
        start: tuple[str, ...] = (sys.executable, "-m", "pytest"),
        **env: str,
    ) -> Session:
        project = tmp_path / "project"
        for name, text in files.items():
            path = project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        kept = {
            k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "PROCTOR", "COV"))
        }
        offered = {
            "PYTHONPATH": ensure_wheel(str(tmp_path / "state")),
            "PROCTOR_REPORT": str(folder),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        done = subprocess.run(
            [*start, "-c", "/dev/null", "--rootdir=.", *words],
            cwd=project,
            env={**kept, **offered, **env},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return Session(done.returncode, done.stdout, folder)

    return run


def test_a_session_is_written_down(run: Callable[..., Session]) -> None:
    session = run({"test_a.py": GREEN + RED}, "-k", "ok or bad")
    content = session.content
    assert session.tests == {"test_a.py::test_ok": "passed", "test_a.py::test_bad": "failed"}
    assert (session.code, content["exit_status"], content["complete"]) == (1, 1, True)
    assert (content["collected"], content["found"], content["deselected"]) == (2, 2, 0)
    assert content["schema"] == "proctor.pytest/1"
    assert content["version"] == pytest.__version__
    assert content["options"] == {"keyword": "ok or bad"}
    assert session.reports[0].name == f"{content['pid']}-{content['pid_start']}.json"
    assert content["pid_start"] > 0


def test_the_report_is_read_as_the_fields_of_a_record(run: Callable[..., Session]) -> None:
    session = run({"test_a.py": GREEN + RED})
    report = read_report(str(session.reports[0]), "proctor_pytest")
    assert (report["executed"], report["passed"], report["failed"]) == (2, 1, 1)
    assert (report["exit_status"], report["complete"]) == (1, True)


def test_every_outcome_has_its_word(run: Callable[..., Session]) -> None:
    text = """
import pytest
def test_pass() -> None: pass
def test_fail() -> None: assert 0
@pytest.mark.skip
def test_skip() -> None: pass
@pytest.mark.xfail
def test_xfail() -> None: assert 0
@pytest.mark.xfail
def test_xpass() -> None: pass
@pytest.mark.xfail(strict=True)
def test_strict() -> None: pass
@pytest.mark.xfail(run=False)
def test_not_run() -> None: assert 0
@pytest.fixture
def broken(): raise ValueError
def test_setup(broken) -> None: pass
@pytest.fixture
def leaves():
    yield
    raise ValueError
def test_teardown(leaves) -> None: pass
def test_both(leaves) -> None: assert 0
"""
    session = run({"test_a.py": text})
    assert {name.partition("::")[2]: outcome for name, outcome in session.tests.items()} == {
        "test_pass": "passed",
        "test_fail": "failed",
        "test_skip": "skipped",
        "test_xfail": "xfailed",
        "test_xpass": "xpassed",
        "test_strict": "failed",
        "test_not_run": "skipped",
        "test_setup": "error",
        "test_teardown": "error",
        "test_both": "failed",
    }


def test_workers_of_xdist_write_nothing_and_the_controller_everything(
    run: Callable[..., Session],
) -> None:
    session = run({"test_a.py": GREEN + RED, "test_b.py": GREEN}, "-n", "2")
    assert session.code == 1
    assert len(session.reports) == 1
    assert len(session.tests) == 3
    assert (session.content["collected"], session.content["found"]) == (3, None)


def test_a_file_that_cannot_be_collected_is_an_error(run: Callable[..., Session]) -> None:
    session = run({"test_a.py": "import nope_not_there\n", "test_b.py": GREEN})
    assert session.code == 2
    assert session.tests == {}
    assert session.content["not_collected"] == ["test_a.py"]
    assert session.content["exit_status"] == 2


def test_a_file_that_is_skipped_whole_is_skipped(run: Callable[..., Session]) -> None:
    text = "import pytest\npytest.skip('no', allow_module_level=True)\n"
    session = run({"test_a.py": text})
    assert (session.code, session.tests) == (5, {"test_a.py": "skipped"})
    assert read_report(str(session.reports[0]), "proctor_pytest")["executed"] == 0


def test_no_tests_are_a_complete_report_of_none(run: Callable[..., Session]) -> None:
    session = run({"test_a.py": ""})
    assert (session.code, session.content["exit_status"], session.tests) == (5, 5, {})


def test_tests_dropped_by_a_conftest_are_counted_before(run: Callable[..., Session]) -> None:
    hook = "def pytest_collection_modifyitems(items):\n    del items[1:]\n"
    content = run({"conftest.py": hook, "test_a.py": GREEN + RED}).content
    assert (content["found"], content["collected"], len(content["tests"])) == (2, 1, 1)


@pytest.mark.parametrize(
    "hook",
    [
        "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n",
        f"{TRYLAST}def pytest_sessionfinish(session):\n    session.exitstatus = 0\n",
        f"{WRAPPER}def pytest_sessionfinish(session):\n    session.exitstatus = 0\n    yield\n",
        "import atexit, os\natexit.register(os._exit, 0)\n",
        "import os\ndef pytest_unconfigure():\n    os._exit(0)\n",
        "import os\ndef pytest_sessionfinish():\n    os._exit(0)\n",
        f"import os\n{WRAPPER}def pytest_sessionfinish():\n    os._exit(0)\n    yield\n",
    ],
)
def test_a_forced_exit_status_contradicts_the_report(
    run: Callable[..., Session], hook: str
) -> None:
    session = run({"conftest.py": hook, "test_a.py": RED})
    assert session.code == 0
    assert session.content["exit_status"] == 1
    assert session.tests == {"test_a.py::test_bad": "failed"}


def test_a_session_that_is_cut_off_leaves_an_incomplete_report(
    run: Callable[..., Session],
) -> None:
    session = run({"test_a.py": "import os\ndef test_a() -> None:\n    os._exit(0)\n"})
    assert session.code == 0
    assert (session.content["complete"], session.content["exit_status"]) == (False, None)


def test_a_failed_count_set_back_contradicts_the_report(run: Callable[..., Session]) -> None:
    hook = "def pytest_runtest_logfinish():\n    S.testsfailed = 0\ndef pytest_sessionstart(session):\n    global S\n    S = session\n"
    session = run({"conftest.py": hook, "test_a.py": RED})
    assert session.code == 0
    assert session.tests == {"test_a.py::test_bad": "failed"}


def test_a_session_within_a_session_is_not_warned_of_the_plugin(
    run: Callable[..., Session],
) -> None:
    inner = "import pytest\ndef test_a() -> None: assert pytest.main(['-Werror', '-c/dev/null', 'inner']) == 0\n"
    session = run({"test_a.py": inner, "inner/test_b.py": GREEN}, "-W", "error", "test_a.py")
    assert session.code == 0, session.output
    assert session.tests == {"test_a.py::test_a": "passed"}


def test_sessions_within_a_test_do_not_overwrite_the_report(run: Callable[..., Session]) -> None:
    text = """
import subprocess, sys
pytest_plugins = "pytester"
def test_inline(pytester) -> None:
    pytester.makepyfile("def test_inner() -> None: assert 0")
    assert pytester.inline_run().ret == 1
def test_inprocess(pytester) -> None:
    pytester.makepyfile("def test_inner() -> None: assert 0")
    assert pytester.runpytest_inprocess().ret == 1
def test_subprocess(pytester) -> None:
    pytester.makepyfile("def test_inner() -> None: assert 0")
    assert pytester.runpytest_subprocess().ret == 1
def test_direct(tmp_path) -> None:
    import pytest
    (tmp_path / "test_x.py").write_text("def test_inner() -> None: assert 0")
    assert pytest.main([str(tmp_path)]) == 1
"""
    session = run({"test_a.py": text})
    assert session.code == 0, session.output
    outer, inner = sorted(
        (json.loads(path.read_text()) for path in session.reports), key=lambda c: c["pid"]
    )
    assert outer["exit_status"] == 0
    assert dict(outer["tests"]) == {
        f"test_a.py::{name}": "passed"
        for name in ("test_inline", "test_inprocess", "test_subprocess", "test_direct")
    }
    assert inner["exit_status"] == 1
    assert len(inner["tests"]) == 1


def test_a_forked_child_does_not_write(run: Callable[..., Session]) -> None:
    hook = """
import os
def pytest_unconfigure(config):
    if os.fork() == 0:
        report = config.pluginmanager.get_plugin("proctor-report")
        list(report.pytest_sessionfinish(exitstatus=0))
        os._exit(0)
    os.wait()
"""
    session = run({"conftest.py": hook, "test_a.py": RED})
    assert session.content["exit_status"] == 1


def test_subtests_fail_their_test(run: Callable[..., Session]) -> None:
    text = """
import unittest
class T(unittest.TestCase):
    def test_all(self) -> None:
        for n in range(3):
            with self.subTest(n=n):
                self.assertNotEqual(n, 1)
    def test_good(self) -> None:
        for n in range(3):
            with self.subTest(n=n):
                pass
"""
    session = run({"test_a.py": text})
    assert session.code == 1
    assert session.tests == {
        "test_a.py::T::test_all": "failed",
        "test_a.py::T::test_good": "passed",
    }


def test_a_repeated_failure_that_passes_is_a_rerun(run: Callable[..., Session]) -> None:
    hook = """
from _pytest.runner import runtestprotocol
def pytest_runtest_protocol(item, nextitem):
    for attempt in range(2):
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        for report in reports:
            if attempt == 0 and report.failed:
                report.outcome = "rerun"
            item.ihook.pytest_runtest_logreport(report=report)
        item.funcargs = None
        item._initrequest()
    return True
"""
    text = "seen = []\ndef test_flaky() -> None:\n    seen.append(1)\n    assert len(seen) > 1\n"
    content = run({"conftest.py": hook, "test_a.py": text}).content
    assert content["tests"] == [["test_a.py::test_flaky", "passed"]]
    assert content["retried"] == {"test_a.py::test_flaky": 1}


def test_names_that_are_not_utf8_are_written_down(run: Callable[..., Session]) -> None:
    text = "import pytest\n@pytest.mark.parametrize('x', [1], ids=['caf\\udce9'])\ndef test_a(x) -> None: pass\n"
    session = run({"test_a.py": text}, "-p", "no:terminal")
    report = read_report(str(session.reports[0]), "proctor_pytest")
    assert report["executed"] == 1


@pytest.mark.parametrize(
    ("words", "env"),
    [
        (("-p", "no:cacheprovider"), {}),
        (("-p", "no:junitxml"), {}),
        (("-p", "no:terminal"), {}),
        (("--strict-config", "--strict-markers", "-W", "error"), {}),
        (("--import-mode=importlib",), {}),
        (("--assert=plain",), {}),
        ((), {"PYTHONOPTIMIZE": "1"}),
    ],
)
def test_the_plugin_gets_on_with_options(
    run: Callable[..., Session], words: tuple[str, ...], env: dict[str, str]
) -> None:
    session = run({"test_a.py": GREEN}, *words, **env)
    assert (session.code, session.tests) == (0, {"test_a.py::test_ok": "passed"}), session.output


@pytest.mark.parametrize(
    ("start", "words", "env"),
    [
        ((sys.executable, "-I", "-m", "pytest"), (), {}),
        ((sys.executable, "-E", "-m", "pytest"), (), {}),
        ((sys.executable, "-m", "pytest"), (), {"PYTHONPATH": "src"}),
        ((sys.executable, "-m", "pytest"), (), {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}),
        ((sys.executable, "-m", "pytest"), ("-p", "no:proctor_report"), {}),
        ((sys.executable, "-m", "pytest"), (), {"PROCTOR_REPORT": ""}),
        ((sys.executable, "-m", "pytest"), (), {"PROCTOR_REPORT": "/nonexistent/folder"}),
        ((sys.executable, "-m", "pytest"), (), {"PROCTOR_REPORT": "/dev/null"}),
    ],
)
def test_where_it_cannot_load_or_write_nothing_breaks(
    run: Callable[..., Session], start: tuple[str, ...], words: tuple[str, ...], env: dict[str, str]
) -> None:
    session = run({"test_a.py": GREEN}, *words, start=start, **env)
    assert session.code == 0, session.output
    assert session.reports == []


def test_a_full_disk_leaves_no_half_of_a_report(run: Callable[..., Session]) -> None:
    hook = "import resource\ndef pytest_runtestloop():\n    resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))\nimport signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    session = run({"conftest.py": hook, "test_a.py": GREEN}, "-p", "no:cacheprovider")
    assert session.code == 0, session.output
    assert session.content["complete"] is False


BY_NAME = ("-p", "proctor.pytest_report", "-p", "no:proctor_report")
EVERYTHING = """
import pytest
def test_pass(): pass
def test_a_way(): pass
@pytest.mark.skip
def test_skip(): pass
@pytest.mark.xfail
def test_xfail(): assert 0
@pytest.mark.xfail
def test_xpass(): pass
@pytest.fixture
def broken(): raise ValueError
def test_setup(broken): pass
@pytest.fixture
def leaves():
    yield
    raise ValueError
def test_both(leaves): assert 0
"""


@pytest.mark.parametrize("more", [(), ("-n", "1"), ("-k", "not test_a_way", "--maxfail=9")])
def test_the_plugin_can_be_named_outright(
    run: Callable[..., Session], more: tuple[str, ...]
) -> None:
    hook = """
def pytest_runtest_logreport(report): pass
def pytest_sessionfinish(session):
    report = session.config.pluginmanager.get_plugin("proctor-report")
    class Rerun:
        nodeid, outcome = "test_a.py::test_pass", "rerun"
    if report is not None:
        report.pytest_runtest_logreport(report=Rerun)
"""
    files = {"conftest.py": hook, "test_a.py": EVERYTHING, "test_b.py": "import nope\n", "test_c.py":
             "import pytest\npytest.skip('x', allow_module_level=True)\n"}  # fmt: skip
    env = {name: value for name, value in os.environ.items() if name.startswith("COV")}
    session = run(files, *BY_NAME, "--continue-on-collection-errors", *more, **env)
    assert session.code == 1
    assert set(session.tests.values()) >= {"passed", "xfailed", "xpassed", "error", "skipped"}


@pytest.mark.parametrize(
    "trouble",
    [
        "os.rename(os.environ['PROCTOR_REPORT'], os.environ['PROCTOR_REPORT'] + '-gone')",
        "config.pluginmanager.get_plugin('proctor-report')._pid = 1",
    ],
)
def test_a_report_that_cannot_be_finished_breaks_nothing(
    run: Callable[..., Session], trouble: str
) -> None:
    hook = (
        f"import os\ndef pytest_collection(session):\n    config = session.config\n    {trouble}\n"
    )
    env = {name: value for name, value in os.environ.items() if name.startswith("COV")}
    session = run({"conftest.py": hook, "test_a.py": GREEN}, *BY_NAME, **env)
    assert session.code == 0, session.output
    for path in session.reports:
        assert json.loads(path.read_text())["complete"] is False


@pytest.mark.parametrize("folder", ["", "/nonexistent/folder"])
def test_named_outright_it_may_have_nothing_to_do(run: Callable[..., Session], folder: str) -> None:
    env = {name: value for name, value in os.environ.items() if name.startswith("COV")}
    session = run({"test_a.py": GREEN}, *BY_NAME, PROCTOR_REPORT=folder, **env)
    assert (session.code, session.reports) == (0, [])


def test_packages_are_listed_without_it(tmp_path: Path) -> None:
    wheel = ensure_wheel(str(tmp_path))
    for words in (["freeze", "--all"], ["list"]):
        done = subprocess.run(
            [sys.executable, "-m", "pip", *words],
            env={**os.environ, "PYTHONPATH": wheel},
            capture_output=True,
            text=True,
            check=True,
        )
        assert "proctor-report" not in done.stdout.lower().replace("_", "-")


def test_the_header_names_it(run: Callable[..., Session]) -> None:
    assert "proctor-report-1" in run({"test_a.py": GREEN}).output.replace("_", "-")


def test_options_are_named_wherever_they_were_set(run: Callable[..., Session]) -> None:
    ini = "[pytest]\naddopts = -m 'not slow' --deselect test_a.py::test_ok\nmarkers = slow\n"
    words = ("-c", "pytest.ini", "-k", "ok or not ok")
    done = run({"test_a.py": GREEN, "pytest.ini": ini}, *words)
    assert done.content["options"] == {
        "keyword": "ok or not ok",
        "markexpr": "not slow",
        "deselect": ["test_a.py::test_ok"],
    }
    assert (done.content["found"], done.content["deselected"]) == (1, 1)


def test_test_files_that_are_passed_over_are_named(run: Callable[..., Session]) -> None:
    files = {
        "conftest.py": "collect_ignore = ['test_b.py', 'more']\ncollect_ignore_glob = ['s*.py']\n",
        "test_a.py": GREEN,
        "test_b.py": RED,
        "setup.py": "raise SystemExit\n",
        "more/test_c.py": RED,
        "build/test_d.py": RED,
        "env/pyvenv.cfg": "",
        "env/test_e.py": RED,
    }
    done = run(files)
    assert done.code == 0
    assert sorted(done.content["left_out"]) == ["more", "test_b.py"]


@pytest.mark.parametrize("words", [(), ("-n", "1"), ("-W", "error"), ("-o", "junit_family=xunit2")])
def test_junit_is_written_beside_it_where_it_is_asked_for(
    run: Callable[..., Session], words: tuple[str, ...]
) -> None:
    text = "def test_ok(record_property) -> None: record_property('a', 'b')\n"
    session = run({"test_a.py": text}, *words, PROCTOR_JUNIT="1")
    (path,) = session.folder.glob("*.xml")
    assert path.stem == session.reports[0].stem
    assert read_report(str(path), "junit")["passed"] == 1
    assert "generated xml" not in session.output


@pytest.mark.parametrize("words", [("-p", "no:junitxml"), ("--junitxml=own.xml",)])
def test_junit_is_not_asked_for_where_argv_says_otherwise(
    run: Callable[..., Session], words: tuple[str, ...]
) -> None:
    session = run({"test_a.py": GREEN}, *words, PROCTOR_JUNIT="1")
    assert session.code == 0
    assert list(session.folder.glob("*.xml")) == []


@pytest.mark.parametrize(
    "spoil",
    [
        """import glob, os
def pytest_collection():
    for path in glob.glob(os.environ['PROCTOR_REPORT'] + '/*.json'):
        os.mkdir(path[:-4] + 'xml')
""",
        "import _pytest.junitxml\n_pytest.junitxml.LogXML = None\n",
    ],
)
def test_junit_that_cannot_be_written_changes_nothing(
    run: Callable[..., Session], spoil: str, tmp_path: Path
) -> None:
    project = tmp_path / "project"
    words = ("-p", "spoil") if "LogXML" in spoil else ()
    files = {"test_a.py": GREEN, "spoil.py" if words else "conftest.py": spoil}
    path = f"{ensure_wheel(str(tmp_path / 'state'))}:{project}"
    session = run(files, *words, PROCTOR_JUNIT="1", PYTHONPATH=path)
    assert session.code == 0, session.output
    assert [path for path in session.folder.glob("*.xml") if path.is_file()] == []


def test_a_failure_says_the_same_in_the_report_and_in_junit(run: Callable[..., Session]) -> None:
    text = """
import pytest
def test_plain() -> None: assert 1 == 2
def test_said() -> None: assert 12345 % 2 == 0, "odd \\x1b[31mred"
def test_raised() -> None: raise ValueError("two\\nlines")
@pytest.fixture
def broken(): raise RuntimeError("setup boom")
def test_setup(broken) -> None: pass
@pytest.fixture
def leaves():
    yield
    raise RuntimeError("teardown boom")
def test_both(leaves) -> None: assert 0
"""
    session = run({"test_a.py": text}, PROCTOR_JUNIT="1")
    (junit,) = session.folder.glob("*.xml")
    told = [
        {test.test: test.fingerprints for test in read_attempts(str(path), kind).tests}
        for path, kind in ((session.reports[0], "proctor_pytest"), (junit, "junit"))
    ]
    assert told[0] == told[1]
    assert len(told[0]) == 5
    assert all(told[0].values())


@pytest.mark.heavy
def test_tests_are_shuffled_the_same_way_by_the_same_word(run: Callable[..., Session]) -> None:
    text = "import pytest\n@pytest.mark.parametrize('x', range(6))\ndef test_a(x) -> None: pass\n"
    files = {"test_a.py": text, "test_b.py": text + "class TestC:\n    def test_d(self): pass\n"}
    orders = []
    for seed in ("1", "1", "2", ""):
        session = run(files, PROCTOR_SHUFFLE=seed)
        orders.append(list(session.tests))
        session.reports[0].unlink()
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[0]) == sorted(orders[3])
    assert orders[3][0] == "test_a.py::test_a[0]"
    files_met = [name.partition("::")[0] for name in orders[0]]
    assert sum(a != b for a, b in itertools.pairwise(files_met)) == 1


@pytest.mark.parametrize("ending", ["import os; os._exit(0)", "import sys; sys.exit(0)"])
def test_a_conftest_that_ends_the_process_leaves_an_unfinished_report(
    run: Callable[..., Session], ending: str
) -> None:
    session = run({"test_a.py": RED, "conftest.py": ending})
    assert (session.code, session.content["complete"]) == (0, False)


def test_a_session_after_one_that_never_began_is_the_one_that_is_written_down(
    run: Callable[..., Session],
) -> None:
    twice = "import pytest, sys; pytest.main(['--no-such']); sys.exit(pytest.main(sys.argv[1:]))"
    session = run({"test_a.py": GREEN}, start=(sys.executable, "-c", twice))
    assert (session.code, session.content["complete"]) == (0, True)
    assert session.tests == {"test_a.py::test_ok": "passed"}


FAILING = {"test_a.py": RED + GREEN}
FORCED = {
    "makereport": WRAPPER.replace("tryfirst=True, ", "")
    + "def pytest_runtest_makereport():\n    o = yield\n    o.get_result().outcome = 'passed'\n",
    "makereport, outermost": WRAPPER
    + "def pytest_runtest_makereport(call):\n    call.excinfo = None\n    yield\n",
    "runtest_call": WRAPPER
    + "def pytest_runtest_call():\n    o = yield\n    o.force_result(None)\n",
    "pyfunc_call": WRAPPER + "def pytest_pyfunc_call():\n    o = yield\n    o.force_result(True)\n",
}
REPLACED = {
    "pyfunc_call": "def pytest_pyfunc_call(pyfuncitem):\n    return True\n",
    "the class's method": "import pytest\npytest.Function.runtest = lambda self: None\n",
    "the function": "def pytest_collection_modifyitems(items):\n"
    "    for item in items:\n        item.obj = lambda: None\n",
    "the protocol": "import pytest\ndef pytest_runtest_protocol(item):\n"
    "    for when in ('setup', 'call', 'teardown'):\n"
    "        report = pytest.TestReport(item.nodeid, item.location, {}, 'passed', None, when)\n"
    "        item.ihook.pytest_runtest_logreport(report=report)\n    return True\n",
}
ODD = """\
import asyncio, functools, sys, threading, unittest
from unittest import mock
import pytest

class TestUnit(unittest.TestCase):
    def test_sub(self):
        with self.subTest(n=1):
            pass

class TestAsync(unittest.IsolatedAsyncioTestCase):
    async def test_async(self):
        await asyncio.sleep(0)

class TestClass:
    @staticmethod
    def test_static(): pass
    @classmethod
    def test_class(cls): pass

def tolerant(function):
    @functools.wraps(function)
    def inner():
        try:
            function()
        except ValueError:
            pass
    return inner

@tolerant
def test_tolerated():
    raise ValueError

@mock.patch("os.getcwd")
def test_mocked(getcwd): pass

@pytest.mark.parametrize("n", [1, 2])
def test_n(n): pass

def test_profiled():
    sys.setprofile(lambda *a: None)
    sys.setprofile(None)

def test_inner_session(pytester):
    pytester.makeconftest("def pytest_pyfunc_call(): return True")
    pytester.makepyfile("def test_x(): assert 0")
    pytester.runpytest_inprocess().assert_outcomes(passed=1)

class Own(pytest.Item):
    def runtest(self): pass
"""


@pytest.mark.parametrize("hook", FORCED)
def test_a_test_that_raised_and_is_reported_as_passed_failed(
    hook: str, run: Callable[..., Session]
) -> None:
    done = run({**FAILING, "conftest.py": FORCED[hook]})
    assert done.code == 0
    assert done.tests == {"test_a.py::test_bad": "failed", "test_a.py::test_ok": "passed"}
    assert [file.rpartition("/")[2] for _, file in done.content["hooks"]] == ["conftest.py"]


@pytest.mark.parametrize("what", REPLACED)
def test_a_test_whose_function_is_not_called_was_not_executed(
    what: str, run: Callable[..., Session]
) -> None:
    done = run({**FAILING, "conftest.py": REPLACED[what]})
    assert done.code == 0
    assert set(done.tests.values()) == {"skipped"}
    assert done.content["uncalled"] == ["test_a.py::test_bad", "test_a.py::test_ok"]
    (report,) = done.reports
    assert read_report(str(report), "proctor_pytest")["uncalled"] == 2


@pytest.mark.parametrize("words", [(), ("-n", "2")])
def test_odd_tests_that_are_called_count_as_such(
    words: tuple[str, ...], run: Callable[..., Session]
) -> None:
    conftest = "pytest_plugins = ['pytester']\n" + WRAPPER
    conftest += (
        "def pytest_runtest_makereport(item):\n    o = yield\n    item.kept = o.get_result()\n"
    )
    done = run({"test_a.py": ODD, "conftest.py": conftest}, *words)
    assert done.code == 0, done.output
    found = [c for c in map(json.loads, (p.read_text() for p in done.reports)) if c["found"] != 1]
    (content,) = [c for c in found if len(c["tests"]) > 1]
    assert len(content["tests"]) == 10
    assert {outcome for _, outcome in content["tests"]} == {"passed"}
    assert content["uncalled"] == []


def test_tests_expected_to_fail_are_told_apart(run: Callable[..., Session]) -> None:
    done = run({"test_a.py": "import pytest\npytestmark = pytest.mark.xfail\n" + RED + GREEN})
    (report,) = done.reports
    found = read_report(str(report), "proctor_pytest")
    assert (found["executed"], found["xfailed"], found["failed"]) == (2, 2, 0)


def test_nothing_of_it_is_warned_of(run: Callable[..., Session]) -> None:
    done = run({"test_a.py": GREEN}, "-W", "error")
    assert done.code == 0
    assert "warning" not in done.output
