"""The oracle's report as one JSON document, schema `proctor.oracle/1`."""

from proctor.oracle.result import Report
from proctor.report.deltas.base import Format
from proctor.report.document import as_document
from proctor.report.style import Style


def _render(report: Report, style: Style) -> str:
    del style
    return as_document(report)


FORMAT = Format(render=_render)
