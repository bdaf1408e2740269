"""Both builds are one and the same, although the patch changes sources.

Proves that what was run on both sides has one digest, or that the oracle saw no sign
of life from a build, so that equal traces say nothing. Does not prove that the patch
changes no behaviour.

Likely cause: the build step did not rebuild, an installed copy was run in place of the
build, the program cannot start, or the patch changes nothing that is built.

Next: look at `[oracle] command` and `build` in proctor.toml, then check again:
`proctor oracle check --base REV`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case

_CURE = "look at [oracle] command and build in proctor.toml, then check again"


def _check(case: Case) -> Iterator[Hit]:
    for report in case.evidence.oracle:
        if report.stale:
            continue
        if report.same_build:
            yield Hit(
                message=f"{report.path}: old and new build are the same, the sources are not",
                cure=_CURE,
            )
        if report.lifeless:
            yield Hit(message=f"{report.path}: {'; '.join(report.lifeless)}", cure=_CURE)


RULE = Rule(level=Level.UNPROVEN, check=_check, approvable=True)
