"""Explains a rule: what it proves, what it does not, and what to do next."""

from argparse import ArgumentParser, Namespace

from proctor.cli.base import Command


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("rule", metavar="RULE", help="a rule's name, as a verdict shows it")


def _run(args: Namespace) -> int:
    from proctor.errors import EXIT_PASS, UsageError
    from proctor.gate.base import explain, rule_names

    try:
        found = explain(args.rule)
    except LookupError:
        import difflib

        names = rule_names()
        near = difflib.get_close_matches(args.rule, names, n=1, cutoff=0.4)
        known = f"did you mean {near[0]!r}?" if near else f"rules: {', '.join(names)}"
        raise UsageError(f"there is no rule {args.rule!r}; {known}") from None
    print(f"{found.rule} ({found.level.value})")
    for part in (found.summary, found.proves, f"Likely cause: {found.cause}"):
        print(f"\n{_wrapped(part)}")
    print(f"\n{_wrapped(f'Next: {found.next}')}")
    return EXIT_PASS


def _wrapped(text: str) -> str:
    import textwrap

    return textwrap.fill(text, width=80, break_long_words=False, break_on_hyphens=False)


COMMAND = Command(
    summary="explain a rule of the gate",
    example="proctor explain masked-exit",
    configure=_configure,
    run=_run,
)
