"""`proctor init` for agents, on real folders."""

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from proctor import _family
from proctor.errors import ConfigError
from proctor.setup.agents.claude_code import PREFIX
from proctor.setup.edits import write_file
from tests.conftest import PROCTOR, Proctor

Init = Callable[..., "subprocess.CompletedProcess[str]"]
ALL = _family.names("proctor.setup.agents")


@pytest.fixture
def app(tmp_path: Path) -> Path:
    """A small repository with a pytest suite."""
    folder = tmp_path / "app"
    (folder / "tests").mkdir(parents=True)
    (folder / "tests" / "test_a.py").write_text("import pytest\n\ndef test_a():\n    pass\n")
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    return folder


@pytest.fixture
def init(proctor: Proctor, app: Path, tmp_path: Path) -> Init:
    """Run `proctor init` with a home of its own."""
    home = tmp_path / "home"
    home.mkdir()

    def run(*words: str, **env: str) -> "subprocess.CompletedProcess[str]":
        env = {"HOME": str(home), "PATH": "/usr/bin:/bin", **env}
        done: subprocess.CompletedProcess[str] = proctor("init", *words, cwd=app, env=env)
        return done

    return run


def every(*names: str) -> list[str]:
    return [word for name in names or ALL for word in ("--agent", name.replace("_", "-"))]


def state(folder: Path) -> dict[str, Any]:
    """Return every file and folder with content and mode."""
    return {
        str(path.relative_to(folder)): (
            path.lstat().st_mode,
            os.readlink(path) if path.is_symlink() else path.is_file() and path.read_bytes(),
        )
        for path in folder.rglob("*")
        if ".git" not in path.parts
    }


def put(app: Path, path: str, text: str) -> Path:
    file = app / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode())
    return file


def test_twice_changes_nothing_and_undo_leaves_the_tree_as_it_was(init: Init, app: Path) -> None:
    put(app, ".claude/settings.json", '{\n\t// mine\n\t"env": {"A": "b"}, "x": [1,],\n}')
    put(app, ".gemini/settings.json", '\ufeff{\r\n  "hooks": {"AfterAgent": []}\r\n}\r\n')
    put(app, "AGENTS.md", "# No newline at the end").chmod(0o600)
    before = state(app)
    done = init(*every())
    assert done.returncode == 0, done.stderr
    first = state(app)
    assert first["AGENTS.md"][0] == before["AGENTS.md"][0]
    again = init(*every())
    assert (again.returncode, again.stderr) == (0, "")
    assert again.stdout.endswith("nothing to add: all is set up already\n")
    assert state(app) == first
    undone = init("--undo")
    assert (undone.returncode, undone.stderr) == (0, "")
    assert state(app) == before
    assert init("--undo").stdout == "nothing to take back\n"


def test_a_dry_run_shows_everything_and_writes_nothing(init: Init, app: Path) -> None:
    before = state(app)
    done = init("--dry-run", *every())
    assert state(app) == before
    shown = re.findall(r"^\+\+\+ (.*)", done.stdout, re.MULTILINE)
    assert set(shown) == {
        "proctor.toml", ".aider.conf.yml", ".claude/settings.json", ".codex/hooks.json",
        ".github/hooks/proctor.json", ".cursor/hooks.json", ".gemini/settings.json",
        ".opencode/plugins/proctor.js", "AGENTS.md", "CLAUDE.md", "GEMINI.md",
    }  # fmt: skip
    assert f"would write: {', '.join(shown)}\n" in done.stdout
    assert init("--undo").stdout == "nothing to take back\n"


def test_agents_are_found_by_repository_home_and_path(
    init: Init, app: Path, tmp_path: Path
) -> None:
    assert "agents:" not in init("--dry-run").stdout
    (app / ".cursor").mkdir()
    (tmp_path / "home" / ".codex").mkdir()
    program = put(tmp_path, "bin/gemini", "#!/bin/sh\n")
    program.chmod(0o755)
    done = init("--dry-run", PATH=f"{program.parent}:/usr/bin:/bin")
    assert (
        "agents: Codex (~/.codex exists), Cursor (.cursor is here), "
        "Gemini CLI (gemini is installed)\n"
    ) in done.stdout
    assert "to do: Codex: start it with `proctor watch -- codex`" in init().stdout


