"""Checks receipts: whole, recorded or signed, about these files, ended well, owed.

Steps: 1. the configuration that counts, 2. what is owed, 3. each receipt: fields,
digest, signature or record, tree, end, command, place and time. Everything that is
wrong is listed.
"""

import os
from collections.abc import Sequence
from datetime import datetime

import msgspec

from proctor.config import Config, RequireTable, load, load_from
from proctor.errors import RepositoryError, UsageError
from proctor.receipt.base import EXIT_MISSING, Checked, Refusal
from proctor.receipt.fields import read_receipt
from proctor.receipt.here import Here
from proctor.receipt.one import Checker
from proctor.receipt.ran import Owed, for_command
from proctor.receipt.source import Source, sources
from proctor.receipt.where import Wanted
from proctor.records.place import find_clone
from proctor.repo.files import Files
from proctor.repo.main_branch import default_base
from proctor.repo.revision import Revision, resolve_base
from proctor.requirements import touched


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked of which receipts."""

    folder: str
    """A folder of the repository."""
    environ: "os._Environ[str] | dict[str, str]"
    now: datetime
    paths: tuple[str, ...] = ()
    """Receipts or bundles; none: those at the default place."""
    base: str | None = None
    """The revision whose requirements and trusted keys count."""
    command: str | None = None
    """The owed command, in the words of who asks."""
    wanted: Wanted = Wanted()
    keys: tuple[str, ...] = ()
    """Public keys that are trusted because who asks says so."""
    require_signed: bool = False
    log: str | None = None


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What the checks found together."""

    checked: tuple[Checked, ...]
    not_owed: tuple[str, ...] = ()
    """Requirements that the patch does not touch."""

    @property
    def exit_code(self) -> int:
        """The lowest code that applies to any; 2 where nothing was checked and all is owed."""
        codes = [one.exit_code for one in self.checked if one.exit_code]
        if not self.checked and not self.not_owed:
            return EXIT_MISSING
        return min(codes, default=0)


def check_receipts(question: Question) -> Answer:
    """Return what is wrong with the receipts that a question names.

    Raises:
        EvidenceError: a receipt is unreadable; ConfigError, RepositoryError: the
            configuration or the base is.
        UsageError: the command in words is none.
    """
    root = find_clone(question.folder).root
    base, here, one = _prepared(question, root)
    config = here.config
    found = sources(root, question.paths)
    if question.command is not None:
        try:
            owed = for_command(question.command, config, _folder_of(here, question.folder))
        except ValueError:
            raise UsageError(f"--command {question.command!r}: no command line") from None
        return Answer(checked=tuple(one.check(source, owed) for source in found))
    if base is not None and config.require:
        return _by_requirement(one, found, here, base)
    return Answer(checked=_each(one, found, config))


def check_each(question: Question) -> tuple[Here, tuple[Checked, ...]]:
    """Return what is wrong with each receipt, held against the requirement it answers.

    Raises:
        EvidenceError, ConfigError, RepositoryError: as `check_receipts`.
    """
    root = find_clone(question.folder).root
    _, here, one = _prepared(question, root)
    return here, _each(one, sources(root, question.paths), here.config)


def _prepared(question: Question, root: str) -> tuple[Revision | None, Here, Checker]:
    """Return the base, the clone with the configuration that counts, and the checker."""
    base = resolve_base(root, question.base) if question.base is not None else None
    config = config_at(root, base)
    here = Here(question.folder, question.environ, question.now, config, question.log)
    keys = (*question.keys, *trusted_keys(root, base))
    return base, here, Checker(here, question.wanted, keys, must_be_signed=question.require_signed)


def _each(one: Checker, found: Sequence[Source], config: Config) -> tuple[Checked, ...]:
    items = [Owed(item, config) for item in config.require]
    return tuple(one.check(source, *_nearest(source, items)) for source in found)


def config_at(root: str, base: Revision | None) -> Config:
    """Return the configuration of a base revision, else that of the working tree.

    Raises:
        ConfigError, RepositoryError: it cannot be read.
    """
    if base is None:
        return load(root)
    files = Files(root, base.tree)
    return load_from(files.read("proctor.toml"), files.read("pyproject.toml"), f"{base.name}:")


def trusted_keys(root: str, base: Revision | None) -> tuple[str, ...]:
    """Return the keys that the base trusts; where nobody named one, the main branch.

    NOTE: never those of the working tree, which the patch itself may have written.

    Raises:
        ConfigError, RepositoryError: the base's configuration cannot be read.
    """
    if base is None:
        try:
            base = default_base(root)
        except RepositoryError:
            return ()
    return config_at(root, base).receipt.trusted_keys


def _folder_of(here: Here, folder: str) -> str:
    """Return where a command in words would run: the current folder, from the root."""
    where = os.path.relpath(os.path.realpath(folder), here.root)
    return "" if where == "." else where


def _nearest(source: Source, items: Sequence[Owed]) -> tuple[Owed, ...]:
    """Return the requirement that a receipt answers, else the first there is."""
    if source.data is None or not items:
        return tuple(items[:1])
    receipt = read_receipt(source.data, source.path).receipt
    answered = [one for one in items if receipt is not None and one.is_answered(receipt)]
    return tuple((answered or items)[:1])


def _by_requirement(one: Checker, found: Sequence[Source], here: Here, base: Revision) -> Answer:
    """Return for each requirement that the patch owes the receipt that fits it best."""
    changes = here.differences(base.merge_tree, here.tree or base.merge_tree)
    changed = None if changes is None or here.tree is None else [path for path, _, _ in changes]
    checked: list[Checked] = []
    spared: list[str] = []
    for item in here.config.require:
        if not touched(item, changed):
            spared.append(item.name)
            continue
        owed = Owed(item, here.config)
        answers = [one.check(source, owed) for source in found]
        # The one with the least that is wrong, and that whose fault weighs least.
        best = min(answers, key=lambda answer: (len(answer.refusals), -answer.exit_code))
        wrong = [refusal for refusal in best.refusals if refusal.rule == "wrong-command"]
        if wrong and all(_is_about_other(answer) for answer in answers):
            best = _missing_for(item, best, wrong[0])
        checked.append(best)
    return Answer(checked=tuple(checked), not_owed=tuple(spared))


def _is_about_other(answer: Checked) -> bool:
    return any(refusal.rule == "wrong-command" for refusal in answer.refusals)


def _missing_for(item: RequireTable, best: Checked, wrong: Refusal) -> Checked:
    """Return that no receipt is about a requirement, and what the nearest one is about."""
    return Checked(path=best.path, receipt=best.receipt, requirement=item.name, refusals=(wrong,))
