"""Stable JSON bytes and the digest over them.

NOTE: this is on the light path. `json` costs several milliseconds of every
recorded command because it imports `re`; the C encoder below it does not. The
built-in SHA-256 stands here for the same reason: loading OpenSSL costs 3 ms,
more than it saves on anything under a megabyte.
"""

from _json import encode_basestring_ascii as _quote
from _json import make_encoder as _make_encoder
from _json import make_scanner as _make_scanner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import sha256
else:
    try:
        from _sha2 import sha256
    except ImportError:
        from _sha256 import sha256  # Python 3.11


def _refuse(value: object) -> object:
    raise TypeError(f"{type(value).__name__} has no JSON form")


_encoder = _make_encoder(None, _refuse, _quote, None, ":", ",", False, False, False)

__all__ = ["decode", "encode", "sha256", "sha256_hex", "without_value"]


def encode(value: object) -> bytes:
    """Return compact JSON for `value`, members in the order they were given.

    Takes `None`, `bool`, `int`, `float`, `str`, `list`, `tuple` and `dict` with
    string keys. The bytes are pure ASCII. Raises `TypeError` on anything else,
    `ValueError` on NaN and infinity.
    """
    return "".join(_encoder(value, 0)).encode("ascii")


def sha256_hex(data: bytes) -> str:
    """Return the SHA-256 of `data` as 64 hex digits."""
    return str(sha256(data).hexdigest())


def without_value(option: str) -> str:
    """Return `--option=value` with a short digest for the value, which nobody may read.

    Options with the same value stay the same; eight digits do not tell what it was.
    """
    name, equals, value = option.partition("=")
    if not equals or value.startswith("#"):
        return option
    return f"{name}=#{sha256_hex(value.encode('utf-8', 'surrogateescape'))[:8]}"


class _Context:
    """What the C scanner asks of a decoder; the defaults of `json.JSONDecoder`."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float


def decode(data: bytes) -> object:
    """Return the value of one JSON document.

    Raises:
        ValueError: `data` is not one JSON document in UTF-8.
    """
    text = data.decode("utf-8").strip()
    try:
        value, end = _make_scanner(_Context())(text, 0)  # type: ignore[arg-type]
    except (StopIteration, SystemError):
        # NOTE: without `json` imported the C scanner cannot build its own error.
        raise ValueError("not one whole JSON document") from None
    if end != len(text):
        raise ValueError(f"something stands after the JSON value, at character {end}")
    return value
