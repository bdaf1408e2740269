"""Judges what was recorded: pass, fail or unproven."""

from proctor.cli.base import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def _configure(parser: "ArgumentParser") -> None:
    add = parser.add_argument
    add(
        "--log",
        metavar="F",
        action="append",
        default=[],
        help="a span log, may be given more than once; default: this repository's",
    )
    add("--base", metavar="REV", help="judge the patch since this revision, with its policy")
    add(
        "--evidence",
        metavar="DIR",
        action="append",
        default=[],
        help="hold this evidence folder against the records; may be given more than once",
    )
    add(
        "--transcript",
        metavar="F",
        action="append",
        default=[],
        help="an agent's transcript, whose tool calls are joined to what was recorded; "
        "may be given more than once",
    )
    add(
        "--receipt",
        metavar="F",
        action="append",
        default=[],
        help="a receipt to check; signed by a trusted key it counts without the log; "
        "may be given more than once",
    )
    add(
        "--oracle",
        metavar="REPORT",
        action="append",
        default=[],
        help="a report of `proctor oracle check`, as JSON; may be given more than once",
    )
    add(
        "--quarantine",
        metavar="F",
        help="explain failures by this quarantine (the base's, with --base), where a report "
        "of the oracle is green",
    )
    add("--every", action="store_true", help="judge each record by itself, strictly")
    add(
        "--format",
        default="text",
        metavar="NAME",
        help="text, json, markdown, github, gitlab, sarif or junit; default: text",
    )
    add("-o", "--output", metavar="F", help="write the verdict to this file instead")


def _run(arguments: "Namespace") -> int:
    import os
    from datetime import UTC, datetime

    from proctor.assess.gather import Question, assess
    from proctor.cli.output import write_whole
    from proctor.errors import EXIT_FAIL, EXIT_PASS, EXIT_UNPROVEN, UsageError
    from proctor.findings import Outcome
    from proctor.report.base import Format, format_of
    from proctor.report.style import Style, own_style

    style = format_of(arguments.format, Format)
    more = ("evidence", "transcript", "receipt", "oracle", "quarantine")
    if arguments.every and (given := [name for name in more if getattr(arguments, name)]):
        raise UsageError(f"--every judges records alone; drop it, or --{' and --'.join(given)}")
    verdict = assess(
        Question(
            folder=os.getcwd(),
            environ=os.environ,
            now=datetime.now(UTC),
            logs=tuple(arguments.log),
            every=arguments.every,
            base=arguments.base,
            evidence=tuple(arguments.evidence),
            transcripts=tuple(arguments.transcript),
            receipts=tuple(arguments.receipt),
            oracle=tuple(arguments.oracle),
            quarantine=arguments.quarantine,
        )
    )
    if arguments.output is None:
        print(style.render(verdict, own_style()), end="")
    else:
        write_whole(arguments.output, style.render(verdict, Style()), "the verdict")
    codes = {Outcome.PASS: EXIT_PASS, Outcome.FAIL: EXIT_FAIL, Outcome.UNPROVEN: EXIT_UNPROVEN}
    return codes[verdict.outcome]


COMMAND = Command(
    summary="judge what was recorded: pass, fail or unproven",
    example="proctor gate",
    configure=_configure,
    run=_run,
    everyday=5,
)
