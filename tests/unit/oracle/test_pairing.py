"""Steps of several traces are brought together whatever their order, in bounded memory."""

import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.findings import Outcome
from proctor.oracle import pairing
from proctor.oracle.order import seed_key
from tests.unit.oracle.traces import NEW, OLD, Bench


def lines(count: int) -> list[str]:
    return [f"S{n // 7}|{n % 7 + 1}|set k{n % 5}|value={n}|status=0\n" for n in range(count)]


@pytest.mark.parametrize("block", [1, 2, 3, 7, 10_000])
def test_the_length_of_a_block_changes_nothing(
    block: int, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairing, "BLOCK", block)
    report = bench.diff(OLD, NEW)
    assert (report.counts.steps, report.counts.deltas) == (10, 6)
    old = "A|1|cat|one\nmore\nA|2|cat|x\nmore\n\nB|1|y|z\n"
    assert bench.diff(old, old.replace("more", "less")).counts.deltas == 2


@pytest.mark.parametrize("run", [1, 5, 1000])
def test_order_of_lines_is_no_difference(
    run: int, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairing, "RUN", run)
    old = lines(60)
    new = [*old]
    random.Random(3).shuffle(new)
    assert bench.diff("".join(old), "".join(new)).outcome is Outcome.PASS
    new[7] = new[7].replace("status=0", "status=1")
    report = bench.diff("".join(old), "".join(new))
    assert (report.counts.steps, report.counts.flagged) == (60, 1)


def test_what_was_found_before_the_order_broke_is_not_counted_twice(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairing, "BLOCK", 4)
    old = [*lines(20), "A|1|get|x=1\n"]
    new = [line.replace("status=0", "status=1") for line in old]
    report = bench.diff("".join(old), "".join(new))
    assert (report.counts.steps, report.counts.deltas) == (21, 20)


def test_a_byte_order_mark_and_line_ends_of_another_system_are_no_difference(
    bench: Bench,
) -> None:
    crlf = b"\xef\xbb\xbf" + OLD.replace("\n", "\r\n").encode()
    assert bench.diff(OLD, crlf).outcome is Outcome.PASS
    assert bench.diff(b"seed|step|command|payload\n" + OLD.encode(), OLD).outcome is Outcome.PASS


@settings(max_examples=60)
@given(st.data())
def test_any_traces_are_compared_as_plain_dictionaries_would(data: st.DataObject) -> None:
    import tempfile

    keys = data.draw(
        st.lists(
            st.tuples(st.sampled_from(["A", "S2", "S10", "é"]), st.integers(0, 3)),
            unique=True,
            max_size=12,
        )
    )
    old = {key: data.draw(st.sampled_from("xyz")) for key in keys}
    new = {key: data.draw(st.sampled_from("xyz")) for key in keys if data.draw(st.booleans())}
    order = data.draw(st.permutations(list(new)))

    def text(rows: dict[tuple[str, int], str], keys: list[tuple[str, int]]) -> str:
        return "".join(f"{seed}|{step}|get|v={rows[seed, step]}\n" for seed, step in keys)

    with tempfile.TemporaryDirectory() as folder:
        report = Bench(Path(folder)).diff(text(old, list(old)), text(new, list(order)))
    assert report.counts.steps == len(old.keys() & new.keys())
    assert report.counts.flagged == sum(old.get(k) != new.get(k) for k in old.keys() | new.keys())


@given(st.lists(st.text(max_size=8), min_size=2, max_size=6))
def test_seeds_have_one_order(seeds: list[str]) -> None:
    keys = [seed_key(seed) for seed in seeds]
    assert len(set(keys)) == len(set(seeds))
    assert sorted(keys) == sorted(sorted(keys, reverse=True))


@pytest.mark.large
@pytest.mark.timeout(400)
def test_a_million_shuffled_steps_take_bounded_memory(tmp_path: Path) -> None:
    _check_memory(tmp_path, 1_000_000, 300, shuffled=True)


@pytest.mark.heavy
@pytest.mark.parametrize("shuffled", [False, True])
def test_many_steps_take_bounded_memory(shuffled: bool, tmp_path: Path) -> None:
    _check_memory(tmp_path, 200_000, 100, shuffled=shuffled)


def _check_memory(tmp_path: Path, count: int, most_mib: int, *, shuffled: bool) -> None:
    old = [f"S{n // 10}|{n % 10}|set k{n % 7} v{n}|value={n}|status=0\n" for n in range(count)]
    new = [
        line.replace("status=0", "status=1") if n % 50 == 0 else line for n, line in enumerate(old)
    ]
    if shuffled:
        random.Random(1).shuffle(new)
    (tmp_path / "old").write_text("".join(old))
    (tmp_path / "new").write_text("".join(new))
    code = (
        "import sys; from proctor.oracle.difference import Ask, diff;"
        "r = diff(Ask(old=sys.argv[1], new=sys.argv[2]));"
        # NOTE: not ru_maxrss, which a process inherits from the one that forked it.
        "peak = open('/proc/self/status').read().split('VmHWM:')[1].split()[0];"
        "print(r.counts.flagged, peak)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "old"), str(tmp_path / "new")],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    flagged, peak_kb = map(int, done.stdout.split())
    assert flagged == count // 50
    assert peak_kb <= most_mib * 1024
