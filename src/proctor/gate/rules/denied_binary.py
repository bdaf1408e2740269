"""A program that cannot be a test run stands where a test run is claimed.

Proves that the program is one of those in `[deny] binaries`, such as echo or true.
Does not prove that no tests were run elsewhere.

Likely cause: a result was printed instead of produced.

Next: run the tests themselves: `proctor run --claims tests -- pytest`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.calls import asked_for, named
from proctor.gate.case import Case
from proctor.gate.evidence import Evidence, Policy
from proctor.gate.words import shown

_CURE = "run the tests themselves: proctor run --claims tests -- pytest"


def _check(case: Case) -> Iterator[Hit]:
    for seen in case.evidence.every_seen():
        span = seen.span
        if span.denied_binary and span.claims == "tests" and span.parent_span_id is None:
            yield Hit(message=f"{shown(span.argv)} cannot run a test", cure=_CURE, span=span)

    for call in case.evidence.calls:
        spans = [span for span in call.spans if span.denied_binary or call.denied]
        if call.claims and not call.tests and spans:
            yield Hit(
                message=f"{named(call)} claims tests, and {asked_for(call)} cannot run one",
                cure=_CURE,
                span=spans[0],
            )


def _every(evidence: Evidence, policy: Policy) -> Iterator[Hit]:
    del policy
    for seen in evidence.every_seen():
        if seen.span.denied_binary:
            yield Hit(
                message=f"{shown(seen.span.argv)} cannot run a test", cure=_CURE, span=seen.span
            )


RULE = Rule(
    level=Level.ERROR,
    check=_check,
    every=_every,
    hides=("below-floor", "nonzero-exit", "no-records"),
)
