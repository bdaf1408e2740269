"""Replays the corpus on both builds and compares."""

from proctor.cli.notes import say
from proctor.cli.oracle.base import Verb, check_pair, put

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def _configure(parser: "ArgumentParser") -> None:
    from proctor.cli.output import add_output

    add = parser.add_argument
    add("--base", metavar="REV", help="old is where the patch since REV began, new what is here")
    add("--old", metavar="CMD", help="instead: the old program, or the folder of its build")
    add("--new", metavar="CMD", help="and the new one")
    add("--policy", metavar="F", help="with --old and --new: another policy than the configured")
    add("--corpus", metavar="F", help="another corpus than the configured")
    add(
        "--seed", metavar="NAME", action="append", default=[], help="only this sequence; repeatable"
    )
    add(
        "--jobs",
        type=int,
        default=0,
        metavar="N",
        help="steps at a time; default: one more than processors",
    )
    add("--sandbox", choices=("auto", "bubblewrap", "folders"), help="default: as configured, auto")
    add("--scheduler", metavar="ADDRESS", help="run the chunks on this Dask cluster, tcp://…")
    add("--fork-server", action="store_true", help="fork steps of a Python program; verified first")
    add(
        "--holdout",
        type=int,
        default=0,
        metavar="N",
        help="also play N sequences drawn from the grammar; they are reported and decide nothing",
    )
    add("--traces", metavar="DIR", help="keep the merged traces in this folder")
    add_output(parser)


def _run(arguments: "Namespace") -> int:
    import os
    import sys

    from proctor.assess.oracle import Request, checked
    from proctor.cli.progress import Counted
    from proctor.errors import UsageError

    check_pair(arguments, "check")
    if arguments.base is not None and arguments.policy is not None:
        raise UsageError("--base reads the policy of the base; drop --policy")
    if arguments.jobs < 0:
        raise UsageError("--jobs takes a number from 1; 0 is one more than processors")
    try:
        with Counted(sys.stderr) as progress:
            report = checked(
                Request(
                    folder=os.getcwd(),
                    environ=os.environ,
                    base=arguments.base,
                    old=arguments.old,
                    new=arguments.new,
                    policy=arguments.policy,
                    corpus=arguments.corpus,
                    only=tuple(arguments.seed),
                    jobs=arguments.jobs,
                    sandbox=arguments.sandbox,
                    scheduler=arguments.scheduler,
                    fork_server=arguments.fork_server,
                    traces=arguments.traces,
                    holdout=max(0, arguments.holdout),
                ),
                progress,
            )
    except KeyboardInterrupt:
        say("stopped; the same command goes on where this one was")
        raise
    return put(report, arguments)


VERB = Verb(
    summary="replay the corpus on both builds and compare",
    example="proctor oracle check --base origin/main",
    configure=_configure,
    run=_run,
)
