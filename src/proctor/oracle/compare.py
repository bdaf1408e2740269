"""Compares one text of the old build with that of the new one.

With a second old run a mask acts only where the old build differs from itself. What
differs there and no mask names is learned as a span: the new build may differ in
just that span, in like characters, and a true change beside it still shows.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from proctor._digest import sha256_hex
from proctor.oracle.delta import Change, Field, Hit, Hunk
from proctor.oracle.masks import Masks
from proctor.oracle.texts import Region, common_ends, regions, tokens_of

LEARNED = "learned span"
"""The name of what differs between two old runs and has no mask."""
ORDER = "order of lines"
MOST_TOKENS = 600
"""Tokens of a stretch that is looked at token by token."""


MOST_CHARACTERS = 8 << 20
"""Characters of a text that is looked into; of a longer one only that it differs is said."""


class Verdict(NamedTuple):
    """What came of one field: a difference, or none; and what was not compared."""

    field: Field | None
    hits: tuple[Hit, ...] = ()


SAME = Verdict(None)


def compare_value(
    path: str, old: str | None, new: str | None, others: Sequence[str | None], masks: Masks
) -> Verdict:
    """Compare a single value. `others` are further runs of the old build, if any."""
    if all(other == old for other in others) and (others or old == new):
        return SAME if old == new else Verdict(Field(path=path, old=old, new=new))
    known = [text for text in others if text is not None]
    if old is None or new is None or len(known) < len(others):
        vague = bool(others) and new in (old, *others)
        change = Change.UNSTABLE if vague else Change.CHANGED
        return Verdict(Field(path=path, old=old, new=new, change=change))
    named = _named(path.rpartition(".")[2], old, new, known, masks)
    if named is not None:
        return Verdict(None, tuple(Hit(mask, path, a, b) for mask, a, b in named))
    if not others or _is_unlike(path.rpartition(".")[2], old, new, known, masks):
        return Verdict(Field(path=path, old=old, new=new))
    return _unstable(path, old, new, known, masks)


def _named(
    key: str, old: str, new: str, others: Sequence[str], masks: Masks
) -> list[tuple[str, str, str]] | None:
    """Return the masked tokens that differ; none if a run differs in more than these."""
    differing = [other for other in others if other != old]
    if any(masks.value_hits(key, old, other) is None for other in differing):
        return None
    return masks.value_hits(key, old, new) if old != new else []


def _is_unlike(key: str, old: str, new: str, others: Sequence[str], masks: Masks) -> bool:
    """Return whether named masks tell all old values apart, and do not fit the new one."""
    differing = [other for other in others if other != old]
    if any(masks.value_hits(key, old, other, any_time=True) is None for other in differing):
        return False
    return new not in others and masks.value_hits(key, old, new, any_time=True) is None


def compare_text(path: str, old: str, new: str, others: Sequence[str], masks: Masks) -> Verdict:
    """Compare a text line by line. `others` are further runs of the old build, if any."""
    if max(map(len, (old, new, *others))) > MOST_CHARACTERS:
        shown = [_digested(text) for text in (old, new, *others)]
        return compare_value(path, shown[0], shown[1], shown[2:], masks)
    if others and all(other == old for other in others):
        return SAME if old == new else Verdict(_changed(path, old, new, _line_hunks(old, new)))
    if not others:
        return SAME if old == new else _by_masks(path, old, new, masks)
    return _unstable(path, old, new, others, masks)


def _digested(text: str) -> str:
    digest = sha256_hex(text.encode("utf-8", "surrogatepass"))
    return f"{len(text)} characters, sha256 {digest}"


def _changed(path: str, old: str, new: str, hunks: Iterable[Hunk], note: str = "") -> Field:
    return Field(path=path, old=old, new=new, hunks=tuple(hunks), note=note)


def lines_of(text: str) -> list[str]:
    """Return the lines of a text with their ends; only a line feed ends one."""
    return text.split("\n") if not text.endswith("\n") else [*text[:-1].split("\n"), ""]


def compare_bytes(path: str, contents: Sequence[bytes]) -> Verdict:
    """Compare contents that are no text, where the old ones (all but the second) vary.

    What the old ones have in common at both ends has to be there, and as many bytes
    between as they have.
    """
    old, new, *others = contents
    olds = [old, *others]
    front, end = common_ends(olds)
    sizes = [len(one) for one in olds]
    was, now = (f"{len(one)} bytes, sha256 {sha256_hex(one)}" for one in (old, new))
    alike = new.startswith(front) and new.endswith(end)
    if new in olds or (alike and min(sizes) <= len(new) <= max(sizes)):
        vague = _vague(path, was, now, "differs where the old build varies")
        return Verdict(vague, (Hit(LEARNED, path, was, now),))
    return Verdict(Field(path=path, old=was, new=now))


def _line_hunks(old: str, new: str) -> Iterator[Hunk]:
    a, b = lines_of(old), lines_of(new)
    for one in regions(a, b):
        yield _hunk(a, b, one)


def _hunk(old: Sequence[str], new: Sequence[str], region: Region) -> Hunk:
    return Hunk(
        removed=tuple(old[region.old_start : region.old_end]),
        added=tuple(new[region.new_start : region.new_end]),
    )


def _by_masks(path: str, old: str, new: str, masks: Masks) -> Verdict:
    """Compare where there is one old run only: the named masks act on each line."""
    hits: list[Hit] = []
    hunks = []
    for hunk in _line_hunks(old, new):
        as_many = len(hunk.removed) == len(hunk.added)
        found = masks.hits("\n".join(hunk.removed), "\n".join(hunk.added)) if as_many else None
        if found is None:
            hunks.append(hunk)
        else:
            hits += (Hit(mask, path, a, b) for mask, a, b in found)
    return Verdict(_changed(path, old, new, hunks) if hunks else None, tuple(hits))


# ── where the old build differs from itself ─────────────────────────────────


class _Noise:
    """What was found in a text whose old runs differ."""

    def __init__(self, path: str, masks: Masks) -> None:
        self.path = path
        self.masks = masks
        self.hits: list[Hit] = []
        self.hunks: list[Hunk] = []
        self.learned = False

    def skip(self, old: str, new: str) -> None:
        """Note that `old` became `new`, in a place where the old build varies."""
        named = self.masks.hits(old, new)
        if named is None:
            self.learned = True
            self.hits.append(Hit(LEARNED, self.path, old, new))
        else:
            self.hits += (Hit(mask, self.path, a, b) for mask, a, b in named)


def _unstable(path: str, old: str, new: str, others: Sequence[str], masks: Masks) -> Verdict:
    if new in (old, *others):
        named = all(masks.hits(old, other) is not None for other in others if other != old)
        return SAME if named else Verdict(_vague(path, old, new, "the old build varies here"))
    lines = lines_of(old)
    if all(sorted(lines_of(other)) == sorted(lines) for other in others):
        return _by_content(path, old, new)
    noise = _Noise(path, masks)
    _look(noise, lines, lines_of(new), [lines_of(other) for other in others])
    hits = tuple(noise.hits)
    if noise.hunks:
        note = f"beside {len(hits)} unstable" if hits else ""
        return Verdict(_changed(path, old, new, noise.hunks, note), hits)
    if noise.learned:
        return Verdict(_vague(path, old, new, "differs where the old build varies"), hits)
    return Verdict(None, hits)


def _vague(path: str, old: str, new: str, note: str) -> Field:
    return Field(path=path, old=old, new=new, change=Change.UNSTABLE, note=note)


def _by_content(path: str, old: str, new: str) -> Verdict:
    """Compare the lines of two texts whatever their order, since that varies by itself."""
    a, b = sorted(lines_of(old)), sorted(lines_of(new))
    if a == b:
        hit = Hit(ORDER, path, "", "")
        return Verdict(_vague(path, old, new, "the order of lines varies"), (hit,))
    hunks = [_hunk(a, b, one) for one in regions(a, b)]
    return Verdict(_changed(path, old, new, hunks, "beside the order of lines, which varies"))


def _look(noise: _Noise, old: list[str], new: list[str], others: Sequence[list[str]]) -> None:
    """Look line by line, and token by token where noise and difference meet."""
    changed = regions(old, new)
    varied = [regions(old, other) for other in others]
    for start, end in _hulls([changed, *varied]):
        mine = [one for one in changed if _within(one, start, end)]
        if not mine:
            continue
        if not any(_within(one, start, end) for found in varied for one in found):
            noise.hunks += (_hunk(old, new, one) for one in mine)
            continue
        a = old[start:end]
        b = new[_moved(changed, start) : _moved(changed, end, after=True)]
        rest = [
            other[_moved(found, start) : _moved(found, end, after=True)]
            for found, other in zip(varied, others, strict=True)
        ]
        if all(len(lines) == len(a) for lines in (b, *rest)):
            for was, now, *again in zip(a, b, *rest, strict=True):
                _look_at_line(noise, was, now, again)
        else:
            _look_closer(noise, a, b, rest)


def _look_at_line(noise: _Noise, old: str, new: str, others: Sequence[str]) -> None:
    if old == new:
        return
    if all(other == old for other in others):
        noise.hunks.append(Hunk(removed=(old,), added=(new,)))
    else:
        _look_closer(noise, [old], [new], [[other] for other in others])


def _look_closer(
    noise: _Noise, old: list[str], new: list[str], others: Sequence[list[str]]
) -> None:
    texts = ["\n".join(lines) for lines in (old, new, *others)]
    first, now, *again = texts
    if now in again or all(noise.masks.hits(first, one) is not None for one in (now, *again)):
        noise.skip(first, now)
        return
    hits = [noise.masks.hits(first, one, any_time=True) for one in (now, *again)]
    if hits[0] is None and None not in hits[1:]:
        noise.hunks.append(Hunk(removed=tuple(old), added=tuple(new)))
        return
    a, b, *rest = (tokens_of(text) for text in texts)
    if max(map(len, (a, b, *rest))) > MOST_TOKENS:
        noise.hunks.append(Hunk(removed=tuple(old), added=tuple(new)))
        return
    varied = [regions(a, other) for other in rest]
    spans = _bridged(a, _hulls(varied))
    samples = [("".join(a[start:end]), *_samples(varied, rest, start, end)) for start, end in spans]
    beside = False
    for one in regions(a, b):
        was, now = "".join(a[one.old_start : one.old_end]), "".join(b[one.new_start : one.new_end])
        at = next((n for n, span in enumerate(spans) if _within(one, *span)), None)
        if at is not None and _is_like(now, samples[at]):
            noise.skip(was, now)
        else:
            beside = True
    if beside:
        noise.hunks.append(Hunk(removed=tuple(old), added=tuple(new)))


def _samples(
    varied: Sequence[list[Region]], others: Sequence[list[str]], start: int, end: int
) -> Iterator[str]:
    for found, other in zip(varied, others, strict=True):
        yield "".join(other[_moved(found, start) : _moved(found, end, after=True)])


def _within(region: Region, start: int, end: int) -> bool:
    return start <= region.old_start and region.old_end <= end


def _hulls(groups: Iterable[Iterable[Region]]) -> list[tuple[int, int]]:
    """Return the stretches of the old side that regions cover, those that touch made one."""
    ends = sorted((one.old_start, one.old_end) for group in groups for one in group)
    found: list[tuple[int, int]] = []
    for start, end in ends:
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def _moved(found: Sequence[Region], at: int, *, after: bool = False) -> int:
    """Return where an index of the old side lies on the other one.

    `after`: behind what was inserted there, rather than before it.
    """
    shift = 0
    for one in found:
        if one.old_end < at or (one.old_end == at and (after or one.old_start < at)):
            shift = one.new_end - one.old_end
    return at + shift


def _bridged(tokens: Sequence[str], spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the spans, those made one between which a single like token stands.

    Two random values are now and then equal by chance.
    """
    found: list[tuple[int, int]] = []
    for start, end in spans:
        if found:
            gap = [token for token in tokens[found[-1][1] : start] if not token.isspace()]
            before = "".join(tokens[found[-1][0] : found[-1][1]])
            if len(gap) <= 1 and all(_kinds(token) <= _kinds(before) for token in gap):
                found[-1] = (found[-1][0], end)
                continue
        found.append((start, end))
    return found


def _is_like(text: str, samples: Sequence[str]) -> bool:
    """Return whether a value could be one more of the samples: like characters and length."""
    kinds = frozenset().union(*map(_kinds, samples))
    longest = max(map(len, samples))
    blanks = [len(sample.split()) for sample in samples]
    return (
        _kinds(text) <= kinds
        and len(text) <= 2 * longest + 8
        and min(blanks) <= len(text.split()) <= max(blanks)
    )


def _kinds(text: str) -> frozenset[str]:
    return frozenset("0" if c.isdigit() else "a" if c.isalpha() else c for c in text)
