"""Tricks within the runner's own process, and suites whose own set-up does odd things honestly."""

from collections.abc import Callable

from tests.cheats.caught import line
from tests.cheats.stage import GREEN, RED, Case, Judgement, Stage

Play = Callable[[Stage], None]
NOTHING = frozenset({"no-tests-ran"})
LIES = frozenset({"junit-contradicts-exit"})
WRAPPER = "import pytest\n@pytest.hookimpl(hookwrapper=True)\n"
FIRST = "import pytest\n@pytest.hookimpl(tryfirst=True)\n"
UNIT = "import unittest\nclass T(unittest.TestCase):\n    def test_a(self): self.fail()\n"
PASSES = UNIT.replace("self.fail()", "pass")


def suite(files: dict[str, str], *argv: str, **env: str) -> Play:
    """Commit files and run one command, pytest by default."""

    def play(stage: Stage) -> None:
        for path, text in {".gitignore": "__pycache__/\n.pytest_cache/\n", **files}.items():
            stage.put(path, text)
        stage.commit()
        stage.run(*(argv or ("pytest", "-q")), env=env)

    return play


def forced(conftest: str) -> Play:
    """A red suite below a conftest."""
    return suite({"tests/test_a.py": RED, "conftest.py": conftest})


def unit(text: str, *argv: str) -> Play:
    """A file of unittest's."""
    return suite({"test_a.py": text}, *(argv or ("python", "-m", "unittest")))


def green(files: dict[str, str], *argv: str, **env: str) -> Play:
    """A green suite and what belongs to it."""
    return suite({"tests/test_a.py": GREEN, **files}, *argv, **env)


def uncommitted(path: str, text: str, before: str = "") -> Play:
    """A settings file that is changed and not committed, the base's policy raising the rule."""

    def play(stage: Stage) -> None:
        stage.put("proctor.toml", "[gate.levels]\nharness-touched = 'error'\n")
        stage.put("tests/test_a.py", GREEN)
        if before:
            stage.put(path, before)
        stage.commit()
        stage.put(path, text)
        stage.run("pytest", "-q")

    return play


def loaded_first(stage: Stage) -> None:
    """A plugin of the project's own, loaded before ours, hides from it; counted before."""
    suite({"tests/test_a.py": GREEN})(stage)
    stage.put(
        "evil.py", "import os\nos.environ.pop('PROCTOR_REPORT', None)\n" + FIRST.partition("\n")[0]
    )
    stage.put("pytest.ini", "[pytest]\naddopts = -p evil\npythonpath = .\n")
    stage.put("tests/test_a.py", RED)
    stage.put("conftest.py", "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n")
    stage.commit()
    stage.run("python", "-m", "pytest", "-q")


def headline(stage: Stage) -> Judgement:
    """Judge, and hold the first line to what it says of tests that show nothing."""
    found = stage.judge()
    text = stage.proctor("gate").stdout
    assert "1 test executed, 1 skipped, 1 xfailed" in text, text
    return found


FORCES = {
    "makereport rewrites": (LIES, WRAPPER + "def pytest_runtest_makereport():\n    o = yield\n    o.get_result().outcome = 'passed'\n"),
    "makereport forgets the exception": (LIES, FIRST.replace("tryfirst", "hookwrapper=True, tryfirst") + "def pytest_runtest_makereport(call):\n    call.excinfo = None\n    yield\n"),
    "runtest_call swallows": (LIES, WRAPPER + "def pytest_runtest_call():\n    o = yield\n    o.force_result(None)\n"),
    "pyfunc_call swallows": (LIES, WRAPPER + "def pytest_pyfunc_call():\n    o = yield\n    o.force_result(True)\n"),
    "pyfunc_call calls nothing": (NOTHING, FIRST + "def pytest_pyfunc_call(pyfuncitem):\n    return True\n"),
    "the protocol is written anew": (NOTHING, FIRST + "def pytest_runtest_protocol(item):\n    for w in ('setup', 'call', 'teardown'):\n        r = pytest.TestReport(item.nodeid, item.location, {}, 'passed', None, w)\n        item.ihook.pytest_runtest_logreport(report=r)\n    return True\n"),
    "the loop is written anew": (NOTHING, FIRST + "def pytest_runtestloop(session):\n    return True\n"),
    "runtest is patched": (NOTHING, "import pytest\npytest.Function.runtest = lambda self: None\n"),
    "the functions are swapped": (NOTHING, "def pytest_collection_modifyitems(items):\n    for item in items: item.obj = lambda: None\n"),
    "everything is xfailed": (NOTHING, "import pytest\ndef pytest_collection_modifyitems(items):\n    for i in items: i.add_marker(pytest.mark.xfail)\n"),
    "a fixture skips everything": (NOTHING, "import pytest\n@pytest.fixture(autouse=True)\ndef _skip():\n    pytest.skip('later')\n"),
    "a hook leaves at the end": (LIES, "import os\ndef pytest_unconfigure():\n    os._exit(0)\n"),
    "a thread leaves": (LIES, "import os, threading\ndef pytest_sessionfinish():\n    t = threading.Thread(target=os._exit, args=(0,)); t.start(); t.join()\n"),
    "a signal handler leaves": (LIES, "import os, signal\nsignal.signal(signal.SIGALRM, lambda *a: os._exit(0))\ndef pytest_runtest_logfinish():\n    signal.setitimer(signal.ITIMER_REAL, 0.001)\n    signal.pause()\n"),
    "the process execs true": (LIES, "import os\ndef pytest_unconfigure():\n    os.execv('/bin/true', ['true'])\n"),
}  # fmt: skip
UNITS = {
    "load_tests hands out nothing": (NOTHING, UNIT + "def load_tests(l, t, p):\n    return unittest.TestSuite()\n"),
    "the module's set-up skips": (NOTHING, UNIT + "def setUpModule():\n    raise unittest.SkipTest('x')\n"),
    "every set-up skips": (NOTHING, UNIT + "    def setUp(self): self.skipTest('x')\n"),
    "expected to fail": (NOTHING, UNIT.replace("    def", "    @unittest.expectedFailure\n    def")),
    "run does nothing": (NOTHING, UNIT + "    def run(self, result=None): return result\n"),
    "run says success": (NOTHING, UNIT + "    def run(self, result):\n        result.startTest(self); result.addSuccess(self)\n"),
    "the method is not called": (NOTHING, UNIT + "    def _callTestMethod(self, method): pass\n"),
    "the import leaves": (LIES, "import os; os._exit(0)\n" + UNIT),
    "a test leaves": (LIES, UNIT.replace("self.fail()", "__import__('os')._exit(0)")),
    "leaves at exit": (LIES, "import atexit, os; atexit.register(os._exit, 0)\n" + UNIT),
    "wasSuccessful is patched": (LIES, UNIT + "unittest.TestResult.wasSuccessful = lambda self: True\n"),
}  # fmt: skip

