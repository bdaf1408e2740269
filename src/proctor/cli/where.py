"""Finds the span log that a command should read."""

import os

from proctor.config import load
from proctor.records.place import chosen_log, find_clone


def log_to_read(flag: str | None) -> tuple[str, bool]:
    """Return the path of the log and whether somebody chose it.

    The order is that of the recorder: `--log`, `PROCTOR_LOG`, `PROCESS_TRACE`,
    the configuration of the current folder's repository, its default place.

    Raises:
        ConfigError: the configuration cannot be understood.
        RecorderError: no state folder can be found.
    """
    clone = find_clone(os.getcwd())
    by_hand = flag or os.environ.get("PROCTOR_LOG") or os.environ.get("PROCESS_TRACE")
    configured = None if by_hand else load(clone.root).log.path
    path = chosen_log(flag, configured, clone, os.environ)
    return path, bool(by_hand or configured)
