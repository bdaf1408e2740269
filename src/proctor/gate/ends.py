"""How a part of an attempt came to its end: by its number, a time limit, or hidden from above."""

import os

from proctor.gate.attempts import Attempt, Part, State, is_shell
from proctor.records.span import Span


def masked_by(part: Part) -> Span | None:
    """Return the nearest span above a red part that returned 0, if there is one.

    A program of its own (an agent) that started a shell and was given the
    shell's non-zero code hides nothing by returning 0 itself much later.
    """
    handed_back = False
    for span in part.above:
        if span.exit_code == 0:
            own_program = span.parent_span_id is None and not is_shell(span)
            return None if handed_back and own_program else span
        handed_back = handed_back or (is_shell(span) and bool(span.exit_code))
    return None


def failed_by_number(attempt: Attempt, part: Part) -> bool:
    """Return whether a part is red by its number, and not because of a leaf below it."""
    if not part.span.exit_code or part.status != "own" or part.span.signal or timed_out(part):
        return False
    return part is not attempt.driver or all(leaf.state is State.GREEN for leaf in attempt.leaves)


def timed_out(part: Part) -> bool:
    """Return whether a time limit ended a part: Proctor's own or that of `timeout`."""
    if part.span.timed_out:
        return True
    return any(
        span.timed_out
        or (
            span.argv[:1] != ()
            and os.path.basename(span.argv[0]) == "timeout"
            and span.exit_code in (124, 137)
        )
        for span in part.above
    )
