"""The base revision, and what the patch changes against it.

Read from blobs and tree ids. Diff text is never asked for: attributes of the
repository decide what it shows.
"""

from collections.abc import Iterable, Sequence

import msgspec

from proctor.assess.families import collected_files, harness_files
from proctor.assess.policy_files import is_telling
from proctor.gate.evidence import Base, Change, Evidence
from proctor.gate.matters import can_change_tests
from proctor.outline.parts import pattern_of
from proctor.repo.history import changed_files, object_place, renamed_files
from proctor.repo.objects import read_blobs
from proctor.repo.revision import resolve_base
from proctor.requirements import patterns

MOST_TEXTS = 2000
"""Changed files whose text is read; of further ones only the ids are known."""


def base_of(root: str, name: str) -> Base:
    """Return the base revision called `name`.

    Raises:
        RepositoryError: it cannot be had here.
    """
    found = resolve_base(root, name)
    return Base(
        name=found.name,
        commit=found.commit,
        tree=found.tree,
        how=found.how,
        merge_base=found.merge_base,
        merge_tree=found.merge_tree,
        merged_at=found.merged_at,
        doubt=found.doubt,
    )


def changes_of(root: str, objects: str | None, before: str, after: str) -> tuple[Change, ...]:
    """Return what differs between two trees, by path, renames mapped.

    `objects` is the folder that a snapshot wrote its objects to.

    Raises:
        RepositoryError: an object is missing or not what its id says.
    """
    files = changed_files(objects, root, before, after)
    renamed = renamed_files(objects, root, before, after) if _may_hold_renames(files) else {}
    olds = {path: old for path, old, _ in files}
    gone = set(renamed.values())
    changes = []
    for path, old, new in files:
        if new is None and path in gone:
            continue
        old_path = renamed.get(path, path if old is not None else None)
        old_blob = olds[old_path] if path in renamed and old_path else old
        changes.append(Change(path=path, old_path=old_path, old_blob=old_blob, new_blob=new))
    return _with_texts(root, objects, changes)


def with_uncommitted(evidence: Evidence, objects: str | None, classes: set[str]) -> Evidence:
    """Add what is not committed, where it may decide what `classes` ran and reported."""
    facts = evidence.tree
    if facts is None or facts.head is None or facts.tree is None or not facts.changed:
        return evidence
    harness = {name: files for name, files in harness_files().items() if name in classes}
    names = [pattern_of(one) for files in harness.values() for one in files]
    names += [one for name, files in collected_files().items() if name in classes for one in files]
    if not any(map(patterns(names).match_file, facts.changed)):
        return evidence
    return msgspec.structs.replace(
        evidence,
        uncommitted=changes_of(evidence.root, objects, facts.head, facts.tree),
        harness=harness,
    )


def diff_of(changes: Iterable[Change]) -> tuple[str, ...]:
    """Return every path that a patch touches, both names of a renamed file."""
    return tuple(sorted({path for change in changes for path in change.paths}))


def _may_hold_renames(files: Sequence[tuple[str, str | None, str | None]]) -> bool:
    return any(old is None for _, old, _ in files) and any(new is None for _, _, new in files)


def _with_texts(root: str, objects: str | None, changes: list[Change]) -> tuple[Change, ...]:
    telling = [
        c for c in changes if any(can_change_tests(path) or is_telling(path) for path in c.paths)
    ]
    telling = telling[:MOST_TEXTS]
    blobs = {blob for c in telling for blob in (c.old_blob, c.new_blob) if blob}
    texts = {
        blob: _text(data) for blob, data in read_blobs(object_place(root, objects), blobs).items()
    }
    told = {
        change.path: Change(
            path=change.path,
            old_path=change.old_path,
            old_blob=change.old_blob,
            new_blob=change.new_blob,
            old_text=texts.get(change.old_blob or ""),
            new_text=texts.get(change.new_blob or ""),
        )
        for change in telling
    }
    return tuple(told.get(change.path, change) for change in changes)


def _text(data: bytes) -> str | None:
    if b"\0" in data:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None
