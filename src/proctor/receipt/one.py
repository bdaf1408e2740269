"""Checks one receipt at a time.

Steps: 1. fields and digest, 2. signature or record, 3. tree, 4. how the run ended,
5. whether it is the owed one, 6. place and time, 7. the files that it names.
"""

import os
from collections.abc import Iterator

from proctor.identity.odd import PLACES, reads
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
from proctor.receipt.fields import Part, Reading, digest_of, invented, read_receipt
from proctor.receipt.fresh import stale
from proctor.receipt.here import Here
from proctor.receipt.ran import Owed, failures, not_owed
from proctor.receipt.recorded import unrecorded
from proctor.receipt.source import Source
from proctor.receipt.where import Wanted, elsewhere, old
from proctor.results.read import kept_sha256

_TRUST = "trust its key: --key PUB, or at the base: [receipt] trusted_keys"


class Checker:
    """Checks one receipt at a time, under one question."""

    def __init__(
        self, here: Here, wanted: Wanted, keys: tuple[str, ...], *, must_be_signed: bool
    ) -> None:
        self._here = here
        self._asked = wanted
        self._keys = keys
        self._must_be_signed = must_be_signed or here.config.receipt.require_signed

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
                cure=rerun(command, owed.item.folder if owed else "").replace(
                    "run it again", "run it"
                ),
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
            refusals += elsewhere(receipt, self._asked)
            refusals += old(receipt, wanted, self._here.now)
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
        receipt = reading.receipt
        argv = receipt.argv if receipt else ()
        for name in (*reading.missing, *_missing_within(reading)):
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
                    rerun(argv, receipt.folder if receipt else ""),
                )

    def _standing(self, reading: Reading, signed: Verified) -> Iterator[Refusal]:
        """Yield why a receipt rests neither on a trusted signature nor on a record."""
        receipt = reading.receipt
        argv = receipt.argv if receipt else ()
        for why in signed.lies:
            yield _altered(
                "digest-mismatch", "signature", why, rerun(argv, receipt.folder if receipt else "")
            )
        if self._must_be_signed and signed.key is None:
            keys = ", ".join(key[:12] for key in self._keys)
            has = "; ".join(signed.doubts) or "no signature"
            yield _altered(
                "unsigned",
                "signature",
                f"the receipt has {has}, owed is one by {keys or 'a trusted key'}",
                "have it signed: proctor receipt issue --sign -- CMD" if keys else _TRUST,
            )
        if signed.key is not None or receipt is None:
            return
        if not reading.is_bare and not reading.off:
            for name, value in invented(reading.members, plain(receipt)):
                yield _altered(
                    "digest-mismatch",
                    name,
                    f"the receipt says {shown(value)}, no record holds such a member",
                    rerun(argv, receipt.folder),
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
                _TRUST,
            )
        if receipt.log is None:
            yield _altered(
                "receipt-without-record",
                "log",
                "the receipt names no record",
                rerun(argv, receipt.folder),
            )
        yield from unrecorded(receipt, self._here)

    def _signature(self, source: Source, reading: Reading) -> Verified:
        if source.envelopes is None:
            return Verified()
        if not self._keys:
            return Verified(doubts=("a signature, and no key is trusted",))
        return verify(source.envelopes, reading.data, self._keys)

    def _wanted(self, owed: Owed | None) -> Wanted:
        """Return where and when the requirement asks the run to be; as asked for without one."""
        if owed is None:
            return self._asked
        item = owed.item
        tools = {"python": item.python, "node": item.node}
        return Wanted(
            platform=item.platform,
            toolchain={name: version for name, version in tools.items() if version is not None},
            max_age=self._asked.max_age or item.max_age,
        )

    def _files(self, reading: Reading) -> Iterator[Refusal]:
        """Yield where the JUnit file that a receipt names has other bytes now."""
        receipt = reading.receipt
        junit = receipt.junit if receipt else None
        if receipt is None or junit is None or junit.path is None:
            return
        now = _sha256_of(self._here.root, junit.path)
        if now is not None and now != junit.sha256:
            yield _altered(
                "digest-mismatch",
                "junit.sha256",
                f"the receipt says {junit.sha256}, {shown(junit.path)} has {now}",
                rerun(receipt.argv, receipt.folder),
            )


def _missing_within(reading: Reading) -> Iterator[str]:
    """Yield what members of a whole receipt lack within."""
    if reading.receipt is None or reading.is_bare or reading.off:
        return
    for name, _ in invented(plain(reading.receipt), reading.members):
        if "." in name or "[" in name:
            yield name


def _sha256_of(root: str, path: str) -> str | None:
    """Return the digest of a file within the root, none where there is none."""
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
    if receipt.attempts is not None and receipt.attempts.red:
        yield (
            f"the same tests failed before on these files: attempts {receipt.attempts.runs + 1}, "
            f"red {receipt.attempts.red + (receipt.exit_code != 0)}"
        )
    odd = sorted({name for part in receipt.parts for name in _telling(part)})
    if odd:
        yield f"the tests ran with {', '.join(odd)} set"
    for spot in receipt.blind_spots[:5]:
        yield f"the tree's id does not see: {shown(spot)}"


def _telling(part: Part) -> Iterator[str]:
    """Yield the variables that change what an interpreter runs, and that this one reads."""
    for name in part.odd_env:
        if name not in PLACES and reads(part.exe, part.argv, name):
            yield name


def _misses(field: str, message: str, argv: tuple[str, ...]) -> Refusal:
    return Refusal(
        code=EXIT_FIELDS, rule="missing-fields", field=field, message=message, cure=rerun(argv)
    )


def _altered(rule: str, field: str, message: str, cure: str) -> Refusal:
    return Refusal(code=EXIT_ALTERED, rule=rule, field=field, message=message, cure=cure)
