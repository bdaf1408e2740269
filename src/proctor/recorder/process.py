"""A live process below the root, and whose tool call asked for it."""

import os

from proctor.recorder import proc

PARENT_VARIABLE = "PROCTOR_PARENT_SPAN"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from proctor.recorder.image import Image


class Process:
    """A live process below the root."""

    __slots__ = ("forked", "held", "images", "leaving", "pid", "tool_span", "watched_exit")

    def __init__(self, pid: int, image: "Image", tool_span: str | None) -> None:
        self.pid = pid
        self.images = [image]
        """Its images in order; while `forked`, the one that it is a copy of."""
        self.forked = True
        """Whether it has not exec'ed yet."""
        self.held = False
        """Whether it waits, stopped, for a helper."""
        self.leaving = False
        """Whether its leader has reached its exit."""
        self.watched_exit = False
        """Whether the kernel stops it at its exit."""
        self.tool_span = tool_span

    @property
    def image(self) -> "Image":
        """The image that runs now."""
        return self.images[-1]


def tool_span_in(argv: "list[str]", pid: int) -> str | None:
    """Return the tool call that an inner `proctor run` was told of: `--parent`, or a variable.

    A variable that the recorder has itself was inherited, and says nothing of this one.
    """
    names = [word.rpartition("/")[2] for word in argv[:4]]
    if "proctor" not in names and not any("proctor.cli.main" in word for word in argv[:4]):
        return None
    for index, word in enumerate(argv):
        if word == "--":
            break
        if word == "--parent" and index + 1 < len(argv):
            return argv[index + 1]
        if word.startswith("--parent="):
            return word[len("--parent=") :]
    told = (proc.environ_of(pid) or {}).get(PARENT_VARIABLE)
    return None if told == os.environ.get(PARENT_VARIABLE) else told or None
