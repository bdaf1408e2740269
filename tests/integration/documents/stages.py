"""The repositories that the pages are played in, and what is not played.

Beside each lies a home folder of its own, with the transcript of an agent, and a folder
of programs that stand in for the agents: each runs the tests as agents do.
"""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from tests.cheats.stage import BIN, Stage
from tests.integration.documents.page import ROOT
from tests.transcripts import Claude

NOT_PLAYED = {
    "needs a package registry": (
        "pipx install ",
        "pip install ",
        "python3 -m venv ",
        ". ~/proctor-venv/",
        "python -m pip install ",
        "uv tool install ",
    ),
    "needs a collector (tests/integration/cli/test_report_command.py has one)": (
        "proctor report --format otlp --endpoint ",
    ),
    "runs this very build": ("make ", ".venv/bin/python bench/"),
    "needs an account": ("claude -p ", "claude mcp "),
}
"""Reason → how the commands begin that no page's test runs. All else is run."""

AGENTS = ("codex", "copilot", "cursor-agent", "gemini", "mini", "opencode", "sweagent")
_AGENT = """\
#!/bin/bash
# Stands in for an agent: it runs the tests as agents do, and ends well.
pytest -q 2>&1 | tail -3
exit 0
"""
_CLAUDE = """\
#!/bin/bash
# Stands in for Claude Code: it runs the tests as agents do, and writes a transcript.
common='"sessionId": "5e55", "cwd": "'$PWD'", "parentUuid": null, "isSidechain": false'
asked=$(date -u +%FT%T.%3NZ)
bash -c 'pytest -q 2>&1 | tail -3'
exec > ~/.claude/projects/-srv-shop/session.jsonl
echo '{"type": "assistant", "uuid": "a", '$common', "timestamp": "'$asked'", "message": {
  "role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "Bash",
  "input": {"command": "pytest -q 2>&1 | tail -3"}}]}}' | tr -d '\\n'
echo
echo '{"type": "user", "uuid": "b", '$common', "timestamp": "'$(date -u +%FT%T.%3NZ)'", "message": {
  "role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "",
  "is_error": false}]}, "toolUseResult": {"stdout": ""}}' | tr -d '\\n'
"""
_SHOP = "def total(prices, discount=0):\n    return sum(prices) - discount\n"
_TESTS = """\
from shop import total


def test_a_total_is_the_sum():
    assert total([3, 4]) == 7


def test_a_discount_is_taken_off():
    assert total([3, 4], discount=2) == 5
"""
_FAILING = """

def test_a_total_is_never_negative():
    assert total([3], discount=5) == 0
"""
_FLAKY = """\
from pathlib import Path

COUNT = Path(__file__).with_name(".count")


def test_quick():
    assert COUNT.name


def test_slow():
    before = int(COUNT.read_text()) if COUNT.exists() else 0
    COUNT.write_text(str(before + 1))
    assert before % 3 != 1, "the port is taken"
"""
_POLICY = '[[require]]\nname = "unit"\ncommand = ["pytest", "-q"]\n'
_IGNORED = "__pycache__/\n.pytest_cache/\nartifacts/\nevidence/\n"


def empty(stage: Stage) -> None:
    """An empty folder: the page begins with nothing."""
    shutil.rmtree(stage.repo)
    stage.repo.mkdir()


def shop(stage: Stage) -> None:
    """A project with two tests that pass; a patch on a branch, main pushed to a remote."""
    _base(stage)
    stage.put("shop.py", _SHOP + "\n\ndef vat(price):\n    return price * 19 // 100\n")
    stage.commit("Work out the VAT")


def plain(stage: Stage) -> None:
    """The same without any settings of Proctor's."""
    shop(stage)
    stage.git("rm", "-q", "proctor.toml")
    stage.commit("No policy")
    stage.git("push", "-q", "origin", "HEAD:main")


def red(stage: Stage) -> None:
    """The same project, where the patch brings a test that fails."""
    _base(stage)
    stage.put("tests/test_shop.py", _TESTS + _FAILING)
    stage.commit("No total is negative")


