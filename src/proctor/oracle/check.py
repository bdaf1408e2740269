"""The whole of `oracle check`.

Steps: 1. the rules, 2. the two builds, 3. corpus and fixtures, 4. the smoke step,
5. the replay, old twice and new in between, 6. a first comparison, 7. everything that
differs once more, k times on both sides, 8. the comparison that counts, 9. shortest
reproducers, roots and causes, 10. the report.
"""

import itertools
import os
import secrets
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from proctor._digest import encode, sha256_hex
from proctor.config import OracleTable
from proctor.errors import OracleError
from proctor.findings import Outcome
from proctor.oracle import corpus
from proctor.oracle.again import Again, slow_seeds
from proctor.oracle.atoms import first_word
from proctor.oracle.causes import with_causes
from proctor.oracle.coverage import failing, reach_of
from proctor.oracle.difference import Difference, Settled, concluded, used
from proctor.oracle.engine import CHUNK, Engine, Shard, Task, chunked, shard_of
from proctor.oracle.holdout import HoldOut, compared, sample
from proctor.oracle.lock import fixture_digests, fixture_drift, masks_sha256
from proctor.oracle.masks import Masks
from proctor.oracle.ready import SAMPLE, Ready
from proctor.oracle.replay import Player, Playing
from proctor.oracle.result import Corpus, Counts, Replay, Report
from proctor.oracle.sandbox import Box, choose
from proctor.oracle.shards import Shards
from proctor.oracle.shrink import Shrinker, explained
from proctor.oracle.sides import Rules, Sides, corpus_drift
from proctor.oracle.steps import command_of, is_silent
from proctor.oracle.trace import Step, TraceFile

OLD1, NEW, OLD2 = "old1", "new", "old2"
LABELS = (OLD1, NEW, OLD2)
Progress = Callable[[str, int, int], None]
"""Is told what is being done, how much of it is done, and how much there is."""


class Work(NamedTuple):
    """What a check works with."""

    root: str
    """The folder that paths of the configuration are relative to."""
    rules: Rules
    sides: Sides
    engine: Engine
    state: str
    """Where an interrupted replay is kept."""
    scratch: str
    """A folder for what lives as long as the check."""
    progress: Progress
    sandbox: str | None = None
    only: tuple[str, ...] = ()
    """Seeds to replay; none: all."""
    traces: str | None = None
    """A folder in which the merged traces are kept."""
    serve: tuple[str, ...] = ()
    """Modules for the fork server."""
    holdout: int = 0
    """Sequences to draw beside the corpus; what they show is reported only."""


