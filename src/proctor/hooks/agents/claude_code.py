"""Claude Code: runs its shell text through us, tells ids, is asked before it stops.

`shell` is what `CLAUDE_CODE_SHELL_PREFIX` names. It gets every shell text that the
client starts: the Bash tool's, hooks and MCP servers too; only the Bash tool's is
recorded. `pre-tool-use` notes the id of the tool call for it. With `--rewrite` the
hook changes the command instead, which other versions and set-ups may need; that
costs the persistence of `cd` and the user's permission patterns.
"""

import os

from proctor.classify.quotes import quoted, unwrapped
from proctor.hooks import calls
from proctor.hooks.base import Hook, text_in
from proctor.hooks.wrap import only_looks, program, recorded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from proctor.hooks.base import Answer, Given

_TOOL = "Bash"


def _pre_tool_use(given: "Given", words: "list[str]") -> "Answer":
    tool_input = given.get("tool_input")
    text = text_in(tool_input, "command")
    if given.get("tool_name") != _TOOL or not text:
        return {}
    call_id = text_in(given, "tool_use_id")
    if "--rewrite" not in words:
        if call_id and not only_looks(text):
            calls.leave(os.environ, text_in(given, "session_id"), text, call_id)
        return {}
    # NOTE: a word that Claude Code can check; a variable could never be allowed by a pattern.
    fresh = recorded(text, call_id, quoted(_shell_for("")))
    if fresh is None or not isinstance(tool_input, dict):
        return {}
    # NOTE: no permissionDecision: the user is asked as if there were no hook.
    return {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "updatedInput": {**tool_input, "command": fresh},
        }
    }


def _shell(text: str) -> int:
    shell = _shell_for(text)
    asked = unwrapped(text)
    if asked is None or only_looks(asked):
        os.execvp(shell, [shell, "-c", text])  # noqa: S606 - it is the shell
    call_id = calls.take(os.environ, os.environ.get("CLAUDE_CODE_SESSION_ID", ""), asked)
    words = ["--anyway", *([f"--parent={call_id}"] if call_id else []), "--", shell, "-c", text]
    if os.environ.get("PROCTOR_WITNESS"):
        # NOTE: an outer Proctor reads the id from an argv; it records, we hand over.
        os.execvp(program(), [program(), "watch", *words])  # noqa: S606 - ourselves
    from proctor.recorder.launch import main as record

    return record("watch", words)


def _shell_for(text: str) -> str:
    """Return the shell that the client itself would have taken."""
    names: tuple[str, ...]
    if "/shell-snapshots/snapshot-zsh" in text:
        names = ("zsh",)
    elif "/shell-snapshots/snapshot-bash" in text:
        names = ("bash",)
    else:
        names = ("bash", "zsh")
    for name in ("CLAUDE_CODE_SHELL", "SHELL"):
        path = os.environ.get(name, "")
        if path.rpartition("/")[2] in names and os.access(path, os.X_OK):
            return path
    return names[0]


def _stop(given: "Given", words: "list[str]") -> "Answer":
    del words
    from proctor.hooks.stop import Stopping, judge_stop

    session = text_in(given, "session_id")
    if given.get("hook_event_name") != "SubagentStop":
        calls.forget(os.environ, session)
    judged = judge_stop(
        Stopping(
            folder=text_in(given, "cwd"),
            project=os.environ.get("CLAUDE_PROJECT_DIR", ""),
            transcript=text_in(given, "agent_transcript_path", "transcript_path"),
            words=text_in(given, "last_assistant_message"),
        )
    )
    if judged is None:
        return {}
    if given.get("stop_hook_active"):
        return {"systemMessage": f"Proctor: {judged.headline}"}
    return {"decision": "block", "reason": judged.reason}


HOOK = Hook(
    events={"pre-tool-use": _pre_tool_use, "stop": _stop, "subagent-stop": _stop},
    replaces={"shell": _shell},
)
