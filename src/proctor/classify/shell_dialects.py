"""Where one shell reads a line in another way than the next: then nothing is claimed."""

from collections.abc import Container

from proctor.classify.shell_tree import Command, UnreadableError, raw

_RUN_BY_THE_SHELL = frozenset(
    ("exit", "exec", "return", "break", "continue", "eval", "set", "setopt", "trap", "source", ".")
)
"""What changes the shell that runs it; `read` at the end of a pipeline does no harm."""


def refuse_redirects(command: Command, dialect: str) -> None:
    """Refuse `CMD &> FILE` where sh may take it for `CMD & > FILE`, as dash does.

    Raises:
        UnreadableError: it is there.
    """
    if dialect == "sh" and any(raw(node).startswith("&>") for node in command.redirects):
        raise UnreadableError("`&>` sends a command off where sh is not bash")


def refuse_last(last: Command, dialect: str, functions: Container[str]) -> None:
    """Refuse a pipeline at whose end zsh would change itself; other shells fork there.

    Raises:
        UnreadableError: its last command is no program.
    """
    if dialect != "zsh":
        return
    node = last.node
    name = raw(node).split(None, 1)[0] if node.type == "command" else ""
    if not name or name in _RUN_BY_THE_SHELL or name in functions:
        raise UnreadableError("zsh itself runs what stands at the end of a pipeline")
