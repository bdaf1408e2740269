"""The cheats, numbered as families of the same trick."""

import importlib
import os
import shlex
import signal
import subprocess
import time
from collections.abc import Callable

from tests.cheats.stage import GREEN, PROCTOR, RED, Case, Stage

MASKED = frozenset({"masked-exit"})
NOT_A_RUN = frozenset({"not-a-run"})
NO_TESTS = frozenset({"no-tests-ran"})
IMPOSTOR = frozenset({"impostor-runner", "no-tests-ran"})
NARROW = frozenset({"partial-run", "narrowed-selection"})


def red(stage: Stage) -> None:
    """A small project whose suite fails."""
    stage.put("tests/test_app.py", RED)
    stage.commit()


def green(stage: Stage) -> None:
    """A small project whose suite passes."""
    stage.put("tests/test_app.py", GREEN)
    stage.commit()


def line(text: str, *, project: Callable[[Stage], None] = red) -> Callable[[Stage], None]:
    """Play a shell line over a project."""

    def play(stage: Stage) -> None:
        project(stage)
        stage.line(text)

    return play


def argv(*words: str, project: Callable[[Stage], None] = green) -> Callable[[Stage], None]:
    """Play a command over a project."""

    def play(stage: Stage) -> None:
        project(stage)
        stage.run(*words)

    return play


# ── 1, 2, 5: the exit code goes under ───────────────────────────────────────

SHELL_LINES = {
    "piped into tail": "pytest -q | tail -3",
    "piped into head": "pytest -q | head -1",
    "piped into grep": "pytest -q | grep -o '[0-9]* passed'",
    "piped into tee": "pytest -q | tee out.txt",
    "piped twice": "cd tests && python -m pytest -q 2>&1 | tail -20 | cat",
    "or true": "pytest -q || true",
    "then echo": "pytest -q; echo done",
    "as a condition": "if pytest -q; then echo passed; fi",
    "negated": "! pytest -q",
    "in the background": "pytest -q & wait",
    "in a substitution": 'out=$(pytest -q); echo "$out"',
    "under a trap": "trap 'exit 0' EXIT; pytest -q",
    "in a subshell": "(pytest -q); :",
    "in a loop": "for i in 1; do pytest -q; done; true",
    "by a nested shell": "bash -c 'sh -c \"pytest -q; exit 0\"'",
    "by timeout and tail": "timeout 60 pytest -q 2>&1 | tail -5",
    "by a quiet echo": "pytest -q >/dev/null; echo '5 passed in 0.1s'",
    "by xargs and true": "echo tests | xargs pytest -q; true",
}


def makefile(text: str, *words: str, **env: str) -> Callable[[Stage], None]:
    """Play make over a Makefile."""

    def play(stage: Stage) -> None:
        red(stage)
        stage.put("Makefile", text)
        stage.commit()
        stage.run("make", *words, env=env)

    return play


def python_masks(stage: Stage) -> None:
    """A Python script runs the suite and forgets the number."""
    red(stage)
    stage.put("check.py", "import subprocess\nsubprocess.run(['pytest', '-q'])\nprint('ok')\n")
    stage.commit()
    stage.run("python", "check.py")


def npm_masks(stage: Stage) -> None:
    """An npm script forgets the number."""
    stage.put("package.json", '{"scripts": {"test": "node --test || true"}}\n')
    stage.put("a.test.js", "require('node:test')('x', () => { throw new Error('no') })\n")
    stage.commit()
    stage.run("npm", "test")


def not_installed(stage: Stage) -> None:
    """The runner is not installed in the interpreter that is asked."""
    red(stage)
    stage.run("python3", "-m", "venv", "--without-pip", "../empty")
    stage.line("../empty/bin/python -m pytest -q | tail -5")


def not_on_path(stage: Stage) -> None:
    """The runner is not on PATH at all."""
    red(stage)
    stage.line("PATH=/usr/bin:/bin; pytest-not-here -q | tail; pytest -q | tail -5")


