"""Makes sequences from the grammar in the configuration."""

from proctor.cli.notes import tell
from proctor.cli.oracle.base import Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def _configure(parser: "ArgumentParser") -> None:
    add = parser.add_argument
    add("--budget", type=int, metavar="N", help="sequences in the end, at most; default: 200")
    add("--draw", action="store_true", help="let Hypothesis draw what the exhaustive part leaves")
    add("--number", type=int, default=1, metavar="N", help="the number that drawing begins with")
    add("--fresh", action="store_true", help="forget what the corpus holds already")
    add("--dry-run", action="store_true", help="say what it would reach, write nothing")


def _run(arguments: "Namespace") -> int:
    import os

    from proctor.assess.oracle import project_root
    from proctor.config import load
    from proctor.errors import UsageError
    from proctor.oracle.corpus import read_corpus, write_corpus
    from proctor.oracle.coverage import described
    from proctor.oracle.generate import generate, with_strategies

    root = project_root(os.getcwd())
    table = load(root).oracle
    budget = arguments.budget if arguments.budget is not None else table.budget
    if budget < 1:
        raise UsageError("--budget takes a number from 1")
    path = os.path.join(root, table.corpus)
    kept = [] if arguments.fresh or not os.path.lexists(path) else list(read_corpus(path))
    share = (budget + len(kept)) // 2 if arguments.draw else budget
    found = generate(table, kept, share)
    if arguments.draw:
        found = with_strategies(table, found, budget, arguments.number)
    if not arguments.dry_run:
        write_corpus(path, iter(found))
    tell("\n".join(described(table, found)))
    verb = "would be added to" if arguments.dry_run else "added to"
    print(f"{len(found) - len(kept):,} sequences {verb} {table.corpus}; next: proctor oracle pin")
    return 0


VERB = Verb(
    summary="make sequences from the grammar in proctor.toml",
    example="proctor oracle generate --budget 60",
    configure=_configure,
    run=_run,
)
