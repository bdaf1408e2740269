"""The answers of other commands than the gate, as verdicts: what is missing is never green."""

from typing import Any

import pytest

from proctor.audit.answer import summary_of as audit_of
from proctor.audit.report import Counts, Report, Run, Session, Witness
from proctor.capture.compare import Drift
from proctor.capture.show import Row, Shown
from proctor.findings import Finding, Level, Outcome
from proctor.oracle.policy import Remark
from proctor.oracle.result import Build, Corpus, PolicyUsed
from proctor.receipt.base import EXIT_MISSING, EXIT_STALE, Checked, Refusal
from proctor.receipt.check import Answer as Receipts
from proctor.receipt.replay import Replayed
from proctor.report.answer import Answer, render
from proctor.report.behaviour import summary_of as behaviour_of
from proctor.report.captures import compared_answer, shown_answer
from proctor.report.formats import markdown, text
from proctor.report.histories import answer_of as history_of
from proctor.report.receipts import answer_of as receipts_of
from proctor.report.replays import answer_of as replay_of
from proctor.report.style import Style
from proctor.report.summary import Summary, Table, outcome_of
from tests.unit.report.test_page import oracle_report
from tests.unit.report.test_page_sections import standing


def finding(level: Level) -> Finding:
    return Finding(rule="r", level=level, message="m")


def refused(path: str, code: int = EXIT_STALE, **members: Any) -> Checked:
    message = f"is about {'a' * 40}, here is {'b' * 40}"
    wrong = Refusal(code=code, rule="stale-tree", field="git_tree", message=message, cure="c")
    return Checked(path=path, refusals=(wrong,), **members)


def test_the_worst_finding_is_the_outcome() -> None:
    assert outcome_of([]) is Outcome.PASS
    assert outcome_of([finding(Level.NOTE), finding(Level.WARNING)]) is Outcome.PASS
    assert outcome_of([finding(Level.WARNING), finding(Level.UNPROVEN)]) is Outcome.UNPROVEN
    assert outcome_of([finding(Level.UNPROVEN), finding(Level.ERROR)]) is Outcome.FAIL


# ── receipts ────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("answer", "outcome", "sentence"),
    [
        (Receipts(checked=()), Outcome.UNPROVEN, "nothing was checked"),
        (Receipts(checked=(), not_owed=("unit",)), Outcome.PASS, "nothing is owed: the patch"),
        (
            Receipts(checked=(refused("/r.json", requirement="unit"),)),
            Outcome.FAIL,
            "the receipt is refused: is about aaaaaaaaaaaa…, here is bbbbbbbbbbbb…",
        ),
        (
            Receipts(checked=(refused("a"), refused("b", EXIT_MISSING))),
            Outcome.FAIL,
            "2 of 2 receipts are refused: ",
        ),
        (Receipts(checked=(refused("a", EXIT_MISSING),)), Outcome.UNPROVEN, "the receipt is"),
    ],
)
def test_receipts_are_as_red_as_their_refusals(
    answer: Receipts, outcome: Outcome, sentence: str
) -> None:
    verdict = receipts_of(answer).verdict
    assert verdict.outcome is outcome
    assert verdict.sentence.startswith(sentence)
    assert all(one.paths for one in verdict.findings if answer.checked)


def test_a_receipts_case_is_missing_or_refused() -> None:
    answer = Receipts(checked=(refused("a", requirement="unit"), refused("b", EXIT_MISSING)))
    verdict = receipts_of(answer).verdict
    assert isinstance(verdict, Summary)
    assert [(one.name, one.outcome) for one in verdict.cases] == [
        ("unit: a", Outcome.FAIL),
        ("b", Outcome.UNPROVEN),
    ]


