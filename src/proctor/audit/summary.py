"""Says in words what an audit found; every format for people uses the same ones."""

from collections.abc import Iterator

from proctor.audit.report import Claim, Counts, Report, Run, Session

FOOT = (
    "A transcript is written by the agent; what is provable here is only as good as that. "
    "`proctor watch -- AGENT` records what really runs."
)
HINTS = "suggested by the printed text, which is no proof"

_STANDINGS = {
    "provable": "the status was the runner's own",
    "failed": "the agent was told that the line failed",
    "untold": "the agent was never told how it ended",
    "refused": "it was refused",
    "no-run": "it runs no tests",
}


def headline(report: Report) -> str:
    """Return the sentence that says how bad it is."""
    counts = report.totals
    if counts.green:
        runs = _number(counts.green, "green test run", "green test runs")
        if not counts.unprovable:
            return f"every one of {runs} was provable, if the transcripts are true"
        was = "was" if counts.unprovable == 1 else "were"
        return f"{counts.unprovable} of {runs} {was} unprovable"
    if counts.tests:
        tests = _number(counts.tests, "test command", "test commands")
        return f"no green test run: none of {tests} was told as success"
    seen = _number(report.transcripts, "transcript", "transcripts")
    return f"no test command in {seen}"


def explanation(report: Report) -> str:
    """Return what the headline's word means; empty where it needs none."""
    if not report.totals.unprovable:
        return ""
    return "The agent was told success, and the line may return 0 whatever the tests did."


SESSION_COLUMNS = ("tests", "masked", "green", "unprovable", "red", "untold", "claims")


def session_numbers(session: Session) -> tuple[int, ...]:
    """Return the numbers of one transcript, in the order of `SESSION_COLUMNS`."""
    counts = session.counts
    return (
        counts.tests,
        counts.masked,
        counts.green,
        counts.unprovable,
        counts.failed,
        counts.untold,
        counts.claims,
    )


def rows(report: Report) -> Iterator[tuple[str, int, str]]:
    """Yield the totals: a name, a number, and a remark."""
    counts = report.totals
    yield "test commands", counts.tests, f"{counts.masked} masked" if counts.masked else ""
    split = f"{counts.provable} provable, {counts.unprovable} unprovable"
    yield "told success", counts.green, split if counts.green else ""
    yield "told failure", counts.failed, ""
    yield "never told", counts.untold, "still running, or the transcript does not say"
    if report.logs:
        red = f"{counts.unprovable_red} of the unprovable really failed"
        yield "witnessed", counts.witnessed, red if counts.unprovable_red else ""
    yield "ran nothing", counts.ran_nothing, f"told success; {HINTS}"
    yield "show failures", counts.shows_failures, f"told success; {HINTS}"
    yield "no test run", counts.no_run, "they list, compile or print"
    yield "refused", counts.refused, ""
    yield "test scripts", counts.scripts, "run by themselves, without a test runner"
    lint = f"{counts.lint_unprovable} unprovable" if counts.lint_unprovable else ""
    yield "lint commands", counts.lint, lint
    backed = f"{counts.claims_provable} rest on a provable run" if counts.claims else ""
    yield "claims", counts.claims, backed


def masks(counts: Counts) -> list[tuple[str, int]]:
    """Return what masked, most often first."""
    return sorted(counts.masks.items(), key=lambda item: (-item[1], item[0]))


def worth_a_look(report: Report) -> list[tuple[Session, Run]]:
    """Return the runs that most deserve to be looked at, the clearest first."""
    found = [
        (_weight(run), place, session, run)
        for place, session in enumerate(report.sessions)
        for run in session.runs
        if _weight(run)
    ]
    found.sort(key=lambda item: (-item[0], item[1], item[3].line))
    return [(session, run) for _, _, session, run in found]


def _weight(run: Run) -> int:
    if run.role != "test" or run.told != "success" or run.standing == "no-run":
        return 0
    red = run.witness is not None and run.witness.outcome == "red"
    return 4 * red + 2 * bool(run.shows) + (run.standing == "unprovable")


def remarks(run: Run) -> str:
    """Return what is knowable of a run, in a sentence."""
    parts = [_knowable(run)]
    if run.shows == "failures":
        parts.append(f"its text shows failures: {run.shown}")
    if run.shows == "nothing ran":
        parts.append(f"by its text nothing ran: {run.shown}")
    if run.witness is not None:
        codes = ", ".join("?" if code is None else str(code) for code in run.witness.exit_codes)
        joined = " (inferred)" if run.witness.how == "inferred" else ""
        parts.append(f"really returned {codes}{joined}")
    return "; ".join(parts)


def _knowable(run: Run) -> str:
    if run.standing != "unprovable":
        return _STANDINGS[run.standing]
    if run.status == "unknown":
        return f"told success; only running can tell ({run.masked_by or 'not readable'})"
    if run.masked_by:
        return f"told success; masked by `{run.masked_by}`"
    return "told success; the line may not have started it"


def rest(claim: Claim) -> str:
    """Return what a claim rests on, in words."""
    run = claim.rests_on
    kind = "test" if claim.about == "tests" else "lint"
    if run is None and claim.unread:
        parts = _number(claim.unread, "part", "parts")
        return f"no {kind} run before it could be read; {parts} of the transcript could not"
    if run is None:
        return f"rests on no {kind} run"
    return f"rests on line {run.line}, {run.runner}: {remarks(run)}"


def doubtful_claims(report: Report) -> list[tuple[Session, Claim]]:
    """Return the claims that rest on no provable run, or on one whose text says otherwise."""
    return [
        (session, claim)
        for session in report.sessions
        for claim in session.claims
        if claim.standing != "provable" or (claim.rests_on and claim.rests_on.shows)
    ]


def notes(report: Report) -> Iterator[str]:
    """Yield what a reader must know to trust the numbers."""
    if report.interrupted:
        yield "interrupted: these are the numbers of what was read until then"
    if report.skipped:
        where = next(session for session in report.sessions if session.skipped)
        parts = _number(report.skipped, "part", "parts")
        yield (
            f"{parts} of transcripts could not be read and were passed over, the first: "
            f"{where.path}:{where.skipped_at}: {where.skipped_why}"
        )
    for one in report.unread:
        yield f"{one.path}: {one.why}"


def _number(number: int, one: str, more: str) -> str:
    return f"{number:,} {one if number == 1 else more}"
