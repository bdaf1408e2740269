"""Explains a rule: what it proves, what it does not, and what to do next."""

from argparse import ArgumentParser, Namespace

from proctor.cli.base import Command


def _configure(parser: ArgumentParser) -> None:
    from proctor.report.rules import rule_names

    told = "a rule's name, as a verdict shows it"
    parser.add_argument("rule", metavar="RULE", choices=rule_names(), help=told)


def _run(args: Namespace) -> int:
    from proctor.errors import EXIT_PASS
    from proctor.report.rules import explain

    found = explain(args.rule)
    print(f"{found.rule} ({found.level.value})")
    for part in (found.summary, found.proves, f"Likely cause: {found.cause}"):
        print(f"\n{_wrapped(part)}")
    print(f"\n{_wrapped(f'Next: {found.next}')}")
    return EXIT_PASS


def _wrapped(text: str) -> str:
    import textwrap

    return textwrap.fill(text, width=80, break_long_words=False, break_on_hyphens=False)


COMMAND = Command(
    summary="explain a rule",
    example="proctor explain masked-exit",
    configure=_configure,
    run=_run,
)
