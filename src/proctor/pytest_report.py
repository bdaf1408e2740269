# NOTE: longer than 400 lines: it is offered to pytest as one file, and imports no other.
"""Writes down which tests a pytest session executed, and how each one ended.

Proctor offers this one file to pytest as a wheel on `PYTHONPATH`; it imports
nothing of Proctor's and runs on Python 3.8 and pytest 7 or newer. Where it
cannot be loaded or cannot write, nothing happens: the count is then unknown.

Where the environment variable `PROCTOR_JUNIT` is set, and neither argv nor ini asks
for JUnit or forbids it, the same session writes `<pid>-<start>.xml` there as well.

Where `PROCTOR_SHUFFLE` is set, its value is what a new order of the tests is made from.

The environment variable `PROCTOR_REPORT` names the folder to write into. The
file is `<pid>-<start of the process in clock ticks>.json`. A first version
(`"complete": false`) is written before the first conftest.py is read, the last one
when the session ends, before any other hook can end the process. The first
session of a process writes; sessions within it (pytester) and xdist's workers
write nothing. What is written comes from a process that the tests run in, so it
is evidence only together with the exit code that the operating system returned.

PYTEST_DONT_REWRITE: a session within this process would warn that it comes too
late to rewrite this module, which a project may have made an error.

Schema `proctor.pytest/1`: `pid`, `pid_start`, `exit_status` (as pytest worked
it out; null until then), `complete`, `collected` (tests that are to run),
`found` (tests seen before any were taken out; null under xdist), `deselected`,
`retried` (id: attempts before the last), `failures` (id: what each failure said, as in
JUnit; capped), `tests` (`[id, outcome]`),
`not_collected` (files and classes that could not be collected), `rootdir`,
`inifile`, `pytest_file`, `version`, `args` (positional), `options` (those that choose
tests, wherever they were set), `left_out` (test files and folders that were
passed over: by `--ignore`, `collect_ignore` or a plugin; capped), `foreign`
(`[name, file]` of packages that lie below the root and were loaded from
elsewhere, with other content, by `pythonpath` from outside of the
repository, or as compiled before their source was changed), `uncalled` (ids that
were reported as passed without their function having been called; they stand in
`tests` as skipped), `hooks` (`[hook, file]` of plugins that are not installed and take
part in how tests are called and reported).

An outcome is not believed as it is reported: a test that raised and is reported as
passed failed. Tests whose function is no plain one, or that an installed plugin runs in
its own way, are taken as reported.
"""

import contextlib
import fnmatch
import json
import os
import sys
import threading
import types
from importlib.machinery import SourceFileLoader

import pytest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from pathlib import Path

    import pluggy

SCHEMA = "proctor.pytest/1"
VARIABLE = "PROCTOR_REPORT"
JUNIT = "PROCTOR_JUNIT"
SHUFFLE = "PROCTOR_SHUFFLE"
_NAME = "proctor-report"
_WATCH = "proctor-watch"
_CHOOSING = (
    "keyword",
    "markexpr",
    "deselect",
    "ignore",
    "ignore_glob",
    "lf",
    "failedfirst",
    "stepwise",
    "collectonly",
    "setuponly",
    "setupplan",
    "maxfail",
    "pyargs",
)
_LEFT_OUT_CAP = 100
_FOLDERS = ("", "src", "lib", "python")
_MOST_FOREIGN = 20
_MOST_COMPILED = 512 << 10
"""Bytes of sources that are compiled again to see what ran."""
_MOST_FAILURES = 1000
_LONGEST_MESSAGE = 4000
_DECIDING = (
    "pytest_pyfunc_call",
    "pytest_runtest_call",
    "pytest_runtest_logreport",
    "pytest_runtest_makereport",
    "pytest_runtest_protocol",
    "pytest_runtestloop",
)
"""Hooks by which a plugin can take a test's call or its outcome into its own hands."""
_HARMLESS = frozenset(
    (
        *(
            "_pytest",
            "allure_pytest",
            "anyio",
            "flaky",
            "proctor",
            "proctor_report",
            "pytest_asyncio",
        ),
        *("_hypothesis_pytestplugin", "pytest_cov", "pytest_django", "pytest_html", "pytest_mock"),
        *("pytest_rerunfailures", "pytest_timeout", "pytest_trio", "xdist"),
    )
)
"""Installed plugins that take part in these and call each test that they report."""
_MOST_HOOKS = 20
_begun: "list[str]" = []
"""The folder, while a report was begun and no session is configured yet."""
_RANK = {"skipped": 0, "xfailed": 1, "passed": 2, "xpassed": 2, "error": 3, "failed": 4}


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: "pytest.Config") -> None:
    """Begin a report before a conftest.py can end the process."""
    folder = os.environ.get(VARIABLE)
    is_worker = "PYTEST_XDIST_WORKER" in os.environ
    if folder and not is_worker and Report(early_config, folder).begin():
        _begun.append(folder)


