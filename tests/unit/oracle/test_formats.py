"""The report as text, JSON, Markdown and HTML: nothing in it directs the reader's screen."""

import json
from html.parser import HTMLParser

import pytest

from proctor._family import names
from proctor.oracle.result import read_report
from proctor.report.answer import render as answered
from proctor.report.behaviour import answer_of
from proctor.report.style import Style
from tests.unit.oracle.traces import ALLOWED, NEW, OLD, Bench

OWN = names("proctor.report.deltas")
FORMATS = [*OWN, "html"]
ODD = "A|1|<b>`|value=\x1b[31m</pre><script>x</script>|||a`b\u202e"


def render(name: str, bench: Bench, old: str, new: str, *entries: object) -> str:
    return answered(answer_of(bench.diff(old, new, *entries)), name, Style())


def test_the_oracle_has_words_of_its_own_in_three_formats() -> None:
    assert OWN == ["json", "markdown", "text"]


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_holds_every_delta_and_its_verdict(name: str, bench: Bench) -> None:
    text = render(name, bench, OLD, NEW, *ALLOWED)
    assert text.endswith("\n")
    for word in ("duplicate", "badcmd", "delete is idempotent"):
        assert word in text


@pytest.mark.parametrize("name", ["html", "markdown", "text"])
def test_nothing_from_a_trace_is_taken_for_more_than_text(name: str, bench: Bench) -> None:
    text = render(name, bench, f"{ODD}1\n", f"{ODD}2\n")
    assert "\x1b" not in text
    assert "\u202e" not in text
    if name == "html":
        assert "<script>x" not in text


def test_the_page_is_whole_and_fetches_nothing(bench: Bench) -> None:
    text = render("html", bench, OLD, NEW)
    opened: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            assert "src" not in dict(attrs)
            assert (dict(attrs).get("href") or "#").startswith("#")
            opened.append(tag)

    Reader().feed(text)
    assert opened.count("article") == 6 + 6


def test_the_json_is_read_back_as_the_same_report(bench: Bench) -> None:
    text = render("json", bench, OLD, NEW, *ALLOWED)
    assert json.loads(text)["counts"]["flagged"] == 4
    assert read_report(text.encode(), "r").counts.roots == 5


@pytest.mark.parametrize("name", FORMATS)
def test_many_deltas_are_cut_and_counted(name: str, bench: Bench) -> None:
    old = "".join(f"S{n}|1|get|value=a{n}\n" for n in range(1500))
    text = render(name, bench, old, old.replace("value=a", "value=b"))
    if name != "json":
        assert "more" in text
    assert len(text) < 2_000_000
