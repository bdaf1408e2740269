"""Judges what was recorded: pass, fail or unproven."""

from proctor.cli.base import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def _configure(parser: "ArgumentParser") -> None:
    from proctor.cli.judging import add_question

    add_question(parser)
    add = parser.add_argument
    add("--every", action="store_true", help="judge each record by itself, strictly")
    add(
        "--format",
        default="text",
        metavar="NAME",
        help="text, json, markdown, github, gitlab, sarif or junit; default: text",
    )
    add("-o", "--output", metavar="F", help="write the verdict to this file instead")


def _run(arguments: "Namespace") -> int:
    from proctor.assess.gather import assess
    from proctor.cli.judging import asked, exit_code_of
    from proctor.cli.output import write_whole
    from proctor.report.base import Format, format_of
    from proctor.report.style import Style, own_style

    style = format_of(arguments.format, Format)
    with asked(arguments, every=arguments.every) as question:
        verdict = assess(question)
    if arguments.output is None:
        print(style.render(verdict, own_style()), end="")
    else:
        write_whole(arguments.output, style.render(verdict, Style()), "the verdict")
    return exit_code_of(verdict)


COMMAND = Command(
    summary="judge what was recorded: pass, fail or unproven",
    example="proctor gate",
    configure=_configure,
    run=_run,
    everyday=5,
)
