"""Writes a first corpus, policy and grammar."""

from proctor.cli.oracle.base import Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def _configure(parser: "ArgumentParser") -> None:
    add = parser.add_argument
    add("--dry-run", action="store_true", help="show the change, write nothing")
    add("argv", nargs="*", metavar="CMD", help="the program, after --; its --help is read")


def _run(arguments: "Namespace") -> int:
    import os

    from proctor.assess.oracle import project_root
    from proctor.report.plain import visible
    from proctor.setup.oracle import start

    root = project_root(os.getcwd())
    found = start(root, arguments.argv)
    print("\n".join(visible(line) for line in found.settings.diff().splitlines()))
    for path, text in found.files.items():
        print(f"{path}: {text.count(chr(10)):,} lines")
    print("\n".join(visible(line) for line in found.described))
    if not arguments.dry_run:
        found.write()
        print("next: look through them, then: proctor oracle pin")
    return 0


VERB = Verb(
    summary="write a first corpus, policy and grammar, from the program's --help where it can",
    example="proctor oracle init -- ./kv",
    configure=_configure,
    run=_run,
)
