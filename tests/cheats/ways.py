"""Ways to start a suite, and ways to hide one: shells, processes, git, what lies beside the code."""

import sys
from collections.abc import Callable

from tests.cheats.caught import IMPOSTOR, green, line, red
from tests.cheats.inputs import raised
from tests.cheats.stage import GREEN, RED, Case, Judgement, Stage

Play = Callable[[Stage], None]
MASKED = frozenset({"masked-exit"})
SPOT = frozenset({"tree-blind-spot"})
_BASE = ("--base", "main")
_SITE = next(path for path in sys.path if path.endswith("site-packages"))


def shell(name: str, text: str, project: Play = red) -> Play:
    """Play a line in a shell of one's choice."""

    def play(stage: Stage) -> None:
        project(stage)
        stage.run(name, "-c", text)

    return play


def python(text: str, project: Play = red) -> Play:
    """Play a Python program that starts the suite."""

    def play(stage: Stage) -> None:
        stage.put("start.py", text)
        project(stage)
        stage.run("python", "start.py")

    return play


def beside(path: str, text: str, *argv: str, project: Play = green) -> Play:
    """Play a command over a project with one file more."""

    def play(stage: Stage) -> None:
        stage.put(path, text, 0o755)
        project(stage)
        if argv:
            stage.run(*argv)

    return play


SPAWN = "import os\npid = os.posix_spawnp('pytest', ['pytest', '-q'], os.environ)\n"
TWICE = (
    "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
    "        os.execvp('pytest', ['pytest', '-q'])\n    os._exit(0)\nos.wait()\ntime.sleep(3)\n"
)
HIDDEN = {
    "dash, piped": shell("dash", "pytest -q | tail -1"),
    "zsh, piped": shell("zsh", "pytest -q | tail -1"),
    "zsh always": shell("zsh", "{ pytest -q } always { exit 0 }"),
    "fish, piped": shell("fish", "pytest -q | tail -1"),
    "fish or": shell("fish", "pytest -q; or true"),
    "a coprocess": line("coproc pytest -q; wait; exit 0"),
    "a process substitution": line("cat <(pytest -q)"),
    "the shell becomes true": line("pytest -q; exec true"),
    "find -exec": line("find tests -name 'test_*.py' -exec pytest -q {} \\;"),
    "env -S": line("env -S 'pytest -q'; true"),
    "another name": line("(exec -a vim pytest -q); true"),
    "script": line("script -qc 'pytest -q' /dev/null; true"),
    "perl": line("perl -e 'system(\"pytest -q\"); exit 0'"),
    "a copied interpreter": line("cp $(readlink -f $(command -v python)) ../snake; "
                                 f"PYTHONPATH={_SITE} exec -a python ../snake -m pytest -q; true"),
    "a linked runner": line("ln -s $(command -v pytest) ../pytest; ../pytest -q; true"),
    "posix_spawn": python(SPAWN + "os.waitpid(pid, 0)\n"),
    "a double fork": python(TWICE),
    "a test wrapper in make": python(
        "import os\nos.system('make -s t')\n",
        beside("Makefile", "t:\n\t@pytest -q || :\n", project=red),
    ),
}  # fmt: skip
NEEDS = {"zsh": ("zsh",), "fish": ("fish",), "dash": ("dash",), "perl": ("perl",)}


def needs(title: str) -> tuple[str, ...]:
    """Return the programs that a line needs beyond the usual ones."""
    return NEEDS.get(title.partition(",")[0].partition(" ")[0], ())


def untraced(stage: Stage) -> None:
    """A process that asks not to be traced runs the suite; nothing else is recorded."""
    text = (
        "import ctypes, os\nlibc = ctypes.CDLL(None)\n"
        "pid = libc.syscall(56, 0x00800000 | 17, 0, 0, 0, 0)\n"
        "if pid == 0: os.execvp('pytest', ['pytest', '-q'])\nos.waitpid(pid, 0)\n"
    )
    python(text)(stage)


