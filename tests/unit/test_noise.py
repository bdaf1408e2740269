import time

import pytest

from proctor.noise import MASKS, masked


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("2026-03-01T10:00:00.123456Z", "timestamp"),
        ("2026-03-01 10:00:00,123", "timestamp"),
        ("2026-03-01T10:00:00+01:00", "timestamp"),
        ("Sun Mar  1 10:00:00 2026", "timestamp"),
        ("Sun, 01 Mar 2026 10:00:00 GMT", "timestamp"),
        ("123e4567-e89b-12d3-a456-426614174000", "uuid"),
        ("0x7f3a2b1c0d", "address"),
        ("/tmp/pytest-of-me/pytest-3/x", "temporary path"),
        ("/private/var/folders/ab/x", "temporary path"),
        ("0.12s", "duration"),
        ("12 ms", "duration"),
        ("3 seconds", "duration"),
        ("1767225600", "epoch"),
        ("1767225600.25", "epoch"),
        ("1767225600123", "epoch"),
    ],
)
def test_a_token_of_noise_is_masked_whole(text: str, name: str) -> None:
    assert masked(f"at {text} it") == (f"at <{name}> it", {name: 1})


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("pid=4242 x", "pid=<pid> x"),
        ("pid: 17", "pid: <pid>"),
        ("http://localhost:43127/", "http://localhost:<port>/"),
        ("127.0.0.1:8080", "127.0.0.1:<port>"),
    ],
)
def test_a_value_is_masked_behind_its_name(text: str, result: str) -> None:
    assert masked(text)[0] == result


@pytest.mark.parametrize(
    "text",
    [
        "cupid=7",
        "rapid 12",
        "version 1.2.3",
        "v1.25msx",
        "0x1f",
        "12345",
        "count=3",
        "a0.12s",
        "17672256001",
        "x-2026-03-01T10:00:00Z-y",
        "host:8080",
        "2026-03-01",
    ],
)
def test_parts_of_tokens_and_plain_numbers_stay(text: str) -> None:
    assert masked(text) == (text, {})


def test_masking_twice_changes_nothing() -> None:
    text = "pid=4 took 3 ms at 2026-03-01T10:00:00Z in /tmp/a 0xdeadbeef localhost:1234 1767225600"
    once, hits = masked(text)
    assert masked(once) == (once, {})
    assert sum(hits.values()) == 7
    assert set(hits) <= set(MASKS)


def test_time_is_linear_in_the_text() -> None:
    def took(text: str) -> float:
        began = time.process_time()
        masked(text)
        return time.process_time() - began

    for unit in ("1", "2026-03-01 ", "/tmp/", "0x", "Sun Mar 1 ", "pid pid ", "-", "a.", "1 "):
        short = max(took(unit * 20_000), 0.01)
        assert took(unit * 200_000) < 40 * short, unit
