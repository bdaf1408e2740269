"""What the page shows beside the verdict: tests over many runs, behaviour, tables."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import msgspec
import pytest

from proctor.findings import JoinedCall, Outcome, Suite, Verdict
from proctor.flakes.names import canonical, steady
from proctor.flakes.quarantine import Entry
from proctor.flakes.states import Standing
from proctor.oracle.cluster import Cluster
from proctor.oracle.delta import Delta, Field
from proctor.oracle.result import Report
from proctor.report.page.base import Page
from proctor.report.page.render import render
from proctor.report.page.view import view_of
from proctor.report.summary import Case, Summary, Table
from tests.unit.report.test_page import RUNNER, Elements, masked_run, oracle_report, page, span
from tests.unit.report.test_verdict_formats import CASES, HOSTILE

TODAY = datetime.now(UTC).date()


def standing(name: str = "tests/test_a.py::test_a", **members: Any) -> Standing:
    facts: dict[str, Any] = {
        "test": steady(canonical(name)), "shown": name, "state": "flaky", "runs": 4, "failures": 2, "rate": 0.5,
        "low": 0.1, "high": 0.9, "timeline": ".FRs", "evidence": ("r1", "r2"),
        "message": "AssertionError: no\nassert False", "why": "2 of 4 failed",
    }  # fmt: skip
    return Standing(**facts | members)


def entry(name: str = "tests/test_a.py::test_a", days: int = 3, **members: Any) -> Entry:
    return Entry(test=name, since=date(2026, 1, 1), until=TODAY + timedelta(days=days), **members)


def summary(text: str = "x") -> Summary:
    """A verdict of another command, with `text` wherever text may stand."""
    return Summary(
        command="receipt check",
        outcome=Outcome.FAIL,
        sentence=text,
        findings=CASES["fail"].findings,
        facts=(text,),
        cases=(Case(name=text, outcome=Outcome.FAIL, said=text, lines=(text,)),),
        tables=(Table(title=text, head=(text, text), rows=((text, text),)),),
        inputs={f"receipt {text}": text},
        limits=text,
    )


def everything(text: str) -> list[Page]:
    """Pages with `text` wherever text from elsewhere may stand."""
    call = JoinedCall(
        call_id=text, agent=text, session=text, tool=text, line=1, command=text, how="id",
        claims_tests=True, told_exit_code=0, exit_codes=(1,), spans=(RUNNER,),
    )  # fmt: skip
    joined = msgspec.structs.replace(CASES["joined"].joined, calls=(call,))  # type: ignore[type-var]
    field = Field(path=text, old=text, new=text, note=text)
    reports = [
        oracle_report(
            sentence=text, reach=(text,), problems=(text,),
            deltas=(Delta(seed=text, step=1, command=text, fields=(field,)),),
            clusters=(
                Cluster(
                    number=1, commands=(text,), what=(text,), paths=(text,), deltas=1, flagged=1,
                    first=(text, 1), causes=(f"{text}:3: {text}",), reproducer=(text,),
                ),
            ),
        )
    ]  # fmt: skip
    flakes = [standing(text, why=text, message=text, evidence=(text,))]
    held = [entry(text, owner=text, reason=text)]
    more: dict[str, Any] = {"title": text, "written_at": "", "flakes": flakes, "quarantine": held}
    verdict = msgspec.structs.replace(CASES["fail"], joined=joined)
    return [
        Page(verdict=verdict, spans=masked_run(), oracle=reports, **more),
        Page(verdict=summary(text), oracle=reports, **more),
    ]


@pytest.mark.parametrize("place", [0, 1])
def test_hostile_text_is_inert_in_every_section(place: int) -> None:
    hostile, tame = (render(everything(text)[place]) for text in (HOSTILE.strip(), "x"))
    assert Elements(hostile).found == Elements(tame).found
    for sign in ("\x1b", "\u202e", "\u200b", "</script> @"):
        assert sign not in hostile


def test_each_test_has_a_line_of_its_runs_in_words_too() -> None:
    text = render(page(flakes=[standing()], quarantine=[entry(owner="@ann", reason="a port")]))
    words = " ".join(Elements(text[text.index('id="list-tests"') :]).data).split()
    runs = " ".join(words[: words.index("In")])
    assert "✓ passed ✗ failed ↻ passed on a retry – skipped" in runs
    assert "Last failure: AssertionError: no" in runs
    assert f"In quarantine until {TODAY + timedelta(days=3)} @ann, a port" in " ".join(words)


def test_a_quarantine_that_is_over_says_so() -> None:
    view: Any = view_of(page(flakes=[standing()], quarantine=[entry(days=-1)]))
    assert view["tests"][0].until == f"over since {TODAY - timedelta(days=1)}"
    many = view_of(page(flakes=[standing()] * 301))
    assert many["more_tests"] == 1


def explained() -> Verdict:
    """A pass although its one run was red."""
    suite = Suite(
        name="unit", command_class="pytest", argv=("pytest",), span_id=RUNNER,
        outcome=Outcome.PASS, executed=2, attempts=1, red=0,
    )  # fmt: skip
    return msgspec.structs.replace(CASES["pass"], suites=(suite,))


def test_an_explained_failure_stands_on_the_first_screen_with_its_tests() -> None:
    red = [span(span_id=RUNNER, run_id="r", argv=["pytest"], role="test", exit_code=1)]
    there = Page(
        verdict=explained(), title="", written_at="", spans=red,
        flakes=[standing(), standing("t::other")], quarantine=[entry()],
    )  # fmt: skip
    view: Any = view_of(there)
    assert [one.name for one in view["held"]] == ["tests/test_a.py::test_a"]
    assert view["chains"][0][0].note.endswith("its failures are explained")
    green = msgspec.structs.replace(there, spans=masked_run()[:1])
    assert view_of(green)["held"] == []


def test_what_changed_and_is_not_allowed_stands_on_the_first_screen() -> None:
    view: Any = view_of(page(oracle=(oracle_report(),)))
    assert [(one.command, one.what, one.where) for one in view["changes"]] == [
        ("app list", "b → c", "app.py:3")
    ]


def test_another_commands_page_has_its_tables_and_no_tree() -> None:
    text = render(Page(verdict=summary("rows"), title="shop", written_at=""))
    assert "Proctor receipt check" in text
    assert '<td role="cell" data-label="rows">rows</td>' in text
    assert 'id="tree"' not in text
    assert 'id="grid"' not in text
    many = msgspec.structs.replace(
        summary(), tables=(Table(title="t", head=("a",), rows=(("x",),) * 501),)
    )
    assert "and 1 more: <code>proctor receipt check --format json" in render(
        Page(verdict=many, title="", written_at="")
    )


def test_filters_offer_only_what_there_is() -> None:
    view: Any = view_of(page(flakes=[standing(), standing("b", state="broken")]))
    assert view["kinds"]["tests"] == ["flaky", "broken"]
    assert view_of(page(flakes=[standing()]))["kinds"]["tests"] == []  # type: ignore[index]


def test_a_report_of_the_oracle_alone_keeps_its_own_command() -> None:
    report: Report = oracle_report()
    view: Any = view_of(page(oracle=(report,)))
    assert view["reports"][0]["asked"] == "proctor oracle diff"
