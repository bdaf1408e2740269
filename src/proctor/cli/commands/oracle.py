"""Tells which behaviour a patch changes, by replaying a frozen corpus on old and new."""

from proctor.cli.base import Command, add_verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

_ORDER = ("init", "generate", "pin", "record", "check", "diff", "shrink", "draft_policy")


def _configure(parser: "ArgumentParser") -> None:
    from proctor._family import members
    from proctor.cli.oracle.base import Verb

    found = dict(members("proctor.cli.oracle", "VERB"))
    names = [name.replace("_", "-") for name in _ORDER if name in found]
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="|".join(names))
    for name in _ORDER:
        verb = found.get(name)
        if isinstance(verb, Verb):
            own = add_verb(verbs, name.replace("_", "-"), verb.summary, verb.example)
            verb.configure(own)
            own.set_defaults(act=verb.run)


def _run(arguments: "Namespace") -> int:
    code = arguments.act(arguments)
    assert isinstance(code, int)  # noqa: S101 - what verbs return
    return code


COMMAND = Command(
    summary="tell which behaviour a patch changes, by replay on the old and the new build",
    example="proctor oracle check --base origin/main",
    configure=_configure,
    run=_run,
)
