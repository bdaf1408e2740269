"""Tells the JSON objects of a stream apart, in flat memory, however they are laid out.

One on a line, several on a line, one over many lines, or a single document whose
records are the elements of a list inside it. What is torn is reported and passed
over; nothing here decodes, so an object that comes out may still not be JSON.
"""

import re
from collections.abc import Callable, Iterator

from proctor.join.guess import Guess, Trial
from proctor.join.toolcall import Skipped

BLOCK = 1 << 18
"""Bytes read at once, at least: few enough to stay in a processor's cache."""
LINE = 8 << 20
"""Bytes of the longest line that is taken for one object by its two ends."""
LONGEST = 64 << 20
"""Bytes of the longest object that is still read."""
_KEY = 1 << 16

_SPACE = re.compile(rb"[\s,\x00\x1e]*+")
_TEXT = rb'[^"\\\n]*+(?:\\.[^"\\\n]*+)*+'
_PLAIN = re.compile(rb'(?:[^"{}\[\]\n]++|"[^"\\\n]{0,64}+"|\n(?!\{))*+')
"""What changes no depth; longer strings are passed by searching for their end."""
_SCALAR = re.compile(rb"[^\s,\]}]*+")
_MEMBER = re.compile(rb'\s*+"(' + _TEXT + rb')"\s*+:\s*+(?=\S)')
_QUOTE, _NEWLINE, _BACKSLASH = b'"\n\\'
_OPEN = b"{["
_BRACE, _BRACE_END = b"{}"
_WINDOW = 1 << 20
"""Bytes within which the next element is looked for."""
Paths = tuple[tuple[str, ...], ...]


