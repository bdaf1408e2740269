"""Drafts policy entries for what a report flags."""

from proctor.cli.notes import say
from proctor.cli.oracle.base import Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def _configure(parser: "ArgumentParser") -> None:
    add = parser.add_argument
    add("report", metavar="REPORT", help="what `oracle check --format json --output REPORT` wrote")
    add("--output", metavar="F", help="write the draft there; default: print it")
    add("--model", metavar="URL", help="ask this endpoint (OpenAI's form) what looks intended")
    add("--model-name", metavar="NAME", default="default", help="the model to ask for there")


def _run(arguments: "Namespace") -> int:
    import sys

    from proctor.cli.output import write_whole
    from proctor.errors import OracleError
    from proctor.oracle.draft import draft, model_at, render
    from proctor.oracle.result import read_report

    try:
        with open(arguments.report, "rb") as file:
            report = read_report(file.read(), arguments.report)
    except OSError as error:
        raise OracleError(f"{arguments.report}: cannot be read: {error.strerror}") from None
    ask = model_at(arguments.model, arguments.model_name) if arguments.model else None
    entries = draft(report, ask)
    text = render(entries)
    if arguments.output is None:
        sys.stdout.write(text)
    else:
        write_whole(arguments.output, text, "the draft")
    say(
        f"{len(entries):,} entries drafted; each allows something once it has a reason "
        "and `drafted` is gone"
    )
    return 0


VERB = Verb(
    summary="draft policy entries for what a report flags; a person fills in the reasons",
    example="proctor oracle draft-policy artifacts/oracle.json --output draft.json",
    configure=_configure,
    run=_run,
)
