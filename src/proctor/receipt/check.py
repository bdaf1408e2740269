"""Checks receipts: whole, recorded or signed, about these files, ended well, owed.

Steps: 1. the configuration that counts, 2. what is owed, 3. each receipt: fields,
digest, signature or record, tree, end, command, place and time. Everything that is
wrong is listed.
"""

import os
from collections.abc import Iterator, Sequence
from datetime import datetime

import msgspec

from proctor.config import Config, RequireTable, load, load_from
from proctor.errors import RepositoryError, UsageError
from proctor.receipt.attest import Verified, verify
from proctor.receipt.base import (
    EXIT_ALTERED,
    EXIT_FIELDS,
    EXIT_MISSING,
    Checked,
    Refusal,
    rerun,
    shown,
)
from proctor.receipt.describe import plain
from proctor.receipt.fields import Reading, digest_of, invented, read_receipt
from proctor.receipt.fresh import stale
from proctor.receipt.here import Here
from proctor.receipt.ran import Owed, failures, for_command, not_owed
from proctor.receipt.recorded import unrecorded
from proctor.receipt.source import Source, sources
from proctor.receipt.where import Wanted, elsewhere, old
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
    base = resolve_base(root, question.base) if question.base is not None else None
    config = config_at(root, base)
    here = Here(question.folder, question.environ, question.now, config, question.log)
    keys = (*question.keys, *trusted_keys(root, base))
    found = sources(root, question.paths)
    one = _OneReceipt(question, here, keys)
    if question.command is not None:
        try:
            owed = for_command(question.command, config, _folder_of(here, question.folder))
        except ValueError:
            raise UsageError(f"--command {question.command!r}: no command line") from None
        return Answer(checked=tuple(one.check(source, owed) for source in found))
    if base is not None and config.require:
        return _by_requirement(one, found, here, base)
    items = [Owed(item, config) for item in config.require]
    return Answer(checked=tuple(one.check(source, *_nearest(source, items)) for source in found))


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


def _by_requirement(
    one: "_OneReceipt", found: Sequence[Source], here: Here, base: Revision
) -> Answer:
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


