"""What a CI service's file says."""

from collections.abc import Callable, Sequence

import msgspec


class Service(msgspec.Struct, frozen=True, kw_only=True):
    """What a CI service's file binds to `SERVICE`; the file's name is the service's."""

    path: str
    """Relative to the repository's root."""
    text: Callable[[Sequence[str]], str]
    """The file, from the shell lines that run what a change owes."""
