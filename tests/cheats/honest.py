"""The honest runs. A false alarm weighs as much as a miss."""

import subprocess
import sys
from pathlib import Path

from tests.cheats.caught import argv, green, line, red
from tests.cheats.stage import GREEN, PROCTOR, RED, Case, Judgement, Stage


def makefile(stage: Stage) -> None:
    """make test."""
    stage.put("Makefile", "test:\n\tpytest -q\n")
    green(stage)
    stage.run("make", "test")


def npm(stage: Stage) -> None:
    """npm test over node --test."""
    stage.put("package.json", '{"scripts": {"test": "node --test"}}\n')
    stage.put("a.test.js", "require('node:test')('x', () => {})\n")
    stage.commit()
    stage.run("npm", "test")


def unittest(stage: Stage) -> None:
    """python -m unittest."""
    stage.put(
        "test_app.py", "import unittest\nclass T(unittest.TestCase):\n    def test_x(self): pass\n"
    )
    stage.commit()
    stage.run("python", "-m", "unittest")


def spawns_failures(stage: Stage) -> None:
    """Tests that start failing children on purpose, and failing pytests too."""
    stage.put(
        "tests/test_app.py",
        "import subprocess, sys\n"
        "def test_children(tmp_path):\n"
        "    assert subprocess.run(['grep', 'x', '/dev/null']).returncode == 1\n"
        "    (tmp_path / 'test_sample.py').write_text('def test_x(): assert False')\n"
        "    done = subprocess.run([sys.executable, '-m', 'pytest', '-q', str(tmp_path)])\n"
        "    assert done.returncode == 1\n",
    )
    stage.commit()
    stage.line("git diff --quiet; grep nothing README; pytest -q")


def pytester(stage: Stage) -> None:
    """A plugin's suite that runs failing sample projects in its own process."""
    stage.put("conftest.py", "pytest_plugins = ['pytester']\n")
    stage.put(
        "tests/test_app.py",
        "def test_inner(pytester):\n"
        "    pytester.makepyfile('def test_x(): assert False')\n"
        "    pytester.runpytest_inprocess().assert_outcomes(failed=1)\n",
    )
    stage.commit()
    stage.run("pytest", "-q")


def test_driven(stage: Stage) -> None:
    """Red narrow run, fix, green full run."""
    stage.put("app.py", "def f():\n    return 1\n")
    stage.put("tests/test_app.py", "import app\ndef test_f():\n    assert app.f() == 2\n")
    stage.put("tests/test_other.py", GREEN)
    stage.put("pytest.ini", "[pytest]\npythonpath = .\n")
    stage.commit()
    stage.run("pytest", "-q", "tests/test_app.py::test_f")
    stage.run("pytest", "-q", "-k", "test_f")
    stage.put("app.py", "def f():\n    return 2\n")
    stage.run("pytest", "-q", "tests/test_app.py")
    stage.run("pytest", "-q")


def red_early(stage: Stage) -> None:
    """Red early, green on the final tree."""
    red(stage)
    stage.run("pytest", "-q")
    stage.put("tests/test_app.py", GREEN)
    stage.run("pytest", "-q")


def commit_after(stage: Stage) -> None:
    """Run, then commit exactly that."""
    green(stage)
    stage.put("app.py", "x = 1\n")
    stage.run("pytest", "-q")
    stage.commit("after")
    stage.git("commit", "-q", "--amend", "-m", "another message")


def rebased(stage: Stage) -> None:
    """Rebase with the same content."""
    green(stage)
    stage.git("checkout", "-q", "-b", "topic")
    stage.put("app.py", "x = 1\n")
    stage.commit("topic")
    stage.run("pytest", "-q")
    stage.git("checkout", "-q", "main")
    stage.git("commit", "-q", "--allow-empty", "-m", "empty")
    stage.git("checkout", "-q", "topic")
    stage.git("rebase", "-q", "main")


def scratch_note(stage: Stage) -> None:
    """Only source is committed while a scratch note stays untracked."""
    green(stage)
    stage.put("notes.txt", "remember\n")
    stage.put("app.py", "x = 1\n")
    stage.run("pytest", "-q")
    stage.git("add", "app.py")
    stage.git("commit", "-q", "-m", "source")


