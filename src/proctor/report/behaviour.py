"""What the oracle found, as a verdict: a finding for each change that is flagged."""

import re
from collections.abc import Iterator

from proctor.findings import Finding, Level, Outcome
from proctor.oracle.cluster import Cluster
from proctor.oracle.result import Report
from proctor.report.answer import Answer, own_formats
from proctor.report.deltas.base import Format, cluster_verdict, counted
from proctor.report.page.base import page_of
from proctor.report.summary import Case, Summary

PACKAGE = "proctor.report.deltas"
_CAUSE = re.compile(r"(?P<path>[^:]+):(?P<line>[0-9]+): ")


def answer_of(report: Report) -> Answer:
    """Return what the oracle found, ready for every format."""
    summary = summary_of(report)
    return Answer(
        verdict=summary,
        document=report,
        page=lambda: page_of(summary, oracle=(report,)),
        own=own_formats(PACKAGE, Format, report),
    )


def summary_of(report: Report) -> Summary:
    """Return the report as a verdict, its outcome as the oracle gave it."""
    digests = {
        f"old {report.old.name}": report.old.sha256 or report.old.tree,
        f"new {report.new.name}": report.new.sha256 or report.new.tree,
    }
    if report.corpus is not None:
        digests[f"corpus {report.corpus.path}"] = report.corpus.sha256
    if report.policy is not None:
        digests[f"policy {report.policy.path}"] = report.policy.sha256
    return Summary(
        command="oracle check" if report.corpus is not None else "oracle diff",
        outcome=report.outcome,
        sentence=report.sentence,
        findings=tuple(_findings(report)),
        facts=tuple(counted(report).split(", ")),
        cases=tuple(_case(one) for one in report.clusters),
        inputs={name: digest for name, digest in digests.items() if digest},
        limits="It shows what differs at the steps that were taken, and nothing of any other.",
    )


def _findings(report: Report) -> Iterator[Finding]:
    weighty = False
    for one in report.clusters:
        if one.flagged:
            weighty = True
            yield _flagged(one, report)
    for rule, texts in (("fixture-drift", report.drift), ("corpus-drift", report.corpus_drift)):
        for text in texts:
            weighty = True
            yield Finding(
                rule=rule,
                level=Level.ERROR,
                message=text,
                cure="proctor oracle pin",
            )
    if not weighty and report.outcome is not Outcome.PASS:
        # NOTE: whatever kept it from a pass, a verdict that is none names it.
        level = Level.ERROR if report.outcome is Outcome.FAIL else Level.UNPROVEN
        yield Finding(
            rule="same-build" if report.same_build else "flagged-delta",
            level=level,
            message=report.sentence,
            cure="look at [oracle] in proctor.toml, then: proctor oracle check --base REV"
            if report.corpus is not None
            else "",
        )
    for remark in report.remarks:
        yield Finding(rule="stale-allowance", level=Level.WARNING, message=remark.message)
    for problem in report.problems:
        yield Finding(rule="unverified-base", level=Level.WARNING, message=problem)


def _flagged(one: Cluster, report: Report) -> Finding:
    seed, step = one.first
    place = next(filter(None, map(_CAUSE.match, one.causes)), None)
    steps = "1 step" if one.deltas == 1 else f"{one.deltas:,} steps"
    follows = f", follows from change {one.follows}" if one.follows is not None else ""
    if report.delta_set is not None and report.new.tree is not None:
        approval = f"proctor approve {report.delta_set} --reason WHY"
        cure = f"if it is meant, once a person has looked: {approval}"
    elif report.corpus is None:
        cure = "if it is meant, allow it in the policy, with a reason"
    else:
        cure = "if it is meant, draft entries from its JSON: "
        cure += "proctor oracle draft-policy oracle.json"
    return Finding(
        rule="flagged-delta",
        level=Level.ERROR,
        message=f"{', '.join(one.commands[:4])}: {'; '.join(one.what[:3])} "
        f"({steps}, first at {seed} {step}{follows})",
        cure=cure,
        paths=(place["path"],) if place else (),
        line=int(place["line"]) if place else None,
    )


def _case(one: Cluster) -> Case:
    seed, step = one.first
    return Case(
        name=f"{one.number}. {', '.join(one.commands[:4])}",
        outcome=Outcome.FAIL if one.flagged else Outcome.PASS,
        said=f"{cluster_verdict(one)}: {'; '.join(one.what[:3])}",
        lines=(f"first at {seed} {step}", *one.causes, *(f"$ {line}" for line in one.reproducer)),
    )
