"""Shortens one sequence while the builds still differ in the same way."""

from proctor.cli.oracle.base import Verb, check_pair

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def _configure(parser: "ArgumentParser") -> None:
    add = parser.add_argument
    add("seed", metavar="SEED", help="the sequence, by its name in the corpus")
    add("--step", type=int, metavar="N", help="the step whose change is kept; default: the first")
    add("--base", metavar="REV", help="as in `oracle check`")
    add("--old", metavar="CMD", help="as in `oracle check`")
    add("--new", metavar="CMD", help="as in `oracle check`")
    add("--corpus", metavar="F", help="another corpus than the configured")
    add("--sandbox", choices=("auto", "bubblewrap", "folders"), help="default: as configured, auto")


def _run(arguments: "Namespace") -> int:
    import os

    from proctor.assess.oracle import Request, shrunk
    from proctor.errors import EXIT_FAIL, EXIT_PASS
    from proctor.report.plain import visible

    check_pair(arguments, "shrink")
    found = shrunk(
        Request(
            folder=os.getcwd(),
            environ=os.environ,
            base=arguments.base,
            old=arguments.old,
            new=arguments.new,
            corpus=arguments.corpus,
            sandbox=arguments.sandbox,
            only=(arguments.seed,),
        ),
        arguments.step,
    )
    if found is None:
        print(f"{visible(arguments.seed)}: the builds do the same")
        return EXIT_PASS
    print("\n".join(visible(line) for line in found))
    return EXIT_FAIL


VERB = Verb(
    summary="shorten a sequence while old and new still differ in the same way",
    example="proctor oracle shrink A --step 2 --old old --new new",
    configure=_configure,
    run=_run,
)