@pytest.mark.parametrize(
    ("found", "outcome", "rules", "first"),
    [
        (Replayed(outcome="reproduced", command="pytest"), Outcome.PASS, [], "reproduced: pytest"),
        (
            Replayed(outcome="reproduced", command="pytest", is_red=True),
            Outcome.FAIL,
            ["nonzero-exit"],
            "reproduced, and red there and here: pytest",
        ),
        (
            Replayed(outcome="diverged", command="p", differences=("x",), notes=("n\x1b",)),
            Outcome.FAIL,
            ["replay-diverged"],
            "diverged: p",
        ),
        (
            Replayed(outcome="could not run", differences=("no disk",)),
            Outcome.UNPROVEN,
            ["replay-failed"],
            "could not run",
        ),
    ],
)
def test_a_replay_is_green_only_where_it_came_out_alike_and_green(
    found: Replayed, outcome: Outcome, rules: list[str], first: str
) -> None:
    answer = replay_of(found)
    assert answer.verdict.outcome is outcome
    assert [one.rule for one in answer.verdict.findings] == rules
    text = render(answer, "text", Style())
    assert text.splitlines()[0] == first
    assert "\x1b" not in text
    assert '"proctor.replay/1"' in render(answer, "json", Style())


# ── evidence ────────────────────────────────────────────────────────────────


def kept(tmp_path: Any, **members: Any) -> Answer:
    row = Row(have="junit.xml", proves="p", does_not_prove="n")
    facts = {"rows": (row,), "instead": (), "problems": (), "facts": ()}
    return shown_answer(Shown(folder=str(tmp_path), **facts | members))


def test_kept_evidence_fails_by_its_problems_and_is_unproven_without_files(tmp_path: Any) -> None:
    good, none = kept(tmp_path), kept(tmp_path, rows=())
    bad = kept(tmp_path, problems=("junit.xml is another file", "x is missing"))
    assert [one.verdict.outcome for one in (good, none, bad)] == [
        Outcome.PASS, Outcome.UNPROVEN, Outcome.FAIL,
    ]  # fmt: skip
    assert bad.verdict.sentence == "junit.xml is another file, and 1 more"
    assert "there is no evidence here" in render(none, "text", Style())


@pytest.mark.parametrize(
    ("weights", "comparable", "outcome", "said"),
    [
        ((), True, Outcome.PASS, "no difference"),
        (("light",), True, Outcome.PASS, "light   p: 1 → 2"),
        (("heavy", "medium"), True, Outcome.FAIL, "heavy   p: 1 → 2"),
        ((), False, Outcome.UNPROVEN, "nothing was compared"),
    ],
)
def test_captures_differ_by_weight(
    weights: tuple[str, ...], comparable: bool, outcome: Outcome, said: str
) -> None:
    drifts = [Drift(weight=weight, what="p", a="1", b="2") for weight in weights]
    answer = compared_answer("a", "b", drifts, comparable=comparable)
    assert answer.verdict.outcome is outcome
    assert said in render(answer, "text", Style())


# ── behaviour, tests, transcripts ───────────────────────────────────────────


def test_whatever_keeps_the_oracle_from_a_pass_is_a_finding() -> None:
    corpus = Corpus(path="c", sha256="1", seeds=1, steps=1)
    policy = PolicyUsed(path="p", sha256="2", where="file", entries=0)
    drifted = behaviour_of(
        oracle_report(clusters=(), drift=("f",), corpus_drift=("s",), corpus=corpus, policy=policy)
    )
    assert [one.rule for one in drifted.findings] == ["fixture-drift", "corpus-drift"]
    assert {"corpus c", "policy p"} <= drifted.inputs.keys()
    for report, rule, level in (
        (oracle_report(clusters=()), "flagged-delta", Level.ERROR),
        (
            oracle_report(clusters=(), outcome=Outcome.UNPROVEN, same_build=True, corpus=corpus),
            "same-build",
            Level.UNPROVEN,
        ),
    ):
        (only,) = behaviour_of(report).findings
        assert (only.rule, only.level) == (rule, level)


