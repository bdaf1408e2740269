"""Copilot CLI: shell commands rewritten by a hook, a gate before stop."""

import json
from collections.abc import Sequence

from proctor.setup.agents.base import Agent, Edit, OwnFile, Wish, hook_command


def _edits(wish: Wish) -> Sequence[Edit]:
    del wish
    hooks = {
        event: [
            {"type": "command", "bash": hook_command("copilot-cli", words), "timeoutSec": seconds}
        ]
        for event, words, seconds in (
            ("preToolUse", "pre-tool-use", 10),
            ("agentStop", "agent-stop", 120),
        )
    }
    text = json.dumps({"version": 1, "hooks": hooks}, indent=2)
    return [OwnFile(path=".github/hooks/proctor.json", text=f"{text}\n")]


AGENT = Agent(
    name="Copilot CLI",
    traces=(".github/copilot-instructions.md", ".github/hooks"),
    home=(".copilot",),
    programs=("copilot",),
    edits=_edits,
)
