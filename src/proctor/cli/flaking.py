"""What the verbs of `proctor flakes` do, each by a few library calls."""

from proctor.cli.notes import say, tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from proctor.config import FlakesTable
    from proctor.flakes.history import History
    from proctor.flakes.importing import Imported
    from proctor.flakes.quarantine import Entry
    from proctor.flakes.states import Standing


def act(arguments: "Namespace") -> int:
    """Do what the words ask for and return the exit code."""
    verbs = {
        "import": _import,
        "run": _run,
        "status": _status,
        "quarantine": _quarantine,
        "args": _args,
    }
    return verbs[arguments.verb](arguments)


def _import(arguments: "Namespace") -> int:
    from proctor.errors import EXIT_PASS
    from proctor.flakes.importing import Given, import_report

    given = Given(
        tree=_id(arguments.tree) or (_tree_at(arguments.commit) if arguments.commit else None),
        command=arguments.command,
        toolchain=arguments.toolchain,
        run_id=arguments.run_id,
        started=_moment(arguments.time),
        format=arguments.format,
    )
    found = [import_report(path, given) for path in arguments.reports]
    with _open(arguments) as history:
        for old, _, new in (pair.partition("=") for pair in arguments.renamed):
            if not history.rename(_name(old), _name(new)):
                say(f"{old}={new}: not renamed: there is no history of it, or {new} has its own")
        for one in found:
            added = history.add(one.facts, one.tests)
            _tell(one, added=added)
    return EXIT_PASS


def _run(arguments: "Namespace") -> int:
    import os

    from proctor.config import load
    from proctor.errors import EXIT_FAIL, EXIT_PASS, UsageError
    from proctor.flakes.repeat import repeat
    from proctor.flakes.states import standings
    from proctor.flakes.status import as_text, ordered, summary
    from proctor.records.place import find_clone

    argv = arguments.argv[1:] if arguments.argv[:1] == ["--"] else arguments.argv
    if not argv or arguments.n < 1:
        raise UsageError("give the command after --, and -n from 1: proctor flakes run -- pytest")
    rule = load(find_clone(os.getcwd()).root).flakes
    seed = arguments.seed or os.urandom(4).hex()
    unclear = 0
    with _open(arguments) as history:

        def make(number: int) -> "tuple[object, Sequence[object]]":
            one = _recorded(argv, None if arguments.keep_order else f"{seed}-{number}")
            history.add(one.facts, one.tests)
            return one.facts, one.tests

        for number, (facts, _), undecided in repeat(make, arguments.n, rule):  # type: ignore[arg-type]
            say(
                f"run {number} of {arguments.n}: {facts.tests} tests, {facts.failed} failed, "
                f"{undecided} undecided"
            )
            unclear += facts.tree is None
        if unclear:
            say(
                f"the tests changed files of the tree in {unclear} of {number} runs, which are no "
                "evidence of a flake; let git ignore what they write: git status"
            )
        if number < arguments.n:
            say("stopped: more runs could change no test's state")
        if not arguments.keep_order:
            say(f"pytest's tests were shuffled; the same orders: --seed {seed}")
        found = list(standings(history.tests(), rule))
    tell(as_text(ordered(found)) + summary(found))
    return EXIT_FAIL if any(one.state in ("flaky", "broken") for one in found) else EXIT_PASS


