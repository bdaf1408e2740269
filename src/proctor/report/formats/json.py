"""The verdict as one JSON document, schema `proctor.verdict/1`."""

import msgspec

from proctor.findings import Verdict
from proctor.report.base import Format
from proctor.report.plain import without_surrogates
from proctor.report.style import Style


def _render(verdict: Verdict, style: Style) -> str:
    del style
    plain = without_surrogates(msgspec.to_builtins(verdict))
    return msgspec.json.format(msgspec.json.encode(plain), indent=2).decode("utf-8") + "\n"


FORMAT = Format(render=_render)
