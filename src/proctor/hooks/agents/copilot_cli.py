"""Copilot CLI: it is asked before it stops; its shell commands can be rewritten.

A rewrite without `permissionDecision: "allow"` makes Copilot ask its user about each
command, whatever was allowed before; with it, nobody is asked at all. The second would
widen permissions, so that the hook says nothing, and is installed on demand only. It
is told no id of the tool call: such a call is joined by its text.
"""

from proctor._digest import decode
from proctor.hooks.base import Hook, text_in
from proctor.hooks.wrap import recorded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from proctor.hooks.base import Answer, Given


def _pre_tool_use(given: "Given", words: "list[str]") -> "Answer":
    del words
    arguments = given.get("toolArgs")
    if isinstance(arguments, str):
        arguments = decode(arguments.encode())
    fresh = recorded(text_in(arguments, "command"), "")
    if given.get("toolName") != "bash" or fresh is None or not isinstance(arguments, dict):
        return {}
    # NOTE: no permissionDecision: the user is asked as if there were no hook.
    return {"modifiedArgs": {**arguments, "command": fresh}}


def _agent_stop(given: "Given", words: "list[str]") -> "Answer":
    del words
    from proctor.hooks.stop import Stopping, judge_stop

    judged = judge_stop(
        Stopping(
            folder=text_in(given, "cwd"),
            transcript=text_in(given, "transcriptPath"),
        )
    )
    if judged is None or given.get("stop_hook_active"):
        return {}
    return {"decision": "block", "reason": judged.reason}


HOOK = Hook(events={"pre-tool-use": _pre_tool_use, "agent-stop": _agent_stop})