def pytest_configure(config: "pytest.Config") -> None:
    """Begin a report, unless this process has one or is a worker."""
    folder = os.environ.get(VARIABLE)
    if not folder:
        return
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(Watch(), _WATCH)
        return
    begun = bool(_begun)
    _begun.clear()
    report = Report(config, folder)
    if report.rewrite() if begun else report.begin():
        config.pluginmanager.register(report, _NAME)
        config.pluginmanager.register(Watch(), _WATCH)
        if os.environ.get(JUNIT):
            _write_junit(config, report.path_of(".xml"))


def _write_junit(config: "pytest.Config", path: str) -> None:
    """Let pytest's own plugin write JUnit, unless it does already or is switched off."""
    if not config.pluginmanager.hasplugin("junitxml") or getattr(config.option, "xmlpath", None):
        return
    try:
        from _pytest.junitxml import LogXML, xml_key

        class Quiet(LogXML):
            """Writes the file and says nothing about it."""

            pytest_terminal_summary = None  # type: ignore[assignment]

            def pytest_sessionfinish(self) -> None:
                """Write the file if that can be done."""
                with contextlib.suppress(OSError):
                    super().pytest_sessionfinish()

        # NOTE: with the newer family, `record_property` warns, which may be an error.
        ini = config.getini
        xml = Quiet(path, None, "pytest", "no", ini("junit_duration_report"), "xunit1")
        config.stash[xml_key] = xml
        config.pluginmanager.register(xml)
    except Exception:  # noqa: BLE001 - pytest's inside may change; then there is no JUnit
        return


