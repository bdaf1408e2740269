"""Evidence to verdict: a pure function.

The algorithm, numbered as in the documentation: attempts (3, 4), trees (5),
coverage (6) and what is owed (7, 8) make up a `Case`; the rules, one file each,
ask their questions of it; here their answers become findings (10).
"""

from collections.abc import Iterable, Iterator, Mapping

from proctor.classify import selection
from proctor.findings import Against, Finding, Level, Outcome, Suite, Verdict
from proctor.gate.approving import settle
from proctor.gate.attempts import Attempt, State
from proctor.gate.base import Hit, Rule, explain, rules
from proctor.gate.case import Case, Decision
from proctor.gate.evidence import Base, Evidence, Policy
from proctor.gate.fresh_judge import HARNESS, lacking
from proctor.gate.joined import joined_of
from proctor.gate.owing import nothing_owed
from proctor.gate.receipts import refused
from proctor.gate.words import shown
from proctor.requirements import Selecting

WEIGHT = {Level.NOTE: 0, Level.WARNING: 1, Level.UNPROVEN: 2, Level.ERROR: 3}
"""Levels by how much they weigh."""
_TELLING = frozenset((Level.UNPROVEN, Level.ERROR))
"""Levels that change the outcome."""


SELECTING = Selecting(
    covers=selection.covers,
    is_narrowed=selection.is_narrowed,
    selects_whole=selection.selects_whole,
)
"""The functions of `proctor.classify.selection`."""


def judge(
    evidence: Evidence,
    policy: Policy,
    selecting: Selecting = SELECTING,
    case: Case | None = None,
) -> Verdict:
    """Return the verdict on `evidence` under `policy`.

    The same values give the same verdict, whatever the order of the log where
    order does not matter. No evidence is never a pass. `selecting` says how
    selections of one runner compare; `case` is what has been made of them already.
    """
    if policy.every:
        findings = _findings(_every_hits(evidence, policy), evidence, policy)
        return _verdict(evidence, policy, findings, None)
    case = case or Case(evidence, policy, selecting)
    approvable = frozenset(name for name, rule in rules() if rule.approvable)
    findings = settle(_findings(_hits(case), evidence, policy), evidence, approvable)
    return _verdict(evidence, policy, tuple(sorted(findings, key=_rank)), case)


_Answer = tuple[str, Rule, Hit]


def _hits(case: Case) -> Iterator[_Answer]:
    for name, rule in rules():
        if rule.check is not None:
            for hit in rule.check(case):
                yield name, rule, hit
        for hit in refused(case, name):
            yield name, rule, hit


def _every_hits(evidence: Evidence, policy: Policy) -> Iterator[_Answer]:
    for name, rule in rules():
        if rule.every is not None:
            for hit in rule.every(evidence, policy):
                yield name, rule, hit


def _findings(
    answers: Iterable[_Answer], evidence: Evidence, policy: Policy
) -> tuple[Finding, ...]:
    """Return each answer once as a finding, those that say it with less reason left out.

    NOTE: an answer that changes no outcome hides none that does, whatever levels the
    project has chosen: a remark must not turn a failure into a pass.
    """
    kept = [(name, hit, rule, _level(name, rule, hit, policy)) for name, rule, hit in answers]
    by_any = _hidden((rule, hit) for _, hit, rule, _ in kept)
    by_telling = _hidden((rule, hit) for _, hit, rule, level in kept if level in _TELLING)
    calls = evidence.calls_by_span()
    found = {
        _finding(name, level, hit, calls)
        for name, hit, _, level in kept
        if (name, _about(hit)) not in (by_telling if level in _TELLING else by_any)
    }
    return tuple(sorted(found, key=_rank))


def _hidden(answers: Iterable[tuple[Rule, Hit]]) -> set[tuple[str, str | None]]:
    """Return the rules that need not speak any more, each with what it would speak of."""
    return {
        (other, subject)
        for rule, hit in answers
        for other in rule.hides
        for subject in (_about(hit), hit.requirement, None)
    }