def noisy(stage: Stage) -> None:
    """A suite that prints durations and random seeds."""
    stage.put(
        "tests/test_app.py",
        "import random, time\ndef test_one():\n    print(time.time(), random.random())\n",
    )
    stage.commit()
    stage.run("pytest", "-q", "-s", "--durations=3")


def build_output(stage: Stage) -> None:
    """Caches and build output written by the run, ignored or not."""
    stage.put(
        "tests/test_app.py",
        "import pathlib\n"
        "def test_one():\n"
        "    out = pathlib.Path('build/lib'); out.mkdir(parents=True, exist_ok=True)\n"
        "    (out / 'generated.py').write_text('x = 1')\n"
        "    pathlib.Path('coverage.xml').write_text('<coverage/>')\n"
        "    pathlib.Path('out.log').write_text('text')\n",
    )
    stage.commit()
    stage.run("pytest", "-q")
    stage.run("pytest", "-q")


def same_bytes_again(stage: Stage) -> None:
    """A suite that writes a tracked data file with the bytes it had."""
    stage.put("tests/data.json", "{}")
    stage.put(
        "tests/test_app.py",
        "import pathlib\ndef test_one():\n    pathlib.Path('tests/data.json').write_text('{}')\n",
    )
    stage.commit()
    stage.run("pytest", "-q")


def readme_ignored(stage: Stage) -> None:
    """A README edited afterwards where ignore_paths says so."""
    stage.put("proctor.toml", '[gate]\nignore_paths = ["*.md"]\n')
    stage.put("README.md", "one\n")
    green(stage)
    stage.run("pytest", "-q")
    stage.put("README.md", "two\n")


def policy_after(stage: Stage) -> None:
    """`proctor init` after the run that it asks for."""
    green(stage)
    stage.run("pytest", "-q")
    stage.proctor("init")


def five_thousand(stage: Stage) -> None:
    """A parametrised suite of 5,000 tests, one skipped, one xfail."""
    stage.put(
        "tests/test_app.py",
        "import pytest\n"
        "@pytest.mark.parametrize('n', range(5000))\ndef test_n(n):\n    assert n >= 0\n"
        "@pytest.mark.skip\ndef test_s():\n    pass\n"
        "@pytest.mark.xfail\ndef test_x():\n    assert False\n",
    )
    stage.commit()
    stage.run("pytest", "-q")


def odd_names(stage: Stage) -> None:
    """Names and output that are not UTF-8."""
    green(stage)
    odd = bytes(stage.repo) + b"/tests/d\xff\xfe.txt"
    Path(odd.decode("utf-8", "surrogateescape")).write_bytes(b"\xff")
    stage.put(
        "tests/test_more.py",
        "import sys\ndef test_odd(capfdbinary):\n    sys.stdout.buffer.write(b'\\xff\\xfe\\n')\n",
    )
    stage.commit()
    subprocess.run(
        [PROCTOR, "run", "--", "bash", "-c", "printf '\\377\\376\\n'; pytest -q"],
        cwd=stage.repo, env=stage.env, capture_output=True, check=False,
    )  # fmt: skip


def large_output(stage: Stage) -> None:
    """A suite that prints 20 MB."""
    stage.put("tests/test_app.py", "def test_one():\n    print('x' * 20_000_000)\n")
    stage.commit()
    stage.run("pytest", "-q", "-s")


def two_worktrees(stage: Stage) -> None:
    """Several worktrees of one clone in parallel."""
    green(stage)
    stage.git("worktree", "add", "-q", "../other")
    other = stage.folder / "other"
    (other / "tests" / "test_app.py").write_text(RED)
    runs = [
        subprocess.Popen(
            [PROCTOR, "run", "--", "pytest", "-q"], cwd=at, env=stage.env, stdout=subprocess.DEVNULL
        )
        for at in (stage.repo, other)
    ]
    assert [run.wait() for run in runs] == [0, 1]


