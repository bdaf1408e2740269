from typing import TYPE_CHECKING, Any

from proctor.gate.beside import Transcript
from proctor.join.toolcall import Told

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def test_the_verdict_carries_the_calls_and_what_really_happened(bench: Bench) -> None:
    run = bench.seen("pytest -q", exit_code=1)
    told = Told(exit_code=0, ending="ended")
    call = bench.call("pytest -q | tail", run, told=told, spans=(run.span,))
    transcript = Transcript(path="t.jsonl", agent="codex", calls=3, shell_calls=2, joined=1)
    joined = bench.verdict(run, calls=(call,), transcripts=(transcript,)).joined
    assert joined is not None
    assert joined.schema == "proctor.join/1"
    assert joined.transcripts[0].agent == "codex"
    (one,) = joined.calls
    assert (one.how, one.told_exit_code, one.exit_codes) == ("text", 0, (1,))
    assert one.spans == one.tests == (run.span.span_id,)


def test_without_a_transcript_there_is_nothing_of_it(bench: Bench) -> None:
    assert bench.verdict(bench.seen("pytest")).joined is None


def test_an_argv_is_shown_as_a_command(bench: Bench) -> None:
    call = bench.call(None, tool="run_tests", argv=("pytest", "-k", "a b"))
    transcript = Transcript(path="t", agent="x")
    joined = bench.verdict(calls=(call,), transcripts=(transcript,)).joined
    assert joined is not None
    assert joined.calls[0].command == "pytest -k 'a b'"
