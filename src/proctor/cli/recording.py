"""What `proctor run` and `proctor watch` share.

NOTE: on the light path: the words are read by hand, argparse only serves
`--help`.
"""

from proctor.recorder.options import CHOICES, OPTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

    from proctor.recorder.options import Options, Recorded


_SELDOM = 10_000
"""Objects that are made before a search for what can be dropped.

NOTE: what the start loads is kept to the end; to search it takes a millisecond.
"""


def configure(parser: "ArgumentParser") -> None:
    """Declare the options for the help text."""
    for name, metavar, text in OPTIONS:
        if metavar is None:
            parser.add_argument(name, action="store_true", help=text)
        elif metavar.startswith("["):
            parser.add_argument(name, nargs="?", metavar=metavar.strip("[]"), help=text)
        else:
            parser.add_argument(name, metavar=metavar, choices=CHOICES.get(name), help=text)
    parser.add_argument("argv", nargs="...", metavar="-- ARGV", help="the command")


def main_for(verb: str) -> "Callable[[list[str]], int]":
    """Return the function that takes the words after `verb`."""

    def main(words: list[str]) -> int:
        import gc

        gc.set_threshold(_SELDOM)
        from proctor.recorder.launch import main as record

        _refuse_unsignable(words)
        return record(verb, words, _issue)

    return main


def _refuse_unsignable(words: list[str]) -> None:
    """Find out before the run, not after it, that there is no key to sign with."""
    for word in words:
        if word == "--" or not word.startswith("-"):
            return
        name, _, key = word.partition("=")
        if name == "--sign":
            from proctor.receipt.keys import load_key

            load_key(key)


def _issue(options: "Options", what: "Recorded") -> None:
    """Write the receipt that a run was asked for."""
    from proctor.receipt.issue import issue_for_run

    issue_for_run(options, what)


def run_for(verb: str) -> "Callable[[Namespace], int]":
    """Return the function that takes parsed words; the same as `main_for`."""

    def run(namespace: "Namespace") -> int:
        return main_for(verb)(list(namespace.argv))

    return run
