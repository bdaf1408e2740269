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


def check_pair(arguments: "Namespace", verb: str) -> None:
    """See that the two builds are named in one of the two ways.

    Raises:
        UsageError: they are not.
    """
    from proctor.errors import UsageError

    if (arguments.base is None) == (arguments.old is None) or (arguments.old is None) != (
        arguments.new is None
    ):
        raise UsageError(f"{verb} takes --base REV, or --old CMD and --new CMD")


def put(report: "Report", arguments: "Namespace") -> int:
    """Write a report where it was asked for and return the exit code that it means."""
    from proctor.cli import output
    from proctor.report.behaviour import answer_of

    return output.put(answer_of(report), arguments)


def policy_at(path: str | None) -> "Policy | None":
    """Return the policy in a file that was named, if one was."""
    if path is None:
        return None
    from proctor.oracle.difference import today_utc
    from proctor.oracle.policy import read_policy

    return read_policy(path, today_utc())
