"""What a check of a receipt answers."""

import shlex
from collections.abc import Sequence

import msgspec

from proctor.classify.typed import typed
from proctor.receipt.fields import Receipt

EXIT_MISSING = 2
EXIT_STALE = 3
EXIT_NONZERO = 4
EXIT_FIELDS = 5
EXIT_ALTERED = 6
EXIT_COMMAND = 7
EXIT_HOST = 8
LONGEST = 120


class Refusal(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is wrong with a receipt."""

    code: int
    """The exit code that it stands for (docs/exit-codes.md)."""
    rule: str
    """The rule that explains it, as `proctor explain` takes it."""
    field: str
    message: str
    """What the receipt says and what is the case."""
    cure: str

    @property
    def line(self) -> str:
        """The refusal on one line."""
        return f"{self.rule}: {self.field}: {self.message}; {self.cure}"


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """What a check found.

    No refusals shows that the receipt is whole, rests on a record or a trusted
    signature, is about these files, and that the run it tells of ended well. It does
    **not** show that the tests are good ones; see `level` for who could have forged
    it.
    """

    path: str
    receipt: Receipt | None = None
    refusals: tuple[Refusal, ...] = ()
    signed_by: str | None = None
    """The trusted public key, null where the receipt rests on the log."""
    requirement: str | None = None
    """The `[[require]]` item that was asked for."""
    notes: tuple[str, ...] = ()

    @property
    def level(self) -> int:
        """The level of the threat model that was reached: 2 if signed, else 0."""
        return 2 if self.signed_by else 0

    @property
    def exit_code(self) -> int:
        """The lowest code that applies, 0 where nothing is wrong."""
        return min((one.code for one in self.refusals), default=0)


def shown(value: object) -> str:
    """Return a member's value for a message, cut where it is long."""
    if isinstance(value, list | tuple) and all(isinstance(word, str) for word in value):
        text = shlex.join(value) if value else "nothing"
    else:
        text = "nothing" if value in (None, "", {}) else str(value)
    text = "".join(c if c.isprintable() else " " for c in text)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def both(ours: object, theirs: object) -> tuple[str, str]:
    """Return two values for a message, long ones from where they begin to differ."""
    one, other = str(ours), str(theirs)
    if len(one) > LONGEST or len(other) > LONGEST:
        same = 0
        while same < min(len(one), len(other)) and one[same] == other[same]:
            same += 1
        start = max(0, same - 20)
        return shown(f"…{one[start:]}"), shown(f"…{other[start:]}")
    return shown(ours), shown(theirs)


def rerun(argv: Sequence[str], folder: str | None = "") -> str:
    """Return the command that issues a receipt for a run anew, in its folder below the root."""
    words = shlex.join(typed(argv, keep_path=True)) if argv else "CMD"
    below = folder and folder != "." and not folder.startswith(("..", "/"))
    move = f"cd {shlex.quote(folder or '')} && " if below else ""
    return f"run it again: {move}proctor receipt issue -- {words}"
