"""The first line of a span log whose older records were closed into a file of their own.

The chain goes on through it: the header's `prev` is the digest of the last record of
the closed part. A record that stays in the log follows that one as before; one written
to a log that holds only a header follows the header.
"""

import os
from typing import Final, Literal

import msgspec

SCHEMA: Final = "proctor.log/1"
"""1: the first version."""
MARK = b'{"schema":"proctor.log/'
"""How the line of a header begins, and that of no span."""
LONGEST = 4096
"""Bytes of the longest header."""


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """What a span log says of the records that stood before its own.

    It shows where the chain goes on. It does **not** show that the closed part
    is still here, or unaltered: `proctor.records.parts` looks.
    """

    schema: Literal["proctor.log/1"] = SCHEMA
    closed: str
    """Name of the closed part, a file beside the log."""
    head: str
    """The digest of its last record."""
    length: int
    """Records of the chain up to there, those of parts closed earlier included."""
    until: str
    """The time of the latest record in the closed part (RFC 3339, UTC)."""
    closed_at: str
    """When it was closed. A closed part that was touched after that is checked anew."""
    digests_sha256: str
    """SHA-256 of the list of its digests, which remains when the part is deleted."""
    prev: str = ""
    """The digest of the last record of the closed part, as `head`."""
    digest: str = ""


def header_of(line: bytes) -> Header | None:
    """Return the header that a line is, if it is one whose names can be trusted."""
    if not line.startswith(MARK):
        return None
    try:
        header = msgspec.json.decode(line, type=Header)
    except ValueError:
        return None
    name = header.closed
    return header if name and name == os.path.basename(name) and name.isprintable() else None


def header_in(fd: int) -> Header | None:
    """Return the header at the start of an open file, if it has one."""
    return header_of(os.pread(fd, LONGEST, 0).partition(b"\n")[0])
