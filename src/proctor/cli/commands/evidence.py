"""Keeps, shows and compares what a run leaves behind."""

from argparse import REMAINDER

from proctor.cli.base import Command, add_verb
from proctor.cli.notes import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from proctor.capture.manifest import Manifest


def _configure(parser: "ArgumentParser") -> None:
    from proctor.cli.output import add_output

    verbs = parser.add_subparsers(dest="verb", required=True, metavar="capture|show|compare")
    capture = add_verb(
        verbs,
        "capture",
        "run the tests and keep what they leave",
        "proctor evidence capture -- pytest -q",
    )
    capture.add_argument("--dir", default="evidence", metavar="DIR", help="where to (evidence)")
    capture.add_argument(
        "--venue",
        choices=("scratch", "ci"),
        help="what this machine is: a canary or CI (default: by the variable CI)",
    )
    capture.add_argument(
        "argv",
        nargs=REMAINDER,
        metavar="-- CMD",
        help="the command (default: the [[require]] commands, else the suites found here)",
    )
    show = add_verb(
        verbs, "show", "print what is there, what it proves and what not", "proctor evidence show"
    )
    show.add_argument("folder", nargs="?", default="evidence", metavar="DIR")
    add_output(show)
    compare = add_verb(
        verbs,
        "compare",
        "print how two captures differ",
        "proctor evidence compare evidence other/evidence",
    )
    compare.add_argument("a", metavar="A", help="an evidence folder, or a toolchain file")
    compare.add_argument("b", metavar="B", help="the other one")
    add_output(compare)


def _run(arguments: "Namespace") -> int:
    if arguments.verb == "capture":
        return _capture(arguments)
    return _show(arguments) if arguments.verb == "show" else _compare(arguments)


def _capture(arguments: "Namespace") -> int:
    import os

    from proctor.errors import EXIT_FAIL, EXIT_PASS, EXIT_UNPROVEN
    from proctor.evidence import capture, commands_of
    from proctor.records.place import find_clone

    argv = arguments.argv[1:] if arguments.argv[:1] == ["--"] else arguments.argv
    folder = os.getcwd()
    commands = [(folder, tuple(argv))] if argv else commands_of(folder)
    venue = arguments.venue or ("ci" if os.environ.get("CI") in ("true", "1") else "scratch")
    manifest = capture(commands, target=arguments.dir, venue=venue)
    for line in _told(manifest, arguments.dir):
        say(line)
    root = find_clone(folder).root
    inside = os.path.relpath(os.path.realpath(arguments.dir), root)
    if inside != "evidence" and not inside.startswith(".."):
        say(
            f"{inside} lies in the repository and counts as part of its content; "
            "use the default folder, or one outside"
        )
    if not manifest.commands:
        return EXIT_UNPROVEN
    green = all(command.exit_code == 0 for command in manifest.commands)
    return EXIT_PASS if green else EXIT_FAIL


def _told(manifest: "Manifest", folder: str) -> "list[str]":
    lines = [f"{folder}: {len(manifest.files) + 1} files kept; see: proctor evidence show"]
    if not manifest.commands:
        lines.append("nothing to run was found (NO_PYTEST_LAYOUT); name the command after --")
    return lines + [f"not kept: {why}" for why in manifest.absent]


def _show(arguments: "Namespace") -> int:
    from proctor.capture.show import show
    from proctor.cli.output import put
    from proctor.report.captures import shown_answer

    return put(shown_answer(show(arguments.folder)), arguments)


def _compare(arguments: "Namespace") -> int:
    from proctor.capture.compare import compare, is_comparable, read_side
    from proctor.cli.output import put
    from proctor.report.captures import compared_answer

    a, b = read_side(arguments.a), read_side(arguments.b)
    comparable = is_comparable(a, b)
    found = compared_answer(arguments.a, arguments.b, compare(a, b), comparable=comparable)
    return put(found, arguments)


COMMAND = Command(
    summary="keep, show and compare what a run leaves behind",
    example="proctor evidence capture -- pytest -q",
    configure=_configure,
    run=_run,
)
