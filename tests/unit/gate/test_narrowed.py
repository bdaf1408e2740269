"""What left tests out beyond argv, and whether the reference has it too."""

from typing import TYPE_CHECKING, Any

import pytest

from proctor.findings import Level, Outcome, Verdict
from proctor.gate.evidence import Change, Known, Policy, Reference, Tests

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any

HOOK = "def pytest_collection_modifyitems(items): items.pop()\n"
CONFTEST = Change(path="conftest.py", old_path="conftest.py", old_text="", new_text=HOOK)


def judged(
    bench: Bench, tests: Tests, *changes: Change, argv: str = "pytest", at_base: Tests | None = None
) -> Verdict:
    first = bench.seen(argv, tree="t0")
    run = bench.seen(argv)
    known = {run.span.span_id: tests} | ({first.span.span_id: at_base} if at_base else {})
    reference = Reference(
        name="base 0123",
        given=True,
        trees=frozenset({"t0"} if at_base else ()),
        changes=changes,
    )
    return bench.verdict(first, run, tests=known, reference=reference)


def test_a_note_hides_no_partial_run_and_no_failure(bench: Bench) -> None:
    tests = Tests(options=("-m=not slow",))
    part = judged(bench, tests, argv="pytest tests/test_a.py")
    assert part.outcome is Outcome.UNPROVEN
    assert bench.rules(part) == ["partial-run", "narrowed-selection"]
    red = bench.seen(exit_code=1)
    verdict = bench.verdict(red, tests={red.span.span_id: tests})
    assert verdict.outcome is Outcome.FAIL
    assert "nonzero-exit" in bench.rules(verdict)


def ini(old: str | None, new: str) -> Change:
    return Change(path="pytest.ini", old_path="pytest.ini", old_text=old, new_text=new)


def level(bench: Bench, verdict: Verdict) -> Level | None:
    if "narrowed-selection" not in bench.rules(verdict):
        return None
    level: Level = bench.only(verdict, "narrowed-selection").level
    return level


def test_an_option_that_came_with_the_patch_is_an_error(bench: Bench) -> None:
    verdict = judged(bench, Tests(options=("-k=not sub",)), ini("", "addopts = -k 'not sub'"))
    assert verdict.outcome is Outcome.FAIL
    found = bench.only(verdict, "narrowed-selection")
    assert "`pytest` looks whole" in found.message
    assert "`-k not sub`" in found.message


def test_an_option_that_the_base_has_too_is_a_note(bench: Bench) -> None:
    tests = Tests(options=("-m=not slow",))
    assert level(bench, judged(bench, tests)) is Level.NOTE
    text = "addopts = -m 'not slow'\n"
    assert level(bench, judged(bench, tests, ini(text, text + "x = 1\n"))) is Level.NOTE
    assert level(bench, judged(bench, tests, at_base=tests)) is Level.NOTE


def test_the_report_at_base_outweighs_the_files(bench: Bench) -> None:
    tests = Tests(options=("--lf",))
    assert level(bench, judged(bench, tests, at_base=Tests())) is Level.ERROR


@pytest.mark.parametrize(
    ("argv", "options"),
    [
        ("pytest -m=slow", ("-m=slow",)),
        ("pytest -k=other", ("-k=this",)),
        ("pytest", ()),
    ],
)
def test_what_argv_asks_for_is_not_beyond_it(
    bench: Bench, argv: str, options: tuple[str, ...]
) -> None:
    found = judged(bench, Tests(options=options, deselected=len(options)), argv=argv)
    assert level(bench, found) is None


@pytest.mark.parametrize(
    ("tests", "words"),
    [
        (Tests(deselected=2, found=5, collected=3), "2 tests deselected by a plugin or hook"),
        (Tests(found=5, collected=4), "1 test taken out by a plugin or hook"),
        (Tests(left_out=("tests/test_a.py",)), "tests/test_a.py passed over"),
    ],
)
def test_what_a_hook_takes_out_is_an_error_if_the_hook_is_new(
    bench: Bench, tests: Tests, words: str
) -> None:
    verdict = judged(bench, tests, CONFTEST)
    assert level(bench, verdict) is Level.ERROR
    assert words in bench.only(verdict, "narrowed-selection").message
    assert level(bench, judged(bench, tests)) is Level.NOTE
    assert level(bench, judged(bench, tests, at_base=tests)) is Level.NOTE


