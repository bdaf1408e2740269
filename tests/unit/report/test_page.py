"""The page for a browser, as far as it can be told without one."""

import base64
import hashlib
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import msgspec
import pytest

from proctor.findings import JoinedCall, Outcome
from proctor.oracle.cluster import Cluster
from proctor.oracle.delta import Delta, Field, Hunk
from proctor.oracle.result import Build, Counts, Report
from proctor.records.span import Span
from proctor.report.page import island
from proctor.report.page.base import Page
from proctor.report.page.island import island_of, safe_json
from proctor.report.page.render import render
from proctor.report.page.runs import named_spans, runs_of
from proctor.report.page.view import view_of
from tests.records import make_record
from tests.unit.report.test_verdict_formats import CASES, HOSTILE

SHELL, RUNNER = "00000000000000a0", "00000000000000a1"


def span(**members: Any) -> Span:
    return msgspec.convert(make_record(**members), Span)


def masked_run() -> list[Span]:
    return [
        span(span_id=SHELL, run_id="r", argv=["bash", "-c", "pytest -q | tail -3"]),
        span(
            span_id=RUNNER, run_id="r", parent_span_id=SHELL, argv=["pytest", "-q"], role="test",
            kind="leaf", exit_code=1, started_at="2026-03-01T10:00:00.500000Z",
        ),
    ]  # fmt: skip


def oracle_report(**members: Any) -> Report:
    field = Field(
        path="stdout", old="a\nb", new="a\nc", hunks=(Hunk(removed=("b",), added=("c",)),)
    )
    allowed = Field(path="stderr", old=None, new="x" * 5_000, allowed="wanted")
    steps = (
        Delta(seed="s1", step=2, command="app list", fields=(field, allowed)),
        Delta(seed="s2", step=1, command="app --version", fields=(allowed,), allowed=True),
    )
    facts: dict[str, Any] = {
        "outcome": Outcome.FAIL, "sentence": "1 delta is flagged", "old": Build(name="origin/main"),
        "new": Build(name="here"), "counts": Counts(steps=9, deltas=3), "deltas": steps,
        "reach": ("app delete",), "clusters": (
            Cluster(
                number=1, commands=("app list",), what=("b → c",), paths=("stdout",), deltas=1,
                flagged=1, first=("s1", 2), causes=("app.py:3: c",), reproducer=("app list",),
            ),
            Cluster(
                number=2, commands=("app",), what=("x",), paths=("stderr",), deltas=2, flagged=0,
                first=("s2", 1), follows=1,
            ),
        ),
    }  # fmt: skip
    return Report(**facts | members)


def page(case: str = "fail", **members: Any) -> Page:
    facts: dict[str, Any] = {"title": "shop", "written_at": "2026-03-01", "spans": masked_run()}
    return Page(verdict=CASES[case], **facts | members)


