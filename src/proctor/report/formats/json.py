"""The verdict as one JSON document, schema `proctor.verdict/1`."""

import msgspec

from proctor.findings import Verdict
from proctor.report.base import Format
from proctor.report.style import Style


def _render(verdict: Verdict, style: Style) -> str:
    del style
    plain = _without_surrogates(msgspec.to_builtins(verdict))
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


FORMAT = Format(render=_render)