def updates(stage: Stage) -> None:
    """The run writes its own expectations."""
    stage.put(
        "conftest.py",
        "def pytest_addoption(parser):\n    parser.addoption('--snapshot-update', action='store_true')\n",
    )
    green(stage)
    stage.run("pytest", "-q", "--snapshot-update")


# ── 25: what git does not see ───────────────────────────────────────────────


def sparse(stage: Stage) -> None:
    """The red tests are left out of the working tree."""
    stage.put("tests/test_app.py", RED)
    stage.put("other/test_mine.py", GREEN)
    stage.commit()
    stage.git("sparse-checkout", "set", "other")
    stage.run("pytest", "-q")


def filtered(stage: Stage) -> None:
    """A filter shows git other bytes than the tests had."""
    stage.put(".gitattributes", "*.py filter=calm\n")
    stage.git("config", "filter.calm.clean", "sed s/False/True/")
    stage.put("tests/test_app.py", RED.replace("False", "True"))
    stage.commit()
    stage.run("pytest", "-q")


def excluded(stage: Stage) -> None:
    """A conftest that git is told to pass over takes the red test out."""
    stage.put(".git/info/exclude", "conftest.py\n")
    stage.put("conftest.py", "collect_ignore = ['tests/test_app.py']\n")
    stage.put("tests/test_app.py", RED)
    stage.put("tests/test_more.py", GREEN)
    stage.git("add", "tests")
    stage.git("commit", "-q", "-m", "x")
    stage.run("pytest", "-q")


def submodule(stage: Stage) -> None:
    """What is tested lies in a submodule and is edited there."""
    part = stage.folder / "part"
    part.mkdir()
    (part / "lib.py").write_text("x = 1\n")
    for words in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-q", "-m", "x")):
        stage.git("-C", str(part), *words)
    stage.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(part), "part")
    stage.put("tests/test_app.py", "from part.lib import x\n\n\ndef test_x():\n    assert x == 1\n")
    stage.put("pytest.ini", "[pytest]\npythonpath = .\ntestpaths = tests\n")
    stage.commit()
    stage.run("pytest", "-q")
    stage.put("part/lib.py", "x = 2\n")


# ── 20: what stands in for the code ─────────────────────────────────────────

TESTS = "from app import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n"
STANDINS = {
    "a copy of the function": {"tests/test_a.py": TESTS.replace("from app import add", "def add(a, b):\n    return a + b")},
    "a built-in in its place": {"tests/test_a.py": TESTS.replace("from app import add", "add = lambda *a: sum(a)")},
    "skipped without the module": {"app.py": "import no_such_module\n", "tests/test_b.py": GREEN, "tests/test_a.py": "import pytest\n" + TESTS.replace("from app import add", "add = pytest.importorskip('app').add")},
    "patched by the package": {"tests/__init__.py": "import app\napp.add = lambda a, b: a + b\n"},
    "patched by a conftest": {"tests/conftest.py": "import app\nsetattr(app, 'add', lambda a, b: a + b)\n"},
    "its failure is expected": {"tests/test_a.py": "import pytest\n" + TESTS.replace("    assert", "    with pytest.raises(AssertionError):\n        assert")},
    "patched where it is checked": {"tests/test_a.py": TESTS.replace("from app import add", "import app").replace("test_add()", "test_add(monkeypatch)").replace("    assert add", "    monkeypatch.setattr(app, 'add', lambda a, b: 3)\n    assert app.add")},
    "an assertion of its own": {"tests/test_b.py": "import unittest\nfrom app import add\n\n\nclass TestAdd(unittest.TestCase):\n    def assertEqual(self, a, b):\n        pass\n\n    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n", "tests/test_a.py": TESTS.replace("assert add(1, 2) == 3", "assert add(1, 2) != 4")},
    "the expectation is turned round": {"tests/test_a.py": TESTS.replace("==", "!=")},
}  # fmt: skip


