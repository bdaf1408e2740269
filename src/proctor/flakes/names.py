"""One name for a test, whichever report tells of it.

pytest is `tests/test_a.py::TestB::test_c[1]` to itself and `tests.test_a.TestB::test_c[1]`
in JUnit: both are the same test here. Parts that differ from run to run (addresses,
dates, temporary folders) are masked.
"""

import re

from proctor.noise import MASKS

_NODE = re.compile(r"((?:[^\[:]|:(?!:))+\.py)::([^\[]+)(\[.*)?", re.DOTALL)
_VARYING = re.compile(
    "|".join(
        (
            *(MASKS[name] for name in ("timestamp", "uuid", "address", "temporary path")),
            r"(?<![\w.-])\d{4}-\d\d-\d\d(?![\w-])",
        )
    )
)


def canonical(test_id: str) -> str:
    """Return the name that all reports of a test agree on."""
    found = _NODE.fullmatch(test_id)
    if found is None:
        return test_id
    file, names, parameters = found[1], found[2].split("::"), found[3] or ""
    owner = ".".join((file.removesuffix(".py").replace("/", "."), *names[:-1]))
    # NOTE: of `test_a` in test_a.py JUnit has one name: some producers write each name twice.
    if owner == f"{names[-1]}{parameters}":
        return owner
    return f"{owner}::{names[-1]}{parameters}"


def steady(name: str) -> str:
    """Return a name without the parts that differ from run to run."""
    return _VARYING.sub("<varies>", name)


def tail_of(name: str) -> str:
    """Return what of a name stays when its file is moved: classes and the test itself."""
    head, bracket, parameters = name.partition("[")
    owner, _, test = head.rpartition("::")
    classes = [part for part in re.split(r"[./]", owner) if part[:1].isupper()]
    return "::".join((*classes, test)) + bracket + parameters