def test_a_flagged_change_names_its_line_and_how_to_approve_it() -> None:
    new = Build(name="here", tree="t")
    (one,) = behaviour_of(oracle_report(delta_set="d" * 64, new=new)).findings
    assert (one.paths, one.line) == (("app.py",), 3)
    assert one.cure.endswith(f"proctor approve {'d' * 64} --reason WHY")
    corpus = Corpus(path="c", sha256="1", seeds=1, steps=1)
    (drafted,) = behaviour_of(oracle_report(corpus=corpus)).findings
    assert drafted.cure.endswith("proctor oracle draft-policy oracle.json")
    assert "problem" not in drafted.message


@pytest.mark.parametrize(
    ("states", "outcome", "observed", "sentence"),
    [
        ((), Outcome.UNPROVEN, False, "no test is known"),
        (("stable",), Outcome.PASS, False, "none of 1 tests is flaky"),
        (("flaky", "broken"), Outcome.PASS, True, "`t::0` is flaky: 2 of 4 failed, and 1 more"),
    ],
)
def test_a_history_blocks_nothing_and_says_what_it_saw(
    states: tuple[str, ...], outcome: Outcome, observed: bool, sentence: str
) -> None:
    found = [standing(f"t::{place}", state=state) for place, state in enumerate(states)]
    verdict = history_of(found).verdict
    assert (verdict.outcome, verdict.would_block) == (outcome, observed)
    assert verdict.sentence.startswith(sentence)


def test_an_audit_names_agents_up_to_a_number_and_what_really_failed() -> None:
    run = Run(
        line=3, call_id="c", command="pytest | tail", runner="pytest", role="test",
        status="masked", masked_by="| tail", bypassed=False, told="success", exit_code=0,
        standing="unprovable", shows="", witness=Witness(how="id", exit_codes=(1,)),
    )  # fmt: skip
    session = Session(path="t.jsonl", reader="x", agent="a", runs=(run,), counts=Counts(tests=1))
    agents = {str(number): 1 for number in range(5)}
    verdict = audit_of(Report(sessions=(session,), agents=agents, since="2026-01-01"))
    assert verdict.facts[1:] == ("5 agents", "since 2026-01-01")
    (found,) = verdict.findings
    assert (found.rule, found.paths, found.line) == ("masked-exit", ("t.jsonl",), 3)
    assert verdict.would_block
    assert not audit_of(Report()).would_block


def test_the_gates_own_text_knows_another_commands_name() -> None:
    many = tuple(finding(Level.ERROR) for _ in range(30))
    one = Summary(
        command="receipt check", outcome=Outcome.FAIL, sentence="s", findings=many, facts=("f",)
    )
    shown = text.FORMAT.render(one, Style())
    assert "proctor receipt check --format json" in shown
    assert shown.startswith("FAIL  f · s")
    assert "more findings" not in text.FORMAT.render(one, Style(whole=True))


def test_what_must_not_go_unsaid_stands_beside_the_findings() -> None:
    remark = Remark(kind="stale", entry=1, message="entry 1 allows nothing", counts=False)
    found = behaviour_of(oracle_report(remarks=(remark,), problems=("nothing is pinned",)))
    assert [one.rule for one in found.findings[1:]] == ["stale-allowance", "unverified-base"]
    (notes,) = [one for one in audit_of(Report(interrupted=True)).tables if one.title == "Notes"]
    assert notes.rows[0][0].startswith("interrupted")
    every = history_of([standing(state="stable")], every=True)
    assert "stable" in render(every, "markdown", Style())
    assert every.verdict.findings == ()


def test_a_long_table_is_cut_in_markdown_and_says_so() -> None:
    table = Table(title="t", head=("a",), rows=(("x",),) * 201)
    one = Summary(command="audit", outcome=Outcome.PASS, sentence="s", findings=(), tables=(table,))
    shown = markdown.FORMAT.render(one, Style())
    assert shown.count("\n| x |") == 200
    assert "and 1 more" in shown
