"""Measures the least believable duration of a command."""

import subprocess
import time
from collections.abc import Iterator, Sequence

import msgspec

from proctor import config
from proctor.errors import EvidenceError
from proctor.settings import DEFAULT_FLOORS, Settings
from proctor.setup.edit import Change, read_own, set_value


class Floor(msgspec.Struct, frozen=True, kw_only=True):
    """A floor and where it comes from."""

    command_class: str
    floor_ms: int
    source: str


def class_of(argv: Sequence[str], settings: Settings) -> str | None:
    """Return the command class of `argv`, wrappers peeled, none if it has none."""
    from proctor.classify.classify import classify_argv

    found = classify_argv(list(argv), peel=True, classes=settings.classes)
    return None if found is None else found.command_class


def durations_of(argv: Sequence[str], times: int) -> Iterator[int]:
    """Run a command `times` times and yield each duration in milliseconds.

    Its output is thrown away. By the monotonic clock, from before the start to
    after the end.

    Raises:
        EvidenceError: the command cannot be started, or does not pass: how long
            a failure takes says nothing about a pass.
    """
    for _ in range(times):
        begun = time.monotonic_ns()
        try:
            done = subprocess.run(
                list(argv),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=False,
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise EvidenceError(f"{argv[0]}: cannot be started: {reason}") from None
        ended = time.monotonic_ns()
        if done.returncode != 0:
            raise EvidenceError(
                f"the command ended with {done.returncode}; a floor is measured on passing runs: "
                "make it pass first"
            )
        yield (ended - begun) // 1_000_000


def floor_from(durations: Sequence[int]) -> int:
    """Return half the fastest: what no honest run should undercut, in milliseconds."""
    return min(durations) // 2


def store(root: str, command_class: str, floor_ms: int) -> Change:
    """Return the change that stores a floor in the repository's configuration.

    Raises:
        ConfigError: the configuration is not ours to edit.
    """
    addition = f'[tool.proctor.floors] "{command_class}" = {floor_ms}'
    path, before = read_own(root, addition)
    return set_value(path, before, "floors", command_class, floor_ms)


def effective(settings: config.Config) -> list[Floor]:
    """Return every floor that is not 0 and where it comes from, by class."""
    floors = {
        name: Floor(command_class=name, floor_ms=value, source="default")
        for name, value in DEFAULT_FLOORS.items()
    }
    for name, item in settings.classes.items():
        if item.floor_ms:
            floors[name] = Floor(
                command_class=name, floor_ms=item.floor_ms, source=f"[classes.{name}] floor_ms"
            )
    for name, value in settings.floors.items():
        floors[name] = Floor(command_class=name, floor_ms=value, source="[floors]")
    return [floors[name] for name in sorted(floors)]