class Elements(HTMLParser):
    """Which elements and attributes a page has."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, tuple[str, ...]]] = []
        self.values: list[tuple[str, str]] = []
        self.data: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, tuple(name for name, _ in attrs)))
        self.values += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.data.append(data)


# ── the whole page ──────────────────────────────────────────────────────────


@pytest.mark.parametrize("case", CASES)
def test_a_page_loads_nothing_and_leads_nowhere_else(case: str) -> None:
    found = Elements(render(page(case, oracle=(oracle_report(),))))
    names = {name for name, _ in found.values}
    assert not any(name.startswith("on") for name in names)
    assert "src" not in names
    assert "style" not in names
    assert all(value.startswith("#") for name, value in found.values if name == "href")
    assert not {"img", "iframe", "object", "embed", "link", "form", "base"} & {
        tag for tag, _ in found.found
    }


def test_hostile_text_makes_no_element_and_no_attribute() -> None:
    hostile = msgspec.structs.replace(
        CASES["fail"], sentence=HOSTILE, loosened=(HOSTILE,), inputs={f"log {HOSTILE}": HOSTILE}
    )
    tame = msgspec.structs.replace(
        CASES["fail"], sentence="x", loosened=("x",), inputs={"log x": "x"}
    )
    pages = [
        Elements(render(Page(verdict=verdict, title=title, written_at="", spans=masked_run())))
        for verdict, title in ((hostile, HOSTILE), (tame, "x"))
    ]
    assert pages[0].found == pages[1].found


def test_the_policy_names_the_one_script_and_the_one_style() -> None:
    text = render(page())
    for tag, directive in (("script", "script-src"), ("style", "style-src")):
        (inner,) = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inner.encode()).digest()).decode()
        assert f"{directive} &#39;sha256-{digest}&#39;" in text
    assert "default-src &#39;none&#39;" in text


def test_the_first_screen_says_outcome_sentence_and_command() -> None:
    text = "".join(Elements(render(page())).data)
    head = text[text.index("Skip to the verdict") : text.index("What was judged")]
    assert "Fail" in head
    assert "A test command failed below something that returned 0" in head
    assert "proctor run -- pytest -q" in head
    assert head.index("what the caller was told") < head.index("what really happened")


def test_a_page_without_records_says_so() -> None:
    text = render(page("unproven", spans=(), left_out=2))
    assert "Nothing is recorded." in text
    assert "2 earlier runs are not on this page" in text


# ── the records in it ───────────────────────────────────────────────────────


def read(*spans: Span, named: tuple[str, ...] = ()) -> Any:
    return json.loads(island_of(spans, set(named)))


def test_rows_stand_in_the_order_of_the_tree_with_their_marks() -> None:
    shell, runner = masked_run()
    worker = span(span_id="b", run_id="r", parent_span_id=RUNNER, exit_code=1, ended_by="exec")
    found = read(runner, worker, shell, named=(RUNNER,))
    assert found["id"] == [SHELL, RUNNER, "b"]
    assert found["depth"] == [0, 1, 2]
    masked = island.TEST | island.FAILED | island.MASKED | island.NAMED | island.ENDED
    assert found["flags"] == [island.MASKING | island.ENDED, masked, 0]
    assert found["strings"][found["cmd"][1]] == "pytest -q"
    assert found["at"][1] == 500


def test_runs_stay_apart_and_parents_that_name_one_another_come_to_an_end() -> None:
    found = read(
        span(span_id="1", run_id="r", parent_span_id="2"),
        span(span_id="2", run_id="r", parent_span_id="1", started_at="yesterday"),
        span(span_id="3", run_id="s", parent_span_id="3"),
    )
    assert sorted(found["id"]) == ["1", "2", "3"]
    assert len(found["runs"]) == 2


def test_what_lies_deeper_than_people_read_is_still_there() -> None:
    chain = [
        span(span_id=str(n), run_id="r", parent_span_id=str(n - 1) if n else None)
        for n in range(island.DEEPEST + 20)
    ]
    found = read(*chain)
    assert len(found["id"]) == len(chain)
    assert max(found["depth"]) == island.DEEPEST


def test_nothing_in_the_records_can_end_their_element() -> None:
    text = island_of([span(argv=["a", "</script><script>", HOSTILE, "\u2028"])], set())
    assert not set("<>&\u2028") & set(text)
    assert "</script>" in "".join(json.loads(text)["strings"])
    assert safe_json({"a": "\ud800"}) == '{"a":"\\ud800"}'


def test_a_command_of_a_hundred_thousand_signs_leaves_the_page_readable() -> None:
    long = span(span_id=RUNNER, role="test", exit_code=1, argv=["pytest", "A" * 100_000])
    text = render(page(spans=[long]))
    assert len(text) < len(render(page(spans=masked_run()))) + 20_000
    found = read(long)
    assert found["strings"][found["argv"][0]].startswith("pytest AAA")
    assert found["strings"][found["argv"][0]].endswith("A…")


# ── which runs ──────────────────────────────────────────────────────────────


def test_the_runs_that_the_verdict_names_come_before_newer_ones(
    write_log: Callable[..., str],
) -> None:
    path = write_log([make_record(span_id=str(n), run_id=f"r{n // 2}") for n in range(8)])
    spans, left_out = runs_of([path, "/nowhere/spans.jsonl"], {"0"}, most=5)
    assert [one.run_id for one in spans] == ["r3", "r3", "r0", "r0"]
    assert left_out == 2
    every, left_out = runs_of([path], set())
    assert ([one.span_id for one in every], left_out) == (list("67452301"), 0)
    assert len(runs_of([path], {"0", "3", "7"}, most=1)[0]) == 6


def test_every_span_that_a_verdict_speaks_of_is_named() -> None:
    assert named_spans(CASES["joined"]) == {SHELL, RUNNER}
    assert named_spans(CASES["pass"]) == set()


# ── what stands on it ───────────────────────────────────────────────────────


def test_an_unknown_rule_is_shown_without_an_explanation() -> None:
    (finding, *_) = CASES["fail"].findings
    odd = msgspec.structs.replace(finding, rule="of-tomorrow", digest="ab" * 32)
    verdict = msgspec.structs.replace(CASES["fail"], findings=(odd,) * 501)
    view: Any = view_of(Page(verdict=verdict, title="", written_at=""))
    assert view["findings"][0].cause == []
    assert view["more_findings"] == 1
    assert [bool(one.approval) for one in view["findings"][-2:]] == [True, True]


@pytest.mark.parametrize(
    ("members", "state", "said"),
    [
        (
            {"how": "id", "told_exit_code": 0, "exit_codes": (1,)},
            "bad",
            "told 0, the tests did not",
        ),
        ({"how": "id", "told_exit_code": 1, "exit_codes": (1,)}, "bad", "red"),
        ({"how": "id", "told_exit_code": 0, "exit_codes": (0,)}, "good", "agrees"),
        ({"how": "id", "exit_codes": (None,)}, "bad", "red"),
        ({"how": "", "exit_codes": ()}, "lost", "claims tests, no test run"),
        ({"how": "id", "exit_codes": (), "claims_tests": False}, "lost", ""),
    ],
)
def test_a_claim_stands_beside_what_was_recorded(
    members: dict[str, Any], state: str, said: str
) -> None:
    facts = {"call_id": "c", "agent": "a", "session": "s", "tool": "bash", "line": 1}
    call = JoinedCall(**{"claims_tests": True, **facts, **members})
    joined = msgspec.structs.replace(CASES["joined"].joined, calls=(call,))  # type: ignore[type-var]
    verdict = msgspec.structs.replace(CASES["joined"], joined=joined)
    view: Any = view_of(Page(verdict=verdict, title="", written_at=""))
    (found,) = view["calls"]
    assert found.state == state
    assert found.verdict.startswith(said)


def test_the_oracles_deltas_stand_side_by_side() -> None:
    view: Any = view_of(page(oracle=(oracle_report(),)))
    first, second = view["reports"][0]["steps"]
    assert (first.sides[0].old, first.sides[0].new) == ("b", "c")
    assert [side.verdict for side in first.sides] == ["", "allowed: wanted"]
    assert second.sides[0].old == "(none)"
    assert second.sides[0].new.endswith("x…")
    assert view["reports"][0]["more"] == 1
    (root,) = view["reports"][0]["roots"]
    assert (root.flagged, root.reproducer, root.causes) == (True, "app list", ["app.py:3: c"])
    assert "not reached: app delete" in view["reports"][0]["notes"]


def test_a_chain_with_a_ring_in_it_comes_to_an_end() -> None:
    ring = [
        span(span_id=RUNNER, run_id="r", parent_span_id="b", role="test", exit_code=None),
        span(span_id="b", run_id="r", parent_span_id=RUNNER, ended_by="exec"),
    ]
    view: Any = view_of(page(spans=ring))
    (chain,) = view["chains"]
    assert [(link.state, link.note) for link in chain] == [("lost", "")]


def test_observing_is_no_pass_on_the_page() -> None:
    view: Any = view_of(page("observed"))
    assert (view["outcome"], view["tone"]) == ("observed", "watch")
    text = render(page("observed"))
    assert "Nothing is left to do." not in text
    assert "Nothing is left to do." in render(page("pass"))
