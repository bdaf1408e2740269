"""Verdicts written down: compared with golden files, safe to show.

`python -m tests.unit.report.test_verdict_formats` writes the golden files anew.
"""

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
import pytest

from proctor._family import member
from proctor.findings import (
    Against,
    Finding,
    Joined,
    JoinedCall,
    JoinedTranscript,
    Level,
    Outcome,
    Suite,
    Verdict,
)
from proctor.report.base import Format, format_names
from proctor.report.formats.text import LINES, _transcript
from proctor.report.style import Style

GOLDEN = Path(__file__).parents[2] / "golden" / "verdict"
PLAIN = Style()


def _render(name: str, verdict: Verdict, style: Style = PLAIN) -> str:
    found = member("proctor.report.formats", name, "FORMAT")
    assert isinstance(found, Format)
    return found.render(verdict, style).replace(version("proctor"), "VERSION")


def _finding(rule: str, level: Level, message: str, cure: str = "", **more: object) -> Finding:
    return Finding(rule=rule, level=level, message=message, cure=cure, **more)  # type: ignore[arg-type]


def _verdict(**members: object) -> Verdict:
    facts: dict[str, object] = {
        "outcome": Outcome.PASS,
        "trust_level": 0,
        "sentence": "`pytest -q` passed on these files",
        "findings": (),
        "suites": (),
        "executed": 12,
        "attempts": 1,
        "red": 0,
        "tree": "5e1c309dae7f45e0f39b1bf3ac3cd9db12e7d689",
        "inputs": {"log /state/spans.jsonl": "ab" * 32},
    }
    return Verdict(**{**facts, **members})  # type: ignore[arg-type]


