"""Plays the everyday case on a small real project: a red run that looks green.

Every step is a real command, and every answer is compared with the one that was
announced: a demo that cannot show a red run as red fails. So it also shows that
the recorder and the gate work here.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec

import msgspec

_PRICE = '''\
"""What the customer pays."""


def total(prices, discount=0):
    return sum(prices) - discount
'''
_WRONG, _RIGHT = "return sum(prices) - discount", "return max(0, sum(prices) - discount)"
_TESTS = """\
import unittest

from price import total


class TotalTest(unittest.TestCase):
    def test_a_total_is_the_sum_of_its_prices(self):
        self.assertEqual(total([3, 4]), 7)

    def test_a_total_is_never_negative(self):
        self.assertEqual(total([3], discount=5), 0)
"""
_IGNORED = "__pycache__/\n.pytest_cache/\n"
_AGENT = """\
{tests} 2>&1 | tail -3 && echo "agent: All tests passed, the work is done."
"""
_SECONDS = 50
"""How long one command may take; the whole takes a few seconds."""
_KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "SYSTEMROOT", "TMPDIR")
"""Variables of the caller's that the commands see; nothing else can sway them."""

Tell = Callable[[str], None]


class Stage(msgspec.Struct, frozen=True, kw_only=True):
    """Where the play takes place: a folder, an environment, an audience."""

    project: str
    environ: dict[str, str]
    tests: tuple[str, ...]
    """The test run, as argv."""
    tell: Tell

    def show(self, *argv: str) -> "subprocess.CompletedProcess[str]":
        """Run a command before the audience, its output indented."""
        self.tell(f"\n    $ {_line(argv)}")
        done = self.run(*argv)
        for line in (done.stdout + done.stderr).splitlines():
            self.tell(f"      {line}".rstrip())
        self.tell(f"      [exit code {done.returncode}]")
        return done

    def run(self, *argv: str) -> "subprocess.CompletedProcess[str]":
        """Run a command out of sight. `proctor` is the one that plays this."""
        words = [*_proctor(), *argv[1:]] if argv[0] == "proctor" else list(argv)
        return subprocess.run(
            words,
            cwd=self.project,
            env=self.environ,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )


def play(folder: str, tell: Tell, environ: Mapping[str, str]) -> bool:
    """Play in `folder`, which is empty, and return whether all came out as told.

    The state folder lies in `folder` too: the user's own records stay untouched.
    """
    if shutil.which("git", path=environ.get("PATH")) is None:
        tell("The demo needs git: a run counts for the files it ran on.")
        return False
    stage = _set(folder, tell, environ)
    for step in (_watch, _look, _judge, _mend, _judge_again):
        try:
            wrong = step(stage)
        except (OSError, ValueError, subprocess.TimeoutExpired) as error:
            wrong = str(error)
        if wrong is not None:
            tell(f"\nThis did not come out as told: {wrong}.")
            tell("`proctor doctor` says what works here and what is missing.")
            return False
    tell(_END)
    return True


def _set(folder: str, tell: Tell, environ: Mapping[str, str]) -> Stage:
    """Write the project and commit it."""
    project = os.path.join(folder, "shop")
    os.mkdir(project)
    bin_folder = os.path.dirname(sys.executable)
    python = "python" if os.path.exists(os.path.join(bin_folder, "python")) else sys.executable
    module = "pytest" if find_spec("pytest") else "unittest"
    stage = Stage(
        project=project,
        environ={
            **{name: environ[name] for name in _KEPT if name in environ},
            "PATH": os.pathsep.join((bin_folder, environ.get("PATH", os.defpath))),
            "HOME": folder,
            "PROCTOR_STATE_DIR": os.path.join(folder, "state"),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
        },
        tests=(python, "-m", module, "-q"),
        tell=tell,
    )
    _write(project, "price.py", _PRICE)
    _write(project, "test_price.py", _TESTS)
    _write(project, ".gitignore", _IGNORED)
    _write(folder, "agent.sh", _AGENT.format(tests=_line(stage.tests)))
    who = ("-c", "user.name=demo", "-c", "user.email=demo@example.org")
    for words in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "A shop")):
        stage.run("git", *who, *words)
    return stage


def _watch(stage: Stage) -> str | None:
    stage.tell("A small project has two tests; one of them fails. An agent runs them as agents do,")
    stage.tell(f"with the output cut short:  {_line(stage.tests)} 2>&1 | tail -3 && echo …")
    done = stage.show("proctor", "watch", "--", "sh", "../agent.sh")
    if done.returncode != 0 or "All tests passed" not in done.stdout:
        return f"the shell line should have returned 0, it returned {done.returncode}"
    stage.tell(f"\n  The shell said 0: that is tail's exit code, not {stage.tests[2]}'s.")
    stage.tell("  The agent believed it, and so would whoever reads its report.")
    return None


def _look(stage: Stage) -> str | None:
    stage.tell("\nProctor asked the operating system about every process:")
    stage.show("proctor", "log", "--tree")
    spans = json.loads(stage.run("proctor", "log", "--format", "json").stdout)
    if any(span["witness"] == "direct" for span in spans):
        return "only the direct witness works here, and it sees no process inside a shell"
    codes = [span["exit_code"] for span in spans if span["command_class"] == stage.tests[2]]
    if codes != [1]:
        return f"the test run should be recorded with exit code 1, recorded is {codes}"
    stage.tell(f"\n  {stage.tests[2]} returned 1, below a shell that returned 0.")
    return None


def _judge(stage: Stage) -> str | None:
    stage.tell("\nThe gate reads these records and nothing that anybody said:")
    done = stage.show("proctor", "gate")
    rules = _rules(stage)
    if done.returncode != 1 or "masked-exit" not in rules:
        return f"the gate should fail with masked-exit; exit code {done.returncode}, rules {rules}"
    return None


def _mend(stage: Stage) -> str | None:
    stage.tell("\nNow the bug is mended and the tests run plainly:")
    stage.tell(f"    price.py:  {_WRONG}  →  {_RIGHT}")
    _write(stage.project, "price.py", _PRICE.replace(_WRONG, _RIGHT))
    done = stage.show("proctor", "run", "--", *stage.tests)
    if done.returncode != 0:
        return f"the mended project's tests should pass, they returned {done.returncode}"
    return None


def _judge_again(stage: Stage) -> str | None:
    done = stage.show("proctor", "gate")
    if done.returncode != 0:
        return f"the gate should pass; exit code {done.returncode}, rules {_rules(stage)}"
    return None


_END = """
All of this came out as told. Next, in a project of your own:

    proctor watch -- claude        or any other agent, or a shell
    proctor log --tree             what it really ran
    proctor gate                   whether its tests passed"""


def _rules(stage: Stage) -> list[str]:
    """Return the rules that the gate's findings name; none without a verdict."""
    text = stage.run("proctor", "gate", "--format", "json").stdout
    return [finding["rule"] for finding in json.loads(text or '{"findings": []}')["findings"]]


def _proctor() -> list[str]:
    """Return the command that started this, isolated as its script does it."""
    return [sys.executable, "-I", "-c", "from proctor.cli.main import main; main()"]


def _line(argv: Sequence[str]) -> str:
    import shlex

    return shlex.join(argv)


def _write(folder: str, name: str, text: str) -> None:
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)
