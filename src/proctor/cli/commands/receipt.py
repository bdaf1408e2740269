"""Receipts of runs: write, check, show, replay, and send along with a commit."""

from proctor.cli.base import Command, add_verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

_CODES = (
    "exit code: 0 good, 2 missing, 3 stale or expired, 4 non-zero exit, 5 fields missing,\n"
    "6 altered, without a record or unsigned, 7 wrong command, 8 wrong host or toolchain;\n"
    "everything that is wrong is listed, the lowest code is returned."
)


def _configure(parser: "ArgumentParser") -> None:
    verbs = parser.add_subparsers(
        dest="verb", required=True, metavar="issue|check|show|replay|attach|fetch"
    )

    _issue(
        add_verb(
            verbs, "issue", "run a command and write its receipt", "proctor receipt issue -- pytest"
        )
    )
    check = add_verb(
        verbs,
        "check",
        "say all that is wrong with a receipt",
        "proctor receipt check --base origin/main",
    )
    check.epilog = f"{check.epilog}\n\n{_CODES}"
    _check(check)
    replay = add_verb(
        verbs,
        "replay",
        "run a receipt's command again from a clean checkout, and compare",
        "proctor receipt replay --base origin/main --tests-from origin/main --canary",
    )
    replay.epilog = (
        f"{replay.epilog}\n\nexit code: 0 reproduced and green, 1 diverged or red, 2 could not run."
    )
    _replay(replay)
    attach = add_verb(
        verbs,
        "attach",
        "note receipts at a commit, so that they travel with a push",
        "proctor receipt attach && git push origin refs/notes/proctor",
    )
    attach.add_argument("files", nargs="*", metavar="F", help="default: those in artifacts/")
    attach.add_argument("--commit", metavar="REV", default="HEAD", help="default: HEAD")
    fetch = add_verb(
        verbs,
        "fetch",
        "get the receipts that are noted at a commit",
        "proctor receipt fetch --remote origin",
    )
    fetch.add_argument("--remote", metavar="NAME", help="fetch its notes first")
    fetch.add_argument("--commit", metavar="REV", default="HEAD", help="default: HEAD")
    fetch.add_argument("--output", metavar="DIR", help="default: the repository's root")
    _show(
        add_verb(
            verbs, "show", "print a receipt", "proctor receipt show artifacts/test-receipt.json"
        )
    )


def _issue(parser: "ArgumentParser") -> None:
    add = parser.add_argument
    add("--output", metavar="F", default="", help="default: artifacts/test-receipt.json")
    add("--sign", metavar="KEY", nargs="?", const="", help="sign it; default key: $PROCTOR_KEY")
    add("--require", metavar="NAME", help="the [[require]] item whose command is run")
    add("--log", metavar="F", help="the span log; default: this repository's")
    add("--timeout", metavar="SECONDS", help="end the command after this long")
    add("--witness", metavar="W", choices=("auto", "tree", "direct"), help="auto, tree or direct")
    add("argv", nargs="...", metavar="-- CMD", help="default: the requirement's command")


def _check(parser: "ArgumentParser") -> None:
    from proctor.cli.output import add_output

    add = parser.add_argument
    add("files", nargs="*", metavar="F", help="receipts or bundles; default: those in artifacts/")
    add("--base", metavar="REV", help="the requirements and trusted keys of this revision count")
    add("--command", metavar="WORDS", help="the owed command, as one argument")
    add("--host", metavar="GLOB", help="where it should have run: the host's name")
    add("--platform", metavar="GLOB", help="system and machine, e.g. 'linux-*'")
    add("--toolchain", metavar="FILE", help="versions: lines NAME=VERSION, or a JSON object")
    add("--max-age", metavar="D", help="how old it may be: 90m, 12h, 7d")
    add("--key", metavar="PUB", action="append", default=[], help="a public key that is trusted")
    add("--require-signed", action="store_true", help="refuse what no trusted key signed")
    add("--log", metavar="F", help="the span log; default: this repository's")
    add_output(parser)


def _replay(parser: "ArgumentParser") -> None:
    from proctor.cli.output import add_output

    add = parser.add_argument
    add("file", nargs="?", metavar="F", help="default: artifacts/test-receipt.json")
    add("--base", metavar="REV", help="whose [[require]] holds the command; default: main branch")
    add("--require", metavar="NAME", help="the [[require]] item, where the receipt fits several")
    add("--command", metavar="WORDS", help="the command, where no [[require]] holds it")
    add("--tests-from", metavar="REV", help="also run this base's tests, with its whole harness")
    add("--canary", action="store_true", help="also add a test that must fail: is it noticed?")
    add("--prepare", metavar="WORDS", help="a command to run before, e.g. 'npm ci'")
    add("--timeout", type=float, metavar="SECONDS", help="end each run after this long")
    add_output(parser)


def _show(parser: "ArgumentParser") -> None:
    add = parser.add_argument
    add("file", nargs="?", metavar="F", default="", help="default: artifacts/test-receipt.json")
    add(
        "--format", choices=("text", "json", "statement", "predicate"), default="text",
        help="statement, predicate: in-toto's test-result for other tools",
    )  # fmt: skip


def _run(arguments: "Namespace") -> int:
    from proctor.cli import receipts

    verb = getattr(receipts, f"run_{arguments.verb}")
    code = verb(arguments)
    assert isinstance(code, int)  # noqa: S101 - each of them returns an exit code
    return code


COMMAND = Command(
    summary="write, check, show, replay or send along receipts of runs",
    example="proctor receipt check",
    configure=_configure,
    run=_run,
)