def _recorded(argv: "Sequence[str]", seed: str | None) -> "Imported":
    """Record one run and return what its reports tell."""
    import os
    import shlex

    from proctor.evidence import record
    from proctor.flakes.history import RunFacts
    from proctor.flakes.importing import import_recorded, tree_of
    from proctor.redact import redact_argv

    environ = {**os.environ, **({"PROCTOR_SHUFFLE": seed} if seed else {})}
    ran = record(os.getcwd(), tuple(argv), environ=environ, capture=True)
    host = ran.root.host or {}
    runners = {
        f"{leaf.runner.distribution}={leaf.runner.version}"
        for leaf in ran.leaves
        if leaf.runner is not None and leaf.runner.version
    }
    known = [f"{name}={host[name]}" for name in ("system", "machine", "libc") if name in host]
    facts = RunFacts(
        run_id=ran.root.run_id,
        started=ran.root.started_at,
        tree=tree_of(ran.leaves),
        command=shlex.join(redact_argv(list(argv))[0]),
        toolchain=" ".join((*known, *sorted(runners))),
        source="recorded",
        seed=seed,
    )
    if not any(leaf.report for leaf in ran.leaves):
        from proctor.errors import ReportError
        from proctor.report.plain import visible_argv

        raise ReportError(
            f"{visible_argv(argv)} returned {ran.root.exit_code}, and no runner wrote a report "
            "that tells of single tests; see what it prints without Proctor, or let it write "
            "JUnit: proctor flakes import FILE"
        )
    return import_recorded(ran.leaves, facts)


def _status(arguments: "Namespace") -> int:
    from proctor.cli.output import put
    from proctor.report.histories import answer_of

    found, _ = _standings(arguments)
    return put(answer_of(found, _quarantined(), every=arguments.every), arguments)


def _quarantine(arguments: "Namespace") -> int:
    import os
    from datetime import UTC, datetime

    from proctor.config import load
    from proctor.errors import EXIT_FAIL, EXIT_PASS
    from proctor.flakes.quarantine import diff, parse, read_text, render
    from proctor.flakes.update import Renewal, update
    from proctor.records.place import find_clone

    root = find_clone(os.getcwd()).root
    path = os.path.join(root, arguments.file)
    before = read_text(path)
    found, renames = _standings(arguments)
    renewal = None
    if arguments.renew:
        renewal = Renewal(
            tests=tuple(arguments.renew),
            owner=arguments.owner or "",
            reason=arguments.reason or "",
        )
    made = update(
        parse(before, arguments.file),
        found,
        load(root).flakes,
        datetime.now(UTC),
        renewal=renewal,
        renames=renames,
    )
    if not found:
        say("no test is known, so nothing changes; see: proctor flakes run --help")
    for change in made.changes:
        say(f"{change.what}: {change.test}: {change.why}")
    after = render(made.entries) if made.entries or before else ""
    if not made.entries and not parse(before, arguments.file):
        after = before
    if before != after:
        tell(diff(before, after, arguments.file).rstrip("\n"))
    if before == after:
        return EXIT_PASS
    if arguments.apply:
        _write(path, after)
        return EXIT_PASS
    say(f"{arguments.file} is as it was; the same words with --apply write it")
    return EXIT_FAIL


def _args(arguments: "Namespace") -> int:
    import os
    from datetime import UTC, datetime

    from proctor.config import load
    from proctor.errors import EXIT_PASS
    from proctor.flakes.exclude import arguments as excluding
    from proctor.flakes.quarantine import parse, read_text
    from proctor.records.place import find_clone

    root = find_clone(os.getcwd()).root
    days = load(root).flakes.days
    entries = parse(read_text(os.path.join(root, arguments.file)), arguments.file)
    now = datetime.now(UTC)
    line, warning = excluding(
        arguments.runner, [one.test for one in entries if one.counts(now, days)]
    )
    if not line:
        say(warning)
        return EXIT_PASS
    say(f"{warning}; better let them run: the gate explains their failure")
    print(line)
    return EXIT_PASS


# ── what they share ─────────────────────────────────────────────────────────


def history_here(base: str | None) -> "tuple[list[Standing], list[Entry]]":
    """Return the tests that ask for attention, and the quarantine; nothing without a history."""
    import os
    from argparse import Namespace

    from proctor.flakes.history import NAME
    from proctor.flakes.status import ordered
    from proctor.records.place import find_clone, log_path

    folder = os.path.dirname(log_path(find_clone(os.getcwd()), os.environ))
    if not os.path.lexists(os.path.join(folder, NAME)):
        return [], []
    found, _ = _standings(Namespace(rule=None, base=base, history=None))
    return ordered(found), _quarantined()


