"""aider: its test command runs under the recorder."""

import shlex
from collections.abc import Sequence

from proctor.setup.agents.base import Agent, Edit, Lines, Wish


def _edits(wish: Wish) -> Sequence[Edit]:
    if not wish.suite:
        return []
    command = shlex.join(("proctor", "run", "--anyway", "--", *wish.suite)).replace("'", "''")
    lines = (f"test-cmd: '{command}'", "auto-test: true")
    return [Lines(path=".aider.conf.yml", lines=lines)]


AGENT = Agent(
    name="aider",
    traces=(".aider.conf.yml", ".aider.chat.history.md"),
    home=(".aider.conf.yml", ".aider"),
    programs=("aider",),
    edits=_edits,
    contract="",
)
