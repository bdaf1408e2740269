"""Reads a report in XML as a stream.

Text is kept only where it is asked for, and only so much of it, so a report of any
size needs memory for its ids alone. A DTD is refused, so no entity is ever expanded.
What XML does not allow is taken out or replaced, and that is listed as a repair.
"""

import re
from collections.abc import Callable, Iterator
from xml.parsers import expat

from proctor._collector import Paused
from proctor.errors import ReportError
from proctor.results.base import Summary

DEPTH_LIMIT = 256
_BLOCK = 1 << 18
_TOKEN_LIMIT = 64 << 20
"""Bytes that one tag may take."""
_HEAD = 1 << 16
_CONTROL = bytes(code for code in range(32) if code not in (9, 10, 13))
_REFERENCE = re.compile(rb"&#(?:x([0-9a-fA-F]{1,8})|([0-9]{1,10}));")
_REFERENCE_LENGTH = 16
_LAST = 0xFFFE
_SURROGATES = range(0xD800, 0xE000)


class _WrongEncodingError(Exception):
    """The bytes are not in the encoding that the report claims."""


class XmlReader:
    """Reads one report; `encoding` overrides what the report says of itself.

    A format's file derives from it, sets `what` and `roots`, and defines `start`,
    `end` and, if it likes, `finish`. Names come without a namespace, in lower case.
    """

    what = "XML report"
    roots: tuple[str, ...] = ()
    """Elements that a report may begin with."""

    def __init__(self, path: str, encoding: str | None, *, detailed: bool) -> None:
        self.path = path
        self.summary = Summary(detailed=detailed)
        self.depth = 0
        self._encoding = encoding
        self._root: str | None = None
        self._closed = False
        self._names: dict[str, str] = {}
        self._text: list[str] | None = None
        self._room = 0
        if encoding is not None:
            self.summary.repair(f"read as {encoding}: it is not in the encoding it claims")
        self._parser = expat.ParserCreate(encoding)
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.StartDoctypeDeclHandler = self._refuse
        self._parser.EntityDeclHandler = self._refuse

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Take the start of an element; `depth` is its own, from 1."""
        raise NotImplementedError

    def end(self, name: str) -> None:
        """Take the end of an element; `depth` is its own, from 1."""
        raise NotImplementedError

    def finish(self) -> None:
        """Take the end of the report."""

    def read(self) -> Summary:
        """Return what the report says."""
        fed = 0
        try:
            for block in self._blocks():
                self._parser.Parse(block, False)
                fed += len(block)
                if fed - self._parser.CurrentByteIndex > _TOKEN_LIMIT:
                    raise ReportError(f"{self.path}: a tag of more than {_TOKEN_LIMIT} bytes")
            self._parser.Parse(b"", True)
        except expat.ExpatError as error:
            self._cope(error)
        except (LookupError, ValueError) as error:  # from Python's codecs, which expat asks
            if self._encoding is not None:
                raise ReportError(f"{self.path}: no {self.what}: {error}") from None
            raise _WrongEncodingError from None
        self.finish()
        return self.summary

    # ── text ────────────────────────────────────────────────────────────────

    def capture(self, room: int) -> None:
        """Keep the text that follows, at most `room` characters of it."""
        self._text, self._room = [], room
        self._parser.CharacterDataHandler = self._take

    def pause(self) -> None:
        """Pass over text until `resume`."""
        self._parser.CharacterDataHandler = None

    def resume(self) -> None:
        """Go on keeping text where `capture` began to."""
        if self._text is not None:
            self._parser.CharacterDataHandler = self._take

    def captured(self) -> str:
        """Return the text kept since `capture`, and keep no more."""
        self._parser.CharacterDataHandler = None
        text, self._text = "".join(self._text or ()), None
        return text

    def _take(self, text: str) -> None:
        if self._room > 0 and self._text is not None:
            self._text.append(text[: self._room])
            self._room -= len(text)

    # ── elements ────────────────────────────────────────────────────────────

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth > DEPTH_LIMIT:
            raise ReportError(f"{self.path}: elements are nested deeper than {DEPTH_LIMIT}")
        name = self._names.get(tag)
        if name is None:
            name = self._names.setdefault(tag, tag.rpartition(":")[2].lower())
        if self._root is None:
            if name not in self.roots:
                raise ReportError(
                    f"{self.path}: no {self.what}: the first element is <{name[:40]}>"
                )
            self._root = name
        self.start(name, attributes)

    def _end(self, tag: str) -> None:
        self.end(self._names[tag])
        self.depth -= 1
        self._closed = self.depth == 0

    def _refuse(self, *_: object) -> None:
        raise ReportError(
            f"{self.path}:{self._parser.CurrentLineNumber}: holds a DTD, which is refused; "
            "write the report without a DOCTYPE"
        )

    # ── bytes ───────────────────────────────────────────────────────────────

    def _blocks(self) -> Iterator[bytes]:
        """Yield the file's bytes with what XML does not allow taken out."""
        with open(self.path, "rb") as file:
            head = file.read(_HEAD)
            wide = head[:2] in (b"\xff\xfe", b"\xfe\xff")
            start = 0 if wide else head.find(b"<")
            if start > 0 and head[:start].strip(b"\xef\xbb\xbf \t\r\n"):
                self.summary.repair("text before the first tag left out")
                head = head[start:]
            elif start > 0:
                head = head[:start].lstrip(b"\xef\xbb\xbf \t\r\n") + head[start:]
            rest = b""
            block = head
            while block:
                data = block if wide else rest + block
                block = file.read(_BLOCK)
                if wide:
                    yield data
                    continue
                keep = self._unfinished(data) if block else len(data)
                rest = data[keep:]
                yield self._scrubbed(data[:keep])

    @staticmethod
    def _unfinished(data: bytes) -> int:
        """Return where a character reference begins that the block cuts in two."""
        at = data.rfind(b"&", max(0, len(data) - _REFERENCE_LENGTH))
        return at if at >= 0 else len(data)

    def _scrubbed(self, data: bytes) -> bytes:
        clean = data.translate(None, _CONTROL)
        if len(clean) != len(data):
            self.summary.repair("control characters taken out")
        if b"&#" in clean:
            clean = _REFERENCE.sub(self._reference, clean)
        return clean

    def _reference(self, found: "re.Match[bytes]") -> bytes:
        code = int(found[1], 16) if found[1] else int(found[2])
        allowed = code in (9, 10, 13) or (
            32 <= code <= 0x10FFFF and code not in _SURROGATES and code & _LAST != _LAST
        )
        if allowed:
            return found[0]
        self.summary.repair("references to control characters replaced")
        return b"&#xFFFD;"

    def _cope(self, error: expat.ExpatError) -> None:
        """Go on with what was read where that is possible.

        Raises:
            ReportError: nothing was read.
            _WrongEncodingError: another try is worth it.
        """
        codes = expat.errors.codes
        reason = expat.errors.messages[error.code]
        if self._closed:
            self.summary.repair(f"what follows the report left out ({reason})")
            return
        invalid = (
            codes[expat.errors.XML_ERROR_INVALID_TOKEN],
            codes[expat.errors.XML_ERROR_UNKNOWN_ENCODING],
            codes[expat.errors.XML_ERROR_INCORRECT_ENCODING],
        )
        if self._encoding is None and error.code in invalid:
            raise _WrongEncodingError
        if self._root is None:
            raise ReportError(f"{self.path}:{error.lineno}: no {self.what}: {reason}")
        self.summary.complete = False
        self.summary.repair(f"broken off in line {error.lineno} ({reason})")


def read_xml(make: Callable[[str | None], XmlReader], path: str) -> Summary:
    """Return what the report at `path` says; `make` takes an encoding or none.

    Raises:
        ReportError: it cannot be read, or is no such report.
    """
    try:
        with Paused():
            try:
                return make(None).read()
            except _WrongEncodingError:
                return make("iso-8859-1").read()
    except OSError as error:
        raise ReportError(f"{path}: cannot be read: {error.strerror}") from None
