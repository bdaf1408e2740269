"""What an agent's hook file says.

NOTE: on the light path: an agent waits for its hook before every command.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Given = Mapping[str, object]
    """What the agent wrote to the hook's standard input."""
    Answer = dict[str, object]
    """What the agent is told on standard output; empty: nothing to say."""


class Hook:
    """What an agent's file binds to `HOOK`; the file's name is the agent's.

    `events` takes what the agent sent, and the words after the event's name, and
    returns the answer in the agent's own form. An event in `replaces` is the command
    itself: it takes the shell text, reads no input and returns an exit code.
    """

    __slots__ = ("events", "replaces")

    def __init__(
        self,
        events: "Mapping[str, Callable[[Given, list[str]], Answer]]",
        replaces: "Mapping[str, Callable[[str], int]] | None" = None,
    ) -> None:
        self.events = events
        self.replaces = replaces or {}


def text_in(given: object, *names: str) -> str:
    """Return the first of these members that is a text with something in it, else ''.

    Agents spell one thing in several ways, and leave it out.
    """
    if isinstance(given, dict):
        for name in names:
            value = given.get(name)
            if isinstance(value, str) and value:
                return value
    return ""
