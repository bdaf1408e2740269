"""Shows how Proctor reads a command: its test runners, and whose exit code returns."""

from argparse import REMAINDER, ArgumentParser, Namespace

from proctor.cli.base import Command
from proctor.cli.notes import tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from proctor.classify.shell import ShellRun

_WORDS = {
    "own": "the line returns its exit code",
    "altered": "the line fails with another exit code",
    "masked": "the line may return 0 although it fails",
    "unknown": "only running can tell what the line returns",
}


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--shell", metavar="LINE", help="a line of shell text")
    parser.add_argument("argv", nargs=REMAINDER, metavar="-- ARGV", help="a command, as arguments")


def _run(args: Namespace) -> int:
    import json
    import os

    from proctor.classify.shell import read_argv, read_line
    from proctor.errors import EXIT_PASS, UsageError
    from proctor.records.place import find_clone
    from proctor.settings import light_settings

    argv = args.argv[1:] if args.argv[:1] == ["--"] else args.argv
    if (args.shell is None) == (not argv):
        raise UsageError("give either `--shell LINE` or `-- ARGV…`")
    settings = light_settings(find_clone(os.getcwd()), os.environ)
    if args.shell is not None:
        runs = read_line(args.shell, classes=settings.classes, table=settings.table)
    else:
        runs = read_argv(argv, classes=settings.classes, table=settings.table)
    if args.format == "json":
        print(json.dumps({"runners": [as_json(run) for run in runs]}, ensure_ascii=False))
    else:
        tell("\n\n".join(as_text(run) for run in runs) or "no test runner")
    return EXIT_PASS


def as_json(run: "ShellRun") -> "dict[str, object]":
    """Return one runner as `--format json` shows it."""
    found = run.found
    return {
        "argv": list(run.argv),
        "command_class": found.command_class,
        "role": found.role,
        "kind": found.kind,
        "wrappers": list(run.wrappers),
        "selectors": list(found.selectors),
        "narrowing": list(found.narrowing),
        "not_a_run": found.not_a_run,
        "masked_by": run.masked_by,
        "status": run.status,
    }


def as_text(run: "ShellRun") -> str:
    """Return one runner as lines for people."""
    import shlex

    found = run.found
    meaning = _WORDS[run.status] + (f" ({run.masked_by})" if run.masked_by else "")
    rows = [
        ("class", f"{found.command_class} ({found.kind})"),
        ("wrappers", ", ".join(run.wrappers)),
        ("selects", " ".join(found.selectors)),
        ("narrowed by", " ".join(found.narrowing)),
        ("not a run", found.not_a_run or ""),
        ("exit code", f"{run.status}: {meaning}"),
    ]
    lines = [f"  {name:<12} {value}" for name, value in rows if value]
    return "\n".join((shlex.join(run.argv), *lines))


COMMAND = Command(
    summary="show how a command is read",
    example='proctor classify --shell "pytest -q | tail -5"',
    configure=_configure,
    run=_run,
)
