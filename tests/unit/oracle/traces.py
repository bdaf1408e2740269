"""Small traces, compared: what the tests of the oracle share."""

import json
from datetime import date
from pathlib import Path
from typing import Any

from proctor.oracle.difference import Ask, diff
from proctor.oracle.masks import Masks
from proctor.oracle.policy import Policy, parse_policy
from proctor.oracle.result import Report

TODAY = date(2030, 1, 15)
OLD = """\
A|1|set|key=a|value=1|status=0|warn=none
A|2|set|key=a|value=2|status=0|warn=none
A|3|get|key=a|hit=true|value=2
A|4|delete|key=missing|status=1|error=missing
A|5|list|order=insertion|count=1
B|1|set|key=e|value=|status=1|error=empty
B|2|get|key=e|hit=false
C|1|set|key=x|value=9|status=0|warn=none
C|2|get|key=x|hit=true|value=9
C|3|badcmd|status=2|error=unknown
"""
NEW = """\
A|1|set|key=a|value=1|status=0|warn=none
A|2|set|key=a|value=2|status=0|warn=duplicate
A|3|get|key=a|hit=true|value=2
A|4|delete|key=missing|status=0|error=none
A|5|list|order=sorted|count=1
B|1|set|key=e|value=|status=0
B|2|get|key=e|hit=true
C|1|set|key=x|value=9|status=0|warn=none
C|2|get|key=x|hit=true|value=9
C|3|badcmd|status=1|error=unknown
"""
ALLOWED = [
    {"seed": "A", "step": 4, "reason": "delete is idempotent"},
    {"seed": "A", "step": 5, "reason": "list sorts by default"},
]


def policy(*entries: Any) -> Policy:
    """A policy of these entries."""
    return parse_policy(json.dumps({"allowed": entries}).encode(), "policy.json", TODAY)


class Bench:
    """A folder in which traces are written and compared."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, name: str, content: str | bytes) -> str:
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def diff(
        self,
        old: str | bytes,
        new: str | bytes,
        *entries: Any,
        old2: str | bytes | None = None,
        masks: Masks | None = None,
        **more: Any,
    ) -> Report:
        """The report on two traces under a policy of these entries."""
        ask = Ask(
            old=self.put("old.trace", old),
            new=self.put("new.trace", new),
            old2=None if old2 is None else self.put("old2.trace", old2),
            policy=policy(*entries) if entries else None,
            masks=masks or Masks(),
            **more,
        )
        return diff(ask)
