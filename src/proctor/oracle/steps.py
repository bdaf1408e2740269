"""Compares a step of the old build with that of the new one, field by field.

Exit code, signal, timeout, time class, each stream and each file are compared
separately: on documented changes of released tools the exit code alone shows one in
four.
"""

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence

from proctor.oracle.compare import SAME, Verdict, compare_bytes, compare_text, compare_value
from proctor.oracle.delta import Change, Delta, Field, Hit
from proctor.oracle.masks import Masks
from proctor.oracle.parse import Fields, fields_of, pairs_of
from proctor.oracle.trace import File, PlainStep, Step, Stream
from proctor.oracle.volatile import with_names

KEY_ORDER = "order of keys"
"""The name of what is passed over where two records hold the same members."""
NEXT = "\n"
TIME_CLASSES = ("<1s", "<10s", "<100s", "<1000s", ">=1000s")


class Compared:
    """What came of one step."""

    __slots__ = ("delta", "hits")

    def __init__(self, delta: Delta | None, hits: tuple[Hit, ...]) -> None:
        self.delta = delta
        self.hits = hits


def compare_steps(
    old: Step | PlainStep,
    new: Step | PlainStep,
    others: Sequence[Step | PlainStep],
    masks: Masks,
) -> Compared:
    """Return the delta between two records of one step, and what was not compared.

    `others` are further runs of the old build; without any the masks act everywhere.
    """
    if isinstance(old, PlainStep):
        verdicts = list(_plain(old, new, others, masks))  # type: ignore[arg-type]
    else:
        verdicts = list(_typed(old, new, others, masks))  # type: ignore[arg-type]
    fields = tuple(verdict.field for verdict in verdicts if verdict.field is not None)
    hits = tuple(hit for verdict in verdicts for hit in verdict.hits)
    if not fields:
        return Compared(None, hits)
    delta = Delta(
        seed=old.seed,
        step=old.step,
        command=command_of(old),
        fields=fields,
        shared=tuple(_shared(old, new)),
        context=_context(old, new),
    )
    return Compared(delta, hits)


def one_sided(step: Step | PlainStep, *, in_old: bool) -> Delta:
    """Return the delta of a step that only one trace has."""
    there, here = ("present", None) if in_old else (None, "present")
    note = "the new trace lacks this step" if in_old else "the old trace lacks this step"
    field = Field(path="step", old=there, new=here, note=note)
    return Delta(seed=step.seed, step=step.step, command=command_of(step), fields=(field,))


def command_of(step: Step | PlainStep) -> str:
    """Return the command line of a step, as a shell would read it back."""
    return step.command if isinstance(step, PlainStep) else shlex.join(step.argv)


def is_silent(step: Step | PlainStep) -> bool:
    """Return whether nothing can be seen of a step but its exit code."""
    if isinstance(step, PlainStep):
        return not step.payload.strip()
    return not (
        step.stdout.size or step.stderr.size or step.created or step.changed or step.deleted
    )


# ── plain steps ─────────────────────────────────────────────────────────────


def _plain(
    old: PlainStep, new: PlainStep, others: Sequence[PlainStep], masks: Masks
) -> Iterator[Verdict]:
    if old.command != new.command:
        yield Verdict(Field(path="command", old=old.command, new=new.command))
    a, b = pairs_of(old.payload), pairs_of(new.payload)
    rest = [pairs_of(other.payload) for other in others]
    if a is None or b is None or None in rest:
        yield compare_text(
            "payload", old.payload, new.payload, [other.payload for other in others], masks
        )
        return
    known = [one for one in rest if one is not None]
    yield from _by_key("", a, b, known, masks)


def _by_key(
    prefix: str, old: Fields, new: Fields, others: Sequence[Fields], masks: Masks
) -> Iterator[Verdict]:
    for path in dict.fromkeys((*old, *new)):
        if not others and old.get(path) == new.get(path):
            continue
        yield compare_value(
            prefix + path, old.get(path), new.get(path), [one.get(path) for one in others], masks
        )


_CODES = ("status", "exit", "exit_code", "code", "rc", "returncode", "ok", "result", "success")
_WORDS = ("error", "err", "warn", "warning", "hit", "found", "count", "total", "order", "value")
_OUTCOMES = frozenset((*_CODES, *_WORDS))
"""Keys that say what came of a command, not what it was about."""


def _shared(old: Step | PlainStep, new: Step | PlainStep) -> Iterator[str]:
    """Yield what both builds were given: the arguments, or the same pairs of a payload."""
    if isinstance(old, Step):
        yield from (word for word in old.argv[1:] if word and not word.startswith("-"))
        return
    yield from (word for word in old.command.split()[1:] if not word.startswith("-"))
    assert isinstance(new, PlainStep)  # noqa: S101 - both are of one kind
    a, b = pairs_of(old.payload) or {}, pairs_of(new.payload) or {}
    for key, value in a.items():
        if value and b.get(key) == value and key.lower() not in _OUTCOMES:
            yield value


_FAULT = re.compile(r"(?:^|[.\]|\s])(?:error|err|reason|message|msg)\s*[=:]\s*(\S.{0,200})").search
_DIGITS = re.compile(r"\d+").sub


def _context(old: Step | PlainStep, new: Step | PlainStep) -> str:
    """Return the line in which both say what is wrong, arguments and digits left out."""
    first, second = (_complaint(step) for step in (old, new))
    return first if first == second else ""


def _complaint(step: Step | PlainStep) -> str:
    if isinstance(step, PlainStep):
        words, text = step.command.split()[1:], step.payload.replace("|", "\n")
    else:
        words = list(step.argv[1:])
        text = f"{step.stderr.shown() or ''}\n{(step.stdout.shown() or '').replace('|', NEXT)}"
    line = next((line for line in text.splitlines() if _FAULT(line)), "")
    given = {word for word in words if len(word) > 1}
    return _DIGITS("0", " ".join("…" if word in given else word for word in line.split()))


