"""Whether nothing is owed, and why: the only pass without a test run."""

from proctor.gate.case import Case
from proctor.gate.words import listed


def nothing_owed(case: Case) -> str | None:
    """Return the reason why nothing is owed, or none; asked where no decision is.

    Absence is never success: it takes requirements that the patch does not touch,
    a patch of prose, or a whole, non-empty log in which nobody attempted a test (a
    patch that no agent touched).
    """
    evidence = case.evidence
    if case.is_prose:
        prose = f"only prose differs: {listed(evidence.diff)}" if evidence.diff else ""
        return prose or "nothing differs from the base"
    if case.policy.require:
        return "no requirement's paths are touched"
    attempted = (
        case.attempts or case.scripts or any(pending.leaves for pending in evidence.pendings)
    )
    unfinished = any(not pending.locked for pending in evidence.pendings)
    whole = not any(log.problems for log in evidence.logs)
    recorded = any(log.records for log in evidence.logs)
    # NOTE: without a base nothing says which patch the log should have seen; one
    # harmless record would then turn a missing run into a pass.
    if evidence.base is None or evidence.tree is None:
        return None
    if attempted or unfinished or not whole or not recorded:
        return None
    return "no test run was attempted since the merge base"
