"""One point of a set-up, as `proctor doctor` tells it."""

from typing import Literal

import msgspec


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One point of the set-up."""

    name: str
    state: Literal["ok", "hint", "bad"]
    """`hint`: works, could be better; `bad`: something is lost or unsafe."""
    detail: str
    cure: str = ""
    """The next action, with the exact command where there is one."""
