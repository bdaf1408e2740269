"""Runs what a receipt tells of once more, from a clean checkout, and compares.

Steps: 1. which requirement of the base the receipt is about: the command comes from
there, 2. a fresh checkout of the receipt's tree, 3. the run, 4. what differs. Then, as
asked: 5. the base's tests and harness against the receipt's code, 6. a test that must
fail.

A replay shows that the run comes out alike elsewhere. It does **not** show that code
under test which knows what it is tested by behaves so in use: code that forges
selectively inside the runner's process passes even the sixth step.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from datetime import datetime

import msgspec

from proctor.classify.classify import classify_argv
from proctor.errors import Error, EvidenceError, ReportError, RepositoryError, UsageError
from proctor.receipt.base import shown
from proctor.receipt.canary import KNOWN, add_canary
from proctor.receipt.check import config_at
from proctor.receipt.checkout import Checkout, check_out
from proctor.receipt.compare import GREEN, differences, lost, toolchains
from proctor.receipt.describe import Scene
from proctor.receipt.fields import Receipt, read_receipt
from proctor.receipt.fresh import stale
from proctor.receipt.harness import Restored, files_taken_by, restore
from proctor.receipt.here import Here
from proctor.receipt.ran import Owed, for_command
from proctor.receipt.rerun import Command, Outcomes, run_again, tests_of
from proctor.receipt.runs import Sought, read_run
from proctor.receipt.source import sources
from proctor.records.place import find_clone
from proctor.repo.main_branch import default_base
from proctor.repo.revision import Revision, resolve_base

REPRODUCED = "reproduced"
DIVERGED = "diverged"
COULD_NOT = "could not run"


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be replayed, and how."""

    folder: str
    environ: "os._Environ[str] | dict[str, str]"
    now: datetime
    path: str | None = None
    base: str | None = None
    """Whose `[[require]]` holds the command; none: the main branch's."""
    require: str | None = None
    command: str | None = None
    """The command in the words of who asks, where no requirement holds it."""
    tests_from: str | None = None
    canary: bool = False
    prepare: tuple[str, ...] = ()
    timeout_s: float | None = None


class Replayed(msgspec.Struct, frozen=True, kw_only=True):
    """What a replay came to."""

    outcome: str
    """reproduced, diverged or could not run."""
    command: str = ""
    differences: tuple[str, ...] = ()
    """What diverged, or why it could not run."""
    restored: tuple[Restored, ...] = ()
    """Files that were put back to what they are at the base."""
    notes: tuple[str, ...] = ()
    is_red: bool = False
    """Whether the tests fail here as the receipt says they did."""


def replay(question: Question) -> Replayed:
    """Return what a replay comes to; nothing of it stays behind.

    Raises:
        EvidenceError: the receipt is unreadable or not there.
        ConfigError, RepositoryError: the base or its configuration is.
        UsageError: what was asked for cannot be.
    """
    root = find_clone(question.folder).root
    base = resolve_base(root, question.base) if question.base else default_base(root)
    here = Here(question.folder, question.environ, question.now, config_at(root, base))
    (source,) = sources(root, (question.path,) if question.path else ())[:1]
    if source.data is None:
        raise EvidenceError(f"{source.path}: there is no receipt; issue one: proctor receipt issue")
    receipt = read_receipt(source.data, source.path).receipt
    if receipt is None or receipt.git_tree is None:
        raise EvidenceError(f"{source.path}: names no tree to check out; issue it again")
    try:
        owed = _owed(question, here, receipt, base)
    except EvidenceError as error:
        return Replayed(outcome=COULD_NOT, differences=(str(error),))
    folder = tempfile.mkdtemp(prefix="proctor-replay-")
    try:
        return _Replay(question, here, receipt, owed, folder).all_steps()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _owed(question: Question, here: Here, receipt: Receipt, base: Revision) -> Owed:
    """Return the requirement that a receipt is about; its command is what is run.

    Raises:
        EvidenceError: none of the base is.
        UsageError: the command in words is none, or there is no such requirement.
    """
    if question.command is not None:
        try:
            return for_command(question.command, here.config)
        except ValueError:
            raise UsageError(f"--command {question.command!r}: no command line") from None
    items = [item for item in here.config.require if item.command]
    if question.require is not None:
        items = [item for item in items if item.name == question.require]
        if not items:
            raise UsageError(f"--require {question.require!r}: {base.name} has no such command")
        return Owed(items[0], here.config)
    for item in items:
        owed = Owed(item, here.config)
        if owed.is_answered(receipt):
            return owed
    raise EvidenceError(
        f"no [[require]] of {base.name} is answered by {shown(receipt.command)}: the command is "
        "never taken from the receipt; name it with --require or --command"
    )


