"""Compares two traces that are already there."""

from proctor.cli.oracle.base import Verb, policy_at, put

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def _configure(parser: "ArgumentParser") -> None:
    from proctor.cli.output import add_output

    add = parser.add_argument
    add("old", metavar="OLD", help="the trace of the old build")
    add("new", metavar="NEW", help="the trace of the new build")
    add("policy", metavar="POLICY", nargs="?", help="what is allowed to differ")
    add(
        "--old2",
        metavar="F",
        help="a second trace of the old build: masks act only where it varies",
    )
    add("--unstable-cap", type=int, metavar="N", help="unstable fields that may be; default: 5%%")
    add_output(parser)


def _run(arguments: "Namespace") -> int:
    import sys

    from proctor.cli.waiting import waiting
    from proctor.oracle.difference import Ask, diff

    ask = Ask(
        old=arguments.old,
        new=arguments.new,
        old2=arguments.old2,
        policy=policy_at(arguments.policy),
        unstable_cap=arguments.unstable_cap,
    )
    with waiting(sys.stderr, "comparing"):
        report = diff(ask)
    return put(report, arguments)


VERB = Verb(
    summary="compare two traces",
    example="proctor oracle diff old.trace new.trace policy.json",
    configure=_configure,
    run=_run,
)
