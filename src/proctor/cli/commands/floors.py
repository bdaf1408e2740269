"""Measures and shows floors: the least believable duration of each command class."""

from proctor.cli.base import Command, add_verb
from proctor.cli.notes import say, tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from proctor.records.place import Clone


def _configure(parser: "ArgumentParser") -> None:
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="measure|show")
    measure = add_verb(
        verbs,
        "measure",
        "run a command and store half its fastest run",
        "proctor floors measure -n 5 -- pytest -q",
    )
    measure.add_argument("-n", type=int, default=5, metavar="N", help="how many runs (5)")
    measure.add_argument("--dry-run", action="store_true", help="show the change, write nothing")
    measure.add_argument("argv", nargs="+", metavar="CMD", help="the command, after --")
    show = add_verb(
        verbs, "show", "print every floor and where it comes from", "proctor floors show"
    )
    show.add_argument("--format", choices=("text", "json"), default="text")


def _run(arguments: "Namespace") -> int:
    import os

    from proctor.records.place import find_clone

    clone = find_clone(os.getcwd())
    if arguments.verb == "show":
        return _show(clone.root, as_json=arguments.format == "json")
    return _measure(clone, arguments.argv, arguments.n, dry_run=arguments.dry_run)


def _show(root: str, *, as_json: bool) -> int:
    from proctor.config import load
    from proctor.setup.floors import effective

    floors = effective(load(root))
    if as_json:
        import msgspec

        print(msgspec.json.encode(floors).decode())
        return 0
    for floor in floors:
        tell(f"{floor.floor_ms:>8} ms  {floor.command_class:<16} {floor.source}")
    print("       0 ms  anything else")
    return 0


def _measure(clone: "Clone", argv: list[str], times: int, *, dry_run: bool) -> int:
    import os

    from proctor.errors import UsageError
    from proctor.report.plain import visible_argv
    from proctor.settings import light_settings
    from proctor.setup.floors import class_of, durations_of, floor_from, store

    if times < 1:
        raise UsageError("-n takes a number from 1; see `proctor floors measure --help`")
    name = class_of(argv, light_settings(clone, os.environ))
    if name is None:
        raise UsageError(
            f"{visible_argv(argv)}: Proctor knows no class for this command; name it in "
            "proctor.toml: [classes.NAME] match = [[…]]"
        )
    durations = []
    for duration in durations_of(argv, times):
        durations.append(duration)
        say(f"run {len(durations)} of {times}: {duration} ms")
    change = store(clone.root, name, floor_from(durations))
    if change.empty:
        tell(f"the floor of {name} stays {floor_from(durations)} ms")
        return 0
    tell(change.diff().rstrip("\n"))
    if not dry_run:
        change.write()
    return 0


COMMAND = Command(
    summary="measure or show the least believable duration of each command class",
    example="proctor floors measure -n 5 -- pytest -q",
    configure=_configure,
    run=_run,
)
