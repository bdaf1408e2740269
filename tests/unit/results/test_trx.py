"""The test results of Visual Studio."""

import pytest
from tests.unit.results.conftest import Attempts, ReadAs

from proctor.errors import ReportError

TRX = """<?xml version="1.0" encoding="utf-8"?>
<TestRun id="1" name="n" xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010"><Results>
<UnitTestResult executionId="a" testId="t1" testName="Shop.PayTests.Adds" duration="00:00:00.5000000" startTime="2026-11-29T12:48:29.9072393+01:00" outcome="Passed" />
<UnitTestResult executionId="b" testId="t2" testName="Shop.PayTests.Breaks" duration="00:00:01" outcome="Failed"><Output><StdOut>x</StdOut><ErrorInfo><Message>Assert.Equal() Failure</Message><StackTrace>at Shop.PayTests.Breaks()</StackTrace></ErrorInfo></Output></UnitTestResult>
<UnitTestResult executionId="c" testId="t3" testName="Rows" outcome="Passed"><InnerResults><UnitTestResult parentExecutionId="c" testId="t3" testName="Rows (1)" outcome="Passed" /><UnitTestResult parentExecutionId="c" testId="t3" testName="Rows (2)" outcome="NotExecuted" /></InnerResults></UnitTestResult>
</Results><TestDefinitions><UnitTest name="Adds" id="t1"><TestMethod className="Shop.PayTests, Shop, Version=1" name="Adds" /></UnitTest>
<UnitTest name="Breaks" id="t2"><TestMethod className="Shop.PayTests" name="Breaks" /></UnitTest></TestDefinitions>
<ResultSummary outcome="Failed"><Counters total="3" executed="3" passed="2" failed="1" /></ResultSummary></TestRun>"""


def test_results_are_counted_by_class_and_row(read_as: ReadAs) -> None:
    found = read_as("trx", TRX)
    assert found.tests == {
        "Shop.PayTests::Adds": "passed",
        "Shop.PayTests::Breaks": "failed",
        "Rows (1)": "passed",
        "Rows (2)": "skipped",
    }
    assert found.complete
    assert not found.disagreements


def test_attempts_have_time_and_fingerprint(attempts: Attempts) -> None:
    assert attempts("trx", TRX)[1] == ("Shop.PayTests::Breaks", "failed")


@pytest.mark.parametrize(
    ("word", "outcome"),
    [("Timeout", "error"), ("Inconclusive", "skipped"), ("Aborted", "error"), ("Odd", "error")],
)
def test_every_word_has_an_outcome(read_as: ReadAs, word: str, outcome: str) -> None:
    text = f'<TestRun><Results><UnitTestResult testName="a" outcome="{word}"/></Results></TestRun>'
    assert read_as("trx", text).tests == {"a": outcome}


def test_a_run_that_was_aborted_is_not_complete(read_as: ReadAs) -> None:
    text = '<TestRun><Results/><ResultSummary outcome="Aborted"><Counters total="4"/><RunInfos><RunInfo outcome="Error"/></RunInfos></ResultSummary></TestRun>'
    found = read_as("trx", text)
    assert not found.complete
    assert found.suite_errors == 1
    assert list(found.disagreements) == ["total=4, 0 results"]


def test_another_document_is_refused(read_as: ReadAs) -> None:
    with pytest.raises(ReportError, match="no trx report: the first element is <testsuite>"):
        read_as("trx", "<testsuite/>")
