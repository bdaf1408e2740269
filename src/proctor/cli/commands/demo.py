"""Shows on a small real project how a red test run looks green, and is caught."""

from proctor.cli.base import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def _configure(parser: "ArgumentParser") -> None:
    parser.add_argument("--keep", action="store_true", help="leave the project to look around in")
    parser.epilog = (
        f"{parser.epilog}\n\nexit code: 0 if every step came out as told, else 1.\n"
        "Nothing outside a temporary folder is touched."
    )


def _run(arguments: "Namespace") -> int:
    import os
    import tempfile
    from functools import partial

    from proctor.errors import EXIT_FAIL, EXIT_PASS
    from proctor.setup.demo import play

    tell = partial(print, flush=True)
    if arguments.keep:
        folder = tempfile.mkdtemp(prefix="proctor-demo-")
        came_out = play(folder, tell, os.environ)
        state = os.path.join(folder, "state")
        tell(f"\nLook around: cd {folder}/shop && export PROCTOR_STATE_DIR={state}")
    else:
        with tempfile.TemporaryDirectory(prefix="proctor-demo-") as folder:
            came_out = play(folder, tell, os.environ)
    return EXIT_PASS if came_out else EXIT_FAIL


COMMAND = Command(
    summary="show on a small real project how a red run looks green, and is caught",
    example="proctor demo",
    configure=_configure,
    run=_run,
)
