"""Compares traces and settles each delta by the policy: the whole of `oracle diff`.

Memory is bounded whatever the traces hold: deltas are counted, and kept up to a
limit.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date
from typing import NamedTuple

import msgspec

from proctor._digest import encode
from proctor._whole import file_sha256
from proctor.errors import OracleError
from proctor.findings import Outcome
from proctor.oracle.cluster import Clusters
from proctor.oracle.delta import Change, Delta, Hit
from proctor.oracle.masks import Masks
from proctor.oracle.pairing import Row, Tally, pairs
from proctor.oracle.policy import Policy
from proctor.oracle.result import Build, Counts, Masked, PolicyUsed, Report
from proctor.oracle.steps import Compared, compare_steps, one_sided
from proctor.oracle.trace import PlainStep, Step, TraceFile

LIMIT = 1_000
"""Deltas, unstable steps and masked tokens that a report lists, each."""
LEAST_CAP = 5
"""Unstable fields that may be where nothing else is said, or one in twenty steps."""
KEPT_TEXT = 4_000
"""Characters of a value that a report holds."""

Judge = Callable[[Sequence[Step | PlainStep]], Compared]
"""Compares the old step with the new one and further old ones."""


class Settled(NamedTuple):
    """Everything that was found, before an outcome is drawn from it."""

    tally: Tally
    deltas: tuple[Delta, ...]
    unstable: tuple[Delta, ...]
    counts: Counter[str]
    masks: Counter[str]
    masked: tuple[Masked, ...]
    clusters: Clusters
    delta_set: str | None


class Difference:
    """Reads traces side by side; `judge` compares one step, `policy` settles it.

    `traces` are the old one, the new one, and further old ones.
    """

    def __init__(
        self,
        traces: Sequence[TraceFile],
        *,
        masks: Masks,
        policy: Policy | None,
        judge: Judge | None = None,
        limit: int = LIMIT,
    ) -> None:
        if len({trace.typed for trace in traces}) > 1:
            names = ", ".join(trace.path for trace in traces)
            raise OracleError(f"{names}: traces of different forms; record both in one way")
        self._traces = traces
        self._masks = masks
        self._policy = policy
        self._judge = judge or self._compare
        self._limit = limit

    def _compare(self, steps: Sequence[Step | PlainStep]) -> Compared:
        return compare_steps(steps[0], steps[1], steps[2:], self._masks)

    def _fresh(self) -> Tally:
        """Begin anew: nothing was found yet."""
        self.tally = Tally(len(self._traces))
        self._flagged: list[Delta] = []
        self._allowed: list[Delta] = []
        self._unstable: list[Delta] = []
        self._masked: list[Masked] = []
        self._counts: Counter[str] = Counter()
        self._hits: Counter[str] = Counter()
        self._clusters = Clusters()
        self._digest = hashlib.sha256(b"proctor.deltas/1\n")
        if self._policy is not None:
            self._policy.used = [0] * len(self._policy.entries)
        return self.tally

    def run(self) -> Settled:
        """Return everything that was found.

        Raises:
            OracleError: a line of a trace cannot be read.
        """
        for row in pairs(self._traces, self._fresh):
            if row is not None:
                self._take(row)
        kept = (*self._flagged, *self._allowed[: max(0, self._limit - len(self._flagged))])
        return Settled(
            tally=self.tally,
            deltas=tuple(sorted(kept, key=_place)),
            unstable=tuple(self._unstable),
            counts=self._counts,
            masks=self._hits,
            masked=tuple(self._masked),
            clusters=self._clusters,
            delta_set=self._digest.hexdigest() if self._counts["flagged"] else None,
        )

    def _take(self, row: Row) -> None:
        old, new = row[0], row[1]
        steps = [
            trace.step(record)
            for trace, record in zip(self._traces, row, strict=True)
            if record is not None
        ]
        if old is None or new is None:
            if old is None and new is None:
                self._only_again(steps[0])
                return
            self._counts["one_sided"] += 1
            self._settle(one_sided(steps[0], in_old=new is None))
            return
        if None in row:
            self._counts["once"] += 1
        found = self._judge(steps)
        self._hit(steps[0], found.hits)
        if found.delta is not None:
            self._settle(found.delta)

    def _only_again(self, step: Step | PlainStep) -> None:
        """Note a step that only a further old run has."""
        self._counts["unstable"] += 1
        if len(self._unstable) < self._limit:
            self._unstable.append(one_sided(step, in_old=False))

    def _hit(self, step: Step | PlainStep, hits: Sequence[Hit]) -> None:
        for hit in hits:
            self._hits[hit.mask] += 1
            if len(self._masked) < self._limit:
                self._masked.append(
                    Masked(
                        mask=hit.mask,
                        seed=step.seed,
                        step=step.step,
                        path=hit.path,
                        old=_short(hit.old) or "",
                        new=_short(hit.new) or "",
                    )
                )

    def _settle(self, delta: Delta) -> None:
        vague = sum(field.change is Change.UNSTABLE for field in delta.fields)
        self._counts["unstable"] += vague
        if not delta.changed:
            if len(self._unstable) < self._limit:
                self._unstable.append(_slim(delta))
            return
        if self._policy is not None:
            delta = self._policy.settle(delta)
        delta = self._clusters.take(delta)
        self._counts["deltas"] += 1
        self._counts["allowed" if delta.allowed else "flagged"] += 1
        if not delta.allowed:
            self._note(delta)
        kept = self._allowed if delta.allowed else self._flagged
        if len(kept) < self._limit:
            kept.append(_slim(delta))

    def _note(self, delta: Delta) -> None:
        """Take a flagged delta into the digest of the set."""
        for field in delta.changed:
            if field.allowed is None:
                item = [delta.seed, delta.step, delta.command, field.path, field.old, field.new]
                self._digest.update(encode(item) + b"\n")


def _place(delta: Delta) -> tuple[object, int]:
    from proctor.oracle.order import seed_key

    return seed_key(delta.seed), delta.step


def _slim(delta: Delta) -> Delta:
    """Return a delta whose long values are cut for the report."""
    if all(len(field.old or "") + len(field.new or "") <= KEPT_TEXT for field in delta.fields):
        return delta
    fields = tuple(
        msgspec.structs.replace(field, old=_short(field.old), new=_short(field.new))
        for field in delta.fields
    )
    return msgspec.structs.replace(delta, fields=fields)


def _short(text: str | None) -> str | None:
    if text is None or len(text) <= KEPT_TEXT:
        return text
    return f"{text[:KEPT_TEXT]}… ({len(text):,} characters)"


# ── oracle diff ─────────────────────────────────────────────────────────────


class Ask(NamedTuple):
    """What `oracle diff` is asked."""

    old: str
    new: str
    old2: str | None = None
    policy: Policy | None = None
    masks: Masks = Masks()
    unstable_cap: int | None = None
    limit: int = LIMIT


def diff(ask: Ask) -> Report:
    """Return what differs between two trace files.

    Raises:
        OracleError: one of them cannot be read.
    """
    paths = [ask.old, ask.new, *([ask.old2] if ask.old2 is not None else [])]
    traces = [TraceFile(path) for path in paths]
    work = Difference(traces, masks=ask.masks, policy=ask.policy, limit=ask.limit)
    settled = work.run()
    problems = tuple(_problems(settled, traces, paths))
    return concluded(
        settled,
        Report(
            outcome=Outcome.PASS,
            sentence="",
            counts=Counts(steps=0),
            old=Build(name=ask.old, sha256=_sha256(ask.old)),
            new=Build(name=ask.new, sha256=_sha256(ask.new)),
            problems=problems,
            policy=used(ask.policy, "file"),
        ),
        ask.policy,
        ask.unstable_cap,
    )


def _problems(settled: Settled, traces: Sequence[TraceFile], paths: Sequence[str]) -> list[str]:
    said = []
    for path, records in zip(paths, settled.tally.records, strict=True):
        if not records:
            said.append(f"{path} is empty")
    said += (
        f"{trace.path}: {trace.continued:,} lines continue the step before them"
        for trace in traces
        if trace.continued
    )
    for number, record in settled.tally.duplicates[:5]:
        said.append(
            f"{paths[number]}:{record.line}: seed {record.seed!r} step {record.step} is there twice"
        )
    return said


def used(policy: Policy | None, where: str) -> PolicyUsed | None:
    """Return which policy decided."""
    if policy is None:
        return None
    return PolicyUsed(
        path=policy.path, sha256=policy.sha256, where=where, entries=len(policy.entries)
    )


def concluded(
    settled: Settled,
    report: Report,
    policy: Policy | None,
    unstable_cap: int | None,
    *,
    whole: bool = True,
) -> Report:
    """Return `report` with what was found and the outcome that follows."""
    counts, tally = settled.counts, settled.tally
    clusters = settled.clusters.result()
    numbers = settled.clusters.place_of()
    filled = msgspec.structs.replace(
        report,
        counts=msgspec.structs.replace(
            report.counts,
            steps=tally.compared,
            deltas=counts["deltas"],
            allowed=counts["allowed"],
            flagged=counts["flagged"],
            unstable=counts["unstable"],
            one_sided=counts["one_sided"],
            roots=sum(one.follows is None for one in clusters),
            clusters=len(clusters),
            duplicates=tally.duplicated,
            masked=settled.masks.total(),
        ),
        clusters=clusters,
        deltas=tuple(
            msgspec.structs.replace(
                delta, clusters=tuple(dict.fromkeys(numbers[one] for one in delta.clusters))
            )
            for delta in settled.deltas
        ),
        unstable=settled.unstable,
        masks=dict(sorted(settled.masks.items())),
        masked=settled.masked,
        remarks=tuple(policy.remarks(whole=whole)) if policy is not None else (),
        delta_set=settled.delta_set,
    )
    return decided(filled, unstable_cap)


def decided(report: Report, unstable_cap: int | None) -> Report:
    """Return the report with outcome and sentence.

    Anything flagged fails. Where nothing was compared, steps bear one name, or more is
    unstable than the cap lets pass, nothing is proven.
    """
    counts, cap = report.counts, cap_of(report.counts, unstable_cap)
    if counts.flagged:
        return _with(report, Outcome.FAIL, _flagged(counts))
    if report.drift or report.corpus_drift:
        what = "fixtures" if report.drift else "the corpus"
        return _with(report, Outcome.FAIL, f"{what} drifted from what the base pinned")
    reasons = []
    if not counts.steps:
        reasons.append("nothing was compared")
    reasons += report.lifeless
    if counts.duplicates:
        reasons.append(f"{counts.duplicates:,} steps bear the name of another")
    if counts.unstable > cap:
        reasons.append(f"{counts.unstable:,} fields are unstable, more than the {cap:,} allowed")
    if report.same_build:
        reasons.append("both builds are one and the same, while the sources differ")
    if reasons:
        return _with(report, Outcome.UNPROVEN, "; ".join(reasons))
    same = f"{counts.steps:,} steps compared"
    if counts.deltas:
        noun = "delta is" if counts.deltas == 1 else "deltas are all"
        return _with(report, Outcome.PASS, f"{same}; {counts.deltas:,} {noun} allowed")
    return _with(report, Outcome.PASS, f"{same}; nothing changed")


def cap_of(counts: Counts, given: int | None) -> int:
    """Return how many unstable fields may be."""
    return max(LEAST_CAP, counts.steps // 20) if given is None else given


def _flagged(counts: Counts) -> str:
    if counts.deltas == 1:
        return "the only delta is flagged"
    verb = "is" if counts.flagged == 1 else "are"
    return f"{counts.flagged:,} of {counts.deltas:,} deltas {verb} flagged"


def _with(report: Report, outcome: Outcome, sentence: str) -> Report:
    return msgspec.structs.replace(report, outcome=outcome, sentence=sentence)


def _sha256(path: str) -> str | None:
    try:
        return file_sha256(path)
    except OSError:
        return None


def today_utc() -> date:
    """Return the day it is, UTC."""
    from datetime import UTC, datetime

    return datetime.now(UTC).date()
