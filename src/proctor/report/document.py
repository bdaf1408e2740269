"""Writes a value as one JSON document, whatever bytes its texts hold."""

import msgspec

from proctor.report.plain import without_surrogates


def as_document(value: msgspec.Struct) -> str:
    """Return a value as indented JSON that ends with a newline."""
    return json_text(msgspec.to_builtins(value))


def json_text(value: object) -> str:
    """Return plain values as indented JSON that ends with a newline."""
    plain = without_surrogates(value)
    return msgspec.json.format(msgspec.json.encode(plain), indent=2).decode("utf-8") + "\n"
