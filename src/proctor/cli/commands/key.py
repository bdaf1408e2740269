"""Makes a key to sign receipts and approvals with, or shows its public half."""

from proctor.cli.base import Command, add_verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def _configure(parser: "ArgumentParser") -> None:
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="new|show")
    new = add_verb(
        verbs, "new", "make a key and print its public half", "proctor key new ~/keys/receipts.key"
    )
    show = add_verb(
        verbs,
        "show",
        "print the public half, 64 hex digits",
        "proctor key show ~/keys/receipts.key",
    )
    for verb in (new, show):
        verb.add_argument(
            "file", metavar="FILE", nargs="?", default="",
            help="the key; default: $PROCTOR_KEY, else receipt.key in ~/.config/proctor",
        )  # fmt: skip
    parser.epilog = (
        f"{parser.epilog}\n\nKeep the key where the agent's shell cannot read it: under another "
        "user,\nor on CI alone. `proctor doctor` warns where it can be read."
    )


def _run(arguments: "Namespace") -> int:
    import os

    from proctor.receipt.keys import default_key, load_key, new_key, public_half

    if arguments.verb == "new":
        path = os.path.abspath(arguments.file) if arguments.file else default_key(os.environ)
        print(new_key(path))
    else:
        print(public_half(load_key(arguments.file)))
    return 0


COMMAND = Command(
    summary="make or show a key that receipts and approvals are signed with",
    example="proctor key new ~/keys/receipts.key",
    configure=_configure,
    run=_run,
)
