"""Guesses where the elements of a list end, and tries what a guess cuts out."""

import re
from collections.abc import Callable

import msgspec

_BETWEEN = re.compile(rb'\}\s*+,\s*+\{\s*+"[^"\\\n]{1,64}+"\s*+:')
_MISSES = 3
FAULTS = (msgspec.MsgspecError, ValueError, RecursionError)
"""What decoding may raise."""


class _Object(msgspec.Struct, gc=False):
    """Any object; decoding it checks the syntax and keeps nothing."""


_CHECK = msgspec.json.Decoder(_Object)


class Trial:
    """Tells whether bytes are one whole object, by decoding them.

    Whoever decodes the objects of a stream sets `decode` and takes `value`, so that
    none is decoded twice.
    """

    def __init__(self) -> None:
        self.decode: Callable[[bytes], object] = _CHECK.decode
        self.value: object = None
        """What the last object that was tried has become; none where it had no such shape."""

    def holds(self, text: bytes) -> bool:
        """Return whether `text` is one object and nothing else."""
        try:
            self.value = self.decode(text)
        except FAULTS:
            self.value = None
            try:
                _CHECK.decode(text)
            except FAULTS:
                return False
        return True


class Guess:
    """Guesses where the elements of a list end, from what stood between two of them.

    No string holds what stands between two elements, a bare quote being part of it. So
    where it is found again, the element in question, or one inside it, ends. What the
    guess cuts out is tried; where it is wrong, the brackets are counted.
    """

    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        self.between = b""
        """Empty where there is no guess."""
        self.step = 0
        """From the end of one element to the beginning of the next."""
        self._misses = 0

    def learn(self, buffer: bytes, at: int) -> None:
        """Note what stands behind the element that ends before `at`."""
        found = _BETWEEN.match(buffer, at - 1) if at and self._misses < _MISSES else None
        self.between = found[0] if found else b""
        self.step = self.between.find(b"{")

    def holds(self, text: bytes) -> bool:
        """Return whether a guess was right; where it was not, there is none any more."""
        if self._trial.holds(text):
            return True
        self._misses += 1
        self.between = b""
        return False
