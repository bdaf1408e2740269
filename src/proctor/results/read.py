"""Reads and keeps the reports of one run.

A report counts only if it was written while the run lasted, by its own times,
and is a plain file. Times can be forged by a process of the same user; a report
left over from an earlier run cannot pass by accident.
"""

import os
import secrets
import stat

from proctor import _family
from proctor._digest import sha256, sha256_hex
from proctor._secrets.names import shape_spans
from proctor._whole import open_file
from proctor.errors import ReportError
from proctor.records.place import make_private
from proctor.results.base import Format, Summary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

FORMATS = "proctor.results.formats"
_TICK_NS = 50_000_000
"""The file system's clock may lag behind the wall clock by some ticks."""
_BLOCK = 1 << 20


def read_summary(path: str, format_name: str, *, detailed: bool = False) -> Summary:
    """Return what a report says, `detailed` with every attempt in `results`.

    Raises:
        ReportError: no such format, or the file is no such report.
    """
    return _format(format_name).read(path, detailed)


def read_report(path: str, format_name: str) -> dict[str, object]:
    """Return the members of `records.span.Report` for a report.

    Raises:
        ReportError: as `read_summary`.
    """
    summary = read_summary(path, format_name)
    return _members(summary, path, _digest_of(path), format_name)


def keep_report(
    path: str, format_name: str, *, state_folder: str, started_ns: int
) -> dict[str, object]:
    """Copy a report into `<state folder>/reports/` and return what it says.

    The copy is named by its digest, has mode 0600, and is what gets read. Tokens of
    a known shape are masked in it, each by a mask of its own so that ids stay apart.
    `started_ns` is the wall clock at the leaf's start.

    Raises:
        ReportError: there is none, it is a link or no plain file, it was not
            written since the start, it cannot be kept, or it is no such report.
    """
    chosen = _format(format_name)
    folder = os.path.join(state_folder, "reports")
    fresh = os.path.join(folder, f"new-{os.getpid()}-{secrets.token_hex(4)}")
    fd = _open_written_since(path, started_ns)
    try:
        make_private(folder)
        digest = _copy(fd, fresh)
        kept = os.path.join(folder, f"{digest}.{chosen.extension}")
        os.replace(fresh, kept)
    except OSError as error:
        raise ReportError(f"{path}: cannot be kept in {folder}: {error.strerror}") from None
    finally:
        os.close(fd)
        if os.path.exists(fresh):
            os.unlink(fresh)
    return _members(chosen.read(kept, False), kept, digest, format_name)


def _format(name: str) -> Format:
    try:
        found = _family.member(FORMATS, name, "FORMAT")
    except LookupError:
        known = ", ".join(_family.names(FORMATS))
        raise ReportError(f"{name!r} is no result format; known are {known}") from None
    assert isinstance(found, Format)  # noqa: S101 - the family's own rule
    return found


def _members(summary: Summary, path: str, digest: str, format_name: str) -> dict[str, object]:
    return {
        "path": path,
        "sha256": digest,
        "format": format_name,
        **summary.counts(),
        "xfailed": summary.expected(),
        "uncalled": summary.uncalled,
        "ids_sha256": summary.ids_sha256(),
        "exit_status": summary.exit_status,
        "complete": summary.complete,
        "seconds": summary.seconds,
        "foreign": [list(one) for one in summary.foreign],
        "hooks": [list(one) for one in summary.hooks],
    }


def _open_written_since(path: str, started_ns: int) -> int:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise ReportError(f"{path}: cannot be read: {error.strerror}") from None
    s = os.fstat(fd)
    if not stat.S_ISREG(s.st_mode):
        os.close(fd)
        raise ReportError(f"{path}: is no plain file")
    if min(s.st_mtime_ns, s.st_ctime_ns) < started_ns - _TICK_NS:
        os.close(fd)
        raise ReportError(f"{path}: was written before the run began")
    return fd


def kept_sha256(path: str) -> str:
    """Return the digest that the kept copy of the report at `path` has.

    Raises:
        OSError: the file cannot be read, or is no plain one.
    """
    digest = sha256()
    with open_file(path) as file:
        for block in _masked_blocks(file.fileno()):
            digest.update(block)
    return str(digest.hexdigest())


def _copy(fd: int, fresh: str) -> str:
    digest = sha256()
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with open(os.open(fresh, flags, 0o600), "wb") as file:
        for block in _masked_blocks(fd):
            digest.update(block)
            file.write(block)
    return str(digest.hexdigest())


def _masked_blocks(fd: int) -> "Iterator[bytes]":
    """Yield a file's bytes, tokens masked; blocks end where no token goes on."""
    rest = b""
    while block := os.read(fd, _BLOCK):
        data = rest + block
        cut = max(data.rfind(mark) for mark in (b" ", b"\n", b'"', b"<")) + 1
        # NOTE: no token is this long; without a bound one line could fill the memory.
        cut = cut if len(data) - cut < _BLOCK else len(data)
        yield _masked(data[:cut])
        rest = data[cut:]
    yield _masked(rest)


def _masked(data: bytes) -> bytes:
    text = data.decode("latin-1")
    spans = shape_spans(text)
    if not spans:
        return data
    parts, at = [], 0
    for start, end in spans:
        parts += [text[at:start], f"***{sha256_hex(text[start:end].encode('latin-1'))[:6]}"]
        at = end
    return "".join([*parts, text[at:]]).encode("latin-1")


def _digest_of(path: str) -> str:
    digest = sha256()
    with open(path, "rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return str(digest.hexdigest())