class Objects:
    """The objects of a stream, one after the other.

    `read` returns at most as many bytes as it is asked for, none at the end.
    `skipped` takes what could not be read; `trial` is asked what is only guessed to
    be an object.
    """

    def __init__(
        self,
        read: Callable[[int], bytes],
        skipped: list[Skipped],
        trial: Trial | None = None,
    ) -> None:
        self._read = read
        self._skipped = skipped
        self._trial = trial or Trial()
        self._lost = 0
        self._comma = False
        """Whether a comma was among the separators that were passed last."""
        self._aligned = False
        """Whether what comes after a loss stands at the beginning of something new."""
        self._buffer = b""
        self._at = 0
        self._counted = 0
        """Up to where the line ends are counted: only who asks for a line counts on."""
        self._lines = 1
        self._keys_at: dict[bytes, int] = {}
        self._ended = False

    def each(self, paths: Paths = ()) -> Iterator[tuple[int, bytes]]:
        """Yield every object with its place; the lists at `paths` are taken apart."""
        keys = tuple(b'"%s"' % path[0].encode() for path in paths)
        while True:
            yield from self._plain_lines(keys)
            first = self._next()
            if not first:
                return
            line = self._line()
            if first == b"{" and (text := self._whole_line(keys)) is not None:
                yield line, text
            elif first in b"{[":
                lost = self._lost
                yield from self._value(paths, line)
                if self._lost > lost and not self._aligned:
                    self._to_newline()
                self._aligned = False
            else:
                self._lose("not a JSON object")
                self._to_newline()

    def _plain_lines(self, keys: tuple[bytes, ...]) -> Iterator[tuple[int, bytes]]:
        """Pass the lines in the buffer that are one object by their two ends; yield each.

        The usual case, and so the quick one: lines without `keys` that begin and end
        with braces. The keys are looked for once, not line by line.
        """
        buffer = self._buffer
        if buffer[self._at : self._at + 1] == b"\n":
            self._at += 1
        start, line = self._at, self._line()
        last = min((self._next_key(key) for key in keys), default=len(buffer))
        while (end := buffer.find(b"\n", start, last)) > start:
            if buffer[start] != _BRACE or buffer[end - 1] != _BRACE_END:
                return
            self._at = end + 1
            yield line, buffer[start:end]
            line += 1
            start = end + 1

    def _next_key(self, key: bytes) -> int:
        """Return where in the buffer `key` stands next, its length where it does not."""
        found = self._keys_at.get(key, -1)
        if found < self._at:
            found = self._buffer.find(key, self._at)
            found = self._keys_at[key] = len(self._buffer) if found < 0 else found
        return found

    def each_value(self) -> Iterator[bytes]:
        """Yield every object, none taken for whole by the ends of its line."""
        while first := self._next():
            if first in b"{[":
                yield from (text for _, text in self._value((), 0))
            else:
                self._lose("not a JSON object")
                self._to_newline()

    # ── the buffer ──────────────────────────────────────────────────────────

    def _more(self) -> None:
        """Take in another block; what lies before `_at` is dropped."""
        self._line()
        kept = self._buffer[self._at :]
        block = self._read(max(BLOCK, len(kept)))
        if not block:
            self._ended = True
            return
        self._buffer = kept + block
        self._at = self._counted = 0
        self._keys_at.clear()

    def _line(self) -> int:
        """Return the line at hand."""
        self._lines += self._buffer.count(b"\n", self._counted, self._at)
        self._counted = self._at
        return self._lines

    def _next(self) -> bytes:
        """Return the first byte that is neither space nor separator; empty at the end."""
        self._comma = False
        while True:
            found = _SPACE.match(self._buffer, self._at)
            self._comma = self._comma or (found is not None and b"," in found[0])
            self._at = found.end() if found else self._at
            if self._at < len(self._buffer):
                return self._buffer[self._at : self._at + 1]
            if self._ended:
                return b""
            self._more()

    def _lose(self, why: str, line: int = 0) -> None:
        self._lost += 1
        self._skipped.append(Skipped(line=line or self._line(), why=why))

    def _to_newline(self) -> None:
        while (end := self._buffer.find(b"\n", self._at)) < 0 and not self._ended:
            self._at = len(self._buffer)
            self._more()
        self._at = len(self._buffer) if end < 0 else end

    def _whole_line(self, keys: tuple[bytes, ...]) -> bytes | None:
        """Pass and return the line at hand, if it looks like one object without `keys`."""
        seen = 0
        while (end := self._buffer.find(b"\n", self._at + seen)) < 0 and not self._ended:
            seen = len(self._buffer) - self._at
            if seen > LINE or any(self._next_key(key) < len(self._buffer) for key in keys):
                return None
            self._more()
        text = self._buffer[self._at : len(self._buffer) if end < 0 else end]
        text = text.rstrip(b" \t\r\x00")
        if not text.endswith(b"}") or any(key in text for key in keys):
            return None
        self._at += len(text)
        return text

    # ── values ──────────────────────────────────────────────────────────────

    def _value(self, paths: Paths, place: int) -> Iterator[tuple[int, bytes]]:
        """Pass the value at hand; yield its objects, each with its place."""
        if self._buffer[self._at : self._at + 1] == b"[":
            yield from self._elements(paths)
        elif paths:
            yield from self._members(paths, place)
        elif (text := self._take()) is not None:
            yield place, text

    def _elements(self, paths: Paths) -> Iterator[tuple[int, bytes]]:
        self._at += 1
        place, sound = 0, False
        guess = Guess(self._trial)
        while (line := self._line()) and (first := self._next()) and first != b"]":
            if sound and not self._comma:
                self._lose("a list that is cut off", line)
                self._aligned = True
                return
            if first == b"{" and not paths:
                for text in self._alike(guess):
                    place += 1
                    yield place, text
            place, sound = place + 1, True
            if first == b"{":
                lost = self._lost
                yield from self._value(paths, place)
                guess.learn(self._buffer, self._at)
                sound = self._lost == lost
                if not sound and self._next() not in (b"{", b"]", b""):
                    return
            elif first in b"}:":
                self._lose("a list that is not JSON")
                return
            else:
                self._take()
        if first:
            self._at += 1
        else:
            self._lose("the file ends inside a list")

    def _alike(self, guess: Guess) -> Iterator[bytes]:
        """Pass the elements that end as the one before them did, from here on; yield each.

        What comes to stand at hand is an element too, the first that ends otherwise.
        """
        while guess.between:
            found = self._buffer.find(guess.between, self._at, self._at + _WINDOW)
            if found < 0:
                if self._ended or len(self._buffer) - self._at > _WINDOW:
                    return
                self._more()
                continue
            text = self._buffer[self._at : found + 1]
            if not guess.holds(text):
                return
            self._at = found + guess.step
            yield text

    def _members(self, paths: Paths, place: int) -> Iterator[tuple[int, bytes]]:
        inner: dict[bytes, Paths] = {}
        for path in paths:
            name = path[0].encode()
            inner[name] = (*inner.get(name, ()), *((path[1:],) if path[1:] else ()))
        self._at += 1
        parts: list[bytes] = []
        whole = True
        while (first := self._next()) and first != b"}":
            name_at = self._name()
            if name_at is None:
                self._lose("an object that is not JSON")
                self._to_newline()
                return
            if name_at in inner and self._buffer[self._at : self._at + 1] == b"[":
                if parts:
                    yield place, b"{" + b",".join(parts) + b"}"
                    parts = []
                yield from self._elements(inner[name_at])
                whole = False
            elif (text := self._take()) is not None:
                parts.append(b'"%s":%s' % (name_at, text))
        if not first:
            self._lose("the file ends inside an object")
            return
        self._at += 1
        if parts or whole:
            yield place, b"{" + b",".join(parts) + b"}"

    def _name(self) -> bytes | None:
        """Pass a member's name and colon, and return the name; none if there is none."""
        while True:
            found = _MEMBER.match(self._buffer, self._at)
            if found:
                self._at = found.end()
                return found[1]
            if self._ended or len(self._buffer) - self._at > _KEY:
                return None
            self._more()

    def _take(self) -> bytes | None:
        """Pass the value at hand and return its bytes; none if it is torn or too long."""
        first = self._buffer[self._at]
        if first not in b'{["':
            return self._scalar()
        quoted = first == _QUOTE
        position, depth, dropped = self._at + quoted, 0, False
        compact = self._buffer[self._at + 1 : self._at + 2] not in (b"\n", b"\r")
        while True:
            position = self._unquoted(position) if quoted else self._plain(position)
            if position + 1 >= len(self._buffer) and not self._ended:
                if position - self._at > LONGEST:
                    self._at = position
                    dropped = True
                ahead = position - self._at
                self._more()
                position = self._at + ahead
                continue
            step = self._step(position, quoted=quoted, compact=compact)
            if step is None:
                self._lose("cut off before its end")
                self._at = position
                return None
            if position < len(self._buffer) and self._buffer[position] == _QUOTE:
                quoted = not quoted
            position += 1
            depth += step
            if depth == 0 and not quoted:
                break
        text = self._buffer[self._at : position]
        if dropped or len(text) > LONGEST:
            self._lose(f"longer than {LONGEST >> 20} MiB")
            text = b""
        self._at = position
        return text or None

    def _plain(self, position: int) -> int:
        found = _PLAIN.match(self._buffer, position)
        return found.end() if found else position

    def _unquoted(self, position: int) -> int:
        """Return where the string around `position` ends: a quote, a newline, the buffer.

        A backslash that ends the buffer is left for the next, which tells what it hides.
        """
        buffer = self._buffer
        start = position
        while True:
            end = buffer.find(b'"', start)
            if end < 0:
                end = len(buffer)
            before = end
            while before > position and buffer[before - 1] == _BACKSLASH:
                before -= 1
            if (end - before) % 2 == 0 or end == len(buffer):
                newline = buffer.find(b"\n", position, end)
                return newline if newline >= 0 else end - (end - before) % 2
            start = end + 1

    def _step(self, position: int, *, quoted: bool, compact: bool) -> int | None:
        """Return by how much the byte at `position` changes the depth; none if torn."""
        if position >= len(self._buffer):
            return None
        byte = self._buffer[position]
        if byte == _QUOTE:
            return 0
        if quoted or (byte == _NEWLINE and compact):
            return None
        if byte == _NEWLINE:
            return 0
        return 1 if byte in _OPEN else -1

    def _scalar(self) -> bytes:
        ahead = 0
        while True:
            found = _SCALAR.match(self._buffer, self._at + ahead)
            end = found.end() if found else self._at
            if end < len(self._buffer) or self._ended:
                break
            ahead = end - self._at
            self._more()
        end = max(end, self._at + 1)
        text = self._buffer[self._at : end]
        self._at = end
        return text
