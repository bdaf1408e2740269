import itertools
import shlex
from random import Random
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from proctor.classify.classify import classify_argv
from proctor.join.match import Asked, Join, Matches, Ran, match
from proctor.join.toolcall import Told, ToolCall
from proctor.records.span import Span

_ids = itertools.count(1)


def at(seconds: float) -> str:
    return f"2026-03-01T10:{int(seconds) // 60:02d}:{seconds % 60:09.6f}Z"


def asked(
    command: str | None, began: float | None = 0, ended: float | None = None, **more: Any
) -> Asked:
    number = next(_ids)
    runners = more.pop("runners", None)
    roots, claims = more.pop("roots", frozenset()), more.pop("claims", False)
    if runners is None:
        found = classify_argv(shlex.split(command or ""), peel=True)
        runners = (found,) if found and found.role == "test" else ()
    call = ToolCall(
        **{
            "call_id": f"call-{number}",
            "agent": "claude_code",
            "session": "s1",
            "tool": "Bash",
            "command": command,
            "started_at": None if began is None else at(began),
            "finished_at": None if ended is None else at(ended),
            "told": Told(ending="ended"),
            **more,
        }
    )
    return Asked(call=call, runners=runners, roots=roots, claims=claims)


def ran(
    argv: str | tuple[str, ...], began: float = 0, parent: Ran | None = None, **more: Any
) -> Ran:
    words = tuple(shlex.split(argv)) if isinstance(argv, str) else argv
    found = classify_argv(words, peel=False)
    root = more.pop("root", None)
    span = Span(
        **{
            "span_id": f"{next(_ids):016x}",
            "run_id": parent.span.run_id if parent else f"run-{next(_ids)}",
            "parent_span_id": parent.span.span_id if parent else None,
            "argv": words, "cwd": "/w", "exit_code": 0, "started_at": at(began),
            "duration_ms": 1, "duration_floor_ms": 0, "duration_ok": True, "denied_binary": False,
            "stdout_sha256": None, "stderr_sha256": None, "stdout_bytes": None,
            "stderr_bytes": None, "env_names": (), "witness": "tree", **more,
        }
    )  # fmt: skip
    tests = (found,) if found and found.role == "test" else ()
    return Ran(span=span, runners=tests, root=root)


def shell(text: str, began: float = 0, parent: Ran | None = None, **more: Any) -> Ran:
    return ran(("/bin/bash", "-c", text), began, parent, **more)


def joined(matches: Matches) -> list[tuple[str, list[str]]]:
    return [(join.how, list(join.spans)) for join in matches.joins]


def only(matches: Matches) -> Join:
    (join,) = matches.joins
    return join


def test_a_span_that_was_given_the_calls_id_belongs_to_it() -> None:
    call = asked("pytest -q", call_id="toolu_1")
    other = asked("pytest -q", call_id="toolu_2")
    root = shell("pytest -q", parent_tool_span="toolu_2")
    leaf = ran("pytest -q", parent=root, parent_tool_span="toolu_2")
    found = match([call, other], [leaf, root])
    assert joined(found) == [("", []), ("id", [root.span.span_id])]
    assert found.joins[1].tests == (leaf.span.span_id,)
    assert found.orphans == ()


def test_an_id_that_several_calls_share_is_settled_by_the_text_alone() -> None:
    calls = [asked("pytest -q", call_id="1"), asked("npm test", call_id="1")]
    found = match(calls, [shell("npm test", parent_tool_span="1")])
    assert [how for how, _ in joined(found)] == ["", "id"]
    assert [how for how, _ in joined(match(calls, [ran("ls", parent_tool_span="1")]))] == ["", ""]


def test_the_trace_must_agree_where_both_have_one() -> None:
    span_id, one, two = "b7ad6b7169203331", "0" * 31 + "1", "0" * 31 + "2"
    call = asked("ls", call_id="c", tool_span=span_id, trace_id=one)
    for trace, how in ((one, "id"), (two, "")):
        given = f"00-{trace}-{span_id}-01"
        found = match([call], [ran("ls", parent_tool_span=span_id, traceparent=given)])
        assert only(found).how == how


def test_the_exact_command_in_a_watched_shell_is_a_key() -> None:
    call = asked("cd repo && pytest -q | tail -3", 1, 3)
    agent = ran("claude -p go")
    wrapped = shell("source x && eval 'cd repo && pytest -q | tail -3' && pwd", 1.1, agent)
    leaf = ran("pytest -q", 1.2, wrapped)
    found = only(match([call], [agent, wrapped, leaf]))
    assert (found.how, found.spans, found.tests) == (
        "text",
        (wrapped.span.span_id,),
        (leaf.span.span_id,),
    )


