"""Reads small files of the oracle whole, and refuses what is larger than such a file is."""

import json
import os
import stat

from proctor.errors import OracleError


def read_limited(path: str, largest: int, cure: str, missing: str = "") -> bytes:
    """Return the content of a file of at most `largest` bytes.

    Raises:
        OracleError: it cannot be read, is no file, or is larger; the line says `cure`,
            or `missing` where it is not there.
    """
    try:
        # NOTE: a pipe without a writer would be waited for without end.
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        with open(fd, "rb") as file:
            if stat.S_ISFIFO(os.fstat(fd).st_mode):
                os.set_blocking(fd, True)
            data = file.read(largest + 1)
    except OSError as error:
        raise OracleError(f"{path}: cannot be read: {error.strerror}{missing}") from None
    if len(data) > largest:
        raise OracleError(f"{path}: larger than {largest >> 20} MiB; {cure}")
    return data


def named_twice(data: bytes) -> str | None:
    """Return a name that an object of a JSON text holds twice; a reader may see either."""
    found: list[str] = []

    def look(pairs: list[tuple[str, object]]) -> None:
        names = [name for name, _ in pairs]
        found.extend(name for name in names if names.count(name) > 1)

    json.loads(data, object_pairs_hook=look)
    return found[0] if found else None