class Report:
    """The tests of one session; registered as a plugin while it lasts."""

    def __init__(self, config: "pytest.Config", folder: str) -> None:
        self._pid = os.getpid()
        self._start = _start_ticks()
        self._base = os.path.join(folder, f"{self._pid}-{self._start}")
        self._path = self.path_of(".json")
        self._config = config
        self._outcomes: dict[str, str] = {}
        self._not_collected: dict[str, None] = {}
        self._found = 0
        self._collected: int | None = None
        self._deselected = 0
        self._retried: dict[str, int] = {}
        self._failures: dict[str, list[str]] = {}
        self._left_out: dict[str, None] = {}
        self._uncalled: dict[str, None] = {}
        self._taken: bool | None = None

    def path_of(self, suffix: str) -> str:
        """Return the path of a file of this session's own."""
        return self._base + suffix

    def rewrite(self) -> bool:
        """Write the first version anew, all options being known; return whether that worked."""
        return self._write(None, complete=False)

    def begin(self) -> bool:
        """Write the first version; return whether this session is the one that writes."""
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
            os.close(os.open(self._path, flags, 0o600))
        except OSError:
            return False
        return self._write(None, complete=False)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_ignore_collect(
        self, collection_path: "Path"
    ) -> "Generator[None, pluggy.Result[bool | None], None]":
        """Note a file or folder that holds tests by its name and is passed over."""
        answer = yield
        full = len(self._left_out) >= _LEFT_OUT_CAP
        if answer.get_result() and not full and self._may_hold_tests(collection_path):
            self._left_out[self._relative(collection_path)] = None

    def pytest_itemcollected(self) -> None:
        """Count a test before anything is taken out."""
        self._found += 1

    def pytest_deselected(self, items: "list[pytest.Item]") -> None:
        """Count tests that were taken out."""
        self._deselected += len(items)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: "list[pytest.Item]") -> None:
        """Shuffle files, and the classes and tests within them, where that is asked for."""
        seed = os.environ.get(SHUFFLE)
        if seed:
            _shuffle(items, seed)

    def pytest_collection_finish(self, session: "pytest.Session") -> None:
        """Count the tests that are to run."""
        self._collected = len(session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: "list[str]") -> None:
        """Count the tests that a worker is to run from; all workers see the same."""
        self._collected = len(ids)

    def pytest_collectreport(self, report: "pytest.CollectReport") -> None:
        """Note a file that could not be collected, or was skipped whole."""
        if report.failed:
            self._not_collected[_plain(report.nodeid) or "(collection)"] = None
        elif report.skipped:
            self._note(report.nodeid, "skipped")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: "pytest.TestReport") -> None:
        """Note the outcome of one phase of one test."""
        if report.outcome not in ("passed", "failed", "skipped"):
            # A plugin that repeats failures says so with an outcome of its own.
            name = _plain(report.nodeid)
            self._note_failure(report)
            self._retried[name] = self._retried.get(name, 0) + 1
            self._outcomes.pop(name, None)
            return
        outcome = self._believed(report, _outcome(report))
        if outcome is not None:
            self._note(report.nodeid, outcome)
        if outcome in ("failed", "error"):
            self._note_failure(report)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, exitstatus: "int | pytest.ExitCode") -> "Iterator[None]":
        """Write the last version before any other plugin hears of the end."""
        self._write(int(exitstatus), complete=True)
        yield

    def _believed(self, report: "pytest.TestReport", outcome: "str | None") -> "str | None":
        """Return what really became of a phase that is reported as passed."""
        saw = getattr(report, _SAW, None)
        if report.outcome != "passed" or hasattr(report, "wasxfail") or self._is_taken():
            return outcome
        if saw == _RAISED:
            return "failed" if report.when == "call" else "error"
        unseen = saw is None and not hasattr(report, "node") and type(report) is pytest.TestReport
        if report.when == "call" and (saw == _UNCALLED or unseen):
            self._uncalled[_plain(report.nodeid)] = None
            return "skipped"
        return outcome

    def _is_taken(self) -> bool:
        """Return whether an installed plugin runs tests in a way that cannot be followed."""
        if self._taken is None:
            implementers = list(_implementers(self._config))
            known = all(own or module in _HARMLESS for _, module, _, own in implementers)
            self._taken = not (known or any(own for *_, own in implementers))
        return self._taken

    def _may_hold_tests(self, path: "Path") -> bool:
        """Return whether pytest would by default look for tests in a file or folder."""
        is_folder = path.is_dir()
        if is_folder and (path.name == "__pycache__" or (path / "pyvenv.cfg").exists()):
            return False
        matches = any(
            fnmatch.fnmatch(path.name, pattern)
            for pattern in self._config.getini("norecursedirs" if is_folder else "python_files")
        )
        return matches is not is_folder

    def _relative(self, path: "Path") -> str:
        return _plain(os.path.relpath(path, self._config.rootpath).replace(os.sep, "/"))

    def _note(self, nodeid: str, outcome: str) -> None:
        name = _plain(nodeid)
        known = self._outcomes.get(name)
        if known is None or _RANK[outcome] > _RANK[known]:
            self._outcomes[name] = outcome

    def _note_failure(self, report: "pytest.TestReport") -> None:
        name = _plain(report.nodeid)
        if name in self._failures or len(self._failures) < _MOST_FAILURES:
            self._failures.setdefault(name, []).append(_plain(said(report))[:_LONGEST_MESSAGE])

    def _write(self, exit_status: "int | None", *, complete: bool) -> bool:
        if os.getpid() != self._pid:
            return False
        fresh = self._path + ".new"
        try:
            with open(fresh, "w", encoding="ascii") as file:
                json.dump(self._content(exit_status, complete=complete), file)
            os.replace(fresh, self._path)
        except OSError:
            return False
        return True

    def _content(self, exit_status: "int | None", *, complete: bool) -> "dict[str, object]":
        config = self._config
        return {
            "schema": SCHEMA,
            "pid": self._pid,
            "pid_start": self._start,
            "exit_status": exit_status,
            "complete": complete,
            "collected": self._collected,
            "found": self._found or None,
            "deselected": self._deselected,
            "retried": self._retried,
            "failures": self._failures,
            "tests": [list(item) for item in self._outcomes.items()],
            "not_collected": list(self._not_collected),
            "rootdir": _plain(str(config.rootpath)),
            "inifile": _plain(str(config.inipath)) if config.inipath else None,
            "pytest_file": _plain(str(pytest.__file__)),
            "version": pytest.__version__,
            "args": [_plain(str(word)) for word in getattr(config, "args", ())],
            "options": _options(config),
            "left_out": list(self._left_out),
            "foreign": _foreign(config) if complete else [],
            "uncalled": list(self._uncalled),
            "hooks": _own_hooks(config) if complete else [],
        }


