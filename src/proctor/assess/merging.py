"""What the gate is to be given before a merge, by what the base holds and what is here.

No judgement of its own: these are words for `proctor gate`.
"""

import os
from collections.abc import Sequence

import msgspec

from proctor.assess.changes import base_of
from proctor.assess.trusted import config_in
from proctor.capture.manifest import NAME
from proctor.flakes.quarantine import FILE
from proctor.receipt.source import default_paths
from proctor.records.place import find_clone
from proctor.repo.files import Files
from proctor.repo.main_branch import default_base

ORACLE = "artifacts/oracle.json"
EVIDENCE = "evidence"


class CalledFor(msgspec.Struct, frozen=True, kw_only=True):
    """What the gate is asked, and what it lacks."""

    words: tuple[str, ...]
    missing: tuple[str, ...] = ()
    """What the base asks for and is not here, each with the command that makes it."""


def called_for(folder: str, base: str | None, oracle: Sequence[str] = ()) -> CalledFor:
    """Return the words for the gate.

    1. The base, always. 2. The quarantine, where the base has one. 3. Reports of the
    oracle; where the base pins a corpus there must be one. 4. Evidence and receipts that
    are here.

    Raises:
        RepositoryError: the base cannot be had here.
        ConfigError: its configuration cannot be understood.
    """
    root = find_clone(folder).root
    found = base_of(root, base if base is not None else default_base(root).name)
    files = Files(root, found.tree)
    table = config_in(files, f"{found.name}:").oracle
    words = ["--base", found.name]
    missing = []
    if files.read(FILE) is not None:
        words += ["--quarantine", FILE]
    here = os.path.join(root, ORACLE)
    reports = list(oracle) or ([here] if os.path.isfile(here) else [])
    for path in reports:
        words += ["--oracle", path]
    if not reports and files.read(table.lock) is not None:
        missing.append(
            f"{table.lock} pins a corpus, and there is no report: proctor oracle check "
            f"--base {found.name} --format json --output {ORACLE}"
        )
    if os.path.isfile(os.path.join(root, EVIDENCE, NAME)):
        words += ["--evidence", os.path.join(root, EVIDENCE)]
    for path in default_paths(root):
        if os.path.lexists(path):
            words += ["--receipt", path]
    return CalledFor(words=tuple(words), missing=tuple(missing))
