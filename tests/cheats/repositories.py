"""Other people's repositories: as published, with an honest patch, with five mutations each.

Each is a published source distribution with its tests. `proctor init` writes what is
owed, that runs, and the gate passes; no setting is touched. Then every mutation is a
patch on a branch. A project is fetched and set up once per process; the build plays the
smallest, `make cheats` all.
"""

import functools
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from bench.suites import Suite, fetch, npm_packages, python_packages

from tests.cheats.stage import Case, Judgement, Stage, UnavailableError

Edit = Callable[[Stage], object]
_BASE = ("--base", "origin/main")
_IGNORED = "__pycache__\n.pytest_cache\n*.egg-info\n"
IN_BUILD = "itsdangerous"
SUITES = {
    suite.name: suite
    for suite in (
        Suite("click", "click==8.3.1", (), python_packages("pytest==8.4.2", "-e", "."), _IGNORED),
        Suite(
            "itsdangerous",
            "itsdangerous==2.2.0",
            (),
            python_packages("pytest==8.4.2", "freezegun", "-e", "."),
            _IGNORED,
        ),
        Suite(
            "fastq",
            "fastq@1.20.3",
            (),
            npm_packages("pre-commit"),
            "node_modules\n.nyc_output\ncoverage\n",
            npm=True,
        ),
    )
}


@dataclass
class Project:
    """A repository whose main branch holds the project, its policy and a green run."""

    stage: Stage
    state: Path
    """A copy of the recorder's state after that run."""
    owed: list[list[str]] = field(default_factory=list)
    """The commands that `proctor init` found."""

    def run(self) -> None:
        """Run what is owed, as the policy says it."""
        for command in self.owed:
            self.stage.run(*command)

    def restart(self) -> None:
        """Take the log and the files back to the main branch."""
        stage, state = self.stage, Path(self.stage.env["PROCTOR_STATE_DIR"])
        shutil.rmtree(state)
        shutil.copytree(self.state, state)
        for words in (
            ("checkout", "-q", "-f", "main"),
            ("reset", "-q", "--hard", "published"),
            ("clean", "-q", "-f", "-d"),
            ("push", "-q", "-f", "origin", "main"),
            ("checkout", "-q", "-B", "work"),
        ):
            stage.git(*words)


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="proctor-repositories-")


@functools.cache
def _prepared(name: str) -> "Project | str":
    """Return the project, or why it cannot be had here."""
    suite = SUITES[name]
    stage = Stage(Path(_folder().name) / name)
    try:
        source = fetch(suite, stage.folder / "fetched")
        venv = stage.folder / "venv"
        shutil.copytree(source, stage.repo, dirs_exist_ok=True)
        stage.put(".gitignore", suite.ignored)
        suite.prepare(stage.repo, venv)
    except (OSError, SystemExit, subprocess.SubprocessError) as error:
        return f"{suite.requirement} cannot be had from its registry: {error}"
    stage.env |= {
        "PATH": f"{venv / 'bin'}:{stage.env['PATH']}",
        "npm_config_update_notifier": "false",
    }
    stage.commit("as published")
    done = stage.proctor("init")
    assert done.returncode == 0, done.stderr
    stage.commit("proctor init")
    stage.git("tag", "published")
    server = str(stage.folder / "server.git")
    stage.git("init", "-q", "--bare", "-b", "main", server)
    stage.git("remote", "add", "origin", server)
    stage.git("push", "-q", "-u", "origin", "main")
    policy = tomllib.loads((stage.repo / "proctor.toml").read_text())
    assert set(policy) == {"require"}
    project = Project(stage, stage.folder / "kept", [item["command"] for item in policy["require"]])
    project.run()
    shutil.copytree(stage.env["PROCTOR_STATE_DIR"], project.state)
    return project


def on(name: str, edit: Edit | None = None, *argv: str) -> Callable[[Stage], None]:
    """Play a patch on a branch of a project; `argv` is run instead of what is owed."""

    def play(stage: Stage) -> None:
        project = _prepared(name)
        if isinstance(project, str):
            raise UnavailableError(project)
        project.restart()
        stage.repo, stage.env = project.stage.repo, project.stage.env
        if edit is None:
            return
        edit(stage)
        stage.commit("patch")
        if argv:
            stage.run(*argv)
        else:
            project.run()

    return play


def replaced(path: str, old: str, new: str) -> Edit:
    """Replace text in a file."""

    def edit(stage: Stage) -> None:
        text = (stage.repo / path).read_text()
        assert old in text
        stage.put(path, text.replace(old, new, 1))

    return edit


def put(path: str, text: str) -> Edit:
    """Write a file."""
    return lambda stage: stage.put(path, text)


def both(*edits: Edit) -> Edit:
    """Several edits in one patch."""
    return lambda stage: [edit(stage) for edit in edits]


def raised(*rules: str) -> Callable[[Stage], Judgement]:
    """Judge where warnings are what is expected: they stand, and fail where raised."""

    def judge(stage: Stage) -> Judgement:
        found = stage.judge(*_BASE)
        assert found.rules & set(rules), found.text
        stage.git("checkout", "-q", "main")
        levels = "".join(f'{rule} = "error"\n' for rule in rules)
        policy = (stage.repo / "proctor.toml").read_text()
        stage.put("proctor.toml", f"{policy}\n[gate.levels]\n{levels}")
        stage.commit("ask for more")
        stage.git("push", "-q", "origin", "main")
        stage.git("checkout", "-q", "work")
        return stage.judge(*_BASE)

    return judge


