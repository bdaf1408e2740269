"""The oracle's report as one HTML page, old and new side by side; nothing is fetched."""

from proctor.oracle.delta import Delta
from proctor.oracle.result import Report
from proctor.report.deltas.base import (
    Format,
    cluster_verdict,
    counted,
    field_verdict,
    notes_of,
    verdict_of,
)
from proctor.report.plain import visible
from proctor.report.style import Style

ROWS = 500
_PAGE = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'">
<title>Oracle: {{ report.outcome.value }}</title>
<style>
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
h1 span { border-radius: .3em; padding: 0 .4em; color: #fff; }
.pass { background: #18794e; } .fail { background: #b42318; } .unproven { background: #8a6100; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1.5rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; }
tr { border-bottom: 1px solid #8886; }
td pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 13px; }
.old { background: #f973161f; } .new { background: #22c55e1f; }
.flagged { color: #b42318; font-weight: 600; }
@media (prefers-color-scheme: dark) { .flagged { color: #ff8a7a; } }
details { margin: .4rem 0; } summary { cursor: pointer; }
code { font-size: 13px; }
</style>
<h1>Oracle <span class="{{ report.outcome.value }}">{{ report.outcome.value }}</span></h1>
<p>{{ report.sentence }}. {{ counted }}.</p>
<p>old: <code>{{ report.old.name }}</code>, new: <code>{{ report.new.name }}</code></p>
{% if clusters %}
<h2>{{ report.counts.roots }} root changes</h2>
<ol>
{% for one, verdict in clusters %}
<li><b>{{ one.commands | join(", ") }}</b>: {{ one.what | join("; ") }}
({{ one.deltas }} steps): <span class="{{ 'flagged' if one.flagged else '' }}">{{ verdict }}</span>
{% if one.follows %}, follows from {{ one.follows }}{% endif %}
{% for cause in one.causes %}<br>cause: <code>{{ cause }}</code>{% endfor %}
{% if one.reproducer %}<pre><code>{{ one.reproducer | join("\n") }}</code></pre>{% endif %}</li>
{% endfor %}
</ol>
{% endif %}
{% if rows %}
<h2>Deltas</h2>
{% for delta, verdict, fields in rows %}
<details {% if not delta.allowed %}open{% endif %}>
<summary>{{ delta.seed }} {{ delta.step }} <code>{{ delta.command }}</code>:
<span class="{{ '' if delta.allowed else 'flagged' }}">{{ verdict }}</span></summary>
<table>
<tr><th>field<th>old<th>new<th>verdict</tr>
{% for path, old, new, note, said in fields %}
<tr><td><code>{{ path }}</code>{% if note %}<br>{{ note }}{% endif %}
<td class="old">
{% if old is none %}<i>absent</i>{% else %}<pre>{{ old }}</pre>{% endif +%}
<td class="new">
{% if new is none %}<i>absent</i>{% else %}<pre>{{ new }}</pre>{% endif %}
<td class="{{ 'flagged' if said == 'FLAGGED' else '' }}">{{ said }}</tr>
{% endfor %}
</table>
</details>
{% endfor %}
{% if more %}<p>… and {{ more }} more.</p>{% endif %}
{% endif %}
{% if notes %}
<h2>Notes</h2>
<ul>{% for note in notes %}<li>{{ note }}</li>{% endfor %}</ul>
{% endif %}
</html>
"""


def _render(report: Report, style: Style) -> str:
    del style
    from jinja2 import Environment

    page = Environment(
        autoescape=True, trim_blocks=True, keep_trailing_newline=True, finalize=_clean
    )
    shown = report.deltas[:ROWS]
    return page.from_string(_PAGE).render(
        report=report,
        counted=counted(report),
        clusters=[(one, cluster_verdict(one)) for one in report.clusters],
        rows=[(one, verdict_of(one), list(map(tuple, _fields(one)))) for one in shown],
        more=report.counts.deltas - len(shown),
        notes=notes_of(report),
    )


def _fields(delta: Delta) -> list[tuple[str, str | None, str | None, str, str]]:
    return [
        (field.path, field.old, field.new, field.note, field_verdict(field))
        for field in delta.fields
    ]


def _clean(value: object) -> object:
    """Return what is about to be shown, everything invisible in it written as an escape."""
    if not isinstance(value, str):
        return value
    shown = "\n".join(map(visible, value.split("\n")))
    return type(value)(shown)


FORMAT = Format(render=_render)
