"""The verdict as one JSON document, schema `proctor.verdict/1`."""

from proctor.findings import Verdict
from proctor.report.base import Format
from proctor.report.document import as_document
from proctor.report.style import Style


def _render(verdict: Verdict, style: Style) -> str:
    del style
    return as_document(verdict)


FORMAT = Format(render=_render)
