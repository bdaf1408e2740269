"""From the words of `proctor hook` to the agent's answer.

A hook never stands in the way: whatever goes wrong is one line on stderr, an empty
answer and exit code 0, which every agent takes for "go on". Standard output carries
the answer alone.

NOTE: on the light path.
"""

import os

from proctor import _family
from proctor._digest import decode, encode
from proctor.errors import EXIT_PASS, Error, UsageError
from proctor.hooks.base import Hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

PACKAGE = "proctor.hooks.agents"


def main(words: "Sequence[str]") -> int:
    """Answer one event of an agent; or run the command in its place.

    Raises:
        UsageError: there is no such agent or event: the set-up is wrong.
    """
    hook, event = _found(words)
    if event in hook.replaces:
        if len(words) != 3:
            raise UsageError(f"hook: {event} takes one shell text, not {len(words) - 2} words")
        return hook.replaces[event](words[2])
    try:
        answer = hook.events[event](_given(), list(words[2:]))
    except Exception as error:  # noqa: BLE001 - the agent comes first
        _say(str(error) if isinstance(error, Error | ValueError) else repr(error))
        answer = {}
    _tell(encode(answer))
    return EXIT_PASS


def _found(words: "Sequence[str]") -> "tuple[Hook, str]":
    agent, event = (*words, "", "")[:2]
    hook = _member(agent.replace("-", "_"))
    if not isinstance(hook, Hook):
        known = ", ".join(name.replace("_", "-") for name in _family.names(PACKAGE))
        raise UsageError(f"hook: there is no agent {agent!r}; known: {known}")
    if event not in hook.events and event not in hook.replaces:
        known = ", ".join(sorted({*hook.events, *hook.replaces}))
        raise UsageError(f"hook: {agent} has no event {event!r}; known: {known}")
    return hook, event


def _member(name: str) -> object:
    if not name.isidentifier() or name.startswith("_"):
        return None
    try:
        return _family.member(PACKAGE, name, "HOOK")
    except LookupError:
        return None


def _given() -> "dict[str, object]":
    """Return what the agent sent.

    Raises:
        ValueError: it is not one JSON object.
    """
    if os.isatty(0):
        raise ValueError("no event was given: an agent calls this, with JSON on standard input")
    parts = []
    while part := os.read(0, 1 << 16):
        parts.append(part)
    found = decode(b"".join(parts))
    if not isinstance(found, dict):
        raise ValueError("what the agent sent is no JSON object")  # noqa: TRY004 - as `decode`
    return found


def _say(message: str) -> None:
    from proctor._shown import shown

    message = shown(" ".join(message.split()))
    line = f"proctor: hook: {message}; the agent goes on without Proctor\n"
    try:
        os.write(2, line.encode("utf-8", "backslashreplace"))
    except OSError:
        return


def _tell(answer: bytes) -> None:
    """Write the answer; an agent that no longer listens is none of our business."""
    try:
        while answer:
            answer = answer[os.write(1, answer) :]
    except OSError as error:
        _say(f"the answer could not be written: {error.strerror}")
