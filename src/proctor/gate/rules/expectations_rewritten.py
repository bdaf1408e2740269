"""Stored expectations were rewritten: snapshots, golden files, recordings.

Proves that files which tests compare their results with have another content than at
the base revision, beyond times, ids and other noise, while no test beside them
changed or a run with an updating option was recorded. Does not prove that the new
content is wrong.

Likely cause: snapshots were updated to what the code prints now.

Next: read the new expectations as you would read code: `git diff BASE -- FILE`.
"""

import os
import re
from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.comparing import is_test_code, new_text, old_text
from proctor.gate.evidence import Change
from proctor.gate.words import listed, shown
from proctor.noise import masked
from proctor.requirements import patterns

_STORED = patterns(
    (
        *("__snapshots__/", "__image_snapshots__/", "*.snap", "*.ambr", "*.golden", "*.approved.*"),
        *(
            "golden/",
            "goldens/",
            "*.golden.*",
            "golden_*",
            "*_golden.*",
            "cassettes/",
            "*.verified.*",
        ),
        *("snapshots/", "*.expected", "*.expected.*", "expected/", "baselines/", "*-baseline.*"),
        *(
            "testdata/**/*.out",
            "testdata/**/*.want",
            "testdata/**/*.txt",
            "*.snapshot",
            "fixtures/vcr/",
        ),
    )
)
_INLINE = re.compile(
    r"(?:toMatchInlineSnapshot|toThrowErrorMatchingInlineSnapshot|expect!|insta::assert_\w+!)"
    r"\s*[(\[]\s*(`(?:[^`\\]|\\.)*`|@?\"(?:[^\"\\]|\\.)*\")"
    r"|\bsnapshot\((?:\"\"\"(?s:.*?)\"\"\"|[^()\n]*)\)"
)
"""Expectations that stand in the test itself."""


def _check(case: Case) -> Iterator[Hit]:
    changes = case.evidence.changes
    rewritten = [change for change in changes if _is_stored(change) and _differs(change)]
    inline = [change for change in changes if _inline_differs(change)]
    update = _update_run(case)
    tests = [c.path for c in changes if is_test_code(c.path) and not _is_stored(c)]
    told = [c.path for c in rewritten if update or not any(_beside(c.path, test) for test in tests)]
    told += [change.path for change in inline]
    if told:
        paths = tuple(dict.fromkeys(told))
        why = (
            f"; {update} was run"
            if update
            else ", and no test beside them did"
            if not inline
            else ""
        )
        yield Hit(
            message=f"{listed(paths)}: what tests compare with has changed{why}",
            cure="read the new expectations as you would read code, before they are believed",
            paths=paths,
        )


def _is_stored(change: Change) -> bool:
    return any(_STORED.match_file(path) for path in change.paths)


def _differs(change: Change) -> bool:
    """Return whether an expectation that stood at base says something else now."""
    if change.old_blob is None or change.old_blob == change.new_blob:
        return False
    before, after = old_text(change), new_text(change)
    if before is None or after is None:
        return True
    return masked(before)[0] != masked(after)[0]


def _inline_differs(change: Change) -> bool:
    """Return whether an expectation within a test was replaced by another."""
    before, after = old_text(change), new_text(change)
    if not before or not after or not is_test_code(change.path):
        return False
    old, new = (_expectations(text) for text in (before, after))
    return len(new) >= len(old) and any(one not in new for one in old)


def _expectations(text: str) -> list[str]:
    return [masked(" ".join(found[0].split()))[0] for found in _INLINE.finditer(text)]


def _update_run(case: Case) -> str:
    """Return the newest recorded command that rewrites expectations."""
    updates = [
        seen
        for seen in case.evidence.every_seen()
        if seen.what is not None
        and (seen.what.updates or any("UPDATE" in name for name in seen.what.narrowing_env))
    ]
    return shown(max(updates, key=lambda seen: seen.span.started_at).span.argv) if updates else ""


def _beside(path: str, test: str) -> bool:
    """Return whether a test file is the one that an expectation belongs to, by name or folder."""
    stem = os.path.basename(test).partition(".")[0].removeprefix("test_").removesuffix("_test")
    if stem and stem in path:
        return True
    folder = os.path.dirname(path)
    return os.path.dirname(test) in (folder, os.path.dirname(folder))


RULE = Rule(level=Level.WARNING, check=_check, approvable=True)
