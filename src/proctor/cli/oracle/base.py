"""What a verb of `proctor oracle` binds, and what several of them do alike."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

    from proctor.oracle.policy import Policy
    from proctor.oracle.result import Report


class Verb:
    """What a verb's file binds to `VERB`; the file's name is the verb's."""

    __slots__ = ("configure", "example", "run", "summary")

    def __init__(
        self,
        *,
        summary: str,
        example: str,
        configure: "Callable[[ArgumentParser], None]",
        run: "Callable[[Namespace], int]",
    ) -> None:
        self.summary = summary
        self.example = example
        self.configure = configure
        self.run = run


def add_output(parser: "ArgumentParser") -> None:
    """Add the options of everything that writes a report."""
    parser.add_argument(
        "--format", default="text", metavar="NAME", help="text, json, markdown or html"
    )
    parser.add_argument("--output", metavar="F", help="write the report to this file instead")


def put(report: "Report", arguments: "Namespace") -> int:
    """Write a report where it was asked for and return the exit code that it means."""
    from proctor._family import member, names
    from proctor.cli.output import write_whole
    from proctor.errors import EXIT_FAIL, EXIT_PASS, EXIT_UNPROVEN, UsageError
    from proctor.findings import Outcome
    from proctor.report.deltas.base import Format
    from proctor.report.style import Style, own_style

    package = "proctor.report.deltas"
    if arguments.format not in names(package):
        raise UsageError(f"--format takes one of: {', '.join(names(package))}")
    style = member(package, arguments.format, "FORMAT")
    assert isinstance(style, Format)  # noqa: S101 - what the family's files bind
    if arguments.output is None:
        print(style.render(report, own_style()), end="")
    else:
        write_whole(arguments.output, style.render(report, Style()), "the report")
    codes = {Outcome.PASS: EXIT_PASS, Outcome.FAIL: EXIT_FAIL, Outcome.UNPROVEN: EXIT_UNPROVEN}
    return codes[report.outcome]


def policy_at(path: str | None) -> "Policy | None":
    """Return the policy in a file that was named, if one was."""
    if path is None:
        return None
    from proctor.oracle.difference import today_utc
    from proctor.oracle.policy import read_policy

    return read_policy(path, today_utc())
