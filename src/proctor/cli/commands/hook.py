"""Answers an agent that calls before it runs a command, or before it stops.

`proctor init` writes the agent's settings so that it does. Whatever goes wrong here
is said on stderr, and the agent goes on.
"""

from proctor.cli.base import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def _configure(parser: "ArgumentParser") -> None:
    from proctor._family import names

    # NOTE: these words are read in `proctor.hooks.dispatch`; here they are for help and shells.
    agents = [name.replace("_", "-") for name in names("proctor.hooks.agents")]
    parser.add_argument("agent", metavar="AGENT", choices=agents, help=", ".join(agents))
    parser.add_argument("event", metavar="EVENT", help="the agent's event, as stop")
    parser.add_argument("words", nargs="...", metavar="…", help="what the event takes")


def _main(words: list[str]) -> int:
    from proctor.hooks.dispatch import main

    return main(words)


def _run(arguments: "Namespace") -> int:
    return _main([arguments.agent, arguments.event, *arguments.words])


COMMAND = Command(
    summary="answer an agent's hook; agents call this, people do not",
    example="proctor hook claude-code stop < event.json",
    configure=_configure,
    run=_run,
    main=_main,
)
