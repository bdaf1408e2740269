"""What is known of a shell at one point of a line, for one way through it.

Exit statuses are symbols, not numbers: the question is only what becomes of the
number that one runner returned.
"""

from collections.abc import Iterable
from typing import NamedTuple

OK = "0"
"""Zero."""
RUN = "N"
"""The very number, not zero, that the runner in question returned."""
BAD = "k"
"""Not zero, some other number."""
ANY = "?"
"""Only running can tell."""

FAILING = (RUN, BAD)


class Value(NamedTuple):
    """What a variable or a word holds."""

    kind: str
    """`status`, `text`, `job` (a background job's id), `list` or `unknown`."""
    text: str = ""
    """The status' symbol, or the text."""
    items: tuple[str, ...] = ()


UNKNOWN = Value("unknown")


class State(NamedTuple):
    """One way through a line so far."""

    status: str = OK
    """`$?`."""
    failed: bool = False
    """Whether the runner in question has run and returned not zero."""
    flow: str = ""
    """`exit`, `return`, `break` or `continue` while that is under way."""
    errexit: bool = False
    pipefail: bool = False
    errtrace: bool = False
    pipe: tuple[str, ...] = ()
    """`PIPESTATUS`."""
    variables: tuple[tuple[str, Value], ...] = ()
    job: str = OK
    """What the last background job returns."""
    exit_trap: str | None = None
    err_trap: str | None = None
    tainted: str = ""
    """Why only running can tell what the line does."""
    why: tuple[str, ...] = ()
    """What stood between the runner and the line's status."""

    def get(self, name: str) -> Value:
        """Return what a variable holds."""
        return dict(self.variables).get(name, UNKNOWN)

    def put(self, name: str, value: Value) -> "State":
        """Return the state after an assignment."""
        others = [item for item in self.variables if item[0] != name]
        return self._replace(variables=tuple(sorted([*others, (name, value)])))

    def because(self, reason: str) -> "State":
        """Return the state with one more reason why the runner's status was lost."""
        return self if reason in self.why else self._replace(why=(*self.why, reason))

    def to(self, status: str) -> "State":
        """Return the state after a command that returned `status`."""
        return self if status == self.status else self._replace(status=status)


def merged(states: Iterable[State]) -> list[State]:
    """Return the states without those that differ only in their reasons."""
    given = list(states)
    if len(given) < 2:
        return given
    found: dict[tuple[object, ...], State] = {}
    for state in given:
        key = state[:-1]  # all but `why`
        if key not in found or len(state.why) < len(found[key].why):
            found[key] = state
    return list(found.values())


def forked(state: State) -> list[State]:
    """Return the state with its status decided, both ways where it may be either."""
    return [state.to(OK), state.to(BAD)] if state.status == ANY else [state]


def inverted(status: str) -> str:
    """Return what `!` makes of a status."""
    return {OK: BAD, ANY: ANY}.get(status, OK)


def compared(status: str, operator: str) -> bool | None:
    """Return whether `status OPERATOR 0` holds, none where only running can tell."""
    if status == ANY:
        return None
    zero = status == OK
    if operator in ("-eq", "==", "="):
        return zero
    if operator in ("-ne", "!=", "-gt", ">"):
        return not zero
    if operator in ("-le", "<="):
        return zero
    return {"-ge": True, ">=": True, "-lt": False, "<": False}.get(operator)


def number(text: str) -> str:
    """Return the symbol of a status written out, `exit 256` being zero."""
    stripped = text.removeprefix("-")
    if not stripped.isdigit():
        return ANY
    return OK if int(text) % 256 == 0 else BAD


def verdict(states: Iterable[State]) -> tuple[str, tuple[str, ...]]:
    """Return what becomes of the runner's status, and what stands between.

    `states` are the ends of all ways through the line. Own means that on every
    way on which the runner failed the line returned the runner's number.
    """
    ends = [state for state in states if state.failed]
    statuses = {state.status for state in ends}
    if OK in statuses:
        masked = [state.why for state in ends if state.status == OK]
        return "masked", min(masked, key=len)
    tainted = next((state.tainted for state in ends if state.tainted), "")
    if tainted:
        return "unknown", (tainted,)
    if not ends or ANY in statuses:
        return "unknown", min((s.why for s in ends if s.status == ANY), key=len, default=())
    if statuses == {RUN}:
        return "own", ()
    return "altered", min((s.why for s in ends if s.status == BAD), key=len)
