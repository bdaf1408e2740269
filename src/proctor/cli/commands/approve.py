"""Writes that a person has looked at a finding set and lets it pass."""

from proctor.cli.base import Command
from proctor.cli.notes import tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def _configure(parser: "ArgumentParser") -> None:
    add = parser.add_argument
    add("digest", metavar="DIGEST", help="the finding set, as `proctor gate --base` prints it")
    add("--reason", metavar="TEXT", required=True, help="why it may pass")
    add("--owner", metavar="WHO", help="who answers for it; default: git's user.email")
    add(
        "--expires",
        metavar="WHEN",
        default="30d",
        help="the last day, 2030-12-31, or a number of days or weeks, 14d, 2w; default: 30d",
    )
    add("--sign", metavar="KEY", nargs="?", const="", help="sign it; default key: $PROCTOR_KEY")
    add("--dry-run", action="store_true", help="show the change, write nothing")


def _run(arguments: "Namespace") -> int:
    import os
    from datetime import UTC, datetime

    from proctor.records.place import find_clone
    from proctor.setup.approve import approve

    root = find_clone(os.getcwd()).root
    change = approve(
        root,
        arguments.digest,
        reason=arguments.reason,
        owner=arguments.owner,
        expires=arguments.expires,
        today=datetime.now(UTC).date(),
        key=arguments.sign,
    )
    tell((change.diff() or f"{change.path} has this approval already").rstrip("\n"))
    if not arguments.dry_run:
        change.write()
    return 0


COMMAND = Command(
    summary="let findings pass that a person has looked at",
    example='proctor approve "$DIGEST" --reason "CI moves to Python 3.14"',
    configure=_configure,
    run=_run,
)
