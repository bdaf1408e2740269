"""Which files can change the result of a test: a rule of our own, by name.

A file that cannot is a scratch note, a picture, a cache or a build output. The
rule errs towards *can*: an unknown suffix on a tracked file counts by its
content like any other (see `proctor.gate.freshness`).
"""

import os

from proctor._filenames import (
    OUTPUT_FOLDERS,
    PROSE,
    PROSE_NAMES,
    TEST_FOLDERS,
    is_code,
    is_configuration,
    suffix_of,
)

__all__ = ["can_change_tests", "is_code", "is_prose"]


def is_prose(path: str) -> bool:
    """Return whether the file at `path` is text or a picture for people, by its name alone.

    Nothing in a folder of tests is: it may be what a test reads.
    """
    folders, base = os.path.split(path)
    if can_change_tests(path) or TEST_FOLDERS & set(folders.lower().split("/")):
        return False
    return suffix_of(base) in PROSE or base in PROSE_NAMES


def can_change_tests(path: str) -> bool:
    """Return whether the file at `path` is code, a test or configuration.

    Files in folders that hold only what tools make (`node_modules`, `build`, …)
    are none of these; where they are tracked, their content counts all the same.
    """
    folders = os.path.dirname(path).split("/")
    if any(part in OUTPUT_FOLDERS or part.endswith(".egg-info") for part in folders):
        return False
    return is_code(path) or is_configuration(path)