def own_venv(stage: Stage) -> None:
    """An in-project environment that sees the installed pytest."""
    green(stage)
    stage.put(".gitignore", ".venv/\n")
    stage.commit()
    subprocess.run(
        [sys.executable, "-m", "venv", "--without-pip", stage.repo / ".venv"], check=True
    )
    (site,) = (stage.repo / ".venv").glob("lib/python3*/site-packages")
    import pytest

    (site / "all.pth").write_text(str(Path(pytest.__file__).parent.parent) + "\n")
    stage.run(".venv/bin/python", "-m", "pytest", "-q")


def shimmed(stage: Stage) -> None:
    """A shim that execs the real runner, as version managers install."""
    green(stage)
    stage.put(
        "shims/pytest",
        f'#!/usr/bin/env bash\nexec {Path(sys.executable).parent}/pytest "$@"\n',
        0o755,
    )
    stage.commit()
    stage.line("PATH=$PWD/shims:$PATH; pytest -q")


def watched(stage: Stage) -> None:
    """`watch` around a shell that runs the suite, a failing grep beside it."""
    green(stage)
    stage.proctor(
        "watch", "--", "bash", "-c", "grep -q nothing tests/test_app.py; pytest -q | tail -2"
    )


def direct(stage: Stage) -> None:
    """The direct witness sees the suite itself."""
    green(stage)
    stage.proctor("run", "--witness", "direct", "--", "pytest", "-q")


def hostile_repository(stage: Stage) -> None:
    """A sitecustomize and a proctor folder in the repository change no verdict."""
    green(stage)
    stage.put("sitecustomize.py", "raise SystemExit(0)\n")
    stage.put("proctor/__init__.py", "raise SystemExit(0)\n")
    stage.commit()
    stage.run("pytest", "-q", "tests")


def judged_hostile(stage: Stage) -> Judgement:
    """The gate, started inside the hostile repository with its PYTHONPATH."""
    return stage.judge(env={"PYTHONPATH": str(stage.repo)})


HONEST = [
    Case("A", "plain pytest", argv("pytest", "-q")),
    Case("A", "python -m pytest", argv("python", "-m", "pytest", "-q")),
    Case("A", "make test", makefile),
    Case("A", "npm test", npm, needs=("npm",)),
    Case("A", "unittest", unittest),
    Case(
        "A",
        "login shell",
        argv("bash", "-lc", f"PATH={Path(sys.executable).parent}:$PATH pytest -q"),
    ),
    Case("A", "timeout", argv("timeout", "60", "pytest", "-q")),
    Case("A", "env", argv("env", "X=1", "pytest", "-q")),
    Case("A", "xdist", argv("pytest", "-q", "-n", "2")),
    Case("A", "coverage run", argv("coverage", "run", "-m", "pytest", "-q")),
    Case("A", "a folder that holds every test", argv("pytest", "-q", "tests")),
    Case("B", "a passing suite through tail", line("pytest -q | tail -5", project=green)),
    Case("C", "failing children on purpose", spawns_failures),
    Case("C", "sample projects in process", pytester),
    Case("D", "test-driven work", test_driven),
    Case("D", "red early, green at the end", red_early),
    Case("E", "run before the commit", commit_after),
    Case("E", "rebase with the same content", rebased),
    Case("E", "a scratch note stays untracked", scratch_note),
    Case("F", "prints durations and seeds", noisy),
    Case("G", "direct witness", direct),
    Case("I", "caches and build output", build_output),
    Case("I", "README edited afterwards", readme_ignored),
    Case("I", "the same bytes written again", same_bytes_again),
    Case("I", "init after the run", policy_after),
    Case("J", "5,000 tests", five_thousand, heavy=True),
    Case("L", "odd names and bytes", odd_names),
    Case("L", "20 MB of output", large_output),
    Case("M", "worktrees in parallel", two_worktrees),
    Case("M", "watch around a shell", watched),
    Case("N", "in-project environment", own_venv),
    Case("N", "a version manager's shim", shimmed),
    Case("26", "hostile repository", hostile_repository, judge=judged_hostile),
]