def test_existing_hooks_stay_and_ours_are_added(init: Init, app: Path) -> None:
    own = {"matcher": "Bash", "hooks": [{"type": "command", "command": "mine"}]}
    file = put(app, ".claude/settings.json", json.dumps({"hooks": {"PreToolUse": [own]}}, indent=4))
    init(*every("claude_code"))
    found = json.loads(file.read_text())
    assert found["hooks"]["PreToolUse"][0] == own
    commands = [h["command"] for entry in found["hooks"]["PreToolUse"] for h in entry["hooks"]]
    assert commands == ["mine", "proctor hook claude-code pre-tool-use || true"]
    assert set(found["hooks"]) == {"PreToolUse", "Stop", "SubagentStop"}
    assert found["env"]["CLAUDE_CODE_SHELL_PREFIX"] == PREFIX
    assert file.read_text().startswith('{\n    "hooks": {\n        "PreToolUse": [\n            {')


def test_copilot_is_rewritten_on_demand_only(init: Init, app: Path) -> None:
    assert (
        "to do: Copilot CLI: start it with `proctor watch -- copilot`"
        in init(*every("copilot_cli")).stdout
    )
    hooks = app / ".github/hooks/proctor.json"
    assert set(json.loads(hooks.read_text())["hooks"]) == {"agentStop"}
    init("--rewrite", *every("copilot_cli"))
    assert set(json.loads(hooks.read_text())["hooks"]) == {"preToolUse", "agentStop"}
    init("--undo")
    assert not (app / ".github").exists()


def test_rewriting_is_another_way_and_not_added_to_the_first(init: Init, app: Path) -> None:
    init("--rewrite", *every("claude_code"))
    text = (app / ".claude/settings.json").read_text()
    assert "pre-tool-use --rewrite || true" in text
    assert "CLAUDE_CODE_SHELL_PREFIX" not in text
    refused = init(*every("claude_code"))
    assert refused.returncode == 65
    assert "holds another way of Proctor; first: proctor init --undo" in refused.stderr


@pytest.mark.parametrize(
    ("path", "text", "why"),
    [
        (".claude/settings.json", '{"a": }', ".claude/settings.json:1: is no JSON"),
        (".claude/settings.json", '{"env": 1}', "env is no object"),
        (".claude/settings.json", '{"hooks": {"Stop": {}}}', "hooks.Stop is no array"),
        (
            ".claude/settings.json",
            '{"env": {"CLAUDE_CODE_SHELL_PREFIX": "/mine"}}',
            "is set to something else already; remove it, or install with --rewrite",
        ),
        (".github/hooks/proctor.json", "{}", "is there already and not Proctor's"),
        ("AGENTS.md", "<!-- proctor:end -->", "marks of Proctor's part are damaged"),
    ],
)
def test_a_file_that_cannot_be_edited_is_named_and_the_others_are_written(
    init: Init, app: Path, path: str, text: str, why: str
) -> None:
    put(app, path, text)
    done = init(*every())
    assert done.returncode == 65
    assert why in done.stderr
    assert done.stderr.count("\n") == 1
    assert (app / path).read_text() == text
    assert (app / ".codex/hooks.json").exists()
    assert (app / "proctor.toml").exists()