# ── typed steps ─────────────────────────────────────────────────────────────


def _typed(old: Step, new: Step, others: Sequence[Step], masks: Masks) -> Iterator[Verdict]:
    def values(path: str, read: Callable[[Step], str | None]) -> Verdict:
        return compare_value(path, read(old), read(new), [read(one) for one in others], masks)

    if old.argv != new.argv:
        yield Verdict(Field(path="argv", old=shlex.join(old.argv), new=shlex.join(new.argv)))
    yield values("exit_code", lambda step: _number(step.exit_code))
    yield values("signal", lambda step: step.signal)
    yield values("timed_out", lambda step: "yes" if step.timed_out else "no")
    yield values("left_running", lambda step: str(step.left_running))
    yield _time(old, new, others)
    for name in ("stdout", "stderr"):
        streams = [getattr(step, name) for step in (old, new, *others)]
        yield from compare_streams(name, streams[0], streams[1], streams[2:], masks)
    yield from _files(old, new, others, masks)


def _number(value: int | None) -> str | None:
    return None if value is None else str(value)


def _time(old: Step, new: Step, others: Sequence[Step]) -> Verdict:
    """Compare how long a step took: two classes apart, for one is within the noise."""
    places = [_place(step.time_class) for step in (old, *others)]
    now = _place(new.time_class)
    if min(places) - 1 <= now <= max(places) + 1 or old.timed_out or new.timed_out:
        return SAME
    return Verdict(Field(path="time", old=old.time_class, new=new.time_class))


def _place(time_class: str) -> int:
    return TIME_CLASSES.index(time_class) if time_class in TIME_CLASSES else 0


def compare_streams(
    path: str, old: Stream, new: Stream, others: Sequence[Stream], masks: Masks
) -> Iterator[Verdict]:
    """Yield what differs between two contents: by fields where they have any, else by line."""
    if old.sha256 == new.sha256 and all(other.sha256 == old.sha256 for other in others):
        return
    streams = (old, new, *others)
    if any(other.sha256 != old.sha256 for other in others) and any(one.b64 for one in streams):
        bytes_ = [one.content() for one in streams]
        if None not in bytes_:
            yield compare_bytes(path, [one for one in bytes_ if one is not None])
            return
    texts = [one.shown() for one in streams]
    if None in texts:
        shown = [f"{one.size} bytes, sha256 {one.sha256}" for one in (old, new, *others)]
        yield compare_value(path, shown[0], shown[1], shown[2:], masks)
        return
    a, b, *rest = (text or "" for text in texts)
    fields = _common_form(a, b, rest)
    if fields is None:
        yield compare_text(path, a, b, rest, masks)
        return
    found = list(_by_key(path, fields[0], fields[1], fields[2:], masks))
    yield from found
    if any(verdict.field or verdict.hits for verdict in found) or a == b:
        return
    # The same members in another text.
    if sorted(a) == sorted(b):
        yield Verdict(None, (Hit(KEY_ORDER, path, "", ""),))
    elif all(other == a for other in rest):
        whole = compare_text(path, a, b, rest, masks)
        if whole.field is not None:
            yield Verdict(_with_note(whole.field, "the same values, written otherwise"))


def _with_note(field: Field, note: str) -> Field:
    return Field(
        path=field.path,
        old=field.old,
        new=field.new,
        change=field.change,
        hunks=field.hunks,
        note=note,
    )


def _common_form(old: str, new: str, others: Sequence[str]) -> list[Fields] | None:
    """Return all texts as fields, in a form that fits every one of them."""
    both = fields_of(old, new)
    if both is None:
        return None
    found = [*both]
    for other in others:
        with_other = fields_of(old, other)
        if with_other is None or with_other[0] != both[0]:
            return None
        found.append(with_other[1])
    return found


# ── files ───────────────────────────────────────────────────────────────────


def _files(old: Step, new: Step, others: Sequence[Step], masks: Masks) -> Iterator[Verdict]:
    steps, hits = with_names((old, new, *others))
    yield Verdict(None, hits)
    names = sorted({name for step in steps for name in _touched(step)})
    for name in names:
        path = f"files.{name}"
        states = [_state(step, name) for step in steps]
        if len(set(states)) > 1:
            yield compare_value(path, states[0], states[1], states[2:], masks)
            continue
        files = [step.created.get(name) or step.changed.get(name) for step in steps]
        present = [file for file in files if file is not None]
        if present:
            yield from _file(path, present, masks)


def _touched(step: Step) -> Iterable[str]:
    return (*step.created, *step.changed, *step.deleted)


def _state(step: Step, name: str) -> str | None:
    if name in step.created:
        return f"created {step.created[name].kind}"
    if name in step.changed:
        return f"changed {step.changed[name].kind}"
    return "deleted" if name in step.deleted else None


def _file(path: str, files: Sequence[File], masks: Masks) -> Iterator[Verdict]:
    def values(name: str, read: Callable[[File], str | None]) -> Verdict:
        found = [read(file) for file in files]
        return compare_value(f"{path}.{name}", found[0], found[1], found[2:], masks)

    yield values("mode", lambda file: file.mode)
    yield values("target", lambda file: file.target)
    yield values("writes", lambda file: str(file.writes))
    contents = [file.content for file in files]
    if None not in contents:
        streams = [content for content in contents if content is not None]
        yield from compare_streams(f"{path}.content", streams[0], streams[1], streams[2:], masks)


def unstable(delta: Delta) -> int:
    """Return how many fields of a delta are unstable."""
    return sum(field.change is Change.UNSTABLE for field in delta.fields)
