"""Gemini CLI: shell commands rewritten by a hook, a gate before the turn ends."""

from collections.abc import Sequence

from proctor.setup.agents.base import Agent, Edit, Wish, hook_command, hooks_in


def _edits(wish: Wish) -> Sequence[Edit]:
    del wish
    # NOTE: milliseconds here.
    hooks = {
        "BeforeTool": ("run_shell_command", hook_command("gemini-cli", "before-tool"), 10_000),
        "AfterAgent": ("", hook_command("gemini-cli", "after-agent"), 120_000),
    }
    return [hooks_in(".gemini/settings.json", hooks)]


AGENT = Agent(
    name="Gemini CLI",
    traces=(".gemini", "GEMINI.md"),
    home=(".gemini",),
    programs=("gemini",),
    edits=_edits,
    contract="GEMINI.md",
)
