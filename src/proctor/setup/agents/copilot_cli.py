"""Copilot CLI: a gate before stop; shell commands rewritten by a hook on demand.

It asks its user about each rewritten command, so that `watch` is the better way.
"""

import json
from collections.abc import Sequence

from proctor.setup.agents.base import Agent, Edit, OwnFile, Wish, hook_command


def _edits(wish: Wish) -> Sequence[Edit]:
    events = [("agentStop", "agent-stop", 120)]
    if wish.rewrite:
        events.insert(0, ("preToolUse", "pre-tool-use", 10))
    hooks = {
        event: [
            {"type": "command", "bash": hook_command("copilot-cli", words), "timeoutSec": seconds}
        ]
        for event, words, seconds in events
    }
    text = json.dumps({"version": 1, "hooks": hooks}, indent=2)
    return [OwnFile(path=".github/hooks/proctor.json", text=f"{text}\n")]


AGENT = Agent(
    name="Copilot CLI",
    traces=(".github/copilot-instructions.md", ".github/hooks"),
    home=(".copilot",),
    programs=("copilot",),
    edits=_edits,
    then="Copilot CLI: start it with `proctor watch -- copilot`; its hooks only gate",
)