def kv(stage: Stage) -> None:
    """The project of `examples/kv`: the old build at the base, the new one as the patch."""
    example = ROOT / "examples" / "kv"
    for name in ("oracle", "proctor.toml", "tests"):
        _copy(example / name, stage.repo / name)
    shutil.copy(example / "old" / "kv", stage.repo / "kv")
    settings = (stage.repo / "proctor.toml").read_text()
    # NOTE: what differs is played again once, not three times: the test is shorter, its answer the same.
    stage.put("proctor.toml", settings.replace("[oracle]\n", "[oracle]\nreruns = 1\n", 1))
    stage.put(".gitignore", _IGNORED)
    _publish(stage)
    shutil.copy(example / "new" / "kv", stage.repo / "kv")
    for name in ("old", "new"):
        shutil.copy(example / "traces" / f"{name}.trace", stage.folder / f"{name}.trace")
    stage.commit("The patch")
    stage.env["KV"] = str(stage.repo / "kv")


def example(stage: Stage) -> None:
    """A copy of `examples/kv`."""
    shutil.copytree(ROOT / "examples" / "kv", stage.repo, dirs_exist_ok=True)
    stage.commit("The example")


def flaky(stage: Stage) -> None:
    """A patch that changes nothing, and a test that fails now and then."""
    kv(stage)
    stage.git("checkout", "-q", "-B", "main", "origin/main")
    stage.git("rm", "-q", "tests/test_kv.py")
    stage.put("tests/test_net.py", _FLAKY)
    stage.put(".gitignore", _IGNORED + ".count\n")
    stage.commit("A test that is flaky")
    stage.git("push", "-q", "origin", "main")
    stage.git("checkout", "-q", "-B", "work", "--track", "origin/main")


def _base(stage: Stage) -> None:
    stage.write(shop_py=_SHOP, tests__test_shop_py=_TESTS, proctor_toml=_POLICY)
    stage.put(".gitignore", _IGNORED)
    stage.put("conftest.py", "")
    _publish(stage)


def _publish(stage: Stage) -> None:
    """Commit all as the main branch of a remote, and begin a branch."""
    stage.commit("The base")
    remote = str(stage.folder / "origin.git")
    stage.git("clone", "-q", "--bare", ".", remote)
    stage.git("remote", "add", "origin", remote)
    stage.git("fetch", "-q", "origin")
    stage.git("checkout", "-q", "-b", "work", "--track", "origin/main")


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(source, target)


STAGES: dict[str, Callable[[Stage], None]] = {
    "empty": empty,
    "shop": shop,
    "plain": plain,
    "red": red,
    "kv": kv,
    "example": example,
    "flaky": flaky,
}


def _talk(stage: Stage) -> Claude:
    """An earlier session: two of three green test runs return 0 whatever the tests do."""
    talk = Claude(stage.repo)
    talk.call("toolu_a", "pytest -q 2>&1 | tail -3", text="2 passed in 0.01s")
    talk.call("toolu_b", "pytest -q || true", text="1 failed, 1 passed in 0.01s")
    talk.call("toolu_c", "pytest -q", text="2 passed in 0.01s")
    talk.say("All tests pass.")
    return talk


def make(name: str, folder: Path) -> Stage:
    """Make the stage called `name` in `folder`."""
    stage = Stage(folder)
    stage.repo = stage.repo.rename(folder / "shop")
    STAGES[name](stage)
    home, programs = folder / "home", folder / "bin"
    sessions = home / ".claude" / "projects" / "-srv-shop"
    sessions.mkdir(parents=True)
    _talk(stage).write(sessions / "earlier.jsonl")
    programs.mkdir()
    for agent in (*AGENTS, "claude"):
        (programs / agent).write_text(_CLAUDE if agent == "claude" else _AGENT)
        (programs / agent).chmod(0o755)
    # NOTE: as a reader has it: the records lie in the home folder, where the pages say.
    for variable in ("PROCTOR_STATE_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "CI"):
        stage.env.pop(variable, None)
    stage.env["PATH"] = f"{programs}:{BIN}:{stage.env['PATH']}"
    stage.env["COLUMNS"] = "100"
    stage.env["GIT_CONFIG_GLOBAL"] = str(home / ".gitconfig")
    for key, value in (("name", "Ann"), ("email", "ann@example.org")):
        subprocess.run(
            ["git", "config", "--global", f"user.{key}", value], env=stage.env, check=True
        )
    return stage
