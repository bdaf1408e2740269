"""Stable JSON bytes and the digest over them.

NOTE: this is on the light path. `json` costs several milliseconds of every
recorded command because it imports `re`; the C encoder below it does not.
"""

from _json import encode_basestring_ascii as _quote
from _json import make_scanner as _make_scanner

try:
    from _hashlib import openssl_sha256 as sha256
except ImportError:  # pragma: no cover - an interpreter built without OpenSSL
    from hashlib import sha256

__all__ = ["decode", "encode", "sha256", "sha256_hex"]


def encode(value: object) -> bytes:
    """Return compact JSON for `value`, members in the order they were given.

    Takes `None`, `bool`, `int`, `float`, `str`, `list`, `tuple` and `dict` with
    string keys. The bytes are pure ASCII. Raises `TypeError` on anything else.
    """
    parts: list[str] = []
    _write(value, parts.append)
    return "".join(parts).encode("ascii")


def sha256_hex(data: bytes) -> str:
    """Return the SHA-256 of `data` as 64 hex digits."""
    return str(sha256(data).hexdigest())


def _write(value: object, put: object) -> None:  # noqa: C901, PLR0912 - one branch a JSON type
    assert callable(put)  # noqa: S101 - narrows the type without importing typing
    if isinstance(value, str):
        put(_quote(value))
    elif value is None:
        put("null")
    elif value is True:
        put("true")
    elif value is False:
        put("false")
    elif isinstance(value, int):
        put(int.__repr__(value))
    elif isinstance(value, float):
        put(_number(value))
    elif isinstance(value, dict):
        _write_members(value, put)
    elif isinstance(value, (list, tuple)):
        put("[")
        for index, item in enumerate(value):
            if index:
                put(",")
            _write(item, put)
        put("]")
    else:
        raise TypeError(f"{type(value).__name__} has no JSON form")


def _write_members(value: dict[str, object], put: object) -> None:
    assert callable(put)  # noqa: S101 - as above
    put("{")
    for index, (key, item) in enumerate(value.items()):
        put(("," if index else "") + _quote(key) + ":")
        _write(item, put)
    put("}")


def _number(value: float) -> str:
    if value != value or value in (float("inf"), float("-inf")):  # noqa: PLR0124 - NaN
        raise TypeError("JSON has no NaN and no infinity")
    return float.__repr__(value)


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