MASKED = _finding(
    "masked-exit",
    Level.ERROR,
    "`pytest -q` returned 1, but `bash -c 'pytest -q | tail -3'` above it returned 0",
    "mend what fails, then run it unmasked: proctor run -- pytest -q",
    span_id="00000000000000a1",
    argv=("pytest", "-q"),
)
HOSTILE = (
    "a\r\n::error::x ##[add-mask]y \x1b[31m\u202egnp.exe\u200b `` | # <img src=x onerror=alert(1)> "
    "</script> @octocat/team #12 www.example.org [x](javascript:alert(1)) :tada: %0A\\| &amp; ]]> \udc80"
)
CASES = {
    "pass": _verdict(),
    "base": _verdict(
        outcome=Outcome.FAIL,
        sentence="the patch changes what it, or the next patch, is judged by",
        base=Against(
            name="origin/main",
            how="remote branch origin/main",
            commit="4f" * 20,
            merge_base="1a" * 20,
        ),
        findings=(
            _finding("policy-touched", Level.ERROR, "CODEOWNERS: x", "undo it", digest="ab" * 32),
            _finding("policy-touched", Level.ERROR, "proctor.toml: x", "undo it", digest="ab" * 32),
            _finding("partial-run", Level.NOTE, "a part; approved by ann", digest="cd" * 32),
        ),
        loosened=("partial-run is approved",),
    ),
    "fail": _verdict(
        outcome=Outcome.FAIL,
        sentence="a test command failed below something that returned 0",
        findings=(
            MASKED,
            _finding("odd-environment", Level.WARNING, "LD_PRELOAD is set", "unset it"),
            _finding("below-floor", Level.NOTE, "took 20 ms", "proctor floors measure"),
        ),
        attempts=7,
        red=6,
        suites=(
            Suite(
                name="pytest -q",
                command_class="pytest",
                argv=("pytest", "-q"),
                span_id="00000000000000a1",
                outcome=Outcome.FAIL,
                executed=12,
                attempts=7,
                red=6,
            ),
        ),
    ),
    "unproven": _verdict(
        outcome=Outcome.UNPROVEN,
        sentence="nothing is recorded of the tests that are owed",
        findings=(
            _finding(
                "no-records",
                Level.UNPROVEN,
                "'web' owes `npm test`, which no record shows",
                "proctor run -- npm test",
                requirement="web",
            ),
        ),
        executed=None,
        attempts=0,
        tree=None,
        loosened=("nothing is blocked (enforce = observe)",),
    ),
    "joined": _verdict(
        outcome=Outcome.FAIL,
        sentence="a test command failed below something that returned 0",
        findings=(
            msgspec.structs.replace(MASKED, call_id="toolu_01"),
            _finding(
                "unwitnessed-call",
                Level.UNPROVEN,
                "tool call toolu_02 claims tests (`npm test`), and nothing recorded belongs to it",
                "proctor run -- npm test",
                call_id="toolu_02",
            ),
        ),
        joined=Joined(
            transcripts=tuple(
                JoinedTranscript(
                    path=f"/t/{number}.jsonl",
                    agent="codex",
                    calls=9,
                    shell_calls=shells,
                    joined=1,
                    before=1,
                    elsewhere=2,
                    skipped=3,
                    payloads=() if shells else ("ab" * 32,),
                )
                for number, shells in enumerate((7, 0, 0, 5))
            ),
            calls=(
                JoinedCall(
                    call_id="toolu_01",
                    agent="codex",
                    session="s",
                    tool="exec_command",
                    line=4,
                    command="pytest -q | tail -3",
                    payload_sha256="cd" * 32,
                    how="text",
                    claims_tests=True,
                    spans=("00000000000000a0",),
                    tests=("00000000000000a1",),
                    told_exit_code=0,
                    exit_codes=(1,),
                ),
            ),
        ),
    ),
    "observed": _verdict(
        sentence="it would have blocked: a test command failed below something that returned 0",
        findings=(MASKED,),
        loosened=("nothing is blocked (enforce = observe)",),
        would_block=True,
        suites=(
            Suite(
                name="pytest -q",
                command_class="pytest",
                argv=("pytest", "-q"),
                span_id="00000000000000a1",
                outcome=Outcome.FAIL,
                executed=None,
                attempts=1,
                red=1,
            ),
        ),
    ),
    "hostile": _verdict(
        outcome=Outcome.FAIL,
        sentence=HOSTILE,
        findings=(
            _finding(
                "test-aware-code",
                Level.ERROR,
                HOSTILE,
                HOSTILE,
                argv=("pytest", HOSTILE),
                paths=(f"src/a b,c:%{HOSTILE}.py",),
                line=7,
                requirement=HOSTILE,
            ),
        ),
        suites=(
            Suite(
                name=HOSTILE,
                command_class=HOSTILE,
                argv=("pytest", HOSTILE),
                span_id="a1",
                outcome=Outcome.UNPROVEN,
                executed=None,
                attempts=1,
                red=0,
            ),
        ),
        inputs={f"log {HOSTILE}": HOSTILE},
        loosened=(HOSTILE,),
    ),
    "many": _verdict(
        outcome=Outcome.FAIL,
        sentence="a test command returned another number than 0",
        executed=1,
        findings=tuple(
            _finding("nonzero-exit", Level.ERROR, f"`pytest {n}` returned 1", f"run {n}")
            for n in range(9)
        ),
    ),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", format_names(Format))
def test_a_verdict_reads_as_its_golden_file(name: str, case: str) -> None:
    golden = GOLDEN / f"{case}.{name}"
    assert _render(name, CASES[case]) == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("case", CASES)
def test_the_text_is_a_headline_and_at_most_a_dozen_lines(case: str) -> None:
    assert len(_render("text", CASES[case]).splitlines()) <= 1 + LINES


@pytest.mark.parametrize("case", [case for case in CASES if case != "hostile"])
def test_the_json_reads_back_as_the_same_verdict(case: str) -> None:
    text = _render("json", CASES[case])
    assert msgspec.json.decode(text, type=Verdict) == CASES[case]
    assert json.loads(text)["schema"] == "proctor.verdict/1"


def test_hostile_names_are_shown_escaped() -> None:
    hostile = "\x1b[2J\u202egnp.exe\r\n`PASS` \udc80"
    verdict = _verdict(
        sentence=hostile,
        loosened=(hostile,),
        findings=(_finding("killed", Level.ERROR, hostile, hostile, requirement=hostile),),
    )
    text = _render("text", verdict)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "\\x1b[2J\\u202egnp.exe\\r\\n" in text
    assert len(text.splitlines()) == 4
    text.encode("utf-8")


def test_lone_surrogates_become_escapes_in_json() -> None:
    verdict = _verdict(findings=(_finding("killed", Level.ERROR, "a\udc80b", argv=("\udc80",)),))
    found = json.loads(_render("json", verdict))
    assert found["findings"][0]["argv"] == ["\\udc80"]


def test_colour_stands_only_where_it_is_asked_for() -> None:
    coloured = _render("text", CASES["fail"], Style(colour=True))
    assert coloured.startswith("\x1b[31mFAIL\x1b[0m")
    assert "\x1b" not in _render("text", CASES["fail"])


def test_every_format_renders_every_verdict() -> None:
    for name in format_names(Format):
        for verdict in CASES.values():
            assert _render(name, verdict).endswith("\n")


if __name__ == "__main__":
    for _name in format_names(Format):
        for _case, _one in CASES.items():
            (GOLDEN / f"{_case}.{_name}").write_text(_render(_name, _one), encoding="utf-8")


def test_one_of_a_kind_is_one_and_unreadable_parts_are_said_without_a_shell_call() -> None:
    def said(**more: Any) -> str:
        numbers: Any = dict.fromkeys(("shell_calls", "joined", "before", "elsewhere"), 0)
        one = JoinedTranscript(
            path="/t", agent="x", **{**numbers, "calls": 1, "skipped": 0, **more}
        )
        return _transcript(one)

    assert said() == "/t: no shell call: nothing to witness (1 other tool call)"
    assert said(skipped=1).endswith("; left out: 1 part that cannot be read")
    assert said(shell_calls=2, before=1, skipped=2) == (
        "/t: left out: 1 tool call from before the records, 2 parts that cannot be read"
    )