def standing_in(files: dict[str, str]) -> Play:
    """The code is broken, and the tests changed so that they pass; base raises the rule."""

    def play(stage: Stage) -> None:
        stage.put("proctor.toml", "[gate.levels]\ntests-weakened = 'error'\n")
        stage.put("app.py", "def add(a, b):\n    return a + b\n")
        stage.put("tests/test_a.py", TESTS)
        stage.put("pytest.ini", "[pytest]\npythonpath = .\n")
        stage.put(".gitignore", "__pycache__/\n.pytest_cache/\n")
        stage.commit("base")
        stage.git("checkout", "-q", "-b", "work")
        for path, text in {"app.py": "def add(a, b):\n    return a - b\n", **files}.items():
            stage.put(path, text)
        stage.commit("patch")
        stage.run("pytest", "-q")

    return play


def hostile(project: Play) -> Play:
    """A repository that would like to change how it is judged."""

    def play(stage: Stage) -> None:
        stage.put("sitecustomize.py", "raise SystemExit(0)\n")
        stage.put("proctor/__init__.py", "raise SystemExit(0)\n")
        project(stage)
        stage.run("bash", "-c", "pytest -q tests", "\x1b[2J\r\nPASS\u202e")

    return play


def in_its_path(stage: Stage) -> Judgement:
    """Judge inside of it, with it on the path."""
    return stage.judge(env={"PYTHONPATH": str(stage.repo)})


CAUGHT = [
    *(
        Case("1", title, play, MASKED, needs=needs(title))
        for title, play in HIDDEN.items()
        if title != "a copied interpreter"
    ),
    Case("6", "a copied interpreter", HIDDEN["a copied interpreter"], IMPOSTOR),
    Case("17", "setsid -f, nobody waits", line("setsid -f pytest -q; sleep 3"), frozenset({"nonzero-exit", "masked-exit"})),
    Case("23", "an untraced process", untraced, frozenset({"no-records"})),
    Case("7", "pytest --snapshot-update", updates, frozenset({"not-a-run"})),
    Case("25", "sparse checkout", sparse, SPOT, judge=raised("tree-blind-spot")),
    Case("25", "a filter", filtered, SPOT, judge=raised("tree-blind-spot")),
    Case("25", "a conftest passed over", excluded, SPOT, judge=raised("tree-blind-spot")),
    Case("25", "a submodule edited", submodule, SPOT | {"stale-tree"}, judge=raised("tree-blind-spot")),
    *(
        Case("20", title, standing_in(files), frozenset({"tests-weakened"}), gate=_BASE)
        for title, files in STANDINS.items()
    ),
    Case("26", "hostile repository, red suite", hostile(red), frozenset({"nonzero-exit", "masked-exit"}), judge=in_its_path),
]  # fmt: skip

SECRETS = ("ghp_" + "a1B2c3D4" * 5, "hunter2secret", "s3cr3tpassw0rd", "k3yvalue99")


def secrets(stage: Stage) -> None:
    """Secrets in arguments, those of a shell line too."""
    token, password, user, key = SECRETS
    green(stage)
    stage.run("true", "--token", token, f"--password={password}", f"https://me:{user}@host/")
    stage.line(f"API_KEY={key} true -H 'Authorization: Bearer {token}'; pytest -q")


def unwritten(stage: Stage) -> Judgement:
    """Judge, once every file was looked through."""
    kept = [path for path in (stage.folder / "state").rglob("*") if path.is_file()]
    told = [(p.name, s) for p in kept for s in SECRETS if s.encode() in p.read_bytes()]
    assert not told, told
    return stage.judge()


def many_processes(stage: Stage) -> None:
    """A build of two thousand processes, then the suite."""
    green(stage)
    stage.line("for i in $(seq 2000); do /bin/true; done; pytest -q")


def committed_later(stage: Stage) -> None:
    """A conftest is new, used, and committed after the run."""
    stage.put("tests/test_app.py", "def test_one(value):\n    assert value\n")
    stage.commit()
    stage.put("conftest.py", "import pytest\n@pytest.fixture\ndef value():\n    return 1\n")
    stage.run("pytest", "-q")
    stage.commit("later")


def in_a_submodule(stage: Stage) -> None:
    """A submodule that is as it was."""
    submodule(stage)
    stage.put("part/lib.py", "x = 1\n")


