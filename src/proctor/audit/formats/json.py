"""The report as one JSON document, schema `proctor.audit/1`."""

from proctor.audit.base import Format
from proctor.audit.report import Report
from proctor.report.document import as_document
from proctor.report.style import Style


def _render(report: Report, style: Style) -> str:
    del style
    return as_document(report)


FORMAT = Format(render=_render)
