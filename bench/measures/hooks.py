"""What an agent waits for at each command: the hook before it, and the shell prefix."""

import json
from pathlib import Path

from measuring import BARE, PROCTOR, compare, row, timed


def measure(folder: Path) -> None:
    """Compare them with a bare interpreter."""
    given = folder / "event.json"
    given.write_text(
        json.dumps(
            {"session_id": "s", "tool_name": "Bash", "tool_use_id": "t",
             "tool_input": {"command": "python3 -m pytest -q tests 2>&1 | tail -3"}}
        )
    )  # fmt: skip

    def hook(*words: str) -> float:
        with open(given) as event:
            return timed([PROCTOR, "hook", *words], stdin=event)

    for words in (
        ("claude-code", "pre-tool-use"),
        ("claude-code", "pre-tool-use", "--rewrite"),
        ("codex", "pre-tool-use"),
    ):
        what = f"hook {' '.join(words)}"
        compare(
            f"{what} ÷ python3 -I -c pass", 2.5, lambda w=words: hook(*w), lambda: timed(BARE), 41
        )
        row(f"{what}, ms (fastest)", 60, min(hook(*words) for _ in range(21)) * 1000)
    for what, text, bar in (
        ("a command", "true && eval 'env true' && pwd -P >| /dev/null", 3.5),
        ("a look", "true && eval 'pwd' && pwd -P >| /dev/null", 2.5),
        ("a hook or server", "true", 2.5),
    ):
        ours = [PROCTOR, "hook", "claude-code", "shell", text]
        compare(
            f"hook claude-code shell, {what} ÷ python3 -I -c pass",
            bar, lambda a=ours: timed(a), lambda: timed(BARE), 41,
        )  # fmt: skip
