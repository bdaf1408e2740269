"""Codex: its shell commands are rewritten; it is asked before it stops.

A rewrite is only taken together with `permissionDecision: "allow"`. Codex asks for
approval, and keeps its sandbox, by its own policy all the same.
"""

from proctor.hooks.base import Hook, text_in
from proctor.hooks.wrap import recorded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from proctor.hooks.base import Answer, Given


def _pre_tool_use(given: "Given", words: "list[str]") -> "Answer":
    del words
    tool_input = given.get("tool_input")
    fresh = recorded(text_in(tool_input, "command"), text_in(given, "tool_use_id"))
    if given.get("tool_name") != "Bash" or fresh is None or not isinstance(tool_input, dict):
        return {}
    # NOTE: nothing more: a member that Codex does not know makes it run the original.
    return {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "allow",
            "updatedInput": {**tool_input, "command": fresh},
        }
    }


def _stop(given: "Given", words: "list[str]") -> "Answer":
    del words
    from proctor.hooks.stop import Stopping, judge_stop

    judged = judge_stop(
        Stopping(
            folder=text_in(given, "cwd"),
            transcript=text_in(given, "transcript_path"),
            words=text_in(given, "last_assistant_message"),
        )
    )
    if judged is None:
        return {}
    if given.get("stop_hook_active"):
        return {"systemMessage": f"Proctor: {judged.headline}"}
    return {"decision": "block", "reason": judged.reason}


HOOK = Hook(events={"pre-tool-use": _pre_tool_use, "stop": _stop, "subagent-stop": _stop})
