"""The digests of everything that a verdict rests on."""

import os
from collections.abc import Sequence

from proctor.gate.evidence import Base, LogFacts
from proctor.results.read import kept_sha256


def inputs_of(
    logs: Sequence[LogFacts], source: dict[str, str], base: Base | None
) -> dict[str, str]:
    """Return the digest of each log's chain, of the configuration and of the base."""
    found = {f"log {log.path}": log.head for log in logs if log.head} | source
    if base is not None:
        found[f"base {base.name}"] = base.commit
    return found


def digests_of(what: str, paths: Sequence[str]) -> dict[str, str]:
    """Return the digest of every input of a kind that is a file."""
    found = {f"{what} {os.path.abspath(path)}": sha256_of(path) for path in paths}
    return {name: digest for name, digest in found.items() if digest is not None}


def sha256_of(path: str) -> str | None:
    """Return the digest of a file's content; none where it cannot be read."""
    try:
        return kept_sha256(path)
    except OSError:
        return None
