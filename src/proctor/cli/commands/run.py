"""Run one command under the recorder; output and exit code are its own.

Every process below it becomes a span where the tree witness works. Exit codes:
the command's own, 128+n after a signal, 127 not found, 126 not executable, 125
where Proctor itself failed.
"""

from proctor.cli.base import Command
from proctor.cli.recording import configure, main_for, run_for
from proctor.errors import EXIT_RECORDER

COMMAND = Command(
    summary="run one command and record what really ran",
    example="proctor run -- pytest -q",
    configure=configure,
    run=run_for("run"),
    everyday=3,
    main=main_for("run"),
    failure_code=EXIT_RECORDER,
)
