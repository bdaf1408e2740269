"""Cursor: shell commands rewritten by a hook, a message once it has stopped."""

from collections.abc import Sequence

from proctor.setup.agents.base import Agent, Edit, JsonFile, Member, Wish, hook_command


def _edits(wish: Wish) -> Sequence[Edit]:
    del wish
    before, stop = hook_command("cursor", "pre-tool-use"), hook_command("cursor", "stop")
    return [
        JsonFile(
            path=".cursor/hooks.json",
            members=(
                Member(path=("version",), value=1),
                Member(
                    path=("hooks", "preToolUse"),
                    value=[{"command": before, "matcher": "Shell", "timeout": 10}],
                    known=before,
                ),
                Member(
                    path=("hooks", "stop"),
                    value=[{"command": stop, "timeout": 120, "loop_limit": 2}],
                    known=stop,
                ),
            ),
        )
    ]


AGENT = Agent(
    name="Cursor",
    traces=(".cursor", ".cursorrules"),
    home=(".cursor",),
    programs=("cursor", "cursor-agent"),
    edits=_edits,
)
