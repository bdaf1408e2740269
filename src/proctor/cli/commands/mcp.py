"""Serves `run_tests` and `gate` to agents as tools, over stdin and stdout."""

from proctor.cli.base import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def _configure(parser: "ArgumentParser") -> None:
    parser.epilog = (
        f"{parser.epilog}\n\nneeds the extra `mcp`: pip install '.[mcp]' in Proctor's clone.\n"
        "A client starts it: claude mcp add proctor -- proctor mcp, or in its settings:\n"
        '  {"mcpServers": {"proctor": {"command": "proctor", "args": ["mcp"]}}}'
    )


def _run(arguments: "Namespace") -> int:
    from proctor.errors import EXIT_PASS
    from proctor.mcp import serve

    del arguments
    serve()
    return EXIT_PASS


COMMAND = Command(
    summary="serve tests and the gate to agents as MCP tools",
    example="proctor mcp",
    configure=_configure,
    run=_run,
)
