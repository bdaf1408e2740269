"""Gemini CLI: its shell commands are rewritten; it is asked before it stops.

It sends no id of the tool call: such a call is joined by its text.
"""

from proctor.hooks.base import Hook, text_in
from proctor.hooks.wrap import recorded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from proctor.hooks.base import Answer, Given


def _before_tool(given: "Given", words: "list[str]") -> "Answer":
    del words
    tool_input = given.get("tool_input")
    fresh = recorded(text_in(tool_input, "command"), "")
    if given.get("tool_name") != "run_shell_command" or fresh is None:
        return {}
    return {
        "hookSpecificOutput": {"hookEventName": "BeforeTool", "tool_input": {"command": fresh}},
    }


def _after_agent(given: "Given", words: "list[str]") -> "Answer":
    del words
    from proctor.hooks.stop import Stopping, judge_stop

    judged = judge_stop(
        Stopping(
            folder=text_in(given, "cwd"),
            transcript=text_in(given, "transcript_path"),
            words=text_in(given, "prompt_response"),
        )
    )
    if judged is None:
        return {}
    if given.get("stop_hook_active"):
        return {"systemMessage": f"Proctor: {judged.headline}"}
    return {"decision": "deny", "reason": judged.reason}


HOOK = Hook(events={"before-tool": _before_tool, "after-agent": _after_agent})
