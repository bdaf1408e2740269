"""What an entry of the policy allows, and what is wrong with one."""

from datetime import date

import pytest

from proctor.errors import OracleError
from proctor.oracle.policy import parse_policy, read_policy
from tests.unit.oracle.traces import NEW, OLD, TODAY, Bench


def allowed_by(entry: dict[str, object], bench: Bench) -> tuple[int, list[str]]:
    report = bench.diff(OLD, NEW, entry)
    return report.counts.allowed, [one.kind for one in report.remarks]


@pytest.mark.parametrize(
    ("entry", "allowed", "remarks"),
    [
        ({"seed": "A", "step": 4}, 1, ["over-broad"]),
        ({"seed": "A", "step": 4, "field": "status", "from": 1, "to": 0}, 0, []),
        ({"seed": "A", "step": 5, "field": "order", "from": "insertion", "to": "sorted"}, 1, []),
        ({"seed": "A", "step": 5, "field": "order", "from": "sorted", "to": "insertion"}, 0,
         ["stale"]),
        ({"command": "list", "path": "order", "from": "insertion", "to": "sorted"}, 1, []),
        ({"command": "list", "path": "order", "from_class": "word", "to_class": "word"}, 1, []),
        ({"command": "*", "path": "order", "from": "insertion", "to": "sorted"}, 0,
         ["over-broad"]),
        ({"command": "list"}, 0, ["over-broad"]),
        ({"seed": "A"}, 0, ["over-broad"]),
        ({"seed": "B", "step": 1}, 0, ["over-broad"]),
        ({"seed": "B", "step": 1, "from": "status=1|error=empty", "to": "status=0"}, 1, []),
        ({"seed": "A", "step": 4, "expires": "2030-01-14"}, 0, ["expired"]),
        ({"seed": "A", "step": 4, "expires": "2030-01-15"}, 1, ["over-broad"]),
        ({"seed": "A", "step": 4, "drafted": True}, 0, ["drafted"]),
        ({"seed": "A", "step": 9}, 0, ["over-broad", "stale"]),
    ],
)  # fmt: skip
def test_an_entry_allows_what_it_names_and_no_more(
    entry: dict[str, object], allowed: int, remarks: list[str], bench: Bench
) -> None:
    assert allowed_by({**entry, "reason": "meant"}, bench) == (allowed, remarks)


def test_a_step_that_is_gone_needs_an_entry_that_says_so(bench: Bench) -> None:
    gone = OLD.replace("C|3|badcmd|status=2|error=unknown\n", "")
    plain = {"seed": "C", "step": 3, "reason": "removed"}
    assert bench.diff(OLD, gone, plain).counts.flagged == 1
    exact = {**plain, "field": "step", "from": "present", "to": None}
    assert bench.diff(OLD, gone, exact).counts.allowed == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "p.json: empty"),
        (b'{\n"allowed": [}', "p.json:2: not JSON"),
        (b"\xff", "p.json:1: not JSON"),
        (b"[" * 100_000, "p.json:1: not JSON"),
        (b"[]", "p.json: expected `object`"),
        (b'{"allowed": {}}', "expected `array`"),
        (b'{"allow": []}', "unknown field `allow`"),
        (b'{"allowed": [{"reason": "x"}, {"seeds": 1}]}', "entry 2: object contains unknown"),
        (b'{"allowed": [{"step": "one"}]}', "entry 1: `step` is a number"),
        (b'{"allowed": [{"step": "\xc2\xb2"}]}', "entry 1: `step` is a number"),
        (b'{"allowed": [{"seed": null, "step": [1]}]}', "entry 1: expected `int | str | null`"),
        (b'{"schema": "proctor.policy/9"}', "this is proctor.policy/1"),
    ],
)
def test_a_policy_that_cannot_be_read_is_one_line(content: bytes, message: str) -> None:
    with pytest.raises(OracleError) as raised:
        parse_policy(content, "p.json", TODAY)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_policy_that_is_not_there_is_said(bench: Bench) -> None:
    with pytest.raises(OracleError, match="cannot be read: No such file"):
        read_policy(str(bench.folder / "none.json"), date(2030, 1, 1))
    with pytest.raises(OracleError, match="cannot be read: Is a directory"):
        read_policy(str(bench.folder), date(2030, 1, 1))