class _Replay:
    """One replay, in an empty folder of its own."""

    def __init__(
        self, question: Question, here: Here, receipt: Receipt, owed: Owed, folder: str
    ) -> None:
        self._question = question
        self._here = here
        self._receipt = receipt
        self._owed = owed
        self._folder = folder
        self._command = Command(
            argv=owed.item.command,
            folder=owed.selection.where,
            prepare=question.prepare,
            timeout_s=question.timeout_s,
            here=here.root,
        )
        self._restored: list[Restored] = []
        self._notes: list[str] = []

    def all_steps(self) -> Replayed:
        """Do what was asked for, until something could not be run."""
        found: list[str] = []
        try:
            found += [one.message for one in stale(self._receipt, self._here)]
            done = self._again()
            found += self._compare(done)
            if self._question.tests_from is not None:
                found += self._tests_of_base(self._question.tests_from)
            if self._question.canary:
                found += self._with_canary(done)
        except (EvidenceError, RepositoryError) as error:
            return self._answer(COULD_NOT, [*found, str(error)])
        red = done.exit_code != 0
        return self._answer(DIVERGED if found else REPRODUCED, found, is_red=red)

    def _answer(self, outcome: str, found: list[str], *, is_red: bool = False) -> Replayed:
        return Replayed(
            outcome=outcome,
            command=self._owed.words,
            differences=tuple(found),
            restored=tuple(self._restored),
            notes=tuple(self._notes),
            is_red=is_red,
        )

    # ── the steps ───────────────────────────────────────────────────────────

    def _again(self) -> Outcomes:
        """Run the owed command on the receipt's tree."""
        return self._run(self._out("again", str(self._receipt.git_tree)), "again")

    def _compare(self, done: Outcomes) -> Iterator[str]:
        told = self._told()
        if told is None:
            self._notes.append("the run's own report is not here: tests are compared by number")
        yield from differences(self._receipt, told, done)
        self._notes += toolchains(self._receipt, done.receipt)

    def _tests_of_base(self, name: str) -> Iterator[str]:
        """Run the base's tests on the base, and on the receipt's code; compare."""
        base = resolve_base(self._here.root, name)
        before = self._run(self._out("base", base.merge_base), "base")
        patched = self._out("patched", str(self._receipt.git_tree))
        self._restored += restore(patched, self._here.root, base.merge_tree)
        patched.settle()
        after = self._run(patched, "patched")
        if before.exit_code != 0:
            self._notes.append(f"at {name} the tests fail too: only what passed there counts")
        yield from lost(name, before, after)

    def _with_canary(self, done: Outcomes) -> Iterator[str]:
        """Add a test that must fail for each runner, and see that the run notices."""
        classes = dict.fromkeys(
            what.command_class
            for part in done.receipt.parts
            for what in [classify_argv(part.argv, peel=True)]
            if what is not None and what.command_class in KNOWN
        )
        if not classes:
            raise EvidenceError(
                f"--canary: the run started none of {', '.join(KNOWN)}: "
                "no other runner's words are known"
            )
        for number, name in enumerate(classes):
            out = self._out(f"canary{number}", str(self._receipt.git_tree))
            models = _taken(name, list(out.blobs()), done.tests, self._owed.selection.where)
            canary = add_canary(out.root, name, models)
            if canary is None:
                raise EvidenceError(f"--canary: no test of {name} is known to put one beside")
            out.settle()
            seen = self._run(out, f"canary{number}")
            red = [test for test, outcome in seen.tests.items() if canary.name in test]
            passed = [test for test in red if seen.tests[test] in GREEN]
            if seen.exit_code == 0:
                yield (
                    f"canary: exit code 0 although a test that must fail was added ({name}): "
                    "what this run reports is not what its tests do"
                )
            elif passed:
                yield f"canary: a test that must fail was reported as {seen.tests[passed[0]]}"
            else:
                self._notes.append(f"canary: {name} noticed the test that must fail")

    # ── private ─────────────────────────────────────────────────────────────

    def _out(self, name: str, tree: str) -> Checkout:
        """Return a fresh checkout of a tree or commit."""
        here, receipt = self._here, self._receipt
        if tree == receipt.git_tree and not here.has_tree_of(receipt):
            raise EvidenceError(
                f"tree {tree} is not here; fetch the commit that was tested: git fetch"
            )
        is_tree = tree == receipt.git_tree
        out = check_out(
            here.clone,
            here.objects,
            tree,
            receipt.git_head if is_tree else tree,
            os.path.join(self._folder, name),
        )
        if out.left_out:
            left = f"left out, their content is not here: {', '.join(out.left_out[:5])}"
            self._notes.append(left)
        return out

    def _run(self, out: Checkout, name: str) -> Outcomes:
        state = os.path.join(self._folder, f"{name}-state")
        done = run_again(self._command, out.root, state, self._question.environ)
        for package, path in done.foreign:
            raise EvidenceError(
                f"{package} was loaded from {path}, not from the checkout; install it there: "
                "--prepare 'pip install -e .' in an environment of its own"
            )
        return done

    def _told(self) -> dict[str, str] | None:
        """Return the outcomes by id that the receipt's own run reported, if they are here."""
        place = self._receipt.log
        if place is None or not os.path.exists(self._here.log):
            return None
        try:
            sought = Sought(span_id=place.span_id, run_id=place.run_id)
            run = read_run(self._here.log, sought)
            if not run.spans:
                return None
            spans = Scene(run.spans, run.top).parts()
            root = next((span.git.root for span in spans if span.git is not None), None)
            return tests_of(spans, root) or None
        except (ReportError, Error):
            return None


def _taken(
    command_class: str, files: Sequence[str], tests: dict[str, str], folder: str
) -> list[str]:
    """Return the test files of a runner that the run took; all it could take, if none tells."""
    known = list(files_taken_by(command_class, list(files)))
    named = {test.partition("::")[0] for test in tests}
    taken = [path for path in known if path in named]
    below = [path for path in known if not folder or path.startswith(f"{folder}/")]
    return taken or below