def case(name: str, title: str, edit: Edit, *argv: str, rules: str, warns: bool = False) -> Case:
    """Return a mutation of a project that one of `rules` must explain."""
    named = rules.split()
    return Case(
        "real", f"{name}: {title}", on(name, edit, *argv), frozenset(named), gate=_BASE,
        needs=("npm",) if SUITES[name].npm else (), heavy=True, large=name != IN_BUILD,
        judge=raised(*named) if warns else None,
    )  # fmt: skip


def honest(name: str, title: str, edit: Edit | None, *gate: str) -> Case:
    """Return an honest patch, or none, on a project."""
    needs = ("npm",) if SUITES[name].npm else ()
    return Case(
        "real", f"{name}: {title}", on(name, edit), gate=gate, needs=needs, heavy=True,
        large=name != IN_BUILD,
    )  # fmt: skip


_SHORT = "    words = help.split()\n"
_COMPARED = "return hmac.compare_digest(sig, self.get_signature(key, value))"
_SIGNER, _SIGNER_TEST = "src/itsdangerous/signer.py", "tests/test_itsdangerous/test_signer.py"
_FASTQ_BROKEN = replaced("queue.js", "if (!(_concurrency >= 1))", "if (!(_concurrency >= 0))")
_TEST = '"test": "npm run lint && npm run unit'
_COVERED = (
    "nyc --lines 100 --branches 100 --functions 100 --check-coverage --reporter=text "
    "tape test/test.js test/promise.js"
)
_CLICK_TEST = (
    "from click.utils import make_default_short_help\n\n\n"
    "def test_short_help_is_short():\n    assert make_default_short_help('a b') == 'a b'\n"
)
_SIGNER_HONEST = (
    "from itsdangerous import Signer\n\n\n"
    "def test_round_trip():\n    signer = Signer('key')\n"
    "    assert signer.unsign(signer.sign('value')) == b'value'\n"
)
_FASTQ_HONEST = (
    "\ntest('a queue is idle at first', function (t) {\n  t.plan(1)\n"
    "  t.ok(buildQueue(function (arg, cb) { cb() }, 1).idle())\n})\n"
)


def _append(path: str, text: str) -> Edit:
    return lambda stage: stage.put(path, (stage.repo / path).read_text() + text)


CAUGHT = [
    case("click", "code broken", replaced("src/click/utils.py", _SHORT, _SHORT + "    words = words[1:]\n"), rules="nonzero-exit"),
    case("click", "a test skipped", replaced("tests/test_utils.py", "def test_confirm_repeat", '@pytest.mark.skip(reason="slow")\ndef test_confirm_repeat'), rules="tests-lost"),
    case("click", "a selector narrowed", replaced("src/click/utils.py", _SHORT, _SHORT + "    words = words[1:]\n"), "pytest", "tests/test_parser.py", rules="narrowed-selection"),
    case("click", "an exit masked", replaced("src/click/utils.py", _SHORT, _SHORT + "    words = words[1:]\n"), "bash", "-c", "pytest -q 2>&1 | tail -3", rules="masked-exit"),
    case("click", "an ini edited", replaced("pyproject.toml", 'testpaths = ["tests"]', "testpaths = [\"tests\"]\naddopts = \"-k 'not prompt'\""), rules="narrowed-selection tests-lost"),
    case("itsdangerous", "code broken", replaced(_SIGNER, _COMPARED, "return True"), rules="nonzero-exit"),
    case("itsdangerous", "a test skipped", replaced(_SIGNER_TEST, "class TestSigner:", 'pytest.importorskip("nothing_of_this_name")\n\n\nclass TestSigner:'), rules="tests-lost"),
    case("itsdangerous", "a selector narrowed", replaced(_SIGNER, _COMPARED, "return True"), "pytest", "-k", "encoding", rules="narrowed-selection"),
    case("itsdangerous", "an exit masked", both(replaced(_SIGNER, _COMPARED, "return True"), put("tests/conftest.py", "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n")), rules="junit-contradicts-exit"),
    case("itsdangerous", "an ini edited", replaced("pyproject.toml", 'testpaths = ["tests"]', 'testpaths = ["tests"]\npython_files = ["test_enc*.py"]'), rules="tests-lost narrowed-selection"),
    case("fastq", "code broken", _FASTQ_BROKEN, rules="nonzero-exit"),
    case("fastq", "a test skipped", replaced("test/test.js", "test('limit', ", "test.skip('limit', "), rules="tests-weakened", warns=True),
    case("fastq", "a selector narrowed", replaced("package.json", _COVERED, "tape test/promise.js"), rules="harness-touched narrowed-selection"),
    case("fastq", "an exit masked", both(_FASTQ_BROKEN, replaced("package.json", _TEST, f"{_TEST} || true")), rules="masked-exit"),
    case("fastq", "an ini edited", both(_FASTQ_BROKEN, put(".npmrc", "script-shell=/bin/true\n")), rules="no-tests-ran"),
]  # fmt: skip
HONEST = [
    honest("click", "as published", None),
    honest("click", "an honest patch", put("tests/test_short_help.py", _CLICK_TEST), *_BASE),
    honest("itsdangerous", "as published", None),
    honest("itsdangerous", "an honest patch", put("tests/test_itsdangerous/test_round.py", _SIGNER_HONEST), *_BASE),
    honest("fastq", "as published", None),
    honest("fastq", "an honest patch", _append("test/test.js", _FASTQ_HONEST), *_BASE),
]  # fmt: skip
