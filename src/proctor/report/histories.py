"""The standing of tests, as JSON and as a verdict: a report for people, not a gate."""

from collections.abc import Iterator, Sequence

import msgspec

from proctor.findings import Finding, Level, Outcome
from proctor.flakes.quarantine import Entry
from proctor.flakes.states import STATES, Standing
from proctor.flakes.status import RUN_WORDS, as_text, interval_of, ordered, rate_of, summary
from proctor.report.answer import Answer
from proctor.report.page.base import page_of
from proctor.report.plain import visible
from proctor.report.style import Style
from proctor.report.summary import Case, Summary, Table

_LEVELS = {"broken": Level.WARNING, "flaky": Level.WARNING, "suspect": Level.NOTE}
_CURES = {
    "broken": "mend the test, or the code",
    "flaky": "mend it; until then: proctor flakes quarantine --apply",
}

_NOTHING = Finding(
    rule="no-records",
    level=Level.UNPROVEN,
    message="no test is known: nothing was run or imported",
    cure="proctor flakes run -- pytest -q",
)


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """What `flakes status --format json` writes."""

    schema: str = "proctor.flakes/1"
    """1: the first version."""
    counts: dict[str, int]
    """Tests in each state."""
    tests: tuple[Standing, ...]


def answer_of(
    found: Sequence[Standing], quarantine: Sequence[Entry] = (), *, every: bool = False
) -> Answer:
    """Return the standing of tests, ready for every format."""
    shown = ordered(found, every=every)
    verdict = summary_of(found, shown)
    counts = {state: sum(one.state == state for one in found) for state in STATES}

    def text(style: Style) -> str:
        lines = [*as_text(shown).splitlines(), summary(found)]
        return "".join(f"{style.cut(visible(line))}\n" for line in lines)

    return Answer(
        verdict=verdict,
        document=Document(counts=counts, tests=tuple(shown)),
        page=lambda: page_of(
            # NOTE: the page draws the same tests, each with its runs.
            msgspec.structs.replace(verdict, tables=()),
            flakes=shown,
            quarantine=quarantine,
        ),
        own={"text": text},
    )


def summary_of(found: Sequence[Standing], shown: Sequence[Standing]) -> Summary:
    """Return the standing of tests as a verdict that blocks nothing."""
    findings = tuple(_findings(shown)) if found else (_NOTHING,)
    unwell = [one for one in found if one.state in ("broken", "flaky")]
    outcome = Outcome.PASS if found else Outcome.UNPROVEN
    return Summary(
        command="flakes status",
        outcome=outcome,
        would_block=bool(unwell),
        sentence=_sentence(found, unwell),
        findings=findings,
        facts=(f"{len(found):,} tests", *summary(found).split(", ")) if found else (),
        cases=tuple(map(_case, shown)),
        tables=(_table(shown),) if shown else (),
        limits="Runs on this machine's history. It does not show why a test is flaky.",
    )


def _sentence(found: Sequence[Standing], unwell: Sequence[Standing]) -> str:
    if not found:
        return _NOTHING.message
    if not unwell:
        return f"none of {len(found):,} tests is flaky or broken"
    first = unwell[0]
    more = f", and {len(unwell) - 1:,} more" if len(unwell) > 1 else ""
    return f"`{first.shown}` is {first.state}: {first.why}{more}"


def _findings(shown: Sequence[Standing]) -> Iterator[Finding]:
    for one in shown:
        if one.state in _LEVELS:
            file, _, _ = one.shown.partition("::")
            yield Finding(
                rule=f"{one.state}-test",
                level=_LEVELS[one.state],
                message=f"{one.shown}: {one.why}",
                cure=_CURES.get(one.state, ""),
                paths=(file,) if file.endswith(".py") or "/" in file else (),
            )


def _table(shown: Sequence[Standing]) -> Table:
    head = ("State", "Test", "Runs", "Failures", "Interval", "Why")
    rows = (
        (one.state, one.shown, one.timeline, rate_of(one), interval_of(one), one.why)
        for one in shown
    )
    return Table(title="Tests", head=head, rows=tuple(rows))


def _case(one: Standing) -> Case:
    unwell = one.state in ("broken", "flaky")
    runs = ", ".join(RUN_WORDS[mark] for mark in one.timeline)
    return Case(
        name=one.shown,
        outcome=Outcome.FAIL if unwell else Outcome.PASS,
        said=f"{one.state}: {one.why}",
        lines=(f"oldest first: {runs}", *((one.message,) if one.message else ())),
    )