class Check:
    """One comparison of two builds over a corpus."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.table: OracleTable = work.rules.table
        self.box: Box = choose(work.sandbox or self.table.sandbox)
        self.path = os.path.join(work.root, self.table.corpus)
        self.fixtures = os.path.join(work.root, self.table.fixtures)
        self.masks = Masks(self.table.masks)
        self.problems: list[str] = list(work.rules.problems)
        self.remarks: list[str] = [self.box.why] if self.box.why else []
        self.spawns = 0
        self.dead: list[str] = []
        self.silent = 0
        self.succeeds: dict[str, bool] = defaultdict(bool)
        self.ended_well = {OLD1: 0, NEW: 0}
        self.slow: frozenset[str] = frozenset()
        self.serve: tuple[str, ...] = ()

    def run(self) -> Report:
        """Return the report.

        Raises:
            OracleError: something cannot be read, built or replayed.
        """
        began = time.monotonic()
        totals = corpus.totals_of(self.path)
        before = fixture_digests(self.fixtures, totals.fixtures)
        drift = self._pinned(before)
        self._begin()
        traces = self._replay(totals.sha256)
        settled, again = self._compare(traces)
        drift += fixture_drift(
            before, fixture_digests(self.fixtures, totals.fixtures), "since the replay began"
        )
        report = self._report(totals, before, drift, settled)
        report = concluded(
            settled,
            report,
            self.work.rules.policy,
            self.table.unstable_cap,
            whole=not self.work.only,
        )
        report = self._explain(report, settled)
        held = self._held_out()
        replay = Replay(
            sandbox=self.box.kind,
            engine=self.work.engine.name + (" and fork server" if self.serve else ""),
            jobs=self.work.engine.jobs,
            spawns=self.spawns + again.spawns,
            seconds=round(time.monotonic() - began, 3),
            reruns=self.table.reruns,
            remarks=tuple(self.remarks),
        )
        return msgspec.structs.replace(report, replay=replay, holdout=held)

    def _report(
        self, totals: corpus.Totals, fixtures: dict[str, str], drift: list[str], settled: Settled
    ) -> Report:
        """Return what is known beside the deltas."""
        return Report(
            outcome=Outcome.PASS,
            sentence="",
            counts=Counts(steps=0, seeds=totals.seeds, silent=self.silent),
            old=self.work.sides.old_build,
            new=self.work.sides.new_build,
            problems=tuple(self.problems),
            lifeless=tuple(self._lifeless(settled)),
            drift=tuple(drift),
            corpus_drift=corpus_drift(self.work.rules, self.path, totals.sha256),
            policy=used(self.work.rules.policy, self.work.rules.where),
            corpus=Corpus(
                path=self.table.corpus,
                sha256=totals.sha256,
                seeds=totals.seeds,
                steps=totals.steps,
                fixtures=fixtures,
                whole=not self.work.only,
            ),
            same_build=self._same_build(),
            patch=self.work.sides.patch,
            dependencies=self.work.sides.dependencies,
            settings=settings_sha256(self.table),
            reach=(
                *reach_of(self.table, corpus.read_corpus(self.path)),
                *failing(self.table, self.succeeds),
            ),
            created=datetime.now(UTC).isoformat(timespec="seconds"),
        )

    # ── before ──────────────────────────────────────────────────────────────

    def _pinned(self, now: dict[str, str]) -> list[str]:
        lock = self.work.rules.lock
        if lock is None:
            self.problems.append(f"there is no {self.table.lock}: nothing is pinned")
            return []
        said = fixture_drift(
            {k: v for k, v in lock.fixtures.items() if k in now}, now, "in the lock"
        )
        if lock.masks_sha256 not in (None, masks_sha256(self.table)):
            said.append(f"masks or ignore are not what {self.table.lock} pins")
        policy = self.work.rules.policy
        if policy is not None and lock.policy_sha256 not in (None, policy.sha256):
            self.problems.append(f"{policy.path} is not what {self.table.lock} pins")
        return said

    def _playing(self, label: str) -> Playing:
        made = self.work.sides.new if label.startswith(NEW) else self.work.sides.old
        return Playing(
            build=made.build,
            box=self.box,
            timeout_s=self.table.timeout_s,
            mode=self.table.mode,
            fixtures=self.fixtures,
            ignore=self.table.ignore,
        )

    def _begin(self) -> None:
        """Ask both builds for a word that is known, and try the fork server."""
        playings = {label: self._playing(label) for label in (OLD1, NEW)}
        ready = Ready(playings, self.work.scratch)
        odd = ready.smoke(self.table.smoke, self.table.smoke_output)
        if odd.get(OLD1) is not None:
            raise OracleError(f"the old build does not start: {odd[OLD1].said}")
        if odd.get(NEW) is not None:
            found = self.dead if odd[NEW].dead else self.problems
            found.append(f"the new build does not start as it should: {odd[NEW].said}")
        if self.work.serve:
            sample = list(itertools.islice(self._sequences(), SAMPLE))
            why_not = ready.forks_alike(self.work.serve, sample)
            if why_not is None:
                self.serve = self.work.serve
            else:
                self.remarks.append(f"no fork server: {why_not}")

    # ── replay ──────────────────────────────────────────────────────────────

    def _key(self, sha256: str) -> str:
        sides, table = self.work.sides, self.table
        parts = [
            sha256,
            sides.old.sha256,
            sides.new.sha256,
            self.box.kind,
            msgspec.json.encode(table).decode(),
            list(self.work.only),
            list(self.serve),
        ]
        return sha256_hex(encode(parts))[:16]

    def _replay(self, sha256: str) -> list[str]:
        """Return the paths of the merged traces: old, new, old again."""
        shards = Shards(os.path.join(self.work.state, f"oracle-{self._key(sha256)}"))
        count = self._chunks_played(shards)
        self.slow = slow_seeds(shards.together(count, LABELS), self._seeds())
        folder = self.work.traces or self.work.scratch
        os.makedirs(folder, exist_ok=True)
        paths = [
            shards.merge(label, count, sha256, os.path.join(folder, f"{label}.trace"))
            for label in LABELS
        ]
        shards.remove()
        return paths

    def _chunks_played(self, shards: Shards) -> int:
        count = sum(1 for _ in self._sequences())
        if self.work.only and not count:
            raise OracleError(f"{self.table.corpus} has no seed {', '.join(self.work.only)}")
        total = -(-count // CHUNK)
        done = sum(shards.has(n, label) for n in range(total) for label in LABELS)
        if done:
            self.remarks.append(f"{done:,} of {3 * total:,} chunks were there from before")
        self.work.progress("replay", done, 3 * total)
        for task, data in self.work.engine.map(self._tasks(shards)):
            shards.put(task.number, task.label, data)
            done += 1
            self.spawns += shard_of(data).spawns
            self.work.progress("replay", done, 3 * total)
        return total

    def _tasks(self, shards: Shards) -> Iterator[Task]:
        """Yield what is still to be played: of each chunk old, new, old."""
        for number, lines in enumerate(chunked(self._sequences())):
            for label in LABELS:
                if not shards.has(number, label):
                    yield Task(number, label, self._playing(label), lines, self.serve)

    def _sequences(self) -> Iterator[corpus.Sequence]:
        for sequence in corpus.read_corpus(self.path):
            if not self.work.only or sequence.seed in self.work.only:
                yield sequence

    def _seeds(self) -> Iterator[str]:
        for sequence in self._sequences():
            yield sequence.seed

    # ── comparison ──────────────────────────────────────────────────────────

    def _compare(self, paths: Sequence[str]) -> tuple[Settled, Again]:
        again = Again(self.masks, self.table.reruns)
        first = Difference(
            [TraceFile(path) for path in paths], masks=self.masks, policy=None, judge=again.nominate
        )
        first.run()
        self._play_again(again)
        self.work.progress("compare", 0, 1)
        last = Difference(
            [TraceFile(path) for path in paths],
            masks=self.masks,
            policy=self.work.rules.policy,
            judge=again.judge,
        )
        settled = last.run()
        self._count(paths)
        self.remarks += again.remarks()
        self.work.progress("compare", 1, 1)
        return settled, again

    def _play_again(self, again: Again) -> None:
        wanted = again.wanted(self.slow)
        if not wanted or not self.table.reruns:
            return
        chosen = [one for one in self._sequences() if one.seed in wanted]
        tasks = [
            Task(number, f"{label}.{time_}", self._playing(label), lines, self.serve)
            for time_ in range(self.table.reruns)
            for number, lines in enumerate(chunked(iter(chosen)))
            for label in (OLD1, NEW)
        ]
        for done, (task, data) in enumerate(self.work.engine.map(tasks), 1):
            again.take(task.label.startswith(NEW), data)
            self.work.progress("again", done, len(tasks))

    def _held_out(self) -> HoldOut | None:
        """Play sequences that were drawn just now, as often as the corpus is."""
        if not self.work.holdout:
            return None
        number = secrets.randbits(32)
        drawn = sample(self.table, corpus.read_corpus(self.path), self.work.holdout, number)
        chunks = list(chunked(iter(drawn)))
        tasks = [
            Task(at, label, self._playing(label), lines, self.serve)
            for at, lines in enumerate(chunks)
            for label in LABELS
        ]
        shards: dict[tuple[str, int], Shard] = {}
        for done, (task, data) in enumerate(self.work.engine.map(tasks), 1):
            shards[task.label, task.number] = shard = shard_of(data)
            self.spawns += shard.spawns
            self.work.progress("hold-out", done, len(tasks))
        runs = [[shards[label, at] for at in range(len(chunks))] for label in LABELS]
        steps, differing = compared(drawn, runs, self.masks, self.work.rules.policy)
        return HoldOut(seeds=len(drawn), steps=steps, number=number, differing=differing)

    def _count(self, paths: Sequence[str]) -> None:
        """Count steps that show nothing, and those that ended well."""
        for label, path in zip((OLD1, NEW), paths, strict=False):
            trace = TraceFile(path)
            with trace.open() as file:
                for record in trace.records(iter(file)):
                    step = trace.step(record)
                    assert isinstance(step, Step)  # noqa: S101 - written above
                    self.silent += label == OLD1 and is_silent(step)
                    self.ended_well[label] += step.exit_code == 0
                    if label == OLD1:
                        self.succeeds[first_word(command_of(step))] |= step.exit_code == 0

    def _lifeless(self, settled: Settled) -> Iterator[str]:
        """Yield where a build never showed a sign of life."""
        yield from self.dead
        steps = settled.tally.records[0]
        if steps and self.silent == steps:
            yield "no step of the old build printed or wrote anything"
        for label, side in ((OLD1, "old"), (NEW, "new")):
            if steps and not self.ended_well[label]:
                yield f"no step of the {side} build ended with exit code 0"

    def _same_build(self) -> bool:
        sides = self.work.sides
        if sides.old.sha256 != sides.new.sha256:
            return False
        return bool(sides.patch) or sides.old_build.tree is None

    # ── afterwards ──────────────────────────────────────────────────────────

    def _explain(self, report: Report, settled: Settled) -> Report:
        if not report.clusters:
            return report
        shrinker = Shrinker(
            old=Player(self._playing(OLD1), os.path.join(self.work.scratch, "shrink-old")),
            new=Player(self._playing(NEW), os.path.join(self.work.scratch, "shrink-new")),
            masks=self.masks,
            command=self.table.command,
        )
        try:
            clusters = explained(
                report.clusters, settled.clusters, shrinker, self._sequences, self.work.progress
            )
        finally:
            shrinker.close()
        self.spawns += shrinker.spawns
        clusters = with_causes(clusters, self.work.sides.lines)
        counts = msgspec.structs.replace(
            report.counts, roots=sum(one.follows is None for one in clusters)
        )
        return msgspec.structs.replace(report, clusters=clusters, counts=counts)


def settings_sha256(table: OracleTable) -> str:
    """Return the digest of the settings that decide what is replayed and compared."""
    return sha256_hex(msgspec.json.encode(table, order="deterministic"))


def check(work: Work) -> Report:
    """Return what the two builds of `work` do differently over the corpus.

    Raises:
        OracleError: something cannot be read, built or replayed.
    """
    if not os.path.lexists(os.path.join(work.root, work.rules.table.corpus)):
        raise OracleError(
            f"{work.rules.table.corpus}: there is no corpus; `proctor oracle init` writes one"
        )
    return Check(work).run()
