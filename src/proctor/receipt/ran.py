"""Whether the run that a receipt tells of is the owed one, and ended well."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from proctor._digest import without_value
from proctor.classify.base import Classification
from proctor.classify.classify import classify_argv
from proctor.classify.selection import covers
from proctor.classify.typed import is_same_command
from proctor.config import Config, RequireTable
from proctor.identity.impostor import impostor
from proctor.identity.odd import asserts_off
from proctor.receipt.base import EXIT_COMMAND, EXIT_NONZERO, Refusal, both, rerun, shown
from proctor.receipt.fields import Part, Receipt
from proctor.recorder.image import is_shell_line
from proctor.requirements import Selection, from_requirement, selection_covers


class Owed:
    """A run that is asked for: a `[[require]]` item, or a command in somebody's words."""

    def __init__(self, item: RequireTable, config: Config) -> None:
        import msgspec

        self.item = item
        self._classes: Mapping[str, Mapping[str, Any]] = msgspec.to_builtins(config.classes)
        found = self.what(item.command) if item.command else None
        name = item.command_class or (item.command or ("",))[0].rpartition("/")[2]
        self.is_known = found is not None or item.command_class is not None
        what = found or Classification(item.command or (name,), name, "test", None)
        self.selection = _apart(from_requirement(what, item))

    @property
    def is_test(self) -> bool:
        """Whether it is tests that are asked for."""
        return self.is_known and self.selection.what.role == "test"

    @property
    def words(self) -> str:
        """The owed command, as one would type it."""
        if self.item.command:
            return shlex.join(self.item.command)
        return " ".join((self.item.command_class or "", *self.item.selectors))

    def what(self, argv: Sequence[str]) -> Classification | None:
        """Return what a whole command is, by the configuration that counts."""
        return classify_argv(argv, peel=True, classes=self._classes)

    def is_answered(self, receipt: Receipt) -> bool:
        """Return whether the run executed all that is asked for."""
        folder = self.selection.where
        if receipt.folder == folder and is_same_command(receipt.argv, self.item.command):
            return True
        if not self.is_known:
            return False
        return any(selection_covers(one, self.selection, covers) for one in self._seen(receipt))

    def _seen(self, receipt: Receipt) -> Iterator[Selection]:
        """Yield what each runner in the receipt selected, and the command itself."""
        for argv, folder in (
            (receipt.argv, receipt.folder),
            *((part.argv, part.folder) for part in receipt.parts),
        ):
            what = self.what(argv) if folder is not None else None
            if what is not None and not what.not_a_run:
                yield Selection(what=what, where=folder or "", project=folder or "")


def for_command(text: str, config: Config, folder: str = "") -> Owed:
    """Return what a command in somebody's words asks for.

    Raises:
        ValueError: it is no command line.
    """
    argv = tuple(shlex.split(text))
    if not argv:
        raise ValueError(text)
    return Owed(RequireTable(name="--command", command=argv, folder=folder), config)


def failures(receipt: Receipt) -> Iterator[Refusal]:
    """Yield what shows that the run did not end well."""
    if receipt.exit_code != 0:
        yield _failed(
            "nonzero-exit",
            "exit_code",
            f"the receipt says {shown(receipt.exit_code)}, a pass is 0",
            receipt,
        )
    for number, part in enumerate(receipt.parts):
        where = f"parts[{number}]"
        if part.exit_code != 0 and receipt.exit_code == 0:
            yield _failed(
                "masked-exit",
                f"{where}.exit_code",
                f"{shown(part.argv)} returned {shown(part.exit_code)}, "
                f"`{shown(receipt.command)}` turned that into 0",
                receipt,
            )
        why = _contradiction(part)
        if why is not None:
            yield _failed("junit-contradicts-exit", f"{where}.report", why, receipt)
    yield from _unprovable(receipt)


def not_owed(receipt: Receipt, owed: Owed | None) -> Iterator[Refusal]:
    """Yield why the run is not the one that is asked for, or is no test run at all."""
    owes_tests = owed is None or owed.is_test
    if owed is not None and not owed.is_answered(receipt):
        says, asked = both(receipt.command, owed.words)
        at = f" in {owed.item.folder}" if owed.item.folder else ""
        yield _wrong(
            "wrong-command",
            "command",
            f"the receipt says {says}, owed is {asked}{at}",
            owed.item.command,
            receipt,
            owed,
        )
        return
    if owes_tests:
        yield from _no_tests(receipt, owed)
        yield from _narrowed(receipt, owed)
        yield from _asserted_nothing(receipt, owed)
        yield from _impostors(receipt, owed)
    least = owed.item.min_tests if owed else None
    if owed and least is not None:
        ran = receipt.executed.executed if receipt.executed else None
        if ran is None or ran < least:
            yield _wrong(
                "partial-run",
                "executed",
                f"the receipt says {shown(ran)}, {owed.item.name!r} owes at least {least}",
                owed.item.command,
                receipt,
                owed,
            )


