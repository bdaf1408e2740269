"""Writes a value as one JSON document, whatever bytes its texts hold; reads a verdict."""

import msgspec

from proctor.errors import EvidenceError
from proctor.findings import Verdict
from proctor.report.plain import without_surrogates

SCHEMA = "proctor.verdict/1"
LARGEST = 256 << 20
"""Bytes of a verdict that are read."""


def as_document(value: msgspec.Struct) -> str:
    """Return a value as indented JSON that ends with a newline."""
    return json_text(msgspec.to_builtins(value))


def json_text(value: object) -> str:
    """Return plain values as indented JSON that ends with a newline."""
    plain = without_surrogates(value)
    return msgspec.json.format(msgspec.json.encode(plain), indent=2).decode("utf-8") + "\n"


def read_verdict(path: str) -> Verdict:
    """Return the verdict in a file that `proctor gate --format json` wrote.

    That the file says it shows what it says, **not** that a gate said so.

    Raises:
        EvidenceError: it cannot be read, or holds no verdict of this version.
    """
    cure = "write one: proctor gate --format json --output FILE"
    try:
        with open(path, "rb") as file:
            found = msgspec.json.decode(file.read(LARGEST), type=Verdict)
    except OSError as error:
        raise EvidenceError(f"{path}: cannot be read: {error.strerror}; {cure}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise EvidenceError(f"{path}: holds no verdict; {cure}") from None
    if found.schema != SCHEMA:
        raise EvidenceError(f"{path}: is of version {found.schema[:40]!r}, not {SCHEMA}")
    return found