def _about(hit: Hit) -> str | None:
    """Return what an answer is about: a span, a tool call, a requirement or nothing."""
    if hit.span is not None:
        return hit.span.span_id
    return f"call {hit.call.call_id}" if hit.call is not None else hit.requirement


def _level(name: str, rule: Rule, hit: Hit, policy: Policy) -> Level:
    """Return how much an answer weighs: the project may raise or lower the rule."""
    if hit.remark:
        return Level.NOTE
    own = hit.level or rule.level
    chosen = policy.levels.get(name)
    if chosen is None:
        return own
    pick = max if WEIGHT[chosen] > WEIGHT[rule.level] else min
    return pick(own, chosen, key=WEIGHT.__getitem__)


def _finding(name: str, level: Level, hit: Hit, calls: Mapping[str, str]) -> Finding:
    call_id = hit.call.call_id if hit.call is not None else None
    return Finding(
        rule=name,
        level=level,
        message=hit.message,
        cure=hit.cure,
        span_id=hit.span.span_id if hit.span else None,
        call_id=calls.get(hit.span.span_id, call_id) if hit.span else call_id,
        argv=hit.span.argv if hit.span else (),
        paths=hit.paths,
        line=hit.line,
        requirement=hit.requirement,
        digest=hit.digest,
    )


def _rank(finding: Finding) -> tuple[object, ...]:
    return (
        -WEIGHT[finding.level],
        finding.requirement or "",
        finding.rule,
        finding.message,
        finding.span_id or "",
        finding.cure,
    )


def _verdict(
    evidence: Evidence, policy: Policy, findings: tuple[Finding, ...], case: Case | None
) -> Verdict:
    suites = tuple(_suite(case, decision, findings) for decision in case.decisions) if case else ()
    deciding = _deciding(case)
    counts = [attempt.executed for attempt in deciding if attempt.executed is not None]
    reports = [report for attempt in deciding for report in attempt.reports]
    outcome = _outcome(evidence, case, findings)
    blocked = outcome is not Outcome.PASS and policy.observe
    sentence = _sentence(evidence, case, findings, outcome)
    return Verdict(
        outcome=Outcome.PASS if blocked else outcome,
        trust_level=_trust_level(evidence, case, findings),
        sentence=f"would have blocked: {sentence}" if blocked else sentence,
        findings=findings,
        suites=suites,
        executed=sum(counts) if counts else None,
        skipped=sum(report.skipped for report in reports),
        xfailed=sum(report.xfailed for report in reports),
        attempts=sum(suite.attempts for suite in suites),
        red=sum(suite.red for suite in suites),
        tree=evidence.tree.tree if evidence.tree else None,
        base=_against(evidence.base) if evidence.base else None,
        inputs=evidence.inputs,
        joined=joined_of(evidence) if evidence.transcripts else None,
        loosened=policy.loosened + _approved(findings),
        would_block=blocked,
    )


def _trust_level(evidence: Evidence, case: Case | None, findings: tuple[Finding, ...]) -> int:
    """Return the level of the evidence that decides.

    3 where another job recorded it and this one only judges, with nothing lacking; 2
    where all of it is signed.
    """
    if case is not None and evidence.other_job is not None and not lacking(case):
        # NOTE: what a person approved is a note with its digest; one without was only lowered.
        touched = (f for f in findings if f.rule == HARNESS)
        return 3 if all(f.level is Level.NOTE and f.digest for f in touched) else 0
    signed = {receipt.run_id for receipt in evidence.receipts if receipt.run_id is not None}
    runs = {part.span.run_id for one in _deciding(case) for part in one.parts}
    return 2 if runs and runs <= signed else 0


def _against(base: Base) -> Against:
    return Against(name=base.name, how=base.how, commit=base.commit, merge_base=base.merge_base)


