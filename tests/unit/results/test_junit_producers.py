"""JUnit as single producers write it: what each leaves out, repeats or misnames."""

import pytest
from tests.unit.results.conftest import Attempts, ReadAs

PYTEST_RERUN = """<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests"><testsuite name="pytest" errors="0" failures="1" skipped="0" tests="2" time="0.065">
<testcase classname="test_net" name="test_slow" time="0.001" /><testcase classname="test_net" name="test_slow" time="0.002" />
<testcase classname="test_net" name="test_gone" time="0.001" /><testcase classname="test_net" name="test_gone" time="0.001" />
<testcase classname="test_net" name="test_gone" time="0.003"><failure message="assert 0">def test_gone(): assert 0</failure></testcase></testsuite></testsuites>"""
SUREFIRE = """<testsuite name="ATest" tests="2" failures="1" errors="0" flakes="1">
<testcase name="wobbles" classname="ATest" time="0.2"><flakyFailure message="expected 1" type="AssertionError"><stackTrace>at ATest.java:4</stackTrace><system-out>noise</system-out></flakyFailure></testcase>
<testcase name="breaks" classname="ATest" time="0.1"><failure message="expected 2" type="AssertionError"/><rerunFailure message="expected 3" type="AssertionError"/><rerunError message="lost" type="IOException"/></testcase></testsuite>"""
GOTESTSUM = """<testsuites tests="4" failures="2" errors="{errors}" time="1.1"><testsuite tests="4" failures="2" time="0.003" name="shop">
<properties><property name="go.version" value="go1.25 linux/amd64"></property></properties>
<testcase classname="shop" name="TestPay" time="0.00"><failure message="Failed" type="">=== RUN   TestPay&#xA;    pay_test.go:7: no answer&#xA;--- FAIL: TestPay (0.00s)&#xA;</failure></testcase>
<testcase classname="shop" name="TestBad" time="0.00"><failure message="Failed" type="">=== RUN   TestBad&#xA;    pay_test.go:9: bad&#xA;</failure></testcase>
<testcase classname="shop" name="TestOK" time="0.01"></testcase><testcase classname="shop" name="TestPay" time="0.00"></testcase></testsuite></testsuites>"""
JEST = """<testsuites name="jest tests" tests="4" failures="1" errors="0" time="0.7"><testsuite name="undefined" errors="0" failures="1" skipped="0" tests="4" time="0.4">
<testcase classname=" adds" name=" adds" time="0.002"></testcase><testcase classname=" each" name=" each" time="0.001"><failure>Error: expect(received)
    at Object.toBe (/src/a.test.js:1:7)</failure></testcase><testcase classname=" each" name=" each" time="0.001"></testcase>
<testcase classname=" later" name=" later" time="0"></testcase><testcase classname="m sums" name="m sums" time="0.001"></testcase></testsuite></testsuites>"""
PLAYWRIGHT = """<testsuites id="" name="" tests="4" failures="1" skipped="0" errors="0" time="4.4"><testsuite name="p.spec.js" timestamp="2026-11-29T11:47:59.815Z" hostname="" tests="4" failures="1" skipped="0" time="0.06" errors="0">
<testcase name="wobbles" classname="p.spec.js" time="0.02"><system-out><![CDATA[
[[ATTACHMENT|../test-results/p-wobbles/error-context.md]]
]]></system-out></testcase>
<testcase name="breaks" classname="p.spec.js" time="0.03"><system-out><![CDATA[x
[[ATTACHMENT|../test-results/p-breaks/error-context.md]]
[[ATTACHMENT|../test-results/p-breaks-retry1/error-context.md]]
]]></system-out><failure message="toBe" type="expect.toBe"><![CDATA[ Retry #1 ]]></failure></testcase>
<testcase name="meant to fail" classname="p.spec.js" time="0.03"><properties><property name="fail" value=""></property></properties><system-out><![CDATA[
[[ATTACHMENT|../test-results/p-meant/error-context.md]]
]]></system-out></testcase><testcase name="old" classname="p.spec.js" time="0.01"><system-out>[[ATTACHMENT|../t/p-old-retry2/trace.zip]]</system-out></testcase></testsuite></testsuites>"""
TAP_FORMATTER = """<testsuites><testsuite tests="5" errors="0" failures="0" name="t_pay_t"><testcase name="1 - adds"></testcase><testcase name="2"></testcase>
<testcase name="3 - later"></testcase><testcase name="4 - fixed"></testcase><testcase name="5 - prints # skip"></testcase>
<system-out><![CDATA[ok 1 - adds
ok 2 # skip no network
not ok 3 - later # TODO one day
ok 4 - fixed # TODO done
ok 5 - prints \\# skip
ok 9 # skip unknown
]]></system-out></testsuite></testsuites>"""
MOCHA = """<testsuite name="Mocha Tests" tests="1" failures="0" errors="2" skipped="0" timestamp="Sun, 29 Nov 2026 11:47:56 GMT" time="0.005">
<testcase classname="M" name="fails" time="0.002"><failure>1 == 2</failure></testcase>
<testcase classname="M hook" name="&#x22;before all&#x22; hook for &#x22;never&#x22;" time="0"><failure>hook boom</failure></testcase></testsuite>"""


