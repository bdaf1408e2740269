"""Makes Proctor part of a repository: what a change owes, the agents' hooks, the contract."""

from proctor.cli.base import Command
from proctor.cli.notes import say, tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from proctor.setup.install import Plan


def _configure(parser: "ArgumentParser") -> None:
    add = parser.add_argument
    add("--dry-run", action="store_true", help="show the change, write nothing")
    add("--undo", action="store_true", help="take back what init wrote here")
    add(
        "--agent",
        action="append",
        default=[],
        metavar="NAME",
        help="set up this agent, may be given more than once; default: those that are found",
    )
    add(
        "--rewrite",
        action="store_true",
        help="change each command by a hook: Claude Code instead of its shell prefix; Copilot "
        "CLI, which then asks about each",
    )
    add("--ci", metavar="NAME", help="also write a CI file: github or gitlab")
    add("--hook", metavar="NAME", help="also write a git hook that judges: pre-push")


def _run(arguments: "Namespace") -> int:
    import os

    from proctor.errors import EXIT_EVIDENCE, EXIT_PASS, EXIT_UNPROVEN
    from proctor.records.place import find_clone, log_path
    from proctor.report.plain import visible
    from proctor.setup.edits import write_file
    from proctor.setup.install import Asked, plan
    from proctor.setup.undo import remember

    clone = find_clone(os.getcwd())
    folder = os.path.dirname(log_path(clone, os.environ))
    if arguments.undo:
        return _undo(folder, clone.root)
    asked = Asked(
        agents=tuple(arguments.agent),
        rewrite=arguments.rewrite,
        ci=arguments.ci,
        hook=arguments.hook,
    )
    found = plan(clone.root, asked, os.environ)
    for edit in found.edits:
        print("\n".join(visible(line) for line in edit.diff().splitlines()), end="\n\n")
    if found.edits and not arguments.dry_run:
        remember(folder, clone.root, found.edits)
        for edit in found.edits:
            write_file(clone.root, edit.path, edit.after, executable=edit.executable)
    _tell(found, dry=arguments.dry_run)
    if found.refused:
        return EXIT_EVIDENCE
    return EXIT_PASS if found.suites or found.agents else EXIT_UNPROVEN


def _tell(found: "Plan", *, dry: bool) -> None:
    """Say what was done, what was left alone, and what is next."""
    for line in found.refused:
        say(line)
    if found.agents:
        tell(f"agents: {', '.join(found.agents)}")
    if not found.suites:
        print("no test suite was found; name what runs your tests in proctor.toml, for instance:")
        print('\n    [[require]]\n    name = "check"\n    command = ["make", "check"]\n')
    paths = ", ".join(edit.path for edit in found.edits)
    if not found.edits:
        if found.suites or found.agents:
            print("nothing to add: all is set up already")
    elif dry:
        tell(f"would write: {paths}")
    else:
        tell(f"wrote: {paths}")
        for line in found.then:
            tell(f"to do: {line}")
        print("next: look at it, commit it, then: proctor run -- CMD; proctor gate")


def _undo(folder: str, root: str) -> int:

    from proctor.errors import EXIT_EVIDENCE, EXIT_PASS
    from proctor.setup.undo import take_back

    taken = take_back(folder, root)
    for line in taken.left:
        say(line)
    if taken.restored:
        tell(f"taken back: {', '.join(taken.restored)}")
    elif not taken.left:
        print("nothing to take back")
    return EXIT_EVIDENCE if taken.left else EXIT_PASS


COMMAND = Command(
    summary="set up a repository and its agents: proctor.toml, hooks, the contract",
    example="proctor init --dry-run",
    configure=_configure,
    run=_run,
    everyday=1,
)
