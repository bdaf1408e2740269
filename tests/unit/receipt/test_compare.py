"""What differs between two runs is named, by test where both are known."""

from typing import Any

import msgspec

from proctor.receipt.compare import differences, lost, toolchains
from proctor.receipt.fields import Counts, Receipt
from proctor.receipt.rerun import Outcomes

COUNTS = Counts(executed=2, passed=2, failed=0, skipped=0, ids_sha256="a")


def receipt(**members: Any) -> Receipt:
    facts: dict[str, Any] = {
        "command": "pytest", "git_head": "h", "hostname": "h", "kernel": "k", "runtime": "python 3",
        "started_utc": "s", "finished_utc": "f", "exit_code": 0, "executed": COUNTS,
        "platform": "Linux-x86_64", "toolchain": {"python": "3.12"},
    }  # fmt: skip
    return Receipt(**{**facts, **members})


def ran(tests: dict[str, str] | None = None, **members: Any) -> Outcomes:
    made = receipt(**members)
    return Outcomes(exit_code=made.exit_code or 0, tests=tests or {}, receipt=made)


def test_alike_is_no_difference() -> None:
    tests = {"a": "passed", "b": "skipped"}
    assert list(differences(receipt(), tests, ran(tests))) == []
    assert list(differences(receipt(), None, ran())) == []
    assert list(differences(receipt(executed=None), None, ran(executed=None))) == []
    assert list(toolchains(receipt(), receipt())) == []


def test_each_test_is_named_with_both_outcomes() -> None:
    told, here = {"a": "passed", "b": "passed"}, {"a": "failed", "c": "passed"}
    assert list(differences(receipt(), told, ran(here, exit_code=1))) == [
        "exit_code: the receipt says 0, here it is 1",
        "a: passed by the receipt's run, failed here",
        "b: passed by the receipt's run, not executed here",
        "c: not executed by the receipt's run, passed here",
    ]
    many = {f"t{n:02}": "passed" for n in range(15)}
    assert list(differences(receipt(), many, ran()))[-1] == "and 5 more tests"


def test_without_ids_numbers_and_the_digest_are_compared() -> None:
    other = msgspec.structs.replace(COUNTS, passed=1, failed=1, ids_sha256="b")
    assert list(differences(receipt(), None, ran(executed=other))) == [
        "executed.passed: the receipt says 2, here it is 1",
        "executed.failed: the receipt says 0, here it is 1",
        "executed.ids_sha256: other tests were executed here",
    ]
    moved = msgspec.structs.replace(COUNTS, ids_sha256="b")
    assert list(differences(receipt(), None, ran({"/tmp/x.js": "passed"}, executed=moved))) == []
    assert list(differences(receipt(), None, ran(executed=None))) == [
        "executed: the receipt says 2, here it is not counted"
    ]


def test_another_toolchain_is_a_remark() -> None:
    again = receipt(platform="Darwin-arm64", toolchain={"node": "20"})
    assert list(toolchains(receipt(), again)) == [
        "platform: the receipt says Linux-x86_64, here it is Darwin-arm64",
        "toolchain.node: the receipt says nothing, here it is 20",
        "toolchain.python: the receipt says 3.12, here it is nothing",
    ]


def test_what_passed_at_the_base_must_pass_here() -> None:
    before = ran({"a": "passed", "b": "failed", "c": "xfailed", "d": "skipped"})
    assert list(lost("main", before, ran({"a": "passed", "c": "passed"}))) == []
    assert list(lost("main", before, ran({"a": "skipped"}, exit_code=1))) == [
        "a: passed at main, skipped on this code",
        "c: passed at main, not executed on this code",
    ]
    line = "the tests of main return 1 on this code, and 0 there"
    assert list(lost("main", ran(), ran(exit_code=1))) == [line]
    assert list(lost("main", ran(), ran())) == []
    assert list(lost("main", ran({"a": "passed"}), ran({"a": "passed"}, exit_code=1))) == [line]
