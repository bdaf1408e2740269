"""The page as a person meets it: by mouse, by keyboard, by ear, on paper, and when large."""

import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from proctor.findings import Level
from proctor.records.span import Span
from proctor.report.page.base import Page
from tests.browser.conftest import Opened
from tests.unit.report.test_page import masked_run, oracle_report, page, span
from tests.unit.report.test_page_sections import entry, everything, standing, summary
from tests.unit.report.test_verdict_formats import CASES, HOSTILE

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = playwright.expect
pytestmark = pytest.mark.heavy

Open = Callable[..., Opened]
SPANS = 50_000
"""In `make large`; the build opens a tenth of them."""
OPEN_MS, LONG_TASK_MS = 2_000, 200


def several() -> list[Span]:
    """A masked run, and another with three levels."""
    return [
        *masked_run(),
        span(span_id="m", run_id="s", argv=["make", "all"], role="build"),
        span(span_id="c", run_id="s", parent_span_id="m", argv=["cc", "x.c"], cwd="/w/src"),
        span(span_id="l", run_id="s", parent_span_id="c", argv=["ld", "x.o"], exit_code=2),
    ]


def hostile_page() -> Page:
    odd = span(span_id="h", run_id="h", argv=[HOSTILE], cwd=HOSTILE, command_class=HOSTILE)
    return Page(verdict=CASES["hostile"], title=HOSTILE, written_at="", spans=[odd])


def history_page() -> Page:
    """Six tests, one of them in quarantine, and five findings."""
    states = ("broken", "flaky", "suspect", "flaky", "unknown", "stable")
    flakes = [standing(f"tests/test_a.py::test_{n}", state=state) for n, state in enumerate(states)]
    (finding, *_) = CASES["fail"].findings
    levels = ("error", "error", "warning", "warning", "note")
    findings = tuple(
        msgspec.structs.replace(finding, level=Level(level), message=f"number {n}")
        for n, level in enumerate(levels)
    )
    verdict = msgspec.structs.replace(CASES["fail"], findings=findings)
    return Page(
        verdict=verdict, title="shop", written_at="", spans=masked_run(), flakes=flakes,
        quarantine=[entry("tests/test_a.py::test_1", owner="@ann", reason="a port")],
        oracle=(oracle_report(deltas=oracle_report().deltas * 3),),
    )  # fmt: skip


PAGES = {
    **{case: page(case) for case in CASES if case != "hostile"},
    "oracle": page("joined", oracle=(oracle_report(),), left_out=3),
    "history": history_page(),
    "receipt": Page(verdict=summary("rows of a table"), title="shop", written_at=""),
    "hostile": hostile_page(),
    "hostile sections": everything(HOSTILE.strip())[0],
    "hostile tables": everything(HOSTILE.strip())[1],
    "empty": page("unproven", spans=()),
}


@pytest.mark.parametrize("name", PAGES)
def test_the_console_stays_empty_and_nothing_is_asked_for(opened: Open, name: str) -> None:
    there = opened(PAGES[name])
    there.tab.wait_for_timeout(100)
    assert there.said == []
    assert there.asked == [there.url]
    assert there.tab.locator("img, iframe, a:not([href^='#'])").count() == 0


# ── by mouse and keyboard ───────────────────────────────────────────────────


def test_search_and_filters_keep_what_leads_there(opened: Open) -> None:
    there = opened(page(spans=several()))
    tab = there.tab
    assert len(there.rows()) == 5
    tab.fill("#search", "LD x")
    expect(tab.locator(".row")).to_have_count(3)
    assert there.rows() == ["make all", "cc x.c", "ld x.o"]
    assert tab.inner_text("#shown") == "1 of 5 processes"
    tab.fill("#search", "exit 2")
    expect(tab.locator("#shown")).to_have_text("1 of 5 processes")
    tab.fill("#search", "nowhere to be found")
    expect(tab.locator(".row")).to_have_count(0)
    tab.fill("#search", "")
    expect(tab.locator(".row")).to_have_count(5)
    for name, number in (("tests", 1), ("failing", 2), ("masked", 2), ("named", 1), ("all", None)):
        tab.click(f"[data-filter={name}]")
        said = f"{number} of 5 processes" if number else "5 processes"
        assert tab.inner_text("#shown") == said
        assert tab.get_attribute(f"[data-filter={name}]", "aria-pressed") == "true"