def test_odd_files_are_left_alone(init: Init, app: Path, tmp_path: Path) -> None:
    outside = put(tmp_path, "outside.json", "{}")
    (app / ".claude").mkdir()
    (app / ".claude/settings.json").symlink_to(outside)
    (app / "AGENTS.md").symlink_to("nowhere.md")
    put(app, ".codex/hooks.json", "{}").chmod(0o444)
    (app / "GEMINI.md").write_bytes(b"\xff\xfe")
    (app / ".cursor/hooks.json").mkdir(parents=True)
    put(app, ".gemini/settings.json", " " * (5 << 20))
    done = init(*every())
    assert done.returncode == 65
    for why in (
        ".claude/settings.json: leads out of the repository",
        "AGENTS.md: is a link to nothing",
        ".codex/hooks.json: is read-only",
        "GEMINI.md: is no UTF-8",
        ".cursor/hooks.json: cannot be read: Is a directory",
        ".gemini/settings.json: is larger than 4 MiB",
    ):
        assert why in done.stderr
    assert outside.read_text() == "{}"
    assert done.stderr.count("\n") == 6


def test_links_within_the_repository_stay_links(init: Init, app: Path) -> None:
    put(app, "AGENTS.md", "# Ours\n")
    (app / "CLAUDE.md").symlink_to("AGENTS.md")
    put(app, "etc/claude.json", "{}")
    (app / ".claude").mkdir()
    (app / ".claude/settings.json").symlink_to("../etc/claude.json")
    before = state(app)
    assert init(*every("claude_code", "codex")).returncode == 0
    assert (app / "AGENTS.md").read_text().count("proctor:begin") == 1
    assert (app / "CLAUDE.md").is_symlink()
    assert "hooks" in (app / "etc/claude.json").read_text()
    init("--undo")
    assert state(app) == before


def test_a_file_that_takes_in_agents_md_gets_no_part_of_its_own(init: Init, app: Path) -> None:
    put(app, "CLAUDE.md", "@AGENTS.md\n")
    init(*every("claude_code"))
    assert (app / "CLAUDE.md").read_text() == "@AGENTS.md\n"
    assert "proctor:begin" in (app / "AGENTS.md").read_text()


def test_an_older_contract_is_replaced(init: Init, app: Path) -> None:
    init(*every("codex"))
    text = (app / "AGENTS.md").read_text()
    put(app, "AGENTS.md", "# A\n" + text.replace("You may edit", "You must not edit") + "# B\n")
    init(*every("codex"))
    assert (app / "AGENTS.md").read_text() == f"# A\n{text}# B\n"


def test_what_people_wrote_since_stays_when_init_is_undone(init: Init, app: Path) -> None:
    init(*every("claude_code", "codex"))
    agents = app / "AGENTS.md"
    agents.write_text("# Mine\n\n" + agents.read_text() + "\nmore\n")
    settings = app / ".claude/settings.json"
    settings.write_text(settings.read_text().replace("claude-code stop", "claude-code mine"))
    done = init("--undo")
    assert done.returncode == 65
    assert ".claude/settings.json: was edited since; remove Proctor's part by hand" in done.stderr
    assert agents.read_text() == "# Mine\n\n\nmore\n"
    assert settings.exists()
    assert not (app / ".codex").exists()
    settings.unlink()
    assert init("--undo").stdout == "nothing to take back\n"


def test_a_damaged_memory_is_named(init: Init, proctor: Proctor) -> None:
    init(*every("codex"))
    (memory,) = (proctor.folder / "state").glob("*/init.json")
    memory.write_text("{")
    done = init("--undo")
    assert done.returncode == 65
    assert f"{memory}: cannot be read" in done.stderr


def test_nothing_is_written_where_it_could_not_be_taken_back(init: Init, app: Path) -> None:
    before = state(app)
    done = init(*every(), PROCTOR_STATE_DIR="/dev/null/x")
    assert done.returncode == 65
    assert "nothing changed" in done.stderr
    assert state(app) == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--agent", "clawd-code"], "there is no agent 'clawd-code'; known: aider, claude-code"),
        (["--ci", "jenkins"], "--ci takes one of: github, gitlab"),
    ],
)
def test_unknown_names_are_refused(init: Init, app: Path, words: list[str], message: str) -> None:
    done = init(*words)
    assert done.returncode == 64
    assert message in done.stderr
    assert not (app / "proctor.toml").exists()


