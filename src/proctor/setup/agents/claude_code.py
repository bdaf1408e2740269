"""Claude Code: every Bash call through a shell prefix, ids by a hook, a gate before stop."""

from collections.abc import Sequence

from proctor.setup.agents.base import (
    Agent,
    Edit,
    JsonFile,
    Member,
    Wish,
    hook_command,
    hooks_in,
)

PATH = ".claude/settings.json"
_GONE = "proctor is not installed: this command is not recorded"
# NOTE: Claude Code takes what stands before the last " -" for the program and quotes
# it; hence `""-c`. The command follows as one quoted word, which is "$0" here.
PREFIX = (
    '/bin/sh -c \'type proctor >/dev/null 2>&1 && exec proctor hook claude-code shell "$0"; '
    f'echo "{_GONE}" >&2; exec "${{SHELL:-/bin/bash}}" ""-c "$0"\''
)
"""What `CLAUDE_CODE_SHELL_PREFIX` is set to: no path in it, so that it can be shared."""


def _edits(wish: Wish) -> Sequence[Edit]:
    stop = {
        event: ("", hook_command("claude-code", words), 120)
        for event, words in (("Stop", "stop"), ("SubagentStop", "subagent-stop"))
    }
    option = ("--rewrite",) if wish.rewrite else ()
    before = hook_command("claude-code", "pre-tool-use", *option)
    hooks = hooks_in(PATH, {"PreToolUse": ("Bash", before, 10), **stop})
    if wish.rewrite:
        return [hooks]
    prefix = Member(path=("env", "CLAUDE_CODE_SHELL_PREFIX"), value=PREFIX)
    return [JsonFile(path=PATH, members=(prefix, *hooks.members))]


AGENT = Agent(
    name="Claude Code",
    traces=(".claude", "CLAUDE.md"),
    home=(".claude",),
    programs=("claude",),
    edits=_edits,
    contract="CLAUDE.md",
)