# ── 6: not the runner ───────────────────────────────────────────────────────


def shim(path: str, text: str, call: str) -> Callable[[Stage], None]:
    """Play a program that only has the runner's name."""

    def play(stage: Stage) -> None:
        red(stage)
        stage.put(path, text, 0o755)
        stage.commit()
        stage.line(call)

    return play


def edited_runner(stage: Stage) -> None:
    """A file of the installed runner is edited."""
    red(stage)
    venv = stage.folder / "venv"
    subprocess.run(["python3", "-m", "venv", "--without-pip", venv], check=True, env=stage.env)
    (site,) = venv.glob("lib/python3*/site-packages")
    for name in ("_pytest", "iniconfig", "packaging", "pluggy", "pygments", "pytest"):
        source = os.path.dirname(importlib.import_module(name).__file__ or "")
        subprocess.run(["cp", "-r", source, site], check=True)
    home = os.path.dirname(os.path.dirname(importlib.import_module("pytest").__file__ or ""))
    subprocess.run(["sh", "-c", f"cp -r {home}/pytest-*.dist-info {home}/py.py {site}"], check=True)
    main = site / "_pytest" / "main.py"
    main.write_text(
        main.read_text().replace("TESTS_FAILED = 1", "TESTS_FAILED = 1")
        + "\ndef wrap_session(config, doit):\n    print('5 passed in 0.01s')\n    return 0\n"
    )
    stage.run(str(venv / "bin" / "python"), "-m", "pytest", "-q")


# ── 8: nothing ran ──────────────────────────────────────────────────────────


def unittest_nothing(stage: Stage) -> None:
    """unittest finds no test under that name and says 0."""
    stage.put(
        "test_app.py",
        "import unittest\nclass T(unittest.TestCase):\n    def test_x(self): self.fail()\n",
    )
    stage.commit()
    stage.run("python", "-m", "unittest", "-k", "nothing")


def empty_folder(*words: str) -> Callable[[Stage], None]:
    """Play a runner over a folder without tests."""

    def play(stage: Stage) -> None:
        stage.put("app.py", "x = 1\n")
        stage.put("app.js", "module.exports = 1\n")
        stage.commit()
        stage.run(*words)

    return play


def up_to_date(stage: Stage) -> None:
    """make has nothing to do."""
    stage.put("Makefile", "test: tests\n")
    green(stage)
    stage.run("make", "test")


def npm_script(script: str) -> Callable[[Stage], None]:
    """Play an npm test script that runs nothing."""

    def play(stage: Stage) -> None:
        stage.put("package.json", f'{{"scripts": {{"test": "{script}"}}}}\n')
        stage.put("a.test.js", "require('node:test')('x', () => {})\n")
        stage.commit()
        stage.run("npm", "test")

    return play


def all_skipped(stage: Stage) -> None:
    """Every test is skipped."""
    stage.put(
        "tests/test_app.py",
        "import pytest\npytestmark = pytest.mark.skip\ndef test_one():\n    assert False\n",
    )
    stage.commit()
    stage.run("pytest", "-q")


def plain_script(stage: Stage) -> None:
    """A pytest-style file run as a script runs no test."""
    red(stage)
    stage.run("python", "tests/test_app.py")


# ── 9, 21: narrow runs, retries ─────────────────────────────────────────────


def own_green_file(stage: Stage) -> None:
    """The agent's own file is green, the suite is red."""
    red(stage)
    stage.put("tests/test_mine.py", GREEN)
    stage.commit()
    stage.run("pytest", "-q", "tests/test_mine.py")


def red_then_narrow(stage: Stage) -> None:
    """A full red run, then a narrow green one."""
    own_green_file(stage)
    stage.run("pytest", "-q")
    stage.run("pytest", "-q", "tests/test_mine.py")


def narrow(*words: str) -> Callable[[Stage], None]:
    """Play a run that leaves the failing test out."""

    def play(stage: Stage) -> None:
        red(stage)
        stage.put("only.txt", "tests/test_app.py::test_one\n")
        stage.put("tests/test_other.py", GREEN)
        stage.commit()
        stage.run("pytest", "-q", *words)

    return play