def _approved(findings: tuple[Finding, ...]) -> tuple[str, ...]:
    """Return what approvals let pass, in words."""
    names = dict.fromkeys(f.rule for f in findings if f.digest and f.level is Level.NOTE)
    return tuple(f"{name} is approved" for name in names)


def _outcome(evidence: Evidence, case: Case | None, findings: tuple[Finding, ...]) -> Outcome:
    levels = {finding.level for finding in findings}
    if Level.ERROR in levels:
        return Outcome.FAIL
    if Level.UNPROVEN in levels or not _has_reason(evidence, case):
        return Outcome.UNPROVEN
    return Outcome.PASS


def _has_reason(evidence: Evidence, case: Case | None) -> bool:
    """Return whether there is anything at all that a pass could rest on.

    NOTE: the rules say why not; this stands below them so that no level that a
    project lowers turns absence into success.
    """
    if case is None:
        return evidence.records > 0
    if case.decisions:
        return all(
            d.deciding is not None and d.deciding.state is not State.RED for d in case.decisions
        )
    return nothing_owed(case) is not None


def _deciding(case: Case | None) -> list[Attempt]:
    if case is None:
        return []
    return list({id(attempt): attempt for _, attempt in case.judged()}.values())


def _suite(case: Case, decision: Decision, findings: tuple[Finding, ...]) -> Suite:
    attempt, item = decision.deciding, decision.item
    if attempt is None:
        assert item is not None  # noqa: S101 - only a requirement is owed without an attempt
        owed = next(owed for owed in case.policy.require if owed.item is item)
        what, span_id, argv = owed.selection.what, None, owed.selection.what.argv
    else:
        first = attempt.first
        what, span_id, argv = first.what, first.span.span_id, first.span.argv
    return Suite(
        name=item.name if item else shown(argv).strip("`"),
        command_class=what.command_class,
        argv=argv,
        span_id=span_id,
        outcome=_suite_outcome(decision, findings),
        executed=attempt.executed if attempt else None,
        attempts=decision.attempts,
        red=decision.red,
    )


def _suite_outcome(decision: Decision, findings: tuple[Finding, ...]) -> Outcome:
    attempt = decision.deciding
    spans = {part.span.span_id for part in attempt.parts} if attempt else set()
    name = decision.item.name if decision.item else None
    levels = {
        finding.level
        for finding in findings
        if finding.span_id in spans or (name is not None and finding.requirement == name)
    }
    if Level.ERROR in levels:
        return Outcome.FAIL
    if attempt is None or Level.UNPROVEN in levels or attempt.state is not State.GREEN:
        return Outcome.UNPROVEN
    return Outcome.PASS


def _sentence(
    evidence: Evidence, case: Case | None, findings: tuple[Finding, ...], outcome: Outcome
) -> str:
    if case is None and evidence.offending:
        return f"{evidence.offending:,} of {evidence.records:,} records do not hold"
    if outcome is not Outcome.PASS:
        return _reason(findings)
    if case is None:
        return f"{evidence.records:,} records: each with argv, exit 0 and a believable duration"
    reason = None if case.decisions else nothing_owed(case)
    if reason is not None:
        return f"nothing owed: {reason}"
    names = [shown(attempt.first.span.argv) for attempt in _deciding(case)]
    what = names[0] if len(names) == 1 else f"{len(names)} suites"
    how = " by quarantine" if any(attempt.explained for attempt in _deciding(case)) else ""
    return f"{what} passed{how} on these files"


def _reason(findings: tuple[Finding, ...]) -> str:
    """Return the first line of what the weightiest rule is about, in lower case."""
    if not findings or WEIGHT[findings[0].level] < WEIGHT[Level.UNPROVEN]:
        return "nothing shows that the tests passed"
    summary = explain(findings[0].rule).summary.rstrip(".")
    return summary[:1].lower() + summary[1:]