_SAW = "proctor_saw"
"""The attribute of a phase's report that says what was seen of it."""
_SEEN, _RAISED, _UNCALLED = "seen", "raised", "uncalled"
_code_of_item: "pytest.StashKey[types.CodeType]" = pytest.StashKey()


class Watch:
    """Sees whether a test's own function is called, and what comes out of it.

    Registered in every process that runs tests; what it saw travels with the report
    of the phase. A profile function is set from the start of a test's call until its
    function is entered, and at no other time.
    """

    def __init__(self) -> None:
        self._state = _SEEN

    @pytest.hookimpl(tryfirst=True)
    def pytest_itemcollected(self, item: "pytest.Item") -> None:
        """Keep the code of a test's function as it was collected."""
        with contextlib.suppress(Exception):
            function = getattr(item, "function", None)
            if type(function) is types.FunctionType:
                item.stash[_code_of_item] = function.__code__

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: "pytest.Item") -> "Generator[None, object, None]":
        """See whether the function is entered before the call is over."""
        self._state = _SEEN
        code = item.stash.get(_code_of_item, None)
        if code is None or sys.getprofile() is not None:
            yield
            return
        entered, profile = _until(code)
        for_threads = getattr(threading, "_profile_hook", None)
        threading.setprofile(profile)
        sys.setprofile(profile)
        yield
        is_ours = sys.getprofile() is profile
        if is_ours:
            sys.setprofile(None)
        threading.setprofile(for_threads)
        # NOTE: where another profiler took over, nothing is known.
        if not entered and is_ours and self._state == _SEEN:
            self._state = _UNCALLED

    @pytest.hookimpl(hookwrapper=True, trylast=True)
    def pytest_pyfunc_call(self) -> "Generator[None, pluggy.Result[object], None]":
        """See what the function raised, before another plugin can let it pass."""
        answer = yield
        if answer.excinfo is not None and _is_failure(answer.excinfo[1]):
            self._state = _RAISED

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, call: "pytest.CallInfo[None]"
    ) -> "Generator[None, pluggy.Result[pytest.TestReport], None]":
        """Write what was seen of a phase on its report."""
        raised = call.excinfo is not None and _is_failure(call.excinfo.value)
        answer = yield
        if answer.excinfo is not None:
            return
        raised = raised or (call.excinfo is not None and _is_failure(call.excinfo.value))
        state = self._state if call.when == "call" else _SEEN
        if answer.get_result() is not None:
            setattr(answer.get_result(), _SAW, _RAISED if raised else state)


def _until(code: types.CodeType) -> "tuple[list[bool], Callable[..., None]]":
    """Return a profile function that ends itself when `code` is entered, and where it says so."""
    entered: list[bool] = []

    def profile(frame: types.FrameType, _event: str, _argument: object) -> None:
        if entered or frame.f_code is code:
            entered[:] = [True]
            sys.setprofile(None)

    return entered, profile


def _is_failure(raised: "BaseException | None") -> bool:
    """Return whether an exception out of a test means that it failed."""
    passing = (pytest.skip.Exception, pytest.xfail.Exception, pytest.exit.Exception)
    is_skip = type(raised).__name__ == "SkipTest"
    return isinstance(raised, Exception) and not is_skip and not isinstance(raised, passing)


