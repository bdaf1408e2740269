"""The verdict as one page for a browser: self-contained, no network, what ran as a tree."""

from typing import TYPE_CHECKING

from proctor.report.base import PageFormat

if TYPE_CHECKING:
    from proctor.report.page.base import Page


def _render(page: "Page") -> str:
    # NOTE: the template's library is imported where a page is written, nowhere else.
    from proctor.report.page.render import render

    return render(page)


FORMAT = PageFormat(render=_render)
