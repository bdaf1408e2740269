"""The evidence was captured with other tools, or another lock file, than are judged.

Proves that platform, C library, interpreter or lock file differ between the evidence
and the run or the files that are judged. Does not prove that a test would end otherwise.

Likely cause: the evidence is from another machine, or dependencies were updated since.

Next: compare the two: `proctor evidence compare evidence other/evidence`.
"""

import re
from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.beside import Captured
from proctor.gate.case import Case

_PYTHON = re.compile(r"/lib/python(\d+\.\d+)/")


def _check(case: Case) -> Iterator[Hit]:
    for captured in case.evidence.captured:
        for path in captured.changed_locks:
            yield Hit(
                message=f"{path} is not what {captured.folder} holds a copy of",
                cure="capture it again: proctor evidence capture",
                paths=(path,),
            )
        for what, there, here in sorted(set(_differences(case, captured))):
            yield Hit(
                message=f"{captured.folder}: {what} was {there}; the judged run had {here}",
                cure="capture it where the tests ran: proctor evidence capture",
            )


def _differences(case: Case, captured: Captured) -> Iterator[tuple[str, str, str]]:
    hosts = {s.span.run_id: s.span.host for s in case.evidence.every_seen() if s.span.host}
    told = captured.toolchain
    for _, part in case.leaves():
        host = hosts.get(part.span.run_id) or {}
        platform = "-".join(host[name] for name in ("system", "machine") if host.get(name))
        python = _PYTHON.search(part.span.runner.path or "" if part.span.runner else "")
        for what, here in (
            ("platform", platform),
            ("libc", host.get("libc", "")),
            ("python", python[1] if python is not None else ""),
        ):
            there = told.get(what, "")
            if what == "python":
                there = ".".join(there.split(".")[:2])
            if there and here and there != here:
                yield what, there, here


RULE = Rule(level=Level.NOTE, check=_check, approvable=True)
