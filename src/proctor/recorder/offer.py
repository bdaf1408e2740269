"""What a command is offered, so that its tests are counted.

On the light path.
"""

import os

from proctor.recorder.outer import warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from proctor.recorder.session import Session


_STARTERS = ("npm", "pnpm", "yarn")
"""Programs that may start node's own test runner."""


def offer_report(session: "Session", environ: "dict[str, str]") -> None:
    """Put the pytest plugin where pytest finds it, and say so in the span."""
    if session.options.report not in ("auto", "junit"):
        return
    from proctor.results.wheel import ensure_wheel

    live = os.path.join(environ.get("TMPDIR") or "/tmp", f"proctor-{session.run_id[:16]}")  # noqa: S108 - a folder of a random name, mode 0700
    try:
        wheel = ensure_wheel(session.folder)
        os.mkdir(live, 0o700)
    except OSError as error:
        warn(f"executed tests will not be counted: {error.filename}: {error.strerror}")
        return
    session.live = live
    before = environ.get("PYTHONPATH", "")
    environ["PYTHONPATH"] = f"{before}:{wheel}" if before else wheel
    environ["PROCTOR_REPORT"] = live
    session.injected = [f"PYTHONPATH+={wheel}", f"PROCTOR_REPORT={live}"]
    if environ.get("PROCTOR_SHUFFLE"):
        session.injected.append(f"PROCTOR_SHUFFLE={environ['PROCTOR_SHUFFLE']}")
    options = session.options
    terminal = options.pty or (not options.piped and os.isatty(1))
    if options.report == "auto" and may_start_node_tests(options.argv):
        from proctor.recorder.ask import ask_node_to_count

        session.injected += ask_node_to_count(environ, options.argv, os.getcwd(), terminal=terminal)
    if options.report == "junit":
        from proctor.recorder.ask import ask_for_junit

        session.injected += ask_for_junit(environ, live, os.getcwd(), terminal=terminal)


def may_start_node_tests(argv: "list[str]") -> bool:
    """Return whether a look at the line, which costs a few milliseconds, is worth it."""
    program = os.path.basename(argv[0])
    return program in _STARTERS or (program in ("node", "nodejs") and "--test" in argv)


def remove_live(live: str | None) -> None:
    """Take away the folder that the plugin wrote to."""
    if live is None:
        return
    try:
        for name in os.listdir(live):
            os.unlink(os.path.join(live, name))
        os.rmdir(live)
    except OSError:
        return
