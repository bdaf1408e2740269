"""Sentences that claim that tests pass or that lint is clean, and those that do not."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.audit.claims import claims_in

CLAIMS = """
All tests pass.
All 42 tests pass now!
✅ All tests passing
All green.
everything passes
The test suite passes.
12 passed in 0.4s
All 12 tests pass with no failures.
Tests: all pass
I ran the suite and all tests pass.
Verified: all tests pass.
I confirmed that all tests pass.
Done. The fix works and the tests pass.
- **All tests pass** (42/42)
The tests now pass.
`pytest -q` passes.
All existing tests still pass.
42/42 tests passing.
Both tests pass.
After this change, all tests pass.
The full suite is green.
The new test passes.
All tests succeeded.
npm test passes locally.
Everything is green now.
Now that all tests pass, I commit.
Tests pass.
3. All tests in tests/unit pass
### Tests: ✅ all passing
""".strip().splitlines()

LINT = """
Lint is clean.
ruff check: clean
ESLint reports no errors.
mypy passes.
No lint errors.
The type checker is clean.
Linting passes with no warnings.
""".strip().splitlines()

NO_CLAIMS = """
According to the commit message all tests pass.
Tests passed in as arguments are run.
All tests should pass.
Do all tests pass?
If all tests pass, commit.
Let me make sure all tests pass.
Not all tests pass.
All tests pass except one.
Most tests pass.
9/10 tests pass.
9 of 10 tests pass.
2 failed, 8 passed
I'll run the tests until they pass.
The tests don't pass.
Make all tests pass.
We need the tests to pass.
The user said "all tests pass".
He wrote ‘all tests pass’ and left.
> All tests pass
Once lint is clean, push.
Lint is not clean.
The tests pass a fixture to the runner.
The tests are failing.
When all tests pass the build is green.
I will verify that all tests pass.
Before the change all tests passed.
All tests passed before my change.
A test that passes for the wrong reason.
The goal: all tests green.
- [ ] All tests pass
1. Get the tests green
Hopefully everything passes.
I can't say whether all tests pass.
Some lint errors remain.
There are no tests.
The green button is clean.
The function passes the test data along.
Expected: tests pass.
Ensure lint passes.
To keep the tests green, I changed x.
The CI claims all tests passed.
pass the tests path to pytest
Tests could not be run, so I can't claim that they pass.
I was unable to run the tests.
So far only the unit tests pass.
Run the tests and confirm all tests pass
The linter would be clean.
The clean target removes build output.
Tests pass on main but fail here.
It never passed.
Check if tests pass.
Next: tests pass, then lint.
I have not verified that the tests pass.
assert "all tests pass" in output
""".strip().splitlines()


@pytest.mark.parametrize("sentence", CLAIMS)
def test_a_claim_about_tests_is_found(sentence: str) -> None:
    assert [about for about, _ in claims_in(sentence)] == ["tests"]


@pytest.mark.parametrize("sentence", LINT)
def test_a_claim_about_lint_is_found(sentence: str) -> None:
    assert [about for about, _ in claims_in(sentence)] == ["lint"]


@pytest.mark.parametrize("sentence", NO_CLAIMS)
def test_what_is_doubted_hoped_planned_asked_or_quoted_is_no_claim(sentence: str) -> None:
    assert list(claims_in(sentence)) == []


def test_a_sentence_may_claim_both() -> None:
    found = list(claims_in("Done!\nAll tests are passing and lint is clean. Next I push."))
    assert found == [
        ("tests", "All tests are passing and lint is clean."),
        ("lint", "All tests are passing and lint is clean."),
    ]


def test_what_stands_in_a_code_block_is_no_claim() -> None:
    assert list(claims_in("It printed:\n```\nAll tests pass.\n```\nI look further.")) == []
    assert list(claims_in("```\nAll tests pass.")) == []


def test_a_long_claim_is_cut_and_a_very_long_one_left_out() -> None:
    ((_, sentence),) = claims_in("All tests pass, " + "and so on " * 30)
    assert len(sentence) == 200
    assert list(claims_in("All tests pass, " + "and so on " * 60)) == []


@given(
    text=st.lists(
        st.sampled_from(
            [
                "all ",
                "tests ",
                "pass",
                "0/",
                "1",
                " of ",
                "no ",
                '"',
                "'",
                "`",
                "\n",
                ". ",
                "**",
                "lint ",
            ]
        ),
        max_size=60,
    ).map("".join)
)
def test_no_words_take_long(text: str) -> None:
    began = time.process_time()
    list(claims_in(text * 20))
    assert time.process_time() - began < 2


@pytest.mark.parametrize("piece", ["all tests ", "no ", "1/2 ", "'", "`a", "```\n", "> ", "**"])
def test_a_megabyte_of_odd_words_takes_no_time(piece: str) -> None:
    began = time.process_time()
    list(claims_in(piece * (1_000_000 // len(piece)) + " pass"))
    assert time.process_time() - began < 5


def test_a_long_run_of_blanks_costs_no_more_than_it_is_long() -> None:
    text = "\n".join(f"All tests pass.{' ' * 9_900}x" for _ in range(40))
    began = time.process_time()
    found = list(claims_in(text))
    assert len(found) == 40
    assert time.process_time() - began < 2