@pytest.mark.parametrize(
    ("name", "path"),
    [("github", ".github/workflows/proctor.yml"), ("gitlab", ".gitlab/proctor.yml")],
)
def test_a_ci_file_runs_what_is_owed(init: Init, app: Path, name: str, path: str) -> None:
    put(app, "proctor.toml", '[[require]]\nname = "a"\nfolder = "web"\ncommand = ["npm", "test"]\n')
    init("--ci", name)
    text = (app / path).read_text()
    assert "cd web && npm test" in text
    assert "mode: judge" in text or "proctor gate --bundle" in text
    assert init("--ci", name).stdout.endswith("nothing to add: all is set up already\n")


def test_a_ci_file_of_somebody_else_is_left_alone(init: Init, app: Path) -> None:
    put(app, ".gitlab/proctor.yml", "lint:\n  script: [ruff]\n")
    done = init("--ci", "gitlab")
    assert done.returncode == 65
    assert "is there already and not Proctor's" in done.stderr
    assert (app / ".gitlab/proctor.yml").read_text() == "lint:\n  script: [ruff]\n"


def test_aider_runs_its_tests_under_the_recorder(init: Init, app: Path) -> None:
    put(app, ".aider.conf.yml", "# mine\nauto-test: false")
    init()
    assert (app / ".aider.conf.yml").read_text() == (
        "# mine\nauto-test: false\ntest-cmd: 'proctor run --anyway -- pytest'\n"
    )


@pytest.mark.parametrize("installed", [True, False])
def test_the_prefix_runs_a_command_with_and_without_proctor(
    proctor: Proctor, tmp_path: Path, installed: bool
) -> None:
    """As Claude Code builds the line: the program quoted, the options, the quoted text."""
    at = PREFIX.rindex(" -")
    program, options = PREFIX[:at], PREFIX[at + 1 :]
    text = f'echo "it\'s $0"; pwd -P >| {tmp_path}/cwd; exit 3'
    quoted = "'" + text.replace("'", "'\\''") + "'"
    path = f"{Path(PROCTOR).parent}:/usr/bin:/bin" if installed else "/usr/bin:/bin"
    done = subprocess.run(
        ["bash", "-c", f"'{program}' {options} {quoted}"], capture_output=True, text=True,
        env={**proctor.env, "PATH": path, "SHELL": "/bin/bash"}, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (3, "it's /bin/bash\n")
    assert done.stderr == (
        "" if installed else "proctor is not installed: this command is not recorded\n"
    )
    assert [span["exit_code"] for span in proctor.spans()] == [3] * installed


def test_a_hook_whose_program_is_gone_lets_the_agent_go_on(init: Init, app: Path) -> None:
    init(*every())
    commands = set()
    for name in (".claude/settings.json", ".codex/hooks.json", ".gemini/settings.json",
                 ".cursor/hooks.json", ".github/hooks/proctor.json"):  # fmt: skip
        commands.update(
            re.findall(r'"(?:command|bash)": "(proctor [^"]*)"', (app / name).read_text())
        )
    assert len(commands) == 11
    for command in commands:
        done = subprocess.run(
            ["/bin/sh", "-c", command], input="{}", capture_output=True, text=True, check=False,
            env={"PATH": "/nowhere"},
        )  # fmt: skip
        assert (done.returncode, done.stdout) == (0, ""), command
        assert "not found" in done.stderr


@pytest.mark.heavy
def test_every_hook_that_is_installed_is_answered(init: Init, app: Path, proctor: Proctor) -> None:
    init(*every())
    texts = [path.read_text() for path in app.rglob("*.json")]
    called = {
        tuple(found) for text in texts for found in re.findall(r"proctor hook (\S+) (\S+)", text)
    }
    for agent, event in called - {("claude-code", "shell")}:
        done = proctor("hook", agent, event, input="{}", cwd=app)
        assert (done.returncode, done.stdout, done.stderr) == (0, "{}", ""), (agent, event)


def test_the_plugin_of_opencode_quotes_what_it_wraps(init: Init, app: Path, tmp_path: Path) -> None:
    init(*every("opencode"))
    plugin = tmp_path / "plugin.mjs"
    plugin.write_text((app / ".opencode/plugins/proctor.js").read_text())
    code = (
        "globalThis.Bun = {which: () => process.argv[3] || null};"
        f"const {{Proctor}} = await import('{plugin}');"
        "const hook = (await Proctor())['tool.execute.before'];"
        "const output = {args: {command: process.argv[1]}};"
        'await hook({tool: process.argv[2], callID: "call\'1"}, output);'
        "process.stdout.write(output.args.command)"
    )

    def rewritten(text: str, tool: str = "bash", program: str = PROCTOR) -> str:
        words = ["node", "--input-type=module", "-e", code, text, tool, program]
        try:
            return subprocess.run(words, capture_output=True, text=True, check=True).stdout
        except FileNotFoundError:
            pytest.skip("node is not installed")

    text = 'echo "it\'s $((1 + 1))"; false'
    line = rewritten(text)
    env = {
        "PATH": "/usr/bin:/bin",
        "PROCTOR_LOG": str(tmp_path / "log"),
        "PROCTOR_STATE_DIR": str(tmp_path),
    }
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, env=env, check=False
    )
    assert (done.returncode, done.stdout) == (1, "it's 2\n"), done.stderr
    root = json.loads((tmp_path / "log").read_text().splitlines()[-1])
    assert root["parent_tool_span"] == "call'1"
    for same, tool, program in (
        ("ls -la", "bash", PROCTOR), ("pytest", "read", PROCTOR), ("pytest", "bash", ""),
        ("proctor run -- pytest", "bash", PROCTOR), ("'" * 40_000, "bash", PROCTOR),
    ):  # fmt: skip
        assert rewritten(same, tool, program) == same
    assert rewritten("ls && pytest") != "ls && pytest"


