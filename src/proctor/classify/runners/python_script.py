"""A Python script that is named like a test: `python test_x.py`.

Never evidence: without a test runner a file of pytest tests runs, executes none
of them and exits 0.
"""

from proctor.classify.base import Classification, Runner
from proctor.classify.index import base_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def _read(tokens: "Sequence[str]") -> Classification | None:
    if not base_name(tokens[0]).endswith(".py"):
        return None
    found = Classification(tokens, "python script", "other", "driver")
    found.selectors = (tokens[0], *tokens[1:])
    return found


RUNNER = Runner(
    command_class="python script",
    kind="driver",
    role="other",
    programs=("test_*", "*_test", "tests.py"),
    read=_read,
)
