"""All faults, and the page of the documentation that lists them."""

from tests.faults import disks, killed, limits, sizes, streams

FAULTS = [*killed.FAULTS, *disks.FAULTS, *limits.FAULTS, *sizes.FAULTS, *streams.FAULTS]

_HEAD = """\
# Faults

What is lost when something breaks, what is said, and which code `proctor run` or `proctor watch` returns. Every row is
brought about for real by `make faults` and by the build; this page is made from that battery by `make pages`.

Two promises hold in each: *nothing that had finished is lost*, and the chain of the log is whole afterwards
(`proctor verify`). At most one line is said. Where a command was started and its end could not be written down, a
pending marker stays beside the log, and the gate reports `missing-exit`: a fault is never a pass.

| fault | what is lost | what is said | exit code |
| --- | --- | --- | --- |
"""

_TAIL = """
SIGKILL leaves no code of Proctor's own: who started it sees the signal (137 in a shell). Under `run` the output of the
command flows through the recorder, so a command whose recorder was killed gets SIGPIPE when it writes next; under
`watch` it notices nothing.
"""


def page() -> str:
    """Return docs/faults.md."""
    rows = [
        f"| {f.name} | {f.lost} | {f'`{f.said}`' if f.said else 'nothing'} | {f.code} |\n"
        for f in FAULTS
    ]
    return _HEAD + "".join(rows) + _TAIL