def _no_tests(receipt: Receipt, owed: Owed | None) -> Iterator[Refusal]:
    leaves = [part for part in receipt.parts if part.kind == "leaf"]
    command = owed.item.command if owed else ()
    asked = [classify_argv(part.argv, peel=True) for part in leaves]
    options = [what.not_a_run for what in asked if what is not None and what.not_a_run]
    if leaves and len(options) == len(leaves):
        yield _wrong(
            "not-a-run", "command",
            f"the receipt says {shown(receipt.command)}: {options[0]} runs no test, "
            "a run without it is owed", command or _without(receipt.argv, options[0]),
            receipt, owed,
        )  # fmt: skip
    elif not receipt.parts and receipt.log is not None:
        yield _wrong(
            "wrong-command", "command",
            f"the receipt says {shown(receipt.command)}, which started no test runner; "
            "a test run is owed", command or _ANY, receipt, owed,
        )  # fmt: skip
    elif receipt.log is not None and (
        not leaves or (receipt.executed is not None and receipt.executed.executed == 0)
    ):
        yield _wrong(
            "no-tests-ran", "executed",
            f"the receipt says {shown(receipt.executed.executed if receipt.executed else None)}, "
            "at least 1 is owed", command, receipt, owed,
        )  # fmt: skip


def _narrowed(receipt: Receipt, owed: Owed | None) -> Iterator[Refusal]:
    """Yield each runner that a variable, and not its argv, kept from running everything."""
    asked = {without_value(one) for one in owed.selection.what.narrowing_env} if owed else set()
    for number, part in enumerate(receipt.parts):
        more = [one for one in part.narrowing_env if without_value(one) not in asked]
        if more:
            names = " ".join(sorted({one.partition(":")[0] for one in more}))
            again = _anew(owed.item.command if owed else (), receipt, owed)
            yield Refusal(
                code=EXIT_COMMAND,
                rule="narrowed-selection",
                field=f"parts[{number}].narrowing_env",
                message=f"{shown(part.argv)} was narrowed by its environment: "
                f"{shown(', '.join(one.partition('=#')[0] for one in more))}",
                cure=f"unset {names}; {again}",
            )


def _asserted_nothing(receipt: Receipt, owed: Owed | None) -> Iterator[Refusal]:
    """Yield each Python that ran with its asserts off: nothing shows that they would hold."""
    for number, part in enumerate(receipt.parts):
        off = asserts_off(part.exe, part.argv, part.odd_env) if part.kind == "leaf" else ""
        if off:
            yield Refusal(
                code=EXIT_COMMAND,
                rule="odd-environment",
                field=f"parts[{number}].odd_env",
                message=f"{shown(part.argv)} ran with Python's asserts off ({off})",
                cure=f"unset PYTHONOPTIMIZE, leave out -O; "
                f"{_anew(owed.item.command if owed else (), receipt, owed)}",
            )


_ANY = ("CMD",)
"""Stands for the command that nobody named."""


def _without(argv: Sequence[str], option: str | None) -> tuple[str, ...]:
    """Return a command without the option that keeps it from running tests."""
    kept = tuple(word for word in argv if word.partition("=")[0] != option)
    return kept if len(kept) < len(argv) else _ANY


def _impostors(receipt: Receipt, owed: Owed | None) -> Iterator[Refusal]:
    """Yield each runner that is not what its name says."""
    for number, part in enumerate(receipt.parts):
        what = classify_argv(part.argv, peel=False) if part.kind == "leaf" else None
        why = impostor(what.command_class, part.argv, part.exe, part.runner) if what else None
        if what is not None and why is not None:
            yield _wrong(
                "impostor-runner",
                f"parts[{number}].runner",
                f"the receipt says {shown(part.argv)}, which is not {what.command_class}: {why}",
                owed.item.command if owed else (),
                receipt,
                owed,
            )


def _contradiction(part: Part) -> str | None:
    """Return why a runner's own report and its exit code 0 cannot both be true."""
    told = part.report
    if told is None or part.exit_code != 0:
        return None
    if told.failed:
        return f"{shown(part.argv)} returned 0, its report counts {told.failed} failed"
    if told.exit_status:
        return f"{shown(part.argv)} returned 0, it meant to return {told.exit_status}"
    if not told.complete:
        return f"{shown(part.argv)} returned 0, its report was never finished"
    return None


def _unprovable(receipt: Receipt) -> Iterator[Refusal]:
    """Yield where only a shell was witnessed, and its 0 need not be the runner's."""
    alone = [part for part in receipt.parts if part.argv == receipt.argv]
    if not is_shell_line(list(receipt.argv)) or not alone or receipt.exit_code != 0:
        return
    from proctor.classify.shell import read_argv

    for run in read_argv(receipt.argv):
        if run.status != "own" or run.bypassed:
            yield _failed(
                "unprovable-exit",
                "exit_code",
                f"the receipt says 0, which is the shell's: that of {shown(run.found.argv)} "
                "was not witnessed",
                receipt,
            )


def _failed(rule: str, field: str, message: str, receipt: Receipt) -> Refusal:
    cure = f"mend the tests, then {rerun(receipt.argv, receipt.folder)}"
    return Refusal(code=EXIT_NONZERO, rule=rule, field=field, message=message, cure=cure)


def _wrong(
    rule: str,
    field: str,
    message: str,
    command: tuple[str, ...],
    receipt: Receipt,
    owed: Owed | None,
) -> Refusal:
    cure = _anew(command, receipt, owed)
    return Refusal(code=EXIT_COMMAND, rule=rule, field=field, message=message, cure=cure)


def _anew(command: tuple[str, ...], receipt: Receipt, owed: Owed | None) -> str:
    """Return what issues a receipt of a command, the run's own for none, where it belongs."""
    if command and owed is not None and command == owed.item.command:
        return rerun(command, owed.item.folder)
    return rerun(command or receipt.argv, receipt.folder)


def _apart(selection: Selection) -> Selection:
    """Return a selection whose driver speaks for its own folder alone."""
    return Selection(what=selection.what, where=selection.where, project=selection.where)