def test_equal_commands_are_matched_in_order_of_time() -> None:
    calls = [asked("pytest -q", 10 * n, 10 * n + 2) for n in range(1, 4)]
    shells = [shell("pytest -q", 10 * n + 0.5) for n in (1, 3)]
    found = match(calls, shells)
    assert joined(found) == [
        ("text", [shells[0].span.span_id]),
        ("", []),
        ("text", [shells[1].span.span_id]),
    ]


def test_calls_that_follow_at_once_are_not_crossed() -> None:
    calls = [asked("pytest -q", 10, 11), asked("pytest -q", 11.2, 12)]
    shells = [shell("pytest -q", 10.5), shell("pytest -q", 11.7)]
    found = match(calls, shells)
    assert [spans for _, spans in joined(found)] == [[one.span.span_id] for one in shells]


def test_without_times_equal_commands_keep_their_order() -> None:
    calls = [asked("pytest -q", None), asked("pytest -q", None)]
    shells = [shell("pytest -q", 20), shell("pytest -q", 10)]
    found = match(calls, shells)
    assert [spans[0] for _, spans in joined(found)] == [
        shells[1].span.span_id,
        shells[0].span.span_id,
    ]


def test_a_shell_in_another_working_tree_is_anothers() -> None:
    call = asked("pytest -q", 1, 2, roots=frozenset(("/w/a",)))
    found = match([call], [shell("pytest -q", 1, root="/w/b")])
    assert only(found).how == ""


def test_a_shell_long_after_the_answer_is_anothers() -> None:
    assert only(match([asked("pytest -q", 1, 2)], [shell("pytest -q", 9)])).how == ""
    assert only(match([asked("pytest -q", 60, 61)], [shell("pytest -q", 1)])).how == ""


def test_a_background_call_may_start_late() -> None:
    call = asked("pytest -q", 1, 1.1, background=True)
    assert only(match([call], [shell("pytest -q", 30)])).how == "text"


def test_the_shell_below_another_calls_shell_is_not_a_second_call() -> None:
    outer_call, lost = asked("bash -c 'pytest -q'", 1, 5, runners=()), asked("pytest -q", 1, 5)
    outer = shell("bash -c 'pytest -q'", 1)
    found = match([outer_call, lost], [outer, shell("pytest -q", 1.1, outer)])
    assert [how for how, _ in joined(found)] == ["text", ""]


def test_braces_around_the_command_are_looked_through() -> None:
    call = asked("pytest -q", 1, 5)
    around = shell("{ pytest -q; }; __code=$?; pgrep -g 0 >/tmp/x 2>&1; exit $__code;", 1)
    assert only(match([call], [around])).how == "text"


def test_equal_text_goes_before_text_within_a_longer_line() -> None:
    short, long = asked("pytest -q", 1, 5), asked("pytest -q; echo done", 1, 5)
    found = match([short, long], [shell("pytest -q; echo done", 1)])
    assert [how for how, _ in joined(found)] == ["", "text"]


def test_a_command_that_names_proctor_itself_is_inferred() -> None:
    call = asked("proctor run -- pytest -q tests", 1, 5)
    root = ran("pytest -q tests", 1.2)
    found = only(match([call], [root]))
    assert (found.how, found.spans) == ("inferred", (root.span.span_id,))


def test_each_runner_of_a_call_may_have_a_run_of_its_own() -> None:
    first, second = (classify_argv(words.split(), peel=True) for words in ("pytest a", "pytest b"))
    assert first
    assert second
    call = asked("proctor run -- pytest a; proctor run -- pytest b", 1, 9, runners=(first, second))
    runs = [ran("pytest a", 2), ran("pytest b", 4), ran("pytest c", 6)]
    found = match([call], runs)
    assert only(found).spans == tuple(one.span.span_id for one in runs[:2])
    assert found.orphans == (runs[2].span.span_id,)


def test_other_tests_than_the_call_asks_for_are_not_inferred_but_lie_beside_it() -> None:
    call = asked("pytest tests/test_checkout.py", 1, 5)
    other = ran("pytest -q", 2)
    found = match([call], [other])
    assert only(found).how == ""
    assert only(found).beside == (other.span.span_id,)


def test_what_may_lie_beside_two_calls_lies_beside_none() -> None:
    calls = [asked("pytest a", 1, 5), asked("pytest b", 1, 5)]
    assert all(not join.beside for join in match(calls, [ran("pytest -q", 2)]).joins)


def test_an_argv_is_matched_by_its_words() -> None:
    call = asked(None, 1, 5, tool="run_tests", argv=("echo", "5 passed"))
    assert only(match([call], [ran(("echo", "5 passed"), 2)])).how == "inferred"