@pytest.mark.parametrize(
    ("target", "query", "found", "kind", "of_kind"),
    [
        ("list-findings", "NUMBER 3", "1 of 5 findings", "note", "1 of 5 findings"),
        ("list-tests", "test_4", "1 of 6 tests", "flaky", "2 of 6 tests"),
        ("list-deltas-1", "--version", "3 of 6 deltas", "flagged", "3 of 6 deltas"),
    ],
)
def test_findings_tests_and_deltas_are_searched_and_filtered(
    opened: Open, target: str, query: str, found: str, kind: str, of_kind: str
) -> None:
    tab = opened(PAGES["history"]).tab
    tools = tab.locator(f"[data-list={target}]")
    status = tools.locator("[role=status]")
    shown = tab.locator(f"#{target} > [data-kind]:visible")
    tools.locator("input").fill(query)
    expect(status).to_have_text(found)
    assert shown.count() == int(found.split(maxsplit=1)[0])
    tools.locator("input").fill("")
    tools.locator(f"[data-kind={kind}]").focus()
    tab.keyboard.press("Enter")
    expect(status).to_have_text(of_kind)
    assert shown.count() == int(of_kind.split(maxsplit=1)[0])
    assert tools.locator(f"[data-kind={kind}]").get_attribute("aria-pressed") == "true"
    assert tools.get_by_role("searchbox", name="Search").count() == 1


def test_the_shell_that_said_0_and_the_runner_that_said_1_strike_the_eye(opened: Open) -> None:
    there = opened(page())
    assert there.tab.locator(".row .tag").all_inner_texts() == ["told 0", "masked"]
    chain = there.tab.locator(".chain li")
    assert [text.split() for text in chain.locator(".end").all_inner_texts()] == [
        ["✓", "0"],
        ["✗", "1"],
    ]
    top = there.tab.locator(".next code").bounding_box()
    assert top is not None
    assert top["y"] + top["height"] < 900


def test_the_tree_is_walked_by_keyboard(opened: Open) -> None:
    there = opened(page(spans=several()))
    tab, grid = there.tab, there.tab.locator("#grid")
    grid.focus()
    for key in ("Home", "ArrowLeft"):
        tab.keyboard.press(key)
    assert there.rows() == ["bash -c 'pytest -q | tail -3'", "make all", "cc x.c", "ld x.o"]
    tab.keyboard.press("ArrowRight")
    assert len(there.rows()) == 5
    tab.keyboard.press("ArrowRight")
    assert tab.locator(".row.chosen").get_attribute("id") == "row-1"
    assert grid.get_attribute("aria-activedescendant") == "row-1"
    assert "pytest -q" in tab.inner_text("#detail")
    for key, row in (("ArrowLeft", 0), ("End", 4), ("ArrowUp", 3), ("ArrowDown", 4),
                     ("PageUp", 0), ("PageDown", 4), ("Enter", 4)):  # fmt: skip
        tab.keyboard.press(key)
        assert grid.get_attribute("aria-activedescendant") == f"row-{row}"
    assert tab.locator(".row.chosen").get_attribute("aria-level") == "3"


def test_a_click_chooses_and_folds(opened: Open) -> None:
    there = opened(page(spans=several()))
    tab = there.tab
    tab.click("#row-2 .twist")
    assert len(there.rows()) == 3
    assert tab.get_attribute("#row-2", "aria-expanded") == "false"
    tab.click("#row-1 .name code")
    assert "bash -c" in tab.inner_text("#detail")


def test_a_finding_leads_to_its_process(opened: Open) -> None:
    there = opened(page(spans=several()))
    there.tab.click("#row-0 .twist")
    there.tab.locator("#findings .show").first.click()
    assert there.tab.locator(".row.chosen").get_attribute("id") == "row-1"
    assert there.tab.evaluate("document.activeElement.id") == "grid"


def test_the_next_command_is_copied(opened: Open) -> None:
    there = opened(page(), permissions=["clipboard-read", "clipboard-write"])
    there.tab.locator(".next .copy").click()
    expect(there.tab.locator(".next .copy")).to_have_text("Copied")
    assert there.tab.evaluate("navigator.clipboard.readText()") == "proctor run -- pytest -q"


def test_light_and_dark_follow_the_reader_and_a_button(opened: Open) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    there = opened(page(), color_scheme="dark")
    assert there.tab.evaluate(paper) == "rgb(21, 23, 26)"
    there.tab.click("#theme")
    assert there.tab.evaluate(paper) == "rgb(255, 255, 255)"
    assert there.tab.inner_text("#theme") == "Dark"


def test_without_javascript_the_verdict_is_still_there(opened: Open) -> None:
    there = opened(page(), java_script_enabled=False)
    text = there.tab.inner_text("body")
    assert "A test command failed below something that returned 0" in text
    assert "proctor log --tree" in text
    assert there.tab.locator("button:visible").count() == 0


