"""Run a whole agent or shell under the recorder, the terminal untouched.

Every process below it becomes a span where the tree witness works. Exit codes:
the command's own, 128+n after a signal, 127 not found, 126 not executable, 125
where Proctor itself failed.
"""

from proctor.cli.base import Command
from proctor.cli.recording import configure, main_for, run_for
from proctor.errors import EXIT_RECORDER

COMMAND = Command(
    summary="run a whole agent or shell and record everything it runs",
    example="proctor watch -- claude",
    configure=configure,
    run=run_for("watch"),
    everyday=2,
    main=main_for("watch"),
    failure_code=EXIT_RECORDER,
)
