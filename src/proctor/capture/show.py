"""What an evidence folder proves, file by file, and what it does not."""

import os
import re
from collections.abc import Iterator, Sequence

import msgspec

from proctor.capture.manifest import NAME, Manifest, mismatches, read_manifest
from proctor.errors import EvidenceError

_SCRATCH = "a scratch machine: a canary, not a gate"
_ROWS: tuple[tuple[str, str, str], ...] = (
    (
        r"toolchain\.(?:txt|json)",
        "which versions, platform and C library that machine reported",
        "that the tests ran on them, or that CI has the same",
    ),
    (
        r"lock\.copy(?:\..+)?",
        "which versions were asked for",
        "that they are what is installed",
    ),
    (
        "NO_LOCKFILE",
        "that no lock file of a known ecosystem was found",
        "which versions would be installed elsewhere",
    ),
    (
        r"freeze\.txt",
        "what was installed when it was captured",
        "that anything was run, or that the tests imported it",
    ),
    (
        r"junit(?:\.\d+)?\.xml",
        "which tests the runner says it executed, and how they ended",
        "the exit code; tests that were skipped, deselected or never found",
    ),
    (
        r".+\.exit",
        "the number that the operating system returned",
        "which tests ran, or that any did",
    ),
    (
        "NO_PYTEST_LAYOUT",
        "that nothing to run was found",
        "anything else: no test ran",
    ),
    (
        r"manifest\.json",
        "that the files are those of one capture, by digest",
        "who wrote it: unsigned, it can be made anew; the log has the records",
    ),
)
_NO_FILE: tuple[tuple[str, str, str], ...] = (
    ("(only a chat sentence)", "that somebody wrote it", "that anything ran"),
    ("(only a freeze)", "what was installed somewhere", "that a test ran, on any tree"),
)
"""What people offer instead of evidence."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the table."""

    have: str
    proves: str
    does_not_prove: str


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """An evidence folder as it is shown."""

    folder: str
    rows: tuple[Row, ...]
    instead: tuple[Row, ...]
    problems: tuple[str, ...]
    """Files that are not what the manifest says."""
    facts: tuple[str, ...]
    """What the manifest says, in words."""


def show(folder: str) -> Shown:
    """Return the table of what is in `folder`.

    Raises:
        EvidenceError: it is no folder, or its manifest cannot be read.
    """
    try:
        names = sorted(os.listdir(folder))
    except FileNotFoundError:
        names = []
    except OSError as error:
        raise EvidenceError(
            f"{folder}: cannot be read: {error.strerror}; name a folder that "
            "`proctor evidence capture` wrote"
        ) from None
    manifest = read_manifest(folder)
    rows = [
        Row(have=name, proves=proves, does_not_prove=not_)
        for pattern, proves, not_ in _ROWS
        for name in names
        if re.fullmatch(pattern, name)
    ]
    return Shown(
        folder=folder,
        rows=tuple(rows),
        instead=tuple(Row(have=h, proves=p, does_not_prove=n) for h, p, n in _NO_FILE),
        problems=tuple(_problems(folder, manifest, rows)),
        facts=tuple(_facts(manifest)) if manifest is not None else (),
    )


def _problems(folder: str, manifest: Manifest | None, rows: Sequence[Row]) -> Iterator[str]:
    if manifest is None:
        if rows:
            yield f"{NAME} is missing: nothing holds these files together"
        return
    for name, why in mismatches(folder, manifest):
        yield f"{name} {why}"


def _facts(manifest: Manifest) -> Iterator[str]:
    yield f"captured {manifest.captured_utc} on " + ("ci" if manifest.venue == "ci" else _SCRATCH)
    for command in manifest.commands:
        code = "unknown" if command.exit_code is None else command.exit_code
        counts = command.counts
        told = "tests were not counted"
        if counts:
            told = ", ".join(
                f"{sum(getattr(one, word) for one in counts)} {word}"
                for word in ("executed", "passed", "failed", "skipped")
            )
        yield f"{command.name}: exit {code}; {told}"
        if counts and sum(one.skipped for one in counts):
            yield f"{command.name}: a blocked network looks like skipped tests; look at which"
    yield from manifest.absent
