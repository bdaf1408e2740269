"""Writes the digests of corpus, fixtures, policy and masks to the lock."""

from proctor.cli.oracle.base import Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def _configure(parser: "ArgumentParser") -> None:
    add = parser.add_argument
    add("--old", metavar="CMD", help="look for noise in this program, or folder of a build")
    add("--no-vary", action="store_true", help="look for no noise")
    add("--sandbox", choices=("auto", "bubblewrap", "folders"), help="default: as configured, auto")


def _run(arguments: "Namespace") -> int:
    import os

    from proctor.assess.oracle import pinned, project_root
    from proctor.cli.output import write_whole
    from proctor.oracle.lock import render_lock
    from proctor.report.plain import visible

    root = project_root(os.getcwd())
    found = pinned(root, os.environ, arguments.old, arguments.sandbox, vary=not arguments.no_vary)
    write_whole(os.path.join(root, found.path), render_lock(found.lock), "the lock")
    print("\n".join(visible(line) for line in found.described))
    for one in found.lock.varies[:20]:
        what = "from run to run" if one.axis == "again" else f"with {one.axis}"
        print(visible(f"varies {what}: {one.seed} {one.step} {one.field}"))
    print(f"wrote {found.path}; commit it with corpus and policy")
    return 0


VERB = Verb(
    summary="freeze corpus, fixtures, policy and masks: write their digests to oracle.lock",
    example="proctor oracle pin",
    configure=_configure,
    run=_run,
)
