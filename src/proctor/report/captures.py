"""What kept evidence shows, and how two captures differ: as text, JSON and a verdict."""

import os
from collections.abc import Iterator, Sequence

import msgspec

from proctor.capture.compare import HEAVY, LIGHT, MEDIUM, Drift
from proctor.capture.manifest import read_manifest
from proctor.capture.show import Row, Shown
from proctor.findings import Finding, Level, Outcome
from proctor.report.answer import Answer
from proctor.report.page.base import page_of
from proctor.report.plain import visible
from proctor.report.style import Style
from proctor.report.summary import Case, Summary, Table, outcome_of

_LEVELS = {HEAVY: Level.ERROR, MEDIUM: Level.WARNING, LIGHT: Level.NOTE}
_NOTHING_SHARED = "they say nothing about the same thing: nothing was compared"


class ShownDocument(msgspec.Struct, frozen=True, kw_only=True):
    """What `evidence show --format json` writes."""

    schema: str = "proctor.evidence/1"
    """1: the first version."""
    outcome: Outcome
    folder: str
    rows: tuple[Row, ...]
    instead: tuple[Row, ...]
    problems: tuple[str, ...]
    facts: tuple[str, ...]


class ComparedDocument(msgspec.Struct, frozen=True, kw_only=True):
    """What `evidence compare --format json` writes."""

    schema: str = "proctor.drift/1"
    """1: the first version."""
    outcome: Outcome
    a: str
    b: str
    comparable: bool
    """Whether both sides say something about the same thing."""
    drifts: tuple[Drift, ...]


# ── what is kept ────────────────────────────────────────────────────────────


def shown_answer(shown: Shown) -> Answer:
    """Return what a folder holds, ready for every format."""
    summary = _shown_summary(shown)
    return Answer(
        verdict=summary,
        document=ShownDocument(outcome=summary.outcome, **msgspec.structs.asdict(shown)),
        page=lambda: page_of(summary),
        own={"text": lambda _: "".join(f"{line}\n" for line in _shown_lines(shown))},
    )


def _shown_summary(shown: Shown) -> Summary:
    findings = tuple(_shown_findings(shown))
    sentence = f"{len(shown.rows):,} kept files are what the manifest says"
    if findings:
        more = f", and {len(findings) - 1:,} more" if len(findings) > 1 else ""
        sentence = f"{findings[0].message}{more}"
    rows = [(row.have, row.proves, row.does_not_prove) for row in (*shown.rows, *shown.instead)]
    head = ("You have", "It proves", "It does not prove")
    told = Table(
        title="What the manifest says", head=("Fact",), rows=tuple((fact,) for fact in shown.facts)
    )
    manifest = read_manifest(shown.folder)
    kept = {} if manifest is None else {one.name: one.sha256 for one in manifest.files}
    return Summary(
        command="evidence show",
        outcome=outcome_of(findings),
        sentence=sentence,
        findings=findings,
        facts=(f"{len(shown.rows):,} files", f"{len(shown.problems):,} problems"),
        cases=tuple(_kept_case(row, shown.problems) for row in shown.rows),
        tables=(
            Table(title="What it proves", head=head, rows=tuple(rows)),
            *((told,) if shown.facts else ()),
        ),
        inputs={f"evidence {name}": digest for name, digest in kept.items()},
        limits="Evidence was kept by a run. It does not show that another machine gives the same.",
    )


def _shown_findings(shown: Shown) -> Iterator[Finding]:
    if not shown.rows:
        yield Finding(
            rule="no-records",
            level=Level.UNPROVEN,
            message=f"there is no evidence in {shown.folder}",
            cure="proctor evidence capture -- pytest",
        )
    for problem in shown.problems:
        yield Finding(
            rule="digest-mismatch",
            level=Level.ERROR,
            message=problem,
            cure="proctor evidence capture -- pytest",
            paths=(os.path.join(shown.folder, problem.split(" ", 1)[0]),),
        )


