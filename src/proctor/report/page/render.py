"""Lays a page out: the template, its style and its script, in one file.

The page's own policy lets nothing run but the one script, and load nothing at all.
"""

import base64
import hashlib
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from proctor.report.page.base import Page
from proctor.report.page.island import island_of
from proctor.report.page.runs import named_spans
from proctor.report.page.view import view_of


def render(page: Page) -> str:
    """Return the page as HTML."""
    environment = Environment(
        autoescape=True,
        loader=FunctionLoader(_file),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    style, script = _file("report.css"), _file("report.js")
    # NOTE: these three are our own files, and JSON in which no sign can end an element.
    return environment.get_template("report.html.j2").render(
        view_of(page),
        style=Markup(style),  # noqa: S704
        script=Markup(script),  # noqa: S704
        island=Markup(island_of(page.spans, named_spans(page.verdict))),  # noqa: S704
        policy=f"default-src 'none'; style-src {_source(style)}; script-src {_source(script)}; "
        "base-uri 'none'; form-action 'none'",
    )


def _file(name: str) -> str:
    return files("proctor.report.page").joinpath(name).read_text(encoding="utf-8")


def _source(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"
