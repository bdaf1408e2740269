"""The oracle's report as one JSON document, schema `proctor.oracle/1`."""

import msgspec

from proctor.oracle.result import Report
from proctor.report.deltas.base import Format
from proctor.report.plain import without_surrogates
from proctor.report.style import Style


def _render(report: Report, style: Style) -> str:
    del style
    plain = without_surrogates(msgspec.to_builtins(report))
    return msgspec.json.format(msgspec.json.encode(plain), indent=2).decode("utf-8") + "\n"


FORMAT = Format(render=_render)
