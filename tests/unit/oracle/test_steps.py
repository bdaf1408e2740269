"""Typed steps: each field by itself, and which steps show one change."""

from typing import Any

import pytest

from proctor.oracle.cluster import Clusters
from proctor.oracle.delta import Delta
from proctor.oracle.masks import Masks
from proctor.oracle.steps import compare_steps, is_silent, one_sided
from proctor.oracle.trace import File, Step, keep

MASKS = Masks()


def step(
    stdout: str | bytes = "", *, argv: str = "get a", n: int = 1, seed: str = "A", **more: Any
) -> Step:
    data = stdout if isinstance(stdout, bytes) else stdout.encode()
    stderr = more.pop("stderr", "").encode()
    limit = more.pop("limit", 1 << 20)
    fields = {"exit_code": 0, "stdout": keep(data, limit), "stderr": keep(stderr, limit), **more}
    return Step(seed=seed, step=n, argv=tuple(argv.split()), **fields)


def delta(old: Step, new: Step, *others: Step) -> Delta | None:
    return compare_steps(old, new, others or (old,), MASKS).delta


def paths(old: Step, new: Step, *others: Step) -> set[str]:
    found = delta(old, new, *others)
    return {field.path for field in found.changed} if found else set()


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ('{"a":1,"b":2}', '{"b":2,"a":1}', set()),
        ('[{"t": "\\u00fc"}]', '[{"t": "ü"}]', {"stdout"}),
        ('{"a": 1}', '{"a":1}', {"stdout"}),
        ('{"a": 1}', "", {"stdout"}),
        ("a=1 b=2", "a=1 b=3", {"stdout.b"}),
        ("a: 1\nb: 2\n", "a: 1\nb: 3\n", {"stdout"}),
        (b"\xff\x00", b"\xfe\x00", {"stdout"}),
        ("x" * 50, "y" * 50, {"stdout"}),
    ],
)
def test_output_is_compared_by_what_it_says(
    old: str | bytes, new: str | bytes, found: set[str]
) -> None:
    assert paths(step(old), step(new)) == found


def test_what_is_too_long_to_keep_is_compared_by_its_digest() -> None:
    a, b = step("a" * 100, limit=10), step("b" * 100, limit=10)
    found = delta(a, b)
    assert found is not None
    assert "sha256" in (found.fields[0].old or "")
    assert paths(a, a) == set()


def test_two_classes_of_time_apart_is_a_change_and_one_is_not() -> None:
    assert paths(step(time_class="<1s"), step(time_class="<10s")) == set()
    assert paths(step(time_class="<1s"), step(time_class="<100s")) == {"time"}


def test_a_file_is_compared_in_each_respect() -> None:
    def made(**more: Any) -> Step:
        file = {"kind": "file", "mode": "0644", "content": keep(b"1\n", 100), **more}
        return step(created={"f": File(**file)})

    assert paths(made(), made()) == set()
    assert paths(made(), made(mode="0755")) == {"files.f.mode"}
    assert paths(made(), made(writes=2)) == {"files.f.writes"}
    assert paths(made(), made(content=keep(b"2\n", 100))) == {"files.f.content"}
    assert paths(made(), step()) == {"files.f"}
    assert paths(step(deleted=("f",)), made()) == {"files.f"}


def test_a_step_is_silent_where_only_its_exit_code_shows() -> None:
    assert is_silent(step())
    assert not is_silent(step(stderr="x"))
    assert one_sided(step(), in_old=False).fields[0].old is None


# ── one change, many places ─────────────────────────────────────────────────


def changes(*pairs: tuple[Step, Step]) -> list[tuple[int, tuple[str, ...]]]:
    clusters = Clusters()
    for old, new in pairs:
        found = delta(old, new)
        assert found is not None
        clusters.take(found)
    return [(one.deltas, one.commands) for one in clusters.result()]


def usage(command: str, *, verbose: bool) -> str:
    more = " [--verbose]" if verbose else ""
    extra = "  --verbose  say more\n" if verbose else ""
    return f"usage: kv {command} [--help]{more} key\n\noptions:\n  --help     help\n{extra}"


def test_one_new_global_option_is_one_change_and_not_twenty() -> None:
    pairs = [
        (
            step(usage(f"c{n}", verbose=False), argv=f"c{n} --help", seed=f"S{n}"),
            step(usage(f"c{n}", verbose=True), argv=f"c{n} --help", seed=f"S{n}"),
        )
        for n in range(20)
    ]
    ((deltas, commands),) = changes(*pairs)
    assert (deltas, len(commands)) == (20, 20)


def test_a_change_of_one_command_stands_apart_from_what_all_show() -> None:
    pairs = [
        (
            step("a\nb\n", argv=c, seed=c),
            step(f"banner\na\n{'B' if c == 'get' else 'b'}\n", argv=c, seed=c),
        )
        for c in ("get", "set", "list")
    ]
    assert changes(*pairs) == [(3, ("get", "set", "list")), (1, ("get",))]


def test_commands_that_complain_alike_with_another_code_are_one_change() -> None:
    pairs = [
        (
            step(stderr=f"error: no such key {c}\n", argv=f"{c} {c}", exit_code=1, seed=c),
            step(stderr=f"error: no such key {c}\n", argv=f"{c} {c}", exit_code=3, seed=c),
        )
        for c in ("get", "delete")
    ]
    assert changes(*pairs) == [(2, ("get", "delete"))]


def test_many_kinds_of_one_field_are_taken_together() -> None:
    pairs = [
        (step(f"value={n}", seed=f"S{n}"), step(f"value={n + 100}", seed=f"S{n}"))
        for n in range(40)
    ]
    assert changes(*pairs) == [(40, ("get",))]


def test_the_same_rewording_for_other_arguments_is_one_change() -> None:
    pairs = [
        (
            step(f"key {k} not found\n", argv=f"get {k}", seed=k),
            step(f"no such key {k}\n", argv=f"get {k}", seed=k),
        )
        for k in ("alpha", "beta", "x1", "x22")
    ]
    assert changes(*pairs) == [(4, ("get",))]
