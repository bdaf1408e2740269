"""SAME, CHANGED or UNSTABLE: what noise hides and what it must not."""

import random

import pytest

from proctor.errors import ConfigError
from proctor.oracle.compare import LEARNED, compare_text, compare_value
from proctor.oracle.delta import Change
from proctor.oracle.masks import Masks
from proctor.oracle.parse import fields_of, pairs_of
from proctor.oracle.pattern import Pattern
from proctor.oracle.texts import regions
from tests.unit.oracle.traces import Bench

MASKS = Masks()


def mangled(address: str, seed: int) -> str:
    """An address as some renderers write it: each character in one of two ways."""
    pick = random.Random(seed)
    return "".join(pick.choice((f"&#{ord(c)};", f"&#x{ord(c):x};")) for c in address)


def page(seed: int, heading: str = '<h1 id="a">A</h1>') -> str:
    link = mangled("someone@example.org", seed)
    return f'{heading}\n<p>Write <a href="mailto:{link}">{link}</a> now</p>\n'


def test_a_true_change_beside_random_mangling_shows() -> None:
    old, again, new = page(1), page(2), page(3, "<h1>A</h1>")
    verdict = compare_text("stdout", old, new, [again], MASKS)
    assert verdict.field is not None
    assert verdict.field.change is Change.CHANGED
    (hunk,) = verdict.field.hunks
    assert hunk.removed == ('<h1 id="a">A</h1>',)


def test_a_true_change_on_the_mangled_line_itself_shows() -> None:
    old, again = page(1), page(2)
    new = page(3).replace("now</p>", "at once</p>")
    verdict = compare_text("stdout", old, new, [again], MASKS)
    assert verdict.field is not None
    assert verdict.field.change is Change.CHANGED


@pytest.mark.parametrize("seed", range(3, 40))
def test_mangling_alone_is_unstable_never_changed(seed: int) -> None:
    verdict = compare_text("stdout", page(1), page(seed), [page(2)], MASKS)
    assert verdict.field is not None
    assert verdict.field.change is Change.UNSTABLE
    assert {hit.mask for hit in verdict.hits} <= {LEARNED}


def test_what_was_stable_and_is_not_any_more_is_changed() -> None:
    verdict = compare_value("stdout.id", "7", "0x7f3a2b1c0d", ["7"], MASKS)
    assert verdict.field is not None
    assert verdict.field.change is Change.CHANGED


def test_a_mask_acts_only_where_the_old_build_differs_from_itself(bench: Bench) -> None:
    old = "A|1|x|pid=17|took=3ms\n"
    assert bench.diff(old, old.replace("17", "18")).counts.deltas == 0
    assert bench.diff(old, old.replace("17", "18"), old2=old).counts.flagged == 1
    noisy = bench.diff(old, old.replace("17", "18"), old2=old.replace("17", "99"))
    assert (noisy.counts.deltas, noisy.masks) == (0, {"pid": 1})


def test_noise_that_becomes_another_kind_of_word_is_changed() -> None:
    verdict = compare_value("stdout.token", "a81b", "missing token", ["0c2f"], MASKS)
    assert verdict.field is not None
    assert verdict.field.change is Change.CHANGED


def test_lines_whose_order_varies_are_compared_by_content() -> None:
    old, again = "a\nb\nc\n", "c\na\nb\n"
    unordered = compare_text("stdout", old, "b\na\nc\n", [again], MASKS)
    assert unordered.field is not None
    assert unordered.field.change is Change.UNSTABLE
    changed = compare_text("stdout", old, "b\na\nd\n", [again], MASKS)
    assert changed.field is not None
    assert (changed.field.change, changed.field.hunks[0].removed) == (Change.CHANGED, ("c",))


def test_a_field_that_comes_and_goes_by_itself_is_unstable() -> None:
    verdict = compare_value("files.a", "created file", None, [None], MASKS)
    assert verdict.field is not None
    assert verdict.field.change is Change.UNSTABLE


@pytest.mark.parametrize(
    ("old", "new", "paths"),
    [
        ('{"a": 1, "b": [1, {"c": null}]}', '{"b": [1, {"c": 2}], "a": 1}', {".b[1].c"}),
        ('{"a": 1}', '{"a": 1.0}', {".a"}),
        ('{"a": 1}', '{"a": "1"}', {".a"}),
        ('{"a": 1}\n{"a": 2}\n', '{"a": 1}\n{"a": 3}\n', {"[1].a"}),
        ("a=1 b=2\n", "b=3 a=1\n", {".b"}),
        ("a=1\nb=2\n", "a=1\nb=2\nc=3\n", {".c"}),
        ('{"a": 1, "a": 2}', '{"a": 9, "a": 2}', {".a"}),
    ],
)
def test_what_is_printed_is_read_as_fields(old: str, new: str, paths: set[str]) -> None:
    found = fields_of(old, new)
    assert found is not None
    first, second = found
    assert {k for k in first.keys() | second.keys() if first.get(k) != second.get(k)} == paths


@pytest.mark.parametrize("text", ["", "plain words", '{"a": ', "[" * 5000, '{"a": 1} x', "=x"])
def test_what_has_no_fields_is_text(text: str) -> None:
    assert fields_of(text, text) is None


def test_a_part_without_a_key_belongs_to_the_value_before_it() -> None:
    assert pairs_of("value=a|b|status=0|status=1") == {
        "value": "a|b",
        "status": "0",
        "status#2": "1",
    }
    assert pairs_of("a|b=1") is None


@pytest.mark.parametrize(
    ("pattern", "token", "fits"),
    [
        (r"job-\d+", "job-42", True),
        (r"job-\d+", "job-", False),
        (r"job-\d+", "xjob-42", False),
        (r"[a-f0-9]{8}", "deadbeef", True),
        (r"[a-f0-9]{8}", "deadbee", False),
        (r"v?\d{1,3}\.\d{2,}", "v12.345", True),
        (r"[^-]*-\h+", "abc-0fF", True),
        (r"\w*\w*\w*\w*\w*x", "y" * 60, False),
        ("a.c*", "abccc", True),
    ],
)
def test_a_projects_own_mask_fits_whole_tokens(pattern: str, token: str, fits: bool) -> None:
    assert Pattern(pattern).fits(token) is fits


@pytest.mark.parametrize(
    "pattern", ["", "(a)", "a|b", "[a", "a\\", "\\q", "a{3,1}", "*a", "a" * 201, r"\w{999}\w{999}"]
)
def test_a_pattern_that_is_none_is_said(pattern: str) -> None:
    with pytest.raises(ConfigError, match="the pattern"):
        Pattern(pattern)


def test_an_own_mask_is_named_where_it_hit(bench: Bench) -> None:
    report = bench.diff(
        "A|1|x|id=job-17|s=0\n", "A|1|x|id=job-99|s=0\n", masks=Masks({"job": r"job-\d+"})
    )
    assert (report.counts.deltas, report.masks) == (0, {"job": 1})


def test_long_texts_are_compared_between_rare_lines() -> None:
    old = [f"line {n}" for n in range(5000)]
    new = [*old[:100], "new", *old[100:3000], *old[3001:]]
    assert [(r.old_end - r.old_start, r.new_end - r.new_start) for r in regions(old, new)] == [
        (0, 1),
        (1, 0),
    ]
    again = [line if n % 9 else f"other {n}" for n, line in enumerate(old)]
    assert len(regions(old, again)) == 556