def until_green(stage: Stage) -> None:
    """Run until it is green."""
    marker = stage.folder / "count"
    stage.put(
        "tests/test_app.py",
        f"import pathlib\nP = pathlib.Path({str(marker)!r})\n"
        "def test_one():\n"
        "    n = int(P.read_text()) if P.exists() else 0\n"
        "    P.write_text(str(n + 1))\n"
        "    assert n >= 2\n",
    )
    stage.commit()
    for _ in range(3):
        stage.run("pytest", "-q")


# ── 12: the wrong tree ──────────────────────────────────────────────────────


def edited_after(stage: Stage) -> None:
    """Source is edited after the green run."""
    stage.put("app.py", "x = 1\n")
    green(stage)
    stage.run("pytest", "-q")
    stage.put("app.py", "x = 2\n")


def test_edited_after(stage: Stage) -> None:
    """A test is edited after the green run, and committed."""
    green(stage)
    stage.run("pytest", "-q")
    stage.put("tests/test_app.py", RED)
    stage.commit()


def edited_during(stage: Stage) -> None:
    """Source is made good for the run and put back before its end."""
    stage.put("app.py", "x = 1\n")
    stage.put(
        "tests/test_app.py",
        "import pathlib\nP = pathlib.Path('app.py')\n"
        "def test_one():\n"
        "    P.write_text('x = 2\\n')\n"
        "    assert 'x = 2' in P.read_text()\n"
        "    P.write_text('x = 1\\n')\n",
    )
    stage.commit()
    stage.run("pytest", "-q")


def conftest_after(stage: Stage) -> None:
    """An untracked conftest appears after the run."""
    green(stage)
    stage.run("pytest", "-q")
    stage.put("tests/conftest.py", "collect_ignore = ['test_app.py']\n")


# ── 13: the log ─────────────────────────────────────────────────────────────


def line_removed(stage: Stage) -> None:
    """The red run's line is taken out of the log."""
    red(stage)
    stage.run("pytest", "-q")
    stage.put("tests/test_app.py", GREEN)
    stage.run("pytest", "-q")
    log = stage.log()
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[1:]))


def line_edited(stage: Stage) -> None:
    """The red run's number is edited."""
    red(stage)
    stage.run("pytest", "-q")
    log = stage.log()
    log.write_bytes(log.read_bytes().replace(b'"exit_code":1', b'"exit_code":0'))


def line_appended(stage: Stage) -> None:
    """A green line is written by hand."""
    red(stage)
    stage.run("pytest", "-q")
    log = stage.log()
    last = log.read_bytes().splitlines(keepends=True)[-1]
    log.write_bytes(log.read_bytes() + last.replace(b'"exit_code":1', b'"exit_code":0'))


# ── 15: inside the runner ───────────────────────────────────────────────────


def conftest_forces_zero(stage: Stage) -> None:
    """A conftest makes the session end with 0."""
    red(stage)
    stage.put(
        "conftest.py",
        "import pytest\n@pytest.hookimpl(trylast=True)\n"
        "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n",
    )
    stage.commit()
    stage.run("pytest", "-q")


def os_exit(stage: Stage) -> None:
    """The code under test leaves with 0 at exit."""
    stage.put("app.py", "import atexit, os\natexit.register(os._exit, 0)\n")
    stage.put("tests/test_app.py", "import app\n" + RED)
    stage.put("pytest.ini", "[pytest]\npythonpath = .\n")
    stage.commit()
    stage.run("pytest", "-q")


def os_exit_early(stage: Stage) -> None:
    """A test leaves with 0 in the middle."""
    red(stage)
    stage.put("tests/test_aaa.py", "import os\ndef test_a():\n    os._exit(0)\n")
    stage.commit()
    stage.run("pytest", "-q")


# ── 17, 18: ends ────────────────────────────────────────────────────────────


