"""Finds the test suites and writes down that a change owes them."""

from proctor.cli.base import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def _configure(parser: "ArgumentParser") -> None:
    parser.add_argument("--dry-run", action="store_true", help="show the change, write nothing")


def _run(arguments: "Namespace") -> int:
    import os

    from proctor.errors import EXIT_PASS, EXIT_UNPROVEN
    from proctor.records.place import find_clone
    from proctor.report.plain import visible
    from proctor.setup.requirements import plan

    found = plan(find_clone(os.getcwd()).root)
    if not found.suites:
        print("no test suite was found; write a [[require]] by hand: proctor schema config")
        return EXIT_UNPROVEN
    if not found.added:
        print(f"nothing to add: {found.suites} found, required already")
        return EXIT_PASS
    print("\n".join(visible(line) for line in found.change.diff().splitlines()))
    if arguments.dry_run:
        print(f"\nwould add: {', '.join(found.added)}")
        return EXIT_PASS
    found.change.write()
    print(f"\nadded: {', '.join(found.added)}")
    print("next: commit proctor.toml, then record a run: proctor run -- CMD, then: proctor gate")
    return EXIT_PASS


COMMAND = Command(
    summary="find the test suites and write proctor.toml, which says that a change owes them",
    example="proctor init --dry-run",
    configure=_configure,
    run=_run,
    everyday=1,
)