def _implementers(config: "pytest.Config") -> "Iterator[tuple[str, str, str, bool]]":
    """Yield hook, module, file of what takes part, and whether it is of no distribution."""
    for hook in _DECIDING:
        for found in getattr(config.hook, hook).get_hookimpls():
            function = found.function
            module = str(getattr(function, "__module__", "") or "")
            code = getattr(function, "__code__", None)
            file = os.path.realpath(code.co_filename) if code is not None else ""
            name = module.partition(".")[0]
            installed = any(f"{os.sep}{word}-packages{os.sep}" in file for word in ("site", "dist"))
            own = not (installed or name in _HARMLESS or name in _standard_library())
            yield hook, name, file, own


def _own_hooks(config: "pytest.Config") -> "list[list[str]]":
    found = {(hook, _plain(file)): None for hook, _, file, own in _implementers(config) if own}
    return [list(pair) for pair in found][:_MOST_HOOKS]


def said(report: "pytest.TestReport") -> str:
    """Return what a failure said, in the words that pytest's JUnit has for it."""
    crash = getattr(report.longrepr, "reprcrash", None)
    reason = str(getattr(crash, "message", None) or report.longrepr or "")
    return reason if report.when == "call" else f'failed on {report.when} with "{reason}"'


def _shuffle(items: "list[pytest.Item]", seed: str) -> None:
    """Put tests in a new order; those of a file, and of a class, stay together."""
    import random

    chance = random.Random(seed)  # noqa: S311 - an order, no secret
    weights: dict[str, float] = {}
    keys = []
    for place, item in enumerate(items):
        head, _, tail = item.nodeid.partition("[")
        parts = head.split("::")
        places = ["::".join(parts[: n + 1]) for n in range(len(parts))]
        places[-1] += f"[{tail}"
        keys.append((*(weights.setdefault(p, chance.random()) for p in places), place))
    order = sorted(range(len(items)), key=keys.__getitem__)
    items[:] = [items[place] for place in order]


def _outcome(report: "pytest.TestReport") -> "str | None":
    """Return the outcome that a phase means, none if it says nothing of its own."""
    expected_to_fail = hasattr(report, "wasxfail")
    if report.when == "call":
        if expected_to_fail and report.outcome == "skipped":
            return "xfailed"
        if expected_to_fail and report.outcome == "passed":
            return "xpassed"
        return report.outcome
    if report.outcome == "failed":
        return "error"
    # NOTE: a test that is expected to fail and was not run at all
    # (`xfail(run=False)`) counts as skipped: it was not executed.
    return "skipped" if report.outcome == "skipped" else None


def _options(config: "pytest.Config") -> "dict[str, object]":
    chosen: dict[str, object] = {}
    for name in _CHOOSING:
        value = getattr(config.option, name, None)
        if isinstance(value, (list, tuple)):
            value = [_plain(str(word)) for word in value]
        if value:
            chosen[name] = value if isinstance(value, (bool, int, list)) else _plain(str(value))
    return chosen


def _foreign(config: "pytest.Config") -> "list[list[str]]":
    """Return name and file of the project's packages that were loaded from elsewhere.

    A copy with the same content as the files below the root is no other package.
    """
    root = os.path.realpath(str(config.rootpath))
    here = os.path.realpath(str(config.invocation_params.dir))
    found = {}
    for folder in (os.path.join(top, sub) for top in (root, here) for sub in _FOLDERS):
        for name in _importable(folder):
            module = sys.modules.get(name)
            if module is None or name in found or name in _standard_library():
                continue
            loaded = os.path.realpath(getattr(module, "__file__", None) or root)
            if _is_elsewhere(loaded, root) and _differs(name, folder):
                found[name] = loaded
    for outside in _outside(config, root):
        for module_name, module in sorted(sys.modules.items()):
            loaded = os.path.realpath(getattr(module, "__file__", None) or root)
            if loaded.startswith(outside + os.sep):
                found.setdefault(module_name.partition(".")[0], loaded)
    for module_name, compiled in _outdated(root):
        found.setdefault(module_name, compiled)
    return [[_plain(name), _plain(path)] for name, path in sorted(found.items())[:_MOST_FOREIGN]]