TWO = Known(files=("tests/test_a.py", "tests/test_b.py"))
ONE_SEEN = Tests(outcomes={"tests/test_a.py::test_x": "passed"})


def sought(bench: Bench, *changes: Change, argv: str = "pytest", **more: Any) -> Verdict:
    first = bench.seen(argv, tree="t0")
    run = bench.seen(argv)
    at_base = more.pop("at_base", None)
    tests = {run.span.span_id: ONE_SEEN} | ({first.span.span_id: at_base} if at_base else {})
    reference = Reference(
        name="HEAD", given=False, trees=frozenset({"t0"} if at_base else ()), changes=changes
    )
    known = {"pytest": TWO}
    return bench.verdict(first, run, tests=tests, reference=reference, known=known, **more)


@pytest.mark.parametrize(
    "line",
    [
        "testpaths = tests/test_a.py",
        "python_files = test_a*.py",
        "norecursedirs =\n    other\n    deep",
        "python_functions=test_x",
    ],
)
def test_a_new_setting_that_passes_over_test_files_is_an_error(bench: Bench, line: str) -> None:
    verdict = sought(bench, ini(None, f"[pytest]\n{line}\n"))
    assert level(bench, verdict) is Level.ERROR
    message = bench.only(verdict, "narrowed-selection").message
    assert f"`{' '.join(line.split())}` in pytest.ini passes over tests/test_b.py" in message


def test_a_setting_that_was_there_or_passes_over_nothing_is_no_matter(bench: Bench) -> None:
    text = "[pytest]\ntestpaths = tests\n"
    assert level(bench, sought(bench, ini(text, text + "x = 1\n"))) is None
    assert level(bench, sought(bench, ini(None, text), idle=frozenset({"tests/test_b.py"}))) is None
    assert level(bench, sought(bench, ini(None, text), at_base=ONE_SEEN)) is None
    assert level(bench, sought(bench, ini(None, text), argv="pytest tests/test_a.py")) is None
    assert level(bench, sought(bench, Change(path="a.cfg", new_text=text))) is None


def test_what_settings_outside_of_the_repository_leave_out_is_unproven(bench: Bench) -> None:
    tests = Tests(options=("-k=one",), settings_file="/up/pytest.ini")
    verdict = judged(bench, tests)
    assert level(bench, verdict) is Level.UNPROVEN
    assert "/up/pytest.ini, outside" in bench.only(verdict, "narrowed-selection").message


def test_what_an_ignoring_option_leaves_out_is_said_once(bench: Bench) -> None:
    tests = Tests(options=("--ignore=tests/a",), left_out=("tests/a",))
    found = bench.only(judged(bench, tests), "narrowed-selection")
    assert found.message.endswith(": `--ignore tests/a`")


def test_without_a_reference_what_narrows_is_a_note(bench: Bench) -> None:
    run = bench.seen("pytest")
    verdict = bench.verdict(run, tests={run.span.span_id: Tests(options=("-m=not slow",))})
    assert level(bench, verdict) is Level.NOTE
    assert verdict.outcome is Outcome.PASS


def npm(bench: Bench, leaf: str, tree: str, argv: str = "npm test") -> list[Any]:
    driver = bench.seen(argv, what=bench.what(argv, selectors=tuple(argv.split()[2:])))
    return [driver, bench.below(driver, leaf, tree=tree)]


@pytest.mark.parametrize(
    ("before", "now", "accused"),
    [
        ("jest", "jest a.test.js", True),
        ("jest a.test.js", "jest", False),
        ("jest a.test.js", "jest b.test.js", False),
        ("jest", "jest", False),
    ],
)
def test_a_script_that_starts_less_than_at_base_is_an_error(
    bench: Bench, before: str, now: str, *, accused: bool
) -> None:
    reference = Reference(name="base 0123", given=True, trees=frozenset({"t0"}))
    verdict = bench.verdict(
        *npm(bench, before, "t0"),
        *npm(bench, before, "t0", "npm run test:other"),
        bench.seen("npm test", exit_code=0),
        *npm(bench, now, "t1"),
        reference=reference,
        policy=Policy(require=(bench.required("npm test"),)),
        known={},
    )
    assert ("narrowed-selection" in bench.rules(verdict)) is accused
