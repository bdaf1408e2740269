"""Codex: shell commands rewritten by a hook, a gate before stop."""

from collections.abc import Sequence

from proctor.setup.agents.base import Agent, Edit, Wish, hook_command, hooks_in


def _edits(wish: Wish) -> Sequence[Edit]:
    del wish
    hooks = {
        "PreToolUse": ("Bash", hook_command("codex", "pre-tool-use"), 10),
        "Stop": ("", hook_command("codex", "stop"), 120),
        "SubagentStop": ("", hook_command("codex", "subagent-stop"), 120),
    }
    return [hooks_in(".codex/hooks.json", hooks)]


AGENT = Agent(
    name="Codex",
    traces=(".codex",),
    home=(".codex",),
    programs=("codex",),
    edits=_edits,
    then=(
        "Codex: start it with `proctor watch -- codex`, its sandbox hides what a command starts; "
        "say /hooks there and trust these, it runs none that nobody has looked at"
    ),
)