def _quarantined() -> "list[Entry]":
    import os

    from proctor.flakes.quarantine import FILE, parse, read_text
    from proctor.records.place import find_clone

    return parse(read_text(os.path.join(find_clone(os.getcwd()).root, FILE)), FILE)


def _open(arguments: "Namespace") -> "History":
    import os

    from proctor.flakes.history import NAME, History
    from proctor.records.place import find_clone, log_path

    folder = os.path.dirname(log_path(find_clone(os.getcwd()), os.environ))
    return History(arguments.history or os.path.join(folder, NAME))


def _standings(arguments: "Namespace") -> "tuple[list[Standing], dict[str, str]]":
    """Return every test's standing, and the renames in the history."""
    import os

    from proctor.config import load
    from proctor.flakes.states import standings
    from proctor.records.place import find_clone

    root = find_clone(os.getcwd()).root
    rule = _ruled(load(root).flakes, arguments)
    with _open(arguments) as history:
        trees = _trees(arguments.base, history, root)
        return list(standings(history.tests(), rule, trees)), history.renames()


def _ruled(rule: "FlakesTable", arguments: "Namespace") -> "FlakesTable":
    import msgspec

    return msgspec.structs.replace(rule, rule=arguments.rule) if arguments.rule else rule


def _trees(base: str | None, history: "History", root: str) -> "frozenset[str] | None":
    """Return the trees that do not contain the patch; none where no base is given."""
    if base is None:
        return None
    import os

    from proctor.flakes.trees import trees_without_patch
    from proctor.records.place import find_clone, log_path

    state = os.path.dirname(log_path(find_clone(root), os.environ))
    trees = {run.tree for run in history.runs() if run.tree is not None}
    return trees_without_patch(root, base, state, trees)


def _tree_at(commit: str) -> str:
    import os

    from proctor.records.place import find_clone
    from proctor.repo.revision import resolve_base

    return resolve_base(find_clone(os.getcwd()).root, commit).tree


def _id(tree: str | None) -> str | None:
    import re

    from proctor.errors import UsageError

    if tree is not None and not re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", tree):
        raise UsageError(f"--tree {tree}: give git's whole id of a tree, or --commit REV")
    return tree


def _tell(one: "Imported", *, added: bool) -> None:
    facts = one.facts
    word = "imported" if added else "known already"
    where = f"tree {facts.tree[:12]}" if facts.tree else "no tree: no evidence of a flake"
    say(f"{facts.source}: {word}: {facts.tests} tests, {facts.failed} failed, {where}")
    if one.refused:
        names = ", ".join(one.refused[:3])
        more = f" and {len(one.refused) - 3} more" if len(one.refused) > 3 else ""
        say(f"not counted, as several tests have this id: {names}{more}")


def _name(test_id: str) -> str:
    from proctor.flakes.names import canonical, steady

    return steady(canonical(test_id))


def _moment(text: str | None) -> str | None:
    from datetime import UTC, datetime, timedelta

    from proctor.errors import UsageError
    from proctor.results.times import parse_moment

    if text is None:
        return None
    found = parse_moment(text)
    if found is None:
        raise UsageError(f"--time {text}: give a moment as 2026-11-29T12:00:00Z")
    moment = found if found.endswith("Z") else f"{found}Z"
    if moment > (datetime.now(UTC) + timedelta(days=1)).isoformat():
        # NOTE: the newest runs decide; one from the future would do so for ever.
        raise UsageError(f"--time {text}: lies in the future; look at the clock")
    return moment


def _write(path: str, text: str) -> None:
    from proctor._whole import write_whole
    from proctor.errors import EvidenceError

    try:
        write_whole(path, text.encode())
    except OSError as error:
        raise EvidenceError(f"{path}: cannot be written: {error.strerror}") from None