class _OneReceipt:
    """Checks one receipt at a time, under one question."""

    def __init__(self, question: Question, here: Here, keys: tuple[str, ...]) -> None:
        self._question = question
        self._here = here
        self._keys = keys
        self._must_be_signed = question.require_signed or here.config.receipt.require_signed

    def check(self, source: Source, owed: Owed | None = None) -> Checked:
        """Return all that is wrong with a receipt."""
        name = owed.item.name if owed and owed.item.name != "--command" else None
        if source.data is None:
            command = owed.item.command if owed else ()
            absent = Refusal(
                code=EXIT_MISSING,
                rule="no-records",
                field="file",
                message=f"{source.path} is not there",
                cure=rerun(command).replace("run it again", "run it"),
            )
            return Checked(path=source.path, refusals=(absent,), requirement=name)
        reading = read_receipt(source.data, source.path)
        signed = self._signature(source, reading)
        refusals = [*self._form(reading), *self._standing(reading, signed)]
        if reading.receipt is not None:
            receipt = reading.receipt
            wanted = self._wanted(owed)
            paths = owed.item.paths if owed else ()
            refusals += stale(receipt, self._here, paths)
            refusals += failures(receipt)
            refusals += not_owed(receipt, owed)
            refusals += elsewhere(receipt, wanted)
            refusals += old(receipt, wanted, self._question.now)
            refusals += self._files(reading)
        return Checked(
            path=source.path,
            receipt=reading.receipt,
            refusals=tuple(sorted(dict.fromkeys(refusals), key=lambda one: one.code)),
            signed_by=signed.key,
            requirement=name,
            notes=tuple(_notes(reading, owed, signed)),
        )

    def _form(self, reading: Reading) -> Iterator[Refusal]:
        """Yield what the file lacks or has in another form, and a digest that does not fit."""
        argv = reading.receipt.argv if reading.receipt else ()
        for name in reading.missing:
            yield _misses(name, "the receipt has no such field, owed is one", argv)
        for why in reading.off:
            name, _, what = why.partition(": ")
            yield _misses(name, f"the receipt says {what}", argv)
        told = reading.members.get("digest")
        if not reading.is_bare and "digest" in reading.members:
            known = digest_of(reading.members)
            if told != known:
                yield _altered(
                    "digest-mismatch",
                    "digest",
                    f"the receipt says {shown(told)}, its content has {shown(known)}",
                    rerun(argv),
                )

    def _standing(self, reading: Reading, signed: Verified) -> Iterator[Refusal]:
        """Yield why a receipt rests neither on a trusted signature nor on a record."""
        receipt = reading.receipt
        argv = receipt.argv if receipt else ()
        for why in signed.lies:
            yield _altered("digest-mismatch", "signature", why, rerun(argv))
        if self._must_be_signed and signed.key is None:
            keys = ", ".join(key[:12] for key in self._keys) or "no key that is trusted"
            yield _altered(
                "unsigned",
                "signature",
                f"the receipt has {'; '.join(signed.doubts) or 'no signature'}, "
                f"owed is one by {keys}",
                "have it signed: proctor receipt issue --sign -- CMD",
            )
        if signed.key is not None or receipt is None:
            return
        if not reading.is_bare and not reading.off:
            for name, value in invented(reading.members, plain(receipt)):
                yield _altered(
                    "digest-mismatch",
                    name,
                    f"the receipt says {shown(value)}, no record holds such a member",
                    rerun(argv),
                )
        if reading.is_bare:
            yield _altered(
                "receipt-without-record",
                "log",
                "the receipt has no digest and names no record: anybody can write these fields",
                f"record the run: proctor receipt issue -- {receipt.command or 'CMD'}",
            )
            return
        if receipt.level != 0 and not signed.doubts:
            yield _altered(
                "unsigned",
                "level",
                f"the receipt says {receipt.level}, without a signature by a trusted key it is 0",
                "trust its key: --key PUB, or at the base: [receipt] trusted_keys",
            )
        if receipt.log is None:
            yield _altered(
                "receipt-without-record", "log", "the receipt names no record", rerun(argv)
            )
        yield from unrecorded(receipt, self._here)

    def _signature(self, source: Source, reading: Reading) -> Verified:
        if source.envelopes is None:
            return Verified()
        if not self._keys:
            return Verified(doubts=("a signature, and no key is trusted",))
        return verify(source.envelopes, reading.data, self._keys)

    def _wanted(self, owed: Owed | None) -> Wanted:
        """Return where and when the run should be, by requirement and question together."""
        asked = self._question.wanted
        if owed is None:
            return asked
        item = owed.item
        tools = {"python": item.python, "node": item.node}
        own = {name: version for name, version in tools.items() if version is not None}
        return Wanted(
            host=asked.host,
            platform=asked.platform or item.platform,
            toolchain={**own, **asked.toolchain},
            max_age=asked.max_age or item.max_age,
        )

    def _files(self, reading: Reading) -> Iterator[Refusal]:
        """Yield where the JUnit file that a receipt names has other bytes now."""
        receipt = reading.receipt
        junit = receipt.junit if receipt else None
        if receipt is None or junit is None:
            return
        kept = {part.report.sha256: part.report for part in receipt.parts if part.report}
        known = kept.get(junit.sha256)
        told = (junit.executed, junit.failed, junit.skipped)
        if known is None or told != (known.executed, known.failed, known.skipped):
            yield _altered(
                "digest-mismatch",
                "junit",
                f"the receipt says {junit.sha256}, its run wrote {shown(', '.join(sorted(kept)))}",
                rerun(receipt.argv),
            )
        named = [item.junit for item in self._here.config.require if item.junit]
        if junit.path not in named:
            yield _altered(
                "digest-mismatch",
                "junit.path",
                f"the receipt says {shown(junit.path)}, configured is {shown(named)}",
                rerun(receipt.argv),
            )
        now = _sha256_of(self._here.root, junit.path)
        if now is not None and now != junit.sha256:
            yield _altered(
                "digest-mismatch",
                "junit.sha256",
                f"the receipt says {junit.sha256}, {shown(junit.path)} has {now}",
                rerun(receipt.argv),
            )


def _sha256_of(root: str, path: str) -> str | None:
    """Return the digest of a report within the root as it is kept, none where there is none."""
    from proctor.results.read import kept_sha256

    if "\0" in path:
        return None
    whole = os.path.realpath(os.path.join(root, path))
    if not whole.startswith(root.rstrip("/") + "/") or not os.path.isfile(whole):
        return None
    try:
        return kept_sha256(whole)
    except OSError:
        return None


def _notes(reading: Reading, owed: Owed | None, signed: Verified) -> Iterator[str]:
    """Yield what a reader should know of a receipt that nothing need be wrong with."""
    receipt = reading.receipt
    if receipt is None:
        return
    if owed is None:
        yield "nothing says which command is owed: name one with --command, or in [[require]]"
    if signed.key is None and signed.doubts:
        yield f"it has {'; '.join(signed.doubts)}: it counts as unsigned"
    if receipt.executed is None and not reading.is_bare:
        yield "no report counts the tests that were executed"
    elif receipt.executed is not None and receipt.executed.skipped:
        yield f"{receipt.executed.skipped} tests were skipped"
    for spot in receipt.blind_spots[:5]:
        yield f"the tree's id does not see: {shown(spot)}"


def _misses(field: str, message: str, argv: tuple[str, ...]) -> Refusal:
    return Refusal(
        code=EXIT_FIELDS, rule="missing-fields", field=field, message=message, cure=rerun(argv)
    )


def _altered(rule: str, field: str, message: str, cure: str) -> Refusal:
    return Refusal(code=EXIT_ALTERED, rule=rule, field=field, message=message, cure=cure)