def test_an_interpreter_that_is_gone_does_not_lose_the_command(tmp_path: Path) -> None:
    for name in ("proctor", "proctor-python"):
        (tmp_path / name).write_bytes((Path(PROCTOR).parent / name).read_bytes())
    (tmp_path / "proctor").chmod(0o755)
    first = (tmp_path / "proctor-python").read_text().splitlines(keepends=True)[1:]
    (tmp_path / "proctor-python").write_text("".join(["#!/nowhere/python\n", *first]))
    words = [str(tmp_path / "proctor"), "hook", "claude-code", "shell", "echo ran; exit 6"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (6, "ran\n")
    assert "install Proctor again" in done.stderr


def test_what_has_been_put_beside_ours_stays(init: Init, app: Path) -> None:
    init(*every("codex", "opencode", "claude_code"))
    own = put(app, ".codex/config.toml", "")
    (app / ".opencode/plugins/proctor.js").unlink()
    (app / ".claude/settings.json").unlink()
    (app / ".claude/settings.json").mkdir()
    done = init("--undo")
    assert done.returncode == 65
    assert done.stderr == "proctor: .claude/settings.json: Is a directory\n"
    assert own.exists()
    assert not (app / ".codex/hooks.json").exists()


def test_what_people_have_taken_back_themselves_is_no_trouble(init: Init, app: Path) -> None:
    put(app, "AGENTS.md", "# Ours\n")
    init(*every("codex"))
    put(app, "AGENTS.md", "# Ours\n")
    done = init("--undo")
    assert (done.returncode, done.stderr) == (0, "")
    assert "AGENTS.md" not in done.stdout


def test_a_folder_that_is_a_file_is_named(init: Init, app: Path) -> None:
    put(app, ".codex", "mine")
    done = init(*every("codex"))
    assert done.returncode == 65
    assert ".codex/hooks.json: cannot be read: Not a directory" in done.stderr
    with pytest.raises(ConfigError, match=r"\.codex/x: cannot be written: File exists"):
        write_file(str(app), ".codex/x", b"")


def test_without_a_suite_aider_gets_nothing(init: Init, app: Path) -> None:
    (app / "tests/test_a.py").unlink()
    done = init(*every("aider"))
    assert "no test suite was found" in done.stdout
    assert not (app / ".aider.conf.yml").exists()
