"""The tool calls beside the records, as the verdict carries them."""

import shlex

from proctor.findings import Joined, JoinedCall, JoinedTranscript
from proctor.gate.evidence import Call, Evidence


def joined_of(evidence: Evidence) -> Joined:
    """Return the transcripts and their calls without anything that the agent said."""
    return Joined(
        transcripts=tuple(
            JoinedTranscript(
                path=one.path,
                agent=one.agent,
                calls=one.calls,
                shell_calls=one.shell_calls,
                joined=one.joined,
                before=one.before,
                elsewhere=one.elsewhere,
                skipped=one.skipped,
                payloads=one.payloads,
            )
            for one in evidence.transcripts
        ),
        calls=tuple(map(_call, evidence.calls)),
    )


def _call(one: Call) -> JoinedCall:
    call = one.call
    return JoinedCall(
        call_id=call.call_id,
        agent=call.agent,
        session=call.session,
        subagent=call.subagent,
        tool=call.tool,
        line=call.line,
        command=call.command if call.argv is None else shlex.join(call.argv),
        payload_sha256=call.payload_sha256,
        how=one.how,
        claims_tests=one.claims,
        spans=tuple(span.span_id for span in one.spans),
        tests=tuple(seen.span.span_id for seen in one.tests),
        told_exit_code=call.told.exit_code,
        exit_codes=tuple(seen.span.exit_code for seen in one.tests),
    )
