"""The verdict as one page for a browser: self-contained, no network, what ran as a tree."""

from proctor.report.base import PageFormat
from proctor.report.page.render import render

FORMAT = PageFormat(render=render)