def test_a_claim_without_a_command_takes_the_runs_of_its_time() -> None:
    call = asked(None, 1, 5, tool="run_tests", claims=True)
    runs = [ran("pytest -q", 2), ran("pytest -q", 50)]
    found = match([call], runs)
    assert only(found).how == "inferred"
    assert only(found).spans == (runs[0].span.span_id,)
    two = [call, msgspec.structs.replace(call)]
    assert [how for how, _ in joined(match(two, runs))] == ["", ""]


def test_a_test_run_in_the_sessions_time_that_no_call_asked_for_is_an_orphan() -> None:
    calls = [asked("ls", 1, 2), asked("ls", 50, 60)]
    inside, outside = ran("pytest -q", 30), ran("pytest -q", 600)
    assert match(calls, [inside, outside]).orphans == (inside.span.span_id,)


def test_a_test_run_of_a_run_in_which_a_call_was_joined_is_an_orphan_too() -> None:
    agent = ran("agent")
    call = shell("ls -la", 1, agent)
    leaf = ran("pytest", 900, agent)
    found = match([asked("ls -la", None)], [agent, call, leaf])
    assert found.orphans == (leaf.span.span_id,)


def test_without_times_and_joins_nothing_is_an_orphan() -> None:
    assert match([asked("ls", None)], [ran("pytest", 3)]).orphans == ()


def test_what_still_runs_is_no_orphan() -> None:
    leaf = ran("pytest -q", 2, parent_span_id="not-yet-written")
    assert match([asked("ls", 1, 5)], [leaf]).orphans == ()


def test_spans_that_name_each_other_as_parents_come_to_an_end() -> None:
    a, b = (
        ran("pytest", 1, span_id="a", parent_span_id="b"),
        ran("ls", 1, span_id="b", parent_span_id="a"),
    )
    assert len(match([asked("ls", 1, 5)], [a, b]).orphans) == 1


def test_a_span_whose_time_cannot_be_read_may_belong_to_any_call() -> None:
    assert (
        only(match([asked("pytest -q", 1, 2)], [shell("pytest -q", started_at="?")])).how == "text"
    )


_TEXTS = st.sampled_from(["pytest -q", "pytest -q; echo done", "ls -la", "npm test"])
_TIMES = st.one_of(st.none(), st.integers(0, 40))


@st.composite
def _sessions(draw: st.DrawFn) -> tuple[list[Asked], list[Ran]]:
    calls = []
    for _ in range(draw(st.integers(0, 6))):
        began = draw(_TIMES)
        ended = None if began is None else began + draw(st.integers(0, 5))
        calls.append(asked(draw(_TEXTS), began, ended))
    spans: list[Ran] = []
    for _ in range(draw(st.integers(0, 8))):
        parent = draw(st.sampled_from([None, *spans]))
        text, at_second = draw(_TEXTS), draw(st.integers(0, 50))
        made = (
            shell(text, at_second, parent) if draw(st.booleans()) else ran(text, at_second, parent)
        )
        spans.append(made)
    return calls, spans


@given(_sessions(), st.randoms())
def test_no_span_belongs_to_two_calls_and_order_does_not_matter(
    session: tuple[list[Asked], list[Ran]], random: Random
) -> None:
    calls, spans = session
    found = match(calls, spans)
    belonging = [span_id for join in found.joins for span_id in join.tests]
    assert len(belonging) == len(set(belonging))
    assert not set(belonging) & set(found.orphans)
    assert all(bool(join.how) == bool(join.spans) for join in found.joins)
    shuffled = list(spans)
    random.shuffle(shuffled)
    assert match(calls, shuffled) == found


def test_a_call_in_the_slack_after_a_span_is_taken_where_none_was_before() -> None:
    assert only(match([asked("pytest -q", 10, 20)], [shell("pytest -q", 9)])).how == "text"
    assert only(match([asked("pytest -q", 10, 20)], [shell("pytest -q", 7)])).how == ""


def test_a_part_is_found_whatever_time_is_known() -> None:
    text = "{ pytest -q; }; exit"
    for began in (None, 5):
        assert only(match([asked("pytest -q", began)], [shell(text, 6)])).how == "text"
    assert only(match([asked("pytest -q", 5, 9)], [shell(text, started_at="?")])).how == "text"


def test_what_a_terminal_made_of_a_pattern_is_inferred_where_only_one_call_ran_then() -> None:
    call = asked("pytest tests/test_*.py", 1, 9)
    runs = [ran("pytest tests/test_a.py tests/test_b.py", 2), ran("pytest tests/test_c.py", 4)]
    found = match([call], runs)
    assert only(found).how == "inferred"
    assert only(found).tests == tuple(one.span.span_id for one in runs)
    both = [call, asked("pytest '$X'", 1, 9)]
    assert [how for how, _ in joined(match(both, runs))] == ["", ""]
