"""Runs a command line and adds it to the corpus."""

from proctor.cli.notes import say
from proctor.cli.oracle.base import Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def _configure(parser: "ArgumentParser") -> None:
    add = parser.add_argument
    add("--seed", metavar="NAME", help="the sequence's name; default: from its content")
    add("--file", metavar="F", action="append", default=[], help="a file it reads; repeatable")
    add("--no-run", action="store_true", help="only write it down")
    add("argv", nargs="+", metavar="CMD", help="the command line, after --")


def _run(arguments: "Namespace") -> int:
    import os
    import subprocess
    import sys

    from proctor.assess.oracle import project_root
    from proctor.config import load
    from proctor.errors import EXIT_NOT_FOUND
    from proctor.oracle.recorded import append, recorded

    root = project_root(os.getcwd())
    table = load(root).oracle
    stdin = None if sys.stdin is None or sys.stdin.isatty() else sys.stdin.buffer.read()
    one = recorded(arguments.argv, table.command, stdin or None, arguments.file, arguments.seed)
    code = 0
    if not arguments.no_run:
        try:
            done = subprocess.run(arguments.argv, input=stdin or b"", check=False)
            code = done.returncode if done.returncode >= 0 else 128 - done.returncode
        except OSError as error:
            say(f"{arguments.argv[0]}: {error.strerror}; not recorded")
            return EXIT_NOT_FOUND
    added = append(os.path.join(root, table.corpus), one)
    verb = "added to" if added else "is in"
    say(f"seed {one.seed} {verb} {table.corpus} (exit code {code})")
    return 0


VERB = Verb(
    summary="run a command line and add it to the corpus",
    example="proctor oracle record -- ./kv set a 1",
    configure=_configure,
    run=_run,
)