def _outdated(root: str) -> "Iterator[tuple[str, str]]":
    """Yield name and compiled file of the modules below the root that ran as they were before.

    Python takes a compiled file for its source where the source's second and size are
    those that it was compiled from, or without a look at it. Compiling all of a project
    again would take long: of what was touched since, the newest is looked into.
    """
    touched = []
    for name, module in list(sys.modules.items()):
        spec = getattr(module, "__spec__", None)
        source, compiled = getattr(spec, "origin", None), getattr(spec, "cached", None)
        loader = getattr(spec, "loader", None)
        if type(loader) is SourceFileLoader and isinstance(source, str) and compiled:
            with contextlib.suppress(OSError):
                inside = not _is_elsewhere(os.path.realpath(source), root)
                if inside and _is_believed(source, compiled):
                    touched.append((os.stat(source).st_ctime_ns, name, loader, source, compiled))
    left = _MOST_COMPILED
    for _, name, loader, source, compiled in sorted(touched, key=lambda one: one[0], reverse=True):
        text = _content(source) or b""
        left -= len(text)
        if left < 0:
            return
        with contextlib.suppress(OSError, ImportError, SyntaxError, ValueError, EOFError):
            if loader.get_code(name) != loader.source_to_code(text, source):
                yield name, compiled


def _is_believed(source: str, compiled: str) -> bool:
    """Return whether Python takes a compiled file for a source that was touched after it."""
    now, then = os.stat(source), os.stat(compiled)
    if now.st_ctime_ns <= then.st_ctime_ns:
        return False
    with open(compiled, "rb") as file:
        head = file.read(16)
    flags = int.from_bytes(head[4:8], "little")
    made = tuple(int.from_bytes(head[at : at + 4], "little") for at in (8, 12))
    told = (int(now.st_mtime) & 0xFFFFFFFF, now.st_size & 0xFFFFFFFF)
    return flags == 1 or (flags == 0 and made == told)


def _outside(config: "pytest.Config", root: str) -> "list[str]":
    """Return the folders of the setting `pythonpath` that lie outside of the repository."""
    top = root
    while not os.path.exists(os.path.join(top, ".git")) and os.path.dirname(top) != top:
        top = os.path.dirname(top)
    if not os.path.exists(os.path.join(top, ".git")):
        return []
    folders = [os.path.realpath(str(folder)) for folder in config.getini("pythonpath")]
    return [folder for folder in folders if _is_elsewhere(folder + os.sep, top)]


def _importable(folder: str) -> "list[str]":
    """Return the names of modules and packages in a folder, a thousand at most."""
    names = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                stem, suffix = os.path.splitext(entry.name)
                if suffix == ".py" or os.path.isfile(os.path.join(entry.path, "__init__.py")):
                    names.append(stem)
    except OSError:
        return []
    return names[:1000]


def _is_elsewhere(path: str, root: str) -> bool:
    inside = path == root or path.startswith(root + os.sep)
    return not inside or "site-packages" in path or "dist-packages" in path


def _differs(name: str, folder: str) -> bool:
    """Return whether a loaded module of a package is not what lies in the folder."""
    compared = 0
    for module_name, module in sorted(sys.modules.items()):
        if module_name != name and not module_name.startswith(name + "."):
            continue
        loaded = getattr(module, "__file__", None)
        place = os.path.join(folder, *module_name.split("."))
        for own in (place + ".py", os.path.join(place, "__init__.py")):
            if loaded and loaded.endswith(".py") and os.path.isfile(own) and compared < 1000:
                compared += 1
                if _content(own) != _content(loaded):
                    return True
    return False


def _content(path: str) -> "bytes | None":
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None


def _standard_library() -> "frozenset[str]":
    return getattr(sys, "stdlib_module_names", frozenset())


def _plain(text: str) -> str:
    """Return text that every JSON reader takes: lone surrogates as escapes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _start_ticks() -> int:
    """Return when this process started, in clock ticks since boot; 0 if unknown."""
    try:
        with open("/proc/self/stat", "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[19])
    except OSError:  # pragma: other platform
        return 0