def test_failed_tries_that_pytest_rerunfailures_writes_as_passes_are_failures(
    read_as: ReadAs, attempts: Attempts
) -> None:
    found = read_as("junit", PYTEST_RERUN)
    assert found.tests == {"test_net::test_slow": "passed", "test_net::test_gone": "failed"}
    assert list(found.retried) == ["test_net::test_slow"]
    assert "failed tries" in next(iter(found.repairs))
    assert [outcome for _, outcome in attempts("junit", PYTEST_RERUN)] == [
        *("failed", "passed"),
        *("failed", "failed", "failed"),
    ]


def test_older_rerunfailures_whose_counts_agree_tell_of_no_retry(read_as: ReadAs) -> None:
    text = PYTEST_RERUN.replace('tests="2"', 'tests="5"')
    found = read_as("junit", text)
    assert not found.retried
    assert found.tests["test_net::test_gone"] == "failed"


def test_surefire_tells_the_tries_before_a_pass_and_after_a_failure(
    read_as: ReadAs, attempts: Attempts
) -> None:
    assert list(read_as("junit", SUREFIRE).retried) == ["ATest::wobbles"]
    assert attempts("junit", SUREFIRE) == [
        ("ATest::wobbles", "failed"),
        ("ATest::wobbles", "passed"),
        ("ATest::breaks", "failed"),
        ("ATest::breaks", "failed"),
        ("ATest::breaks", "error"),
    ]


def test_a_try_that_was_flaky_and_then_failed_is_no_retry_to_green(read_as: ReadAs) -> None:
    case = '<testcase name="a"><flakyFailure message="m"/><failure message="m"/></testcase>'
    found = read_as("junit", f"<testsuite>{case}</testsuite>")
    assert found.tests == {"a": "failed"}
    assert not found.retried


def test_gotestsum_fails_first_and_passes_at_the_end(read_as: ReadAs, attempts: Attempts) -> None:
    text = GOTESTSUM.format(errors=0)
    assert list(read_as("junit", text).retried) == ["shop::TestPay"]
    tries = [outcome for test, outcome in attempts("junit", text) if test == "shop::TestPay"]
    assert tries == ["failed", "passed"]


def test_a_go_package_that_does_not_compile_is_only_a_number(read_as: ReadAs) -> None:
    found = read_as("junit", GOTESTSUM.format(errors=1))
    assert found.suite_errors == 1
    assert list(found.disagreements) == [
        "suite (no name): failures and errors=3, 2 in its cases",
    ]


def test_failures_that_only_a_count_tells_of_are_failures(read_as: ReadAs) -> None:
    found = read_as("junit", '<testsuite name="s" failures="2"><testcase name="a"/></testsuite>')
    assert found.counts()["failed"] == 2


def test_tests_of_one_name_in_jest_are_not_retries(read_as: ReadAs) -> None:
    found = read_as("junit", JEST)
    assert found.tests["each"] == "failed"
    assert not found.retried
    assert found.duplicates == 1


