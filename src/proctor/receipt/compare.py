"""What differs between two runs of the same command."""

from collections.abc import Iterator, Mapping

from proctor.receipt.fields import Receipt
from proctor.receipt.rerun import Outcomes

GREEN = frozenset(("passed", "xfailed"))
_SHOWN = 10


def differences(receipt: Receipt, told: Mapping[str, str] | None, done: Outcomes) -> Iterator[str]:
    """Yield how a replayed run differs from what the receipt says of the first one.

    `told` are the outcomes by id of the first run, where they are known.
    """
    if receipt.exit_code != done.exit_code:
        yield f"exit_code: the receipt says {receipt.exit_code}, here it is {done.exit_code}"
    if told is not None and (done.tests or told):
        yield from _by_test(told, done.tests)
        return
    first, again = receipt.executed, done.receipt.executed
    if first is None or again is None:
        if (first is None) != (again is None):
            yield (
                f"executed: the receipt says {_count(receipt)}, here it is {_count(done.receipt)}"
            )
        return
    for name in ("executed", "passed", "failed", "skipped"):
        says, found = getattr(first, name), getattr(again, name)
        if says != found:
            yield f"executed.{name}: the receipt says {says}, here it is {found}"
    absolute = any(test.startswith("/") for test in done.tests)
    if first.ids_sha256 and again.ids_sha256 not in (None, first.ids_sha256) and not absolute:
        yield "executed.ids_sha256: other tests were executed here"


def toolchains(receipt: Receipt, again: Receipt) -> Iterator[str]:
    """Yield each version that is another one in the replay: a remark, no divergence."""
    if receipt.platform != again.platform:
        yield f"platform: the receipt says {receipt.platform}, here it is {again.platform}"
    for name in sorted({*receipt.toolchain, *again.toolchain}):
        says, found = (one.toolchain.get(name, "nothing") for one in (receipt, again))
        if says != found:
            yield f"toolchain.{name}: the receipt says {says}, here it is {found}"


def lost(name: str, before: Outcomes, after: Outcomes) -> Iterator[str]:
    """Yield each test that passed on the base and does not pass on the receipt's code."""
    if not before.tests:
        if before.exit_code == 0 and after.exit_code != 0:
            yield f"the tests of {name} return {after.exit_code} on this code, and 0 there"
        return
    gone = [
        f"{test}: passed at {name}, {after.tests.get(test, 'not executed')} on this code"
        for test, outcome in sorted(before.tests.items())
        if outcome in GREEN and after.tests.get(test) not in GREEN
    ]
    yield from _few(gone)
    if not gone and before.exit_code == 0 and after.exit_code != 0:
        yield f"the tests of {name} return {after.exit_code} on this code, and 0 there"


def _by_test(told: Mapping[str, str], here: Mapping[str, str]) -> Iterator[str]:
    yield from _few(
        [
            f"{test}: {told.get(test, 'not executed')} by the receipt's run, "
            f"{here.get(test, 'not executed')} here"
            for test in sorted({*told, *here})
            if told.get(test) != here.get(test)
        ]
    )


def _few(lines: list[str]) -> Iterator[str]:
    yield from lines[:_SHOWN]
    if len(lines) > _SHOWN:
        yield f"and {len(lines) - _SHOWN} more tests"


def _count(receipt: Receipt) -> str:
    return str(receipt.executed.executed) if receipt.executed else "not counted"
