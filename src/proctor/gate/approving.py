"""Finding sets, their digests, and what an approval does to them.

A finding set is all that one rule found and that weighs more than a note. Its
digest holds the rule, the requirement, and path and content ids of the files on
both sides; no commit, span or line number. So it survives a rebase, and not the
smallest further change. Findings that are about no file are bound to the whole
patch. Findings that bring a digest of what they are about are bound to that.
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from proctor._digest import encode, sha256_hex
from proctor.findings import Finding, Level
from proctor.gate.evidence import Approval, Change, Evidence

OWN_FILE = "approvals.toml"
"""No part of what is approved: the approval itself may ride in the patch."""


def settle(
    findings: Iterable[Finding], evidence: Evidence, approvable: frozenset[str]
) -> tuple[Finding, ...]:
    """Return the findings, each approvable one with its set's digest.

    Those that a counting approval names become notes that say who approved what
    until when. `approvable` are the rules for which that is possible. Without a base
    revision nothing is: nobody's approval could be told from the patch's own.
    """
    kept = list(findings)
    if evidence.base is None:
        return tuple(msgspec.structs.replace(one, digest=None) for one in kept)
    digests = {
        rule: set_digest([one for one in kept if _is_open(one) and one.rule == rule], evidence)
        for rule in approvable
    }
    return tuple(
        _settled(one, digests.get(one.rule), evidence) if _is_open(one) else one for one in kept
    )


def set_digest(findings: Sequence[Finding], evidence: Evidence) -> str | None:
    """Return the digest of a finding set; none if it is empty or about unknown content."""
    by_path = {path: change for change in evidence.changes for path in change.paths}
    items: list[list[object]] = []
    own = [one.digest for one in findings if one.digest is not None]
    if own:
        return own[0] if len(set(own)) == 1 else sha256_hex(encode(sorted(set(own))))
    for one in findings:
        content = _content(one.paths, by_path, evidence.changes)
        if not content:
            return None
        items.append([one.rule, one.requirement, content])
    if not items:
        return None
    distinct = {encode(item): item for item in items}
    return sha256_hex(encode(["proctor.findings/1", *(distinct[key] for key in sorted(distinct))]))


def _is_open(finding: Finding) -> bool:
    return finding.level is not Level.NOTE


def _content(
    paths: Iterable[str], by_path: Mapping[str, Change], changes: Iterable[Change]
) -> list[list[str | None]] | None:
    """Return path and content ids of the changes that a finding is about, both sides."""
    named = list(paths)
    if any(path not in by_path for path in named):
        return None
    chosen = [by_path[path] for path in named] or [c for c in changes if c.path != OWN_FILE]
    found = {(c.old_path, c.path, c.old_blob, c.new_blob) for c in chosen}
    return [list(one) for one in sorted(found, key=lambda one: (one[1], one[0] or ""))]


def _settled(finding: Finding, digest: str | None, evidence: Evidence) -> Finding:
    if digest is None:
        return msgspec.structs.replace(finding, digest=None)
    entries = [entry for entry in evidence.approvals if entry.digest == digest]
    today = evidence.now[: len("YYYY-MM-DD")]
    counting = [entry for entry in entries if not entry.doubt and entry.expires >= today]
    if counting:
        return msgspec.structs.replace(
            finding,
            level=Level.NOTE,
            message=f"{finding.message}; approved by {_by(counting[0])}",
            digest=digest,
        )
    expired = [entry for entry in entries if not entry.doubt]
    ended = (
        f"; its approval by {expired[-1].owner} ended on {expired[-1].expires}" if expired else ""
    )
    return msgspec.structs.replace(finding, message=finding.message + ended, digest=digest)


def _by(entry: Approval) -> str:
    return f"{entry.owner} until {entry.expires}: {entry.reason}"