def test_a_todo_of_jest_that_its_count_lacks_is_a_skip(read_as: ReadAs, attempts: Attempts) -> None:
    found = read_as("junit", JEST)
    assert found.tests["later"] == "skipped"
    assert not found.disagreements
    assert ("later", "skipped") in attempts("junit", JEST)
    # With a second test of no duration nobody can tell which one it was.
    unclear = read_as("junit", JEST.replace('time="0.002"', 'time="0"'))
    assert unclear.tests["later"] == "passed"
    assert unclear.disagreements


def test_a_suite_that_jest_cannot_load_is_no_test(read_as: ReadAs) -> None:
    case = '<testcase classname="Test suite failed to run" name="b.test.js"><{0}>m</{0}></testcase>'
    text = f'<testsuites name="jest tests"><testsuite name="b.test.js" tests="0">{case.format("error")}{case.format("failure")}</testsuite></testsuites>'
    assert read_as("junit", text).counts() == {
        "executed": 0,
        "passed": 0,
        "failed": 1,
        "skipped": 0,
    }


def test_a_collection_error_of_pytest_is_no_test(read_as: ReadAs) -> None:
    case = '<testcase classname="" name="test_a" time="0.0"><error message="collection failure">E</error></testcase>'
    text = f'<testsuites><testsuite name="pytest" errors="1" failures="0" tests="1" time="0.3">{case}</testsuite></testsuites>'
    found = read_as("junit", text)
    assert found.tests == {}
    assert found.suite_errors == 1
    assert found.seconds == 0.3


def test_a_hook_of_mocha_that_fails_is_no_test(read_as: ReadAs) -> None:
    found = read_as("junit", MOCHA)
    assert found.tests == {"M::fails": "failed"}
    assert found.suite_errors == 1


def test_playwright_tells_of_retries_only_in_what_it_prints(
    read_as: ReadAs, attempts: Attempts
) -> None:
    found = read_as("junit", PLAYWRIGHT)
    assert list(found.retried) == ["p.spec.js::wobbles", "p.spec.js::old"]
    tries: dict[str, list[str]] = {}
    for test, outcome in attempts("junit", PLAYWRIGHT):
        tries.setdefault(test.removeprefix("p.spec.js::"), []).append(outcome)
    assert tries == {
        "wobbles": ["failed", "passed"],
        "breaks": ["failed", "failed"],
        "meant to fail": ["passed"],
        "old": ["failed", "failed", "passed"],
    }


def test_skips_and_todos_of_tap_stand_only_in_the_output(
    read_as: ReadAs, attempts: Attempts
) -> None:
    found = read_as("junit", TAP_FORMATTER)
    outcomes = ["passed", "skipped", "xfailed", "xpassed", "passed"]
    assert list(found.tests.values()) == outcomes
    assert [outcome for _, outcome in attempts("junit", TAP_FORMATTER)] == outcomes
    assert "taken from the TAP" in next(iter(found.repairs))


def test_what_other_suites_print_is_no_tap(read_as: ReadAs) -> None:
    text = TAP_FORMATTER.replace("<testcase ", '<testcase classname="c" ')
    assert set(read_as("junit", text).tests.values()) == {"passed"}


def test_a_name_written_twice_stands_once_in_the_id(read_as: ReadAs) -> None:
    text = '<testsuite name="(empty)"><testcase name="ok" classname="ok"/><testcase name=" "/></testsuite>'
    assert list(read_as("junit", text).tests) == ["ok", "(empty)::(no name)"]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        (
            '<testsuites time="3"><testsuite time="1"><testcase time="9"/></testsuite></testsuites>',
            3,
        ),
        ('<testsuites><testsuite time="1"/><testsuite time="2,5"/></testsuites>', 3.5),
        ('<testsuites><testcase time="0.5"/><testcase time="4.5e-05"/></testsuites>', 0.500045),
        ("<testsuites><testcase/></testsuites>", None),
    ],
)
def test_how_long_a_run_took_is_read_where_it_stands(
    read_as: ReadAs, text: str, seconds: float | None
) -> None:
    assert read_as("junit", text).seconds == seconds