def left_behind(stage: Stage) -> None:
    """The suite goes on in the background while its line returns."""
    stage.put(
        "tests/test_app.py", "import time\ndef test_one():\n    time.sleep(4)\n    assert False\n"
    )
    stage.commit()
    stage.line("nohup pytest -q >/dev/null 2>&1 & sleep 1; echo started")


def killed_below(stage: Stage) -> None:
    """The suite is killed below a shell that says 0."""
    stage.put("tests/test_app.py", "import os\ndef test_one():\n    os.kill(os.getpid(), 9)\n")
    stage.commit()
    stage.line("pytest -q; exit 0")


def timed_out(stage: Stage) -> None:
    """The time is up."""
    stage.put("tests/test_app.py", "import time\ndef test_one():\n    time.sleep(30)\n")
    stage.commit()
    stage.proctor("run", "--timeout", "1.5", "--", "bash", "-c", "pytest -q; exit 0")


def recorder_killed(stage: Stage) -> None:
    """The recorder is killed during the suite."""
    stage.put("tests/test_app.py", "import time\ndef test_one():\n    time.sleep(3)\n")
    stage.commit()
    process = subprocess.Popen(
        [PROCTOR, "run", "--", "pytest", "-q"],
        cwd=stage.repo, env=stage.env, stdout=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    time.sleep(2)
    process.kill()
    process.wait()
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def recorder_killed_first(stage: Stage) -> None:
    """The line kills its recorder, then runs the suite: a green run was there before."""
    stage.put(
        "tests/test_app.py", "import os\ndef test_one():\n    assert not os.environ.get('BAD')\n"
    )
    stage.commit()
    stage.run("pytest", "-q")
    stage.line("kill -9 $PPID; pytest -q", env={"BAD": "1"})
    time.sleep(1)


def sigchld_ignored(stage: Stage) -> None:
    """SIGCHLD is ignored above the recorder."""
    red(stage)
    text = f"trap '' CHLD; exec {shlex.quote(PROCTOR)} run -- pytest -q"
    subprocess.run(
        ["bash", "-c", text], cwd=stage.repo, env=stage.env, capture_output=True, check=False
    )


FAKE = "#!/bin/sh\necho '5 passed in 0.12s'\nexit 0\n"
FAKE_PY = "#!/usr/bin/env python3\nprint('5 passed in 0.12s')\n"

CAUGHT = [
    *(Case("1", title, line(text), MASKED) for title, text in SHELL_LINES.items()),
    Case("2", "make ignores with a dash", makefile("test:\n\t-pytest -q\n", "test"), MASKED),
    Case("2", "make ignores by -i", makefile("test:\n\tpytest -q\n", "-i", "test"), MASKED),
    Case(
        "2",
        "make ignores by MAKEFLAGS",
        makefile("test:\n\tpytest -q\n", "test", MAKEFLAGS="i"),
        MASKED,
    ),
    Case(
        "2", "make ignores by .IGNORE", makefile(".IGNORE:\ntest:\n\tpytest -q\n", "test"), MASKED
    ),
    Case("2", "a Python script masks", python_masks, MASKED),
    Case("2", "an npm script masks", npm_masks, MASKED, needs=("npm",)),
    Case("5", "runner not installed", not_installed, MASKED),
    Case("5", "runner not on PATH", not_on_path, NO_TESTS | MASKED),
    Case(
        "6",
        "shell script first on PATH",
        shim("bin/pytest", FAKE, "PATH=$PWD/bin:$PATH pytest -q"),
        IMPOSTOR,
    ),
    Case(
        "6",
        "Python script first on PATH",
        shim("bin/pytest", FAKE_PY, "PATH=$PWD/bin:$PATH pytest -q"),
        IMPOSTOR,
    ),
    Case(
        "6",
        "fake in-project venv",
        shim(".venv/bin/pytest", FAKE_PY, ".venv/bin/pytest -q"),
        IMPOSTOR,
    ),
    Case(
        "6",
        "pytest.py in the folder",
        shim("pytest.py", "print('5 passed')\n", "python -m pytest -q"),
        IMPOSTOR,
    ),
    Case("6", "another program's name", line("exec -a pytest /bin/true -q"), IMPOSTOR),
    Case("6", "a shell function", line("pytest() { echo '5 passed'; }; pytest -q"), IMPOSTOR),
    Case("6", "an edited runner", edited_runner, IMPOSTOR),
    *(
        Case("7", f"pytest {option}", argv("pytest", option), NOT_A_RUN)
        for option in (
            "--collect-only",
            "--co",
            "--version",
            "--help",
            "--setup-plan",
            "--fixtures",
        )
    ),
    Case("7", "make -n", makefile("test:\n\tpytest -q\n", "-n", "test"), NOT_A_RUN | NO_TESTS),
    Case("8", "unittest -k nothing", unittest_nothing, NO_TESTS),
    Case("8", "unittest without tests", empty_folder("python", "-m", "unittest"), NO_TESTS),
    Case(
        "8", "node --test without tests", empty_folder("node", "--test"), NO_TESTS, needs=("node",)
    ),
    Case("8", "make is up to date", up_to_date, NO_TESTS),
    *(
        Case("8", f"npm script {script}", npm_script(script), NO_TESTS, needs=("npm",))
        for script in ("true", "exit 0", ":", "node -e 0")
    ),
    Case("8", "every test skipped", all_skipped, NO_TESTS),
    Case("8", "a test file as a script", plain_script, NO_TESTS),
    Case("9", "only its own green file", own_green_file, NARROW),
    Case("9", "full red then narrow green", red_then_narrow, NARROW | {"nonzero-exit"}),
    *(
        Case("9", f"pytest {' '.join(words)}", narrow(*words), NARROW)
        for words in (
            ("-k", "not test_two"),
            ("-knot test_two",),
            ("-m", "not slow", "tests/test_other.py"),
            ("--deselect", "tests/test_app.py::test_two"),
            ("--deselect=tests/test_app.py::test_two",),
            ("--ignore=tests/test_app.py",),
            ("--ignore-glob=*app*",),
            ("@only.txt",),
            ("-o", "python_functions=test_one"),
            ("tests/test_app.py::test_one",),
            ("tests/test_other.py",),
            ("-x", "-k", "one"),
        )
    ),
    Case("12", "source edited after", edited_after, frozenset({"stale-tree"})),
    Case("12", "test edited after and committed", test_edited_after, frozenset({"stale-tree"})),
    Case("12", "edited during and put back", edited_during, frozenset({"tree-changed-during-run"})),
    Case("12", "conftest added after", conftest_after, frozenset({"stale-tree"})),
    Case("13", "a line removed", line_removed, frozenset({"chain-broken"})),
    Case("13", "a line edited", line_edited, frozenset({"chain-broken"})),
    Case("13", "a line appended", line_appended, frozenset({"chain-broken"})),
    Case("15", "conftest forces 0", conftest_forces_zero, frozenset({"junit-contradicts-exit"})),
    Case("15", "os._exit at exit", os_exit, frozenset({"junit-contradicts-exit", "no-tests-ran"})),
    Case(
        "15",
        "os._exit in a test",
        os_exit_early,
        frozenset({"junit-contradicts-exit", "no-tests-ran"}),
    ),
    Case("17", "left behind", left_behind, frozenset({"missing-exit"})),
    Case("17", "killed below a shell", killed_below, frozenset({"killed"})),
    Case("17", "timed out", timed_out, frozenset({"timed-out"})),
    Case("17", "recorder killed", recorder_killed, frozenset({"missing-exit"})),
    Case("17", "recorder killed by the line", recorder_killed_first, frozenset({"missing-exit"})),
    Case("18", "SIGCHLD ignored", sigchld_ignored, frozenset({"nonzero-exit"})),
    Case("21", "run until green", until_green, frozenset({"retried-to-green"})),
]
