"""What the subcommands of `proctor receipt` do."""

import os
import sys
from datetime import UTC, datetime

from proctor.cli.notes import tell
from proctor.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace


def run_issue(arguments: "Namespace") -> int:
    """Run a command under the recorder and write its receipt; its code is the command's."""
    from proctor.cli.recording import main_for

    argv = [word for word in arguments.argv if word] or _owed(arguments.require)
    if argv[:1] == ["--"]:
        argv = argv[1:] or _owed(arguments.require)
    output = os.path.abspath(arguments.output) if arguments.output else ""
    words = [f"--receipt={output}"]
    if arguments.sign is not None:
        words.append(f"--sign={os.path.abspath(arguments.sign) if arguments.sign else ''}")
    for name in ("log", "timeout", "witness"):
        value = getattr(arguments, name)
        if value is not None:
            words.append(f"--{name}={os.path.abspath(value) if name == 'log' else value}")
    return main_for("run")([*words, "--", *argv])


def _owed(name: str | None) -> list[str]:
    """Return the command of a requirement, in whose folder this process then is."""
    from proctor.config import load
    from proctor.records.place import find_clone

    root = find_clone(os.getcwd()).root
    items = [item for item in load(root).require if item.command]
    chosen = [item for item in items if name in (None, item.name)]
    if len(chosen) != 1:
        known = ", ".join(repr(item.name) for item in items) or "none has a command"
        raise UsageError(
            f"which command? name it: proctor receipt issue -- CMD, or --require NAME ({known})"
        )
    os.chdir(os.path.join(root, chosen[0].folder))
    return list(chosen[0].command)


def run_check(arguments: "Namespace") -> int:
    """Print what is wrong with receipts, a line each, and return the lowest code."""
    from proctor.cli.output import put
    from proctor.cli.waiting import waiting
    from proctor.receipt.check import Question, check_receipts
    from proctor.receipt.keys import read_public
    from proctor.report.receipts import answer_of

    question = Question(
        folder=os.getcwd(),
        environ=os.environ,
        now=datetime.now(UTC),
        paths=tuple(arguments.files),
        base=arguments.base,
        command=arguments.command,
        wanted=_wanted(arguments),
        keys=tuple(read_public(text) for text in arguments.key),
        require_signed=arguments.require_signed,
        log=arguments.log,
    )
    with waiting(sys.stderr, "checking receipts"):
        answer = check_receipts(question)
    put(answer_of(answer), arguments)
    return answer.exit_code


def _wanted(arguments: "Namespace"):  # type: ignore[no-untyped-def]  # noqa: ANN202 - imported late
    from proctor.receipt.where import Wanted, read_toolchain, seconds_of

    if arguments.max_age is not None:
        try:
            seconds_of(arguments.max_age)
        except ValueError:
            raise UsageError(
                f"--max-age {arguments.max_age!r}: give a number and s, m, h, d or w, e.g. 7d"
            ) from None
    toolchain, captured = (
        read_toolchain(arguments.toolchain) if arguments.toolchain else ({}, False)
    )
    return Wanted(
        host=arguments.host,
        platform=arguments.platform,
        toolchain=toolchain,
        captured=captured,
        max_age=arguments.max_age,
    )


def run_show(arguments: "Namespace") -> int:
    """Print a receipt, for people or for other tools."""
    import json

    from proctor.receipt.show import as_text, members_of, predicate, statement

    path, data = members_of(os.getcwd(), arguments.file)
    if arguments.format == "text":
        tell("\n".join(as_text(data, path)))
    elif arguments.format == "json":
        sys.stdout.buffer.write(data)
    else:
        made = statement if arguments.format == "statement" else predicate
        print(json.dumps(made(data, path, os.getcwd())))
    return 0


def run_replay(arguments: "Namespace") -> int:
    """Print what a replay came to and return 0, 1 or 2."""
    import shlex

    from proctor.cli.output import put
    from proctor.cli.waiting import waiting
    from proctor.receipt.replay import Question, replay
    from proctor.report.replays import answer_of

    try:
        prepare = tuple(shlex.split(arguments.prepare or ""))
    except ValueError:
        raise UsageError(f"--prepare {arguments.prepare!r}: no command line") from None
    if arguments.timeout is not None and not arguments.timeout > 0:
        raise UsageError("--timeout takes a positive number of seconds")
    question = Question(
        folder=os.getcwd(),
        environ=os.environ,
        now=datetime.now(UTC),
        path=arguments.file,
        base=arguments.base,
        require=arguments.require,
        command=arguments.command,
        tests_from=arguments.tests_from,
        canary=arguments.canary,
        prepare=prepare,
        timeout_s=arguments.timeout,
    )
    with waiting(sys.stderr, "replaying"):
        found = replay(question)
    return put(answer_of(found), arguments)


def run_attach(arguments: "Namespace") -> int:
    """Note receipts at a commit and say how to send the note."""
    from proctor.receipt.source import default_paths
    from proctor.receipt.travel import REF, attach
    from proctor.records.place import find_clone

    paths = arguments.files or default_paths(find_clone(os.getcwd()).root)
    commit, count = attach(os.getcwd(), paths, arguments.commit)
    what = "1 receipt is" if count == 1 else f"{count} receipts are"
    print(f"{what} noted at {commit[:12]}; to send it: git push origin {REF}")
    return 0


def run_fetch(arguments: "Namespace") -> int:
    """Write the receipts that are noted at a commit."""
    from proctor.receipt.travel import fetch
    from proctor.records.place import find_clone

    output = arguments.output or find_clone(os.getcwd()).root
    for path in fetch(os.getcwd(), arguments.remote, arguments.commit, output):
        print(path)
    return 0
