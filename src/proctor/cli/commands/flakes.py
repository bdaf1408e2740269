"""Keeps the history of test runs, tells which tests are flaky, updates the quarantine."""

from argparse import REMAINDER

from proctor.cli.base import Command, add_verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def _configure(parser: "ArgumentParser") -> None:
    from proctor.cli.output import add_output

    verbs = parser.add_subparsers(
        dest="verb", required=True, metavar="import|run|status|quarantine|args"
    )
    _import(
        add_verb(
            verbs,
            "import",
            "add the runs that reports tell of",
            "proctor flakes import build/junit.xml",
        )
    )
    run = add_verb(
        verbs, "run", "repeat a suite and add its runs", "proctor flakes run -n 10 -- pytest -q"
    )
    run.add_argument("-n", type=int, default=10, metavar="N", help="how many runs at most (10)")
    run.add_argument("--keep-order", action="store_true", help="do not shuffle pytest's tests")
    run.add_argument("--seed", metavar="TEXT", help="make the same orders as an earlier run")
    run.add_argument("argv", nargs=REMAINDER, metavar="-- CMD", help="the command, after --")
    status = add_verb(verbs, "status", "print the standing of each test", "proctor flakes status")
    status.add_argument("--every", action="store_true", help="stable and unknown tests too")
    add_output(status)
    quarantine = add_verb(
        verbs,
        "quarantine",
        "show, or make, the change of the quarantine",
        "proctor flakes quarantine --apply",
    )
    quarantine.add_argument("--apply", action="store_true", help="write the file")
    quarantine.add_argument(
        "--renew", action="append", default=[], metavar="ID", help="a test that stays"
    )
    quarantine.add_argument("--owner", metavar="WHO", help="who answers for what is renewed")
    quarantine.add_argument("--reason", metavar="WHY", help="why it is renewed")
    for one in (status, quarantine):
        one.add_argument(
            "--base", metavar="REV", help="take no evidence from files that hold the patch"
        )
        one.add_argument("--rule", choices=("default", "literal"), help="instead of [flakes] rule")
    args = add_verb(
        verbs,
        "args",
        "print arguments that leave quarantined tests out",
        "proctor flakes args --runner pytest",
    )
    args.add_argument(
        "--runner",
        required=True,
        choices=("pytest", "jest", "vitest", "mocha", "go", "nextest"),
    )
    for one in (quarantine, args):
        one.add_argument("--file", default="quarantine.txt", metavar="F", help="quarantine.txt")
    for one in verbs.choices.values():
        one.add_argument(
            "--history", metavar="F", help="the history (default: in the state folder)"
        )


def _import(parser: "ArgumentParser") -> None:
    from proctor._family import names

    add = parser.add_argument
    add("reports", nargs="+", metavar="REPORT", help="a report, or an evidence folder")
    formats = names("proctor.results.formats")
    told = "of the reports (default: by how they begin)"
    add("--format", metavar="NAME", choices=formats, help=told)
    add("--tree", metavar="ID", help="git's id of the files that were tested")
    add("--commit", metavar="REV", help="or the commit that was tested")
    add("--command", metavar="TEXT", help="the command, as one types it")
    add("--toolchain", metavar="TEXT", help="what it ran on, in any words")
    add("--run-id", metavar="ID", help="of the run (default: by the report's content)")
    add("--time", metavar="T", help="when it began (default: the file's time)")
    add(
        "--renamed",
        action="append",
        default=[],
        metavar="OLD=NEW",
        help="carry the history of a test over to its new id",
    )


def _run(arguments: "Namespace") -> int:
    from proctor.cli.flaking import act

    return act(arguments)


COMMAND = Command(
    summary="keep the history of tests, tell flaky from broken, update the quarantine",
    example="proctor flakes run -n 10 -- pytest -q",
    configure=_configure,
    run=_run,
)
