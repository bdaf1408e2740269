from typing import TYPE_CHECKING, Any

from proctor.findings import Level, Outcome
from proctor.gate.evidence import Known, LogFacts, Policy

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def test_an_odd_variable_is_a_warning_with_its_cure(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen(odd_env=("LD_PRELOAD",)))
    assert verdict.outcome is Outcome.PASS
    assert "env -u LD_PRELOAD" in bench.only(verdict, "odd-environment").cure


def test_what_cargo_always_sets_is_no_warning(bench: Bench) -> None:
    driver = bench.what("make", command_class="cargo test")
    binary = bench.what("jest", command_class="cargo test")
    for before, rules in (((), []), (("LD_LIBRARY_PATH",), ["odd-environment"])):
        cargo = bench.seen("cargo test", what=driver, odd_env=before)
        leaf = bench.below(cargo, "jest", what=binary, odd_env=("LD_LIBRARY_PATH",))
        assert bench.rules(bench.verdict(cargo, leaf)) == rules


def test_what_nyc_sets_does_not_excuse_another_variable(bench: Bench) -> None:
    nyc = bench.seen("nyc jest")
    leaf = bench.below(nyc, "jest", exe="/usr/bin/node", odd_env=("NODE_OPTIONS", "LD_PRELOAD"))
    cure = bench.only(bench.verdict(nyc, leaf), "odd-environment").cure
    assert "env -u LD_PRELOAD proctor" in cure


def test_a_blind_spot_is_a_warning(bench: Bench) -> None:
    git = bench.git(blind_spots=("sparse-checkout", "symlink:src/x"))
    verdict = bench.verdict(bench.seen(git=git))
    assert verdict.outcome is Outcome.PASS
    assert bench.only(verdict, "tree-blind-spot").paths == ("src/x",)


def test_a_log_in_the_repository_is_always_said(bench: Bench) -> None:
    log = LogFacts(path="/work/app/spans.jsonl", records=1, in_repository=True)
    for policy in (Policy(), Policy(every=True)):
        verdict = bench.verdict(bench.seen(), logs=(log,), policy=policy)
        assert bench.only(verdict, "log-in-repo").level is Level.WARNING


def test_processes_left_behind_are_counted(bench: Bench) -> None:
    for count, words in ((1, "1 process"), (2, "2 processes")):
        root = bench.seen("bash t.sh", tree={"left_running": count})
        verdict = bench.verdict(root, bench.below(root, "pytest"))
        assert f"left {words} running" in bench.only(verdict, "left-running").message


def test_below_the_floor_is_a_note_where_tests_are_counted(bench: Bench) -> None:
    policy = Policy(floors={"pytest": 5000})
    found = bench.only(bench.verdict(bench.seen(), policy=policy), "below-floor")
    assert found.level is Level.NOTE
    assert "took 1200 ms, below the floor of 5000 ms: 3 tests" in found.message


def test_below_the_floor_is_a_warning_where_they_are_not(bench: Bench) -> None:
    policy = Policy(floors={"pytest": 5000})
    found = bench.only(bench.verdict(bench.seen(report=None), policy=policy), "below-floor")
    assert found.level is Level.WARNING


def test_a_run_elsewhere_is_a_note(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen(what=bench.what("pytest", remote="docker")))
    assert "that of docker" in bench.only(verdict, "remote-run").message


def test_a_cached_run_after_a_real_one_is_a_note(bench: Bench) -> None:
    go = bench.seen("go test ./...")
    verdict = bench.verdict(go, bench.below(go, "jest"), bench.seen("go test ./..."))
    assert verdict.outcome is Outcome.PASS
    assert bench.rules(verdict) == ["cached-run"]


def test_a_changed_file_that_nobody_owns_is_a_note(bench: Bench) -> None:
    policy = Policy(require=(bench.required("pytest", paths=("src/",)),))
    tree = bench.tree(changed=("src/a.py", "web/app.js", "notes.txt"))
    verdict = bench.verdict(bench.seen("pytest"), tree=tree, policy=policy)
    assert bench.only(verdict, "unowned-path").paths == ("web/app.js",)


def test_a_clock_that_jumped_is_a_note(bench: Bench) -> None:
    jumped = bench.seen(finished_at="2027-01-01T00:00:00Z")
    future = bench.seen(started_at="2030-01-01T00:00:00Z")
    for seen in (jumped, future):
        assert bench.rules(bench.verdict(seen)) == ["clock-jump"]
    fine = bench.seen(started_at="2026-03-01T10:00:00Z", finished_at="2026-03-01T10:00:01Z")
    assert bench.verdict(fine).findings == ()


def test_what_is_known_is_asked_by_class(bench: Bench) -> None:
    assert bench.case().known("jest") == Known()


def test_what_stdbuf_itself_sets_is_no_warning(bench: Bench) -> None:
    for exe, rules in (("/usr/bin/stdbuf", []), ("/bin/sh", ["odd-environment"])):
        line = bench.seen("stdbuf -oL pytest", what=bench.what("make"), exe=exe)
        leaf = bench.below(line, "pytest -q", odd_env=("LD_PRELOAD",))
        assert bench.rules(bench.verdict(line, leaf)) == rules
