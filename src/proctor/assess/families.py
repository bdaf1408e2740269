"""What the runners' files say of the files of a project."""

from collections.abc import Iterator

from proctor import _family
from proctor.classify.base import Runner


def collected_files() -> dict[str, tuple[str, ...]]:
    """Return the patterns of the files that each command class takes tests from."""
    return {one.command_class: one.test_files for one in _runners() if one.test_files}


def harness_files() -> dict[str, tuple[str, ...]]:
    """Return what decides which tests each command class runs, as its file says."""
    return {one.command_class: one.harness for one in _runners() if one.harness}


def _runners() -> Iterator[Runner]:
    for _, runner in _family.members("proctor.classify.runners", "RUNNER"):
        assert isinstance(runner, Runner)  # noqa: S101 - what the family's files bind
        yield runner
