"""Writes a value as one JSON document, whatever bytes its texts hold."""

import msgspec


def as_document(value: msgspec.Struct) -> str:
    """Return a value as indented JSON that ends with a newline."""
    plain = _without_surrogates(msgspec.to_builtins(value))
    return msgspec.json.format(msgspec.json.encode(plain), indent=2).decode("utf-8") + "\n"


def _without_surrogates(value: object) -> object:
    """Return `value` with what is not UTF-8 shown as an escape."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_without_surrogates(key): _without_surrogates(v) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_surrogates(item) for item in value]
    return value
