"""Holds a manifest against the records that it rests on."""

import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from proctor.capture.keep import VENUES, Ran, counts_of, lock_name
from proctor.capture.manifest import Command, Manifest
from proctor.classify.typed import is_same_command
from proctor.records.moments import moment
from proctor.records.span import Git, Span

_RESULT = re.compile(r"junit(?:\.\d+)?\.xml|.+\.exit")
_MASKED = "***"


def unrecorded(manifest: Manifest, runs: Mapping[str, Sequence[Span]]) -> tuple[str, ...]:
    """Return the commands that no record is about; `runs` are the spans of each run by id."""
    return tuple(one.name for one in manifest.commands if _root(one, runs) is None)


def disagreements(manifest: Manifest, runs: Mapping[str, Sequence[Span]]) -> Iterator[str]:
    """Yield what a manifest says otherwise than the records do, or than itself.

    `root`, `venue`, `captured_utc` and `absent` are what the machine says of itself: no
    record holds them.
    """
    yield from _strangers(manifest)
    if manifest.venue not in VENUES:
        yield f"says venue {manifest.venue!r}, one of {', '.join(VENUES)} was to be expected"
    if moment(manifest.captured_utc) is None:
        yield f"says captured_utc {manifest.captured_utc!r}, which is no time"
    git: Git | None = None
    for command in manifest.commands:
        root = _root(command, runs)
        if root is None:
            continue
        ran = Ran(argv=command.argv, root=root, spans=tuple(runs[root.run_id]))
        for what, told, known in _pairs(command, ran):
            if told != known:
                yield f"says {what} {told!r} of {command.name}, the record {known!r}"
        git = git or next((leaf.git for leaf in ran.leaves if leaf.git is not None), None)
    told_git = (manifest.head, manifest.tree)
    if git is not None and told_git != (git.head, git.tree):
        yield f"says head and tree {told_git!r}, the record {(git.head, git.tree)!r}"


def _root(command: Command, runs: Mapping[str, Sequence[Span]]) -> Span | None:
    spans = runs.get(command.run_id, ())
    return next((span for span in spans if span.span_id == command.span_id), None)


def _pairs(command: Command, ran: Ran) -> Iterator[tuple[str, object, object]]:
    root = ran.root
    yield "span_sha256", command.span_sha256, root.digest
    yield "exit_code", command.exit_code, root.exit_code
    yield "injected", command.injected, root.injected
    yield "counts", msgspec.to_builtins(command.counts), msgspec.to_builtins(counts_of(ran))
    if not _is_same(command.argv, root.argv):
        yield "argv", shlex.join(command.argv), shlex.join(root.argv)


def _is_same(asked: Sequence[str], ran: Sequence[str]) -> bool:
    """Return whether a record's argv is what the kernel made of the command."""
    if any(_MASKED in word for word in (*asked, *ran)) or is_same_command(ran, asked):
        return True
    # `#!/usr/bin/env -S python3 -u` stands before a script in two words.
    return os.path.basename(ran[0]) == "env" and is_same_command(ran[2:], asked)


def _strangers(manifest: Manifest) -> Iterator[str]:
    """Yield results that belong to no command, and commands that lack theirs."""
    owned = {f"{one.name}.exit" for one in manifest.commands}
    owned |= {name for one in manifest.commands for name in one.junit}
    listed = {kept.name for kept in manifest.files if _RESULT.fullmatch(kept.name)}
    for kept in manifest.files:
        copied = kept.name.startswith("lock.copy")
        fits = kept.source is not None and kept.name in ("lock.copy", lock_name(kept.source))
        if copied != fits or (not copied and (kept.source or kept.source_sha256)):
            yield f"says that {kept.name} is a copy of {kept.source!r}"
    for name in sorted(listed - owned):
        yield f"lists {name}, which no command left behind"
    for name in sorted(owned - listed):
        yield f"does not list {name}"