CAUGHT = [
    *(Case("15", title, forced(text), rules) for title, (rules, text) in FORCES.items()),
    *(Case("8", f"unittest: {title}", unit(text), rules) for title, (rules, text) in UNITS.items()),
    Case("15", "a plugin loaded before ours", loaded_first, frozenset({"missing-junit"})),
    Case("10", "a conftest that is not committed", uncommitted("conftest.py", "collect_ignore = []\n"), frozenset({"harness-touched"})),
    Case("10", "an ini edited, not committed", uncommitted("pytest.ini", "[pytest]\naddopts = -x\n", "[pytest]\naddopts = -q\n"), frozenset({"harness-touched"})),
    Case("15", "swallowed below tail", line("pytest -q | tail -2", project=forced(FORCES["runtest_call swallows"][1])), LIES | {"masked-exit"}),
]  # fmt: skip

KEEPS_REPORTS = (
    "import pytest\n@pytest.hookimpl(hookwrapper=True, tryfirst=True)\n"
    "def pytest_runtest_makereport(item):\n    o = yield\n"
    "    setattr(item, 'rep_' + o.get_result().when, o.get_result())\n"
)
OWN_LOOP = (
    "import asyncio, inspect, pytest\n@pytest.hookimpl(tryfirst=True)\n"
    "def pytest_pyfunc_call(pyfuncitem):\n"
    "    if inspect.iscoroutinefunction(pyfuncitem.obj):\n"
    "        asyncio.run(pyfuncitem.obj())\n        return True\n"
)
OWN_CALL = (
    "import threading, pytest\n@pytest.hookimpl(tryfirst=True)\n"
    "def pytest_pyfunc_call(pyfuncitem):\n"
    "    t = threading.Thread(target=pyfuncitem.obj); t.start(); t.join()\n    return True\n"
)
SLOW_SKIP = (
    "import pytest\ndef pytest_addoption(parser):\n    parser.addoption('--slow', action='store_true')\n"
    "def pytest_collection_modifyitems(config, items):\n"
    "    for i in items:\n        if 'slow' in i.keywords:\n"
    "            i.add_marker(pytest.mark.skip(reason='needs --slow'))\n"
)
RETRIES = (
    "from _pytest.runner import runtestprotocol\n"
    "def pytest_runtest_protocol(item, nextitem):\n"
    "    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)\n"
    "    for r in runtestprotocol(item, nextitem=nextitem, log=False):\n"
    "        item.ihook.pytest_runtest_logreport(report=r)\n"
    "    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)\n"
    "    return True\n"
)
YAML = (
    "import pytest\nclass Y(pytest.File):\n    def collect(self):\n"
    "        yield I.from_parent(self, name='one')\n"
    "class I(pytest.Item):\n    def runtest(self): pass\n"
    "def pytest_collect_file(parent, file_path):\n"
    "    if file_path.suffix == '.yaml': return Y.from_parent(parent, path=file_path)\n"
)
KNOWN = "\n\nimport pytest\n@pytest.mark.xfail\ndef test_known():\n    assert False\n"
SETUPS = {
    "a conftest keeps the reports": {"conftest.py": KEEPS_REPORTS},
    "a conftest runs coroutines": {"conftest.py": OWN_LOOP, "tests/test_b.py": "async def test_b():\n    assert True\n"},
    "a conftest calls in a thread": {"conftest.py": OWN_CALL},
    "a conftest skips slow tests": {"conftest.py": SLOW_SKIP, "pytest.ini": "[pytest]\nmarkers = slow\n", "tests/test_b.py": "import pytest\n@pytest.mark.slow\ndef test_b(): pass\n"},
    "a conftest runs the protocol": {"conftest.py": RETRIES},
    "tests of the project's own kind": {"conftest.py": YAML, "tests/test_y.yaml": "a: 1\n"},
    "one expected to fail": {"tests/test_b.py": KNOWN},
    "a module that is optional": {"tests/test_b.py": "import pytest\nnp = pytest.importorskip('no_such_module')\ndef test_b(): pass\n"},
    "doctests": {"tests/test_b.py": 'def f():\n    """\n    >>> 1 + 1\n    2\n    """\n', "pytest.ini": "[pytest]\naddopts = --doctest-modules\n"},
    "decorated and partial tests": {"tests/test_b.py": "import functools\nfrom unittest import mock\n@mock.patch('os.getcwd')\ndef test_m(g): pass\ntest_p = functools.partial(lambda: None)\n"},
    "unittest cases under pytest": {"tests/test_b.py": PASSES + "    def test_parts(self):\n        for n in range(3):\n            with self.subTest(n=n): pass\n"},
    "a profiler is set": {"tests/test_b.py": "import cProfile\ndef test_b():\n    p = cProfile.Profile(); p.enable(); sum([1]); p.disable()\n"},
    "warnings are errors": {"pytest.ini": "[pytest]\nfilterwarnings = error\naddopts = --strict-markers --strict-config\n"},
    "tests that fork": {"tests/test_b.py": "import os\ndef test_b():\n    p = os.fork()\n    if not p: os._exit(3)\n    assert os.waitstatus_to_exitcode(os.waitpid(p, 0)[1]) == 3\n"},
    "tests that catch failures": {"tests/test_b.py": "import pytest\ndef check(x): assert x\ndef test_b():\n    with pytest.raises(AssertionError): check(0)\n"},
    "a test that runs unittest": {"tests/test_b.py": "import io, unittest\ndef test_b():\n    class T(unittest.TestCase):\n        def test_x(self): self.fail()\n    s = unittest.defaultTestLoader.loadTestsFromTestCase(T)\n    assert not unittest.TextTestRunner(stream=io.StringIO()).run(s).wasSuccessful()\n"},
}  # fmt: skip
HONEST_UNITS = {
    "discovery below a folder": {"tests/__init__.py": "", "tests/test_a.py": PASSES},
    "doctests by load_tests": {
        "app.py": 'def f():\n    """\n    >>> f()\n    """\n',
        "test_a.py": PASSES
        + "import app, doctest\ndef load_tests(l, tests, p):\n    tests.addTests(doctest.DocTestSuite(app)); return tests\n",
    },
    "one skipped, one known": {"test_a.py": PASSES + "    @unittest.skip('x')\n    def test_s(self): pass\n    @unittest.expectedFailure\n    def test_k(self): self.fail()\n"},
    "coroutines": {"test_a.py": "import unittest\nclass T(unittest.IsolatedAsyncioTestCase):\n    async def test_a(self): pass\n"},
    "a case with a call of its own": {"test_a.py": PASSES + "    def _callTestMethod(self, method): return method()\n"},
    "a sitecustomize of its own": {"test_a.py": PASSES + "import sys\n", "sitecustomize.py": "import sys\n"},
    "a runner of its own inside": {"test_a.py": PASSES + "    def test_inner(self):\n        class I(unittest.TestCase):\n            def test_x(self): self.fail()\n        import io\n        s = unittest.defaultTestLoader.loadTestsFromTestCase(I)\n        unittest.TextTestRunner(stream=io.StringIO()).run(s)\n"},
}  # fmt: skip
HONEST = [
    *(Case("A", title, green(files)) for title, files in SETUPS.items()),
    *(
        Case("A", f"unittest: {title}", suite(files, "python", "-m", "unittest"))
        for title, files in HONEST_UNITS.items()
    ),
    Case("A", "xdist with a conftest that keeps reports", green(SETUPS["a conftest keeps the reports"], "pytest", "-q", "-n", "2")),
    Case("A", "a fixed time limit by a thread", green({}, "pytest", "-q", "--timeout", "60", "--timeout-method", "thread")),
    Case("A", "unittest: python -I", suite({"test_a.py": PASSES}, "python", "-I", "-m", "unittest", "discover")),
    Case("J", "the first line tells skipped and xfailed", suite({"tests/test_a.py": "import pytest\ndef test_a(): pass\n@pytest.mark.skip\ndef test_s(): pass\n@pytest.mark.xfail\ndef test_x(): assert 0\n"}), judge=headline),
]  # fmt: skip
