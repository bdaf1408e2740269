"""Writes down a fault in Proctor itself, so that a user sees one line only."""

import os
import platform
import sys
import tempfile
import time
import traceback
from collections.abc import Mapping

from proctor import __version__
from proctor.errors import RecorderError
from proctor.records.place import make_private, state_folder
from proctor.redact import redact_text


def write_report(error: BaseException, command: str, environ: Mapping[str, str]) -> str:
    """Write the traceback of `error` to a new file and return its path.

    The file lies in the state folder, or in the temporary folder where that
    cannot be written. Arguments are left out, and what looks like a
    secret in the exception's message is masked.

    Raises:
        OSError: neither folder can be written.
    """
    text = "\n".join(
        (
            f"proctor {__version__}, command {command!r}",
            f"Python {sys.version}",
            platform.platform(),
            "",
            redact_text("".join(traceback.format_exception(error))),
        )
    ).encode("utf-8", "backslashreplace")
    try:
        folder = os.path.join(state_folder(dict(environ)), "faults")
        make_private(folder)
        return _write(folder, text)
    except (OSError, RecorderError):
        return _write(tempfile.gettempdir(), text)


def _write(folder: str, text: bytes) -> str:
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    fd, path = tempfile.mkstemp(prefix=f"proctor-{stamp}-", suffix=".txt", dir=folder)
    with open(fd, "wb") as file:
        file.write(text)
    return path
