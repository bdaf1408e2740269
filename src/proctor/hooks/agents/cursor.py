"""Cursor: its shell commands are rewritten; it is asked once it has stopped.

It sends no id of the tool call in every version: where none comes, the call is
joined by its text. Its `stop` cannot block; the reason is sent as the next message,
as often as `loop_limit` in its settings allows.
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
    if given.get("tool_name") != "Shell" or fresh is None or not isinstance(tool_input, dict):
        return {}
    # NOTE: no permission: the user is asked as if there were no hook.
    return {"updated_input": {**tool_input, "command": fresh}}


def _stop(given: "Given", words: "list[str]") -> "Answer":
    del words
    from proctor.hooks.stop import Stopping, judge_stop

    if given.get("status") not in (None, "completed"):
        return {}
    roots = given.get("workspace_roots")
    root = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else ""
    judged = judge_stop(
        Stopping(
            folder=text_in(given, "cwd") or root,
            transcript=text_in(given, "transcript_path"),
        )
    )
    return {} if judged is None else {"followup_message": judged.reason}


HOOK = Hook(events={"pre-tool-use": _pre_tool_use, "stop": _stop})
