"""The tests ran on another platform or interpreter than the one that is owed.

Proves what the machine's record says of platform and Python. Does not prove that
the tests would fail on the one that is named.

Likely cause: the requirement names the platform of CI, and the run was made elsewhere.

Next: run it there: `proctor run -- pytest`, or take `platform` and `python` out of
the requirement.
"""

import re
from collections.abc import Iterator

from proctor.config import RequireTable
from proctor.findings import Level
from proctor.gate.attempts import Part
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.words import rerun


def _check(case: Case) -> Iterator[Hit]:
    hosts = {
        seen.span.run_id: seen.span.host
        for seen in case.evidence.every_seen()
        if seen.span.host is not None
    }
    for decision, attempt in case.judged():
        if decision.item is None:
            continue
        told = set()
        for part in attempt.leaves or attempt.parts:
            host = _with_interpreter(hosts.get(part.span.run_id) or {}, part)
            for name, wanted, found in _differences(decision.item, host):
                if (name, found) in told:
                    continue
                told.add((name, found))
                yield Hit(
                    message=f"{decision.item.name!r} owes {name} {wanted}; "
                    f"it ran on {found or 'one that is not recorded'}",
                    cure=f"there: {rerun(attempt)}",
                    span=part.span,
                    requirement=decision.item.name,
                    level=None if _is_decided(wanted, found) else Level.UNPROVEN,
                )


def _with_interpreter(host: dict[str, str], part: Part) -> dict[str, str]:
    """Return the host's facts with the Python that the runner is installed for.

    NOTE: the recorder has a Python of its own; an environment of the project may
    have another one.
    """
    path = part.span.runner.path if part.span.runner else None
    version = re.search(r"/lib/python(\d+\.\d+)/", path or "")
    if version is None or host.get("python", "").startswith(f"{version[1]}."):
        return host
    return {**host, "python": version[1]}


def _is_decided(wanted: str, found: str) -> bool:
    """Return whether `found` is known well enough to say that it is not `wanted`."""
    return bool(found) and not wanted.lower().startswith(f"{found.lower()}.")


def _differences(item: RequireTable, host: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    for name, wanted in (("platform", item.platform), ("python", item.python), ("node", item.node)):
        found = _recorded(name, host)
        if wanted is not None and not _is_that(wanted.lower(), found.lower()):
            yield name, wanted, found


def _recorded(name: str, host: dict[str, str]) -> str:
    if name != "platform":
        return host.get(name, "")
    return "-".join(host[part] for part in ("system", "machine") if host.get(part))


def _is_that(wanted: str, found: str) -> bool:
    """Return whether `found` is `wanted` or a part of it: `3.12` is met by `3.12.4`."""
    return found == wanted or found.startswith((f"{wanted}.", f"{wanted}-"))


RULE = Rule(level=Level.ERROR, check=_check, approvable=True)