def _kept_case(row: Row, problems: Sequence[str]) -> Case:
    wrong = [problem for problem in problems if problem.startswith(f"{row.have} ")]
    return Case(
        name=row.have,
        outcome=Outcome.FAIL if wrong else Outcome.PASS,
        said=wrong[0] if wrong else row.proves,
        lines=(f"does not prove: {row.does_not_prove}",),
    )


def _shown_lines(shown: Shown) -> Iterator[str]:
    rows = [("you have", "it proves", "it does not prove")]
    rows += [(row.have, row.proves, row.does_not_prove) for row in (*shown.rows, *shown.instead)]
    widths = [max(len(visible(row[at])) for row in rows) for at in (0, 1)]
    for have, proves, not_ in rows:
        yield f"{visible(have):<{widths[0]}}  {proves:<{widths[1]}}  {not_}".rstrip()
    yield from map(visible, shown.facts)
    yield from (f"error: {visible(line)}" for line in shown.problems)
    if not shown.rows:
        yield (
            f"{visible(shown.folder)}: there is no evidence here; capture some: "
            "proctor evidence capture -- pytest"
        )


# ── how two differ ──────────────────────────────────────────────────────────


def compared_answer(a: str, b: str, drifts: Sequence[Drift], *, comparable: bool) -> Answer:
    """Return how the captures at two paths differ, ready for every format."""
    summary = _compared_summary(a, b, drifts, comparable=comparable)

    def text(style: Style) -> str:
        lines = [_line(drift, style) for drift in drifts]
        if not comparable:
            lines.append(_NOTHING_SHARED)
        elif not drifts:
            lines.append("no difference")
        return "".join(f"{line}\n" for line in lines)

    return Answer(
        verdict=summary,
        document=ComparedDocument(
            outcome=summary.outcome, a=a, b=b, comparable=comparable, drifts=tuple(drifts)
        ),
        page=lambda: page_of(summary),
        own={"text": text},
    )


def _line(drift: Drift, style: Style) -> str:
    arrow = style.sign("→", "->")
    return visible(f"{drift.weight:<6}  {drift.what}: {drift.a} {arrow} {drift.b}")


def _compared_summary(a: str, b: str, drifts: Sequence[Drift], *, comparable: bool) -> Summary:
    findings = [
        Finding(
            rule="toolchain-drift",
            level=_LEVELS[drift.weight],
            message=f"{drift.what}: {drift.a} → {drift.b}",
            cure="proctor evidence capture -- pytest" if drift.weight == HEAVY else "",
        )
        for drift in drifts
    ]
    if not comparable:
        cure = "proctor evidence capture -- pytest"
        message = _NOTHING_SHARED
        findings = [Finding(rule="no-records", level=Level.UNPROVEN, message=message, cure=cure)]
    counts = [(w, sum(one.weight == w for one in drifts)) for w in (HEAVY, MEDIUM, LIGHT)]
    rows = tuple((one.weight, one.what, one.a, one.b) for one in drifts)
    table = Table(title="Differences", head=("Weight", "What", a, b), rows=rows)
    first = findings[0].message if findings else "no difference"
    return Summary(
        command="evidence compare",
        outcome=outcome_of(findings),
        sentence=first if len(findings) < 2 else f"{len(drifts):,} differences, first {first}",
        findings=tuple(findings),
        facts=tuple(f"{number:,} {weight}" for weight, number in counts),
        cases=tuple(map(_drift_case, drifts)),
        tables=(table,) if drifts else (),
        limits="Equal toolchains do not show that two machines behave alike.",
    )


def _drift_case(drift: Drift) -> Case:
    outcome = Outcome.FAIL if drift.weight == HEAVY else Outcome.PASS
    return Case(name=drift.what, outcome=outcome, said=f"{drift.weight}: {drift.a} → {drift.b}")