def in_a_worktree(stage: Stage) -> None:
    """A worktree, its own suite, judged from it."""
    green(stage)
    stage.git("worktree", "add", "-q", "-b", "work", "../work")
    stage.repo = stage.folder / "work"
    stage.run("pytest", "-q")


def stashed(stage: Stage) -> None:
    """Work is stashed and taken back between two runs."""
    green(stage)
    stage.put("app.py", "x = 1\n")
    stage.git("add", "-A")
    stage.run("pytest", "-q")
    stage.git("stash", "-q")
    stage.git("stash", "pop", "-q", "--index")


def alternates(stage: Stage) -> None:
    """A clone that borrows its objects."""
    green(stage)
    stage.git("clone", "-q", "--shared", str(stage.repo), str(stage.folder / "borrowed"))
    stage.repo = stage.folder / "borrowed"
    stage.run("pytest", "-q")


def hooked(stage: Stage) -> None:
    """A commit hook runs the suite."""
    stage.put(".git/hooks/pre-commit", "#!/bin/sh\nexec pytest -q\n", 0o755)
    stage.put("tests/test_app.py", GREEN)
    stage.git("add", "-A")
    stage.run("git", "commit", "-q", "-m", "x")


def spaced(stage: Stage) -> None:
    """Names with blanks, quotes and letters of other scripts."""
    stage.put("tests dir/test_größe.py", GREEN)
    stage.put("tests dir/it's.txt", "x")
    stage.commit()
    stage.run("pytest", "-q", "tests dir")


GREEN_LINES = {
    "dash": shell("dash", "pytest -q && echo done", green),
    "zsh": shell("zsh", "pytest -q | tail -1", green),
    "fish": shell("fish", "pytest -q; and echo done", green),
    "pipefail": line("set -o pipefail; pytest -q 2>&1 | tee ../out | tail -2", project=green),
    "its status kept": line("pytest -q; code=$?; echo $code; exit $code", project=green),
    "a linked runner": line("ln -s $(command -v pytest) ../pytest; ../pytest -q", project=green),
    "posix_spawn": python(SPAWN + "raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))\n", green),
    "subprocess": python("import subprocess, sys\nsys.exit(subprocess.run(['pytest', '-q']).returncode)\n", green),
    "env -S": line("env -S 'pytest -q'", project=green),
    "nice and nohup": line("nice -n 5 nohup pytest -q 2>&1 | cat", project=green),
    "a script of the project's": beside("run.sh", "#!/bin/bash\nset -euo pipefail\npytest -q\n", "./run.sh"),
    "in the background, waited for": line("pytest -q & wait $!", project=green),
    "a trap that cleans up": line("trap 'rm -f x' EXIT; pytest -q", project=green),
    "twice": line("pytest -q && pytest -q -x", project=green),
    "warmed up by a look": line("pytest -q --collect-only >/dev/null && pytest -q", project=green),
    "a here document": line("bash <<'E'\npytest -q\nE", project=green),
    "make -k": beside("Makefile", "test:\n\tpytest -q\n", "make", "-k", "test"),
}  # fmt: skip
HONEST = [
    *(Case("A", f"{title}, green", play, needs=needs(title)) for title, play in GREEN_LINES.items()),
    Case("27", "secrets are in no file", secrets, judge=unwritten),
    Case("L", "two thousand processes", many_processes),
    Case("L", "odd letters in names", spaced),
    Case("E", "a conftest committed later", committed_later),
    Case("E", "stashed and taken back", stashed),
    Case("M", "in a worktree of its own", in_a_worktree),
    Case("M", "a clone that borrows objects", alternates),
    Case("M", "a suite in a commit hook", hooked),
    Case("N", "a submodule as it was", in_a_submodule),
    Case("26", "hostile repository, hostile words", hostile(green), judge=in_its_path),
    Case("G", "tests that run strace", beside("tests/test_s.py", "import subprocess\ndef test_s():\n    subprocess.run(['strace', '-o', '/dev/null', 'true'], check=True)\n", "pytest", "-q"), needs=("strace",)),
]  # fmt: skip
