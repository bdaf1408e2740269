"""Judges what was recorded: pass, fail or unproven."""

from proctor.cli.base import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def _configure(parser: "ArgumentParser") -> None:
    from proctor.cli.judging import add_question
    from proctor.cli.output import add_output

    add_question(parser)
    parser.add_argument(
        "--every", action="store_true", help="judge each record by itself, strictly"
    )
    add_output(parser, "the verdict")


def _run(arguments: "Namespace") -> int:
    from proctor.cli.judging import answered
    from proctor.cli.output import put

    with answered(arguments, every=arguments.every) as answer:
        return put(answer, arguments, "the verdict")


COMMAND = Command(
    summary="judge what was recorded: pass, fail or unproven",
    example="proctor gate",
    configure=_configure,
    run=_run,
    everyday=5,
)
