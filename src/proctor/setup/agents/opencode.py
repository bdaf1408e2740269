"""OpenCode: shell commands rewritten by a plugin; nothing asks it before it stops."""

import os
from collections.abc import Sequence

from proctor.setup.agents.base import Agent, Edit, OwnFile, Wish


def _edits(wish: Wish) -> Sequence[Edit]:
    del wish
    with open(os.path.join(os.path.dirname(__file__), "opencode.js"), encoding="utf-8") as file:
        return [OwnFile(path=".opencode/plugins/proctor.js", text=file.read())]


AGENT = Agent(
    name="OpenCode",
    traces=(".opencode", "opencode.json", "opencode.jsonc"),
    home=(".config/opencode",),
    programs=("opencode",),
    edits=_edits,
)