# ── by ear ──────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("scheme", "width"),
    [
        ("light", 1280),
        ("dark", 400),
        pytest.param("light", 400, marks=pytest.mark.large),
        pytest.param("dark", 1280, marks=pytest.mark.large),
    ],
)
@pytest.mark.parametrize("name", ["fail", "pass", "history", "receipt", "hostile sections"])
def test_an_accessibility_check_finds_nothing(
    opened: Open, axe: str, name: str, scheme: str, width: int
) -> None:
    view = {"width": width, "height": 900}
    there = opened(PAGES[name], color_scheme=scheme, viewport=view)
    if there.tab.locator("#grid").is_visible() and name != "pass":
        there.tab.locator("#grid").focus()
        there.tab.keyboard.press("End")
    there.tab.evaluate(axe)
    found = there.tab.evaluate("axe.run()")
    assert [
        (one["id"], [node["html"][:120] for node in one["nodes"]]) for one in found["violations"]
    ] == []


@pytest.mark.parametrize(
    "name", ["fail", "history", "receipt", "hostile", "hostile sections", "hostile tables"]
)
def test_nothing_has_to_be_scrolled_sideways(opened: Open, name: str) -> None:
    tab = opened(PAGES[name]).tab
    for width in (1280, 700, 400, 320):
        tab.set_viewport_size({"width": width, "height": 900})
        assert tab.evaluate("document.documentElement.scrollWidth") <= width


# ── on paper ────────────────────────────────────────────────────────────────


def test_paper_holds_every_process_up_to_a_limit(opened: Open) -> None:
    many = [span(span_id=str(n), run_id="r", argv=["x", str(n)]) for n in range(700)]
    there = opened(page(spans=many))
    assert len(there.rows()) < 100
    there.tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert len(there.rows()) == 500
    assert "and 200 more processes" in there.tab.inner_text("#rows")
    assert there.tab.locator("details[open]").count() == 3
    there.tab.evaluate("dispatchEvent(new Event('afterprint'))")
    assert len(there.rows()) < 100
    assert there.tab.locator("details[open]").count() == 0
    assert there.tab.pdf().startswith(b"%PDF")


# ── when large ──────────────────────────────────────────────────────────────


def large(spans_in_all: int) -> Page:
    """A build of so many processes, with failed tests in it."""
    chance = random.Random(1)
    spans = [span(span_id="0", run_id="b", argv=["make", "-j8"], duration_ms=500_000)]
    for n in range(1, spans_in_all):
        above = chance.choice([0, n // 2, n // 7, n - 1]) if n % 50 else 0
        spans.append(
            span(
                span_id=str(n), run_id="b", parent_span_id=str(above), cwd=f"/w/{n % 300}",
                argv=["cc", "-c", f"src/module_{n}/file.c", "-o", f"build/{n}.o"],
                role="build" if n % 900 else "test", exit_code=int(n % 1_000 == 0),
                started_at=f"2026-03-01T10:{n // 1_000:02}:{n // 20 % 50:02}.{n % 1_000:03}Z",
                duration_ms=n % 900,
            )
        )  # fmt: skip
    return Page(verdict=CASES["fail"], title="large", written_at="", spans=spans)


SCROLL = """async () => {
  const grid = document.getElementById("grid");
  window.__long.length = 0;
  for (let step = 0; step <= 100; step++) {
    grid.scrollTop = (step * grid.scrollHeight) / 100;
    await new Promise(requestAnimationFrame);
  }
  await new Promise((done) => setTimeout(done, 200));
  return Math.max(0, ...window.__long);
}"""


@pytest.mark.parametrize("count", [SPANS // 10, pytest.param(SPANS, marks=pytest.mark.large)])
def test_many_spans_open_and_scroll_without_a_wait(
    opened: Open, record_property: Callable[[str, Any], None], count: int
) -> None:
    there = opened(large(count))
    tab = there.tab
    loads = []
    for _ in range(3):
        tab.reload()
        tab.wait_for_selector(".row")
        loads.append(tab.evaluate("performance.getEntriesByType('navigation')[0].domComplete"))
    tasks = [tab.evaluate(SCROLL) for _ in range(3)]
    record_property("open_ms", min(loads))
    record_property("longest_scroll_task_ms", min(tasks))
    print(f"open {min(loads):.0f} ms, longest task while scrolling {min(tasks):.0f} ms")
    assert min(loads) < OPEN_MS
    assert min(tasks) < LONG_TASK_MS
    assert tab.locator(".row").count() < 100
    tab.fill("#search", f"module_{count - 1}/")
    expect(tab.locator("#shown")).to_have_text(f"1 of {count:,} processes")
    assert there.said == []


def test_a_verdict_with_hundreds_of_findings_stays_one_page(opened: Open) -> None:
    findings = tuple(
        msgspec.structs.replace(CASES["fail"].findings[0], message=f"number {n}")
        for n in range(800)
    )
    verdict = msgspec.structs.replace(CASES["fail"], findings=findings)
    there = opened(Page(verdict=verdict, title="many", written_at="", spans=masked_run()))
    assert there.tab.locator(".finding").count() == 500
    assert "and 300 more" in there.tab.inner_text("#findings")
