"""Decodes a transcript's objects: fast where they are sound, patiently where not."""

import re
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import TypeVar, cast

import msgspec

from proctor.join.base import Source
from proctor.join.guess import FAULTS
from proctor.join.objects import Objects
from proctor.join.toolcall import Skipped

T = TypeVar("T")

SHORT = 1 << 12
"""Bytes up to which an object is decoded without a look at what it holds."""
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
_LONE = re.compile(
    rb"(\\\\)|(\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    rb"|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)


class Shape(msgspec.Struct, gc=False):
    """What a reader decodes of an object.

    It goes as soon as it was read and never holds itself, so the collector of cycles
    need not look at it: that costs a tenth of the reading.
    """


class Part(Shape):
    """A part of a message, of which only text is read."""

    text: str | None = None


def decoded(
    source: Source, decoder: msgspec.json.Decoder[T], *needed: bytes
) -> Iterator[tuple[int, T]]:
    """Yield each object of `source` that can be decoded, with its place.

    A long object that holds none of the `needed` bytes is passed over unread. What
    cannot be decoded goes to `source.skipped`.
    """
    trial = source.trial
    # NOTE: what was decoded to find its end is not decoded again.
    trial.decode = decode = decoder.decode
    for place, text in source.objects:
        value, trial.value = cast("T | None", trial.value), None
        if len(text) > SHORT and needed and not _holds(text, needed):
            continue
        if value is not None:
            yield place, value
            continue
        try:
            value = decode(text)
        except FAULTS as error:
            yield from _salvaged(source, place, text, decoder, error)
        else:
            yield place, value


def decoder_of(kind: type[T]) -> Callable[[object], T | None]:
    """Return a function that decodes a part into `kind`, or returns none where it is not."""
    decoder = msgspec.json.Decoder(kind)

    def decode(part: object) -> T | None:
        if not part:
            return None
        raw = part if isinstance(part, msgspec.Raw) else str(part).encode("utf-8", "replace")
        try:
            return decoder.decode(raw)
        except FAULTS:
            pass
        try:
            return decoder.decode(_mended(bytes(raw)))
        except FAULTS:
            return None

    return decode


_texts = decoder_of(str | Part | list[str | Part | None] | None)  # type: ignore[arg-type]


def parts_text(content: object) -> str:
    """Return the text of a message: a string, or a list of parts with a `text`."""
    value = _texts(content)
    if isinstance(value, list):
        found = [part.text if isinstance(part, Part) else part for part in value]
        return "\n".join(text for text in found if text)
    return (value.text if isinstance(value, Part) else value) or ""


def digest_of(part: msgspec.Raw | str | None) -> str:
    """Return the SHA-256 of a part as it stands in the transcript, in hex."""
    return sha256(
        part.encode("utf-8", "replace") if isinstance(part, str) else part or b""
    ).hexdigest()


def _holds(text: bytes, needed: tuple[bytes, ...]) -> bool:
    for key in needed:  # noqa: SIM110 - a generator costs more than what it looks for
        if key in text:
            return True
    return False


def _salvaged(
    source: Source, place: int, text: bytes, decoder: msgspec.json.Decoder[T], error: Exception
) -> Iterator[tuple[int, T]]:
    """Yield what can be had from bytes that are not one sound object."""
    lost: list[Skipped] = []
    rest = [text]
    pieces = list(Objects(lambda _: rest.pop() if rest else b"", lost).each_value())
    if not pieces:
        source.skipped.append(Skipped(line=place, why=_reason(error)))
    for piece in pieces:
        try:
            value = decoder.decode(_mended(piece))
        except FAULTS as second:
            source.skipped.append(Skipped(line=place, why=_reason(second)))
        else:
            yield place, value
    if pieces and lost:
        source.skipped.append(Skipped(line=place, why=lost[0].why))


def _mended(text: bytes) -> bytes:
    """Return JSON with what is not Unicode in it replaced."""
    try:
        text.decode()
    except UnicodeDecodeError:
        text = text.decode("utf-8", "replace").encode()
    if _SURROGATE.search(text):
        text = _LONE.sub(lambda found: found[1] or found[2] or b"\\ufffd", text)
    return text


def _reason(error: Exception) -> str:
    if isinstance(error, msgspec.ValidationError):
        return f"an unexpected shape: {error}"
    if isinstance(error, RecursionError):
        return "nested too deep"
    return f"not JSON: {error}"
