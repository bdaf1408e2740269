"""JUnit in the dialects of many producers, each case in the shape its producer writes."""

import codecs
import contextlib
import random
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from proctor.errors import ReportError
from proctor.results import xml_stream
from proctor.results.base import Summary
from proctor.results.formats import junit
from proctor.results.formats.junit import FORMAT

Read = Callable[[str | bytes], Summary]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def read(text: str | bytes) -> Summary:
        path = tmp_path / "report.xml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return FORMAT.read(str(path), False)

    return read


def suite(cases: str, **attributes: str) -> str:
    words = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f'<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite{words}>{cases}</testsuite></testsuites>'


@pytest.mark.parametrize(
    ("case", "outcome"),
    [
        ('<testcase classname="c" name="n"/>', "passed"),
        ('<testcase classname="c" name="n"><failure message="m">t</failure></testcase>', "failed"),
        ('<testcase classname="c" name="n"><error message="m"/></testcase>', "error"),
        ('<testcase classname="c" name="n"><failure/><error/></testcase>', "failed"),
        ('<testcase classname="c" name="n"><failure/><failure/></testcase>', "failed"),
        ('<testcase classname="c" name="n"><skipped/></testcase>', "skipped"),
        # pytest
        (
            '<testcase classname="c" name="n"><skipped type="pytest.skip" message="m"/></testcase>',
            "skipped",
        ),
        (
            '<testcase classname="c" name="n"><skipped type="pytest.xfail" message=""/></testcase>',
            "xfailed",
        ),
        # node --test: todo; catch2: mayfail
        (
            '<testcase classname="c" name="n" failure="1"><skipped type="todo"/><failure/></testcase>',
            "xfailed",
        ),
        (
            '<testcase classname="c" name="n" status="run"><skipped/><failure/></testcase>',
            "xfailed",
        ),
        ('<testcase classname="c" name="n" failure="1 == 2"/>', "failed"),
        # googletest
        ('<testcase classname="c" name="n" status="notrun" result="suppressed"/>', "skipped"),
        ('<testcase classname="c" name="n" status="run" result="completed"/>', "passed"),
        # ctest
        (
            '<testcase classname="c" name="n" status="disabled"><system-out>Disabled</system-out></testcase>',
            "skipped",
        ),
        ('<testcase classname="c" name="n" status="fail"/>', "failed"),
        # surefire: failed again and again; flaky: failed, then passed
        ('<testcase classname="c" name="n"><failure/><rerunFailure/></testcase>', "failed"),
        ('<testcase classname="c" name="n"><rerunFailure/></testcase>', "failed"),
        (
            '<testcase classname="c" name="n"><flakyFailure><system-out/></flakyFailure></testcase>',
            "passed",
        ),
        # phpunit: risky does not fail its run, a PHP warning does; no tests in a class
        (
            '<testcase classname="c" name="n"><error type="PHPUnit\\Framework\\RiskyTestError"/></testcase>',
            "passed",
        ),
        (
            '<testcase classname="c" name="n"><error type="PHPUnit\\Framework\\Error\\Warning"/></testcase>',
            "error",
        ),
        (
            '<testcase classname="c" name="n" class="PHPUnit\\Framework\\WarningTestCase" assertions="0"/>',
            "skipped",
        ),
        ('<testcase classname="c" name="n"><warning type="W">none</warning></testcase>', "skipped"),
        # ctest: a program that is not there fails ctest, a skip code does not
        (
            '<testcase classname="c" name="n" status="notrun"><skipped message="Unable to find executable"/></testcase>',
            "error",
        ),
        (
            '<testcase classname="c" name="n" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase>',
            "skipped",
        ),
    ],
)
def test_each_shape_of_a_case_has_its_outcome(read: Read, case: str, outcome: str) -> None:
    assert read(suite(case)).tests == {"c::n": outcome}


def test_a_flaky_pass_is_a_retry(read: Read) -> None:
    case = '<testcase classname="c" name="n"><flakyError/></testcase>'
    assert list(read(suite(case)).retried) == ["c::n"]


def test_results_within_a_retry_are_not_those_of_the_case(read: Read) -> None:
    case = '<testcase classname="c" name="n"><flakyFailure><failure/></flakyFailure></testcase>'
    assert read(suite(case)).tests == {"c::n": "passed"}


def test_cases_directly_below_the_root_are_seen(read: Read) -> None:
    text = '<testsuites><testcase name="a" classname="test"/><testsuite name="s"><testcase name="b"/></testsuite></testsuites>'
    assert read(text).tests == {"test::a": "passed", "s::b": "passed"}


@pytest.mark.parametrize(
    "text",
    [
        '<testsuite name="s"><testcase name="a"/></testsuite>',
        '<testsuites name="s"><testcase name="a"/></testsuites>',
    ],
)
def test_either_root_will_do(read: Read, text: str) -> None:
    assert read(text).tests == {"s::a": "passed"}


def test_a_lone_case_is_a_report(read: Read) -> None:
    assert read('<testcase name="a"/>').tests == {"a": "passed"}


def test_nested_suites_are_counted_once(read: Read) -> None:
    inner = '<testsuite name="I" tests="2"><testcase name="a"/><testcase name="b"/></testsuite>'
    summary = read(suite(inner + '<testcase name="c"/>', name="O", tests="3"))
    assert summary.counts()["executed"] == 3
    assert list(summary.tests) == ["O/I::a", "O/I::b", "O::c"]
    assert not summary.disagreements


def test_counts_that_contradict_the_cases_are_said_and_not_believed(read: Read) -> None:
    summary = read(suite('<testcase name="a"/>', name="s\n", tests="1,022", failures="9"))
    assert summary.counts()["executed"] == 1
    assert list(summary.disagreements) == [
        "suite s : tests=1022, 1 cases",
        "suite s : failures and errors=9, 0 in its cases",
    ]


def test_a_call_failure_and_a_teardown_error_are_one_failed_test(read: Read) -> None:
    cases = '<testcase name="a"><failure/></testcase><testcase name="a"><error/></testcase>'
    summary = read(suite(cases))
    assert summary.counts() == {"executed": 1, "passed": 0, "failed": 1, "skipped": 0}
    assert summary.duplicates == 1


def test_a_teardown_error_after_a_pass_is_a_failure(read: Read) -> None:
    summary = read(suite('<testcase name="a"/><testcase name="a"><error/></testcase>'))
    assert summary.counts()["failed"] == 1
    assert not summary.retried


def test_a_failure_that_passes_later_is_a_retry(read: Read) -> None:
    summary = read(suite('<testcase name="a"><failure/></testcase><testcase name="a"/>'))
    assert summary.counts() == {"executed": 1, "passed": 1, "failed": 0, "skipped": 0}
    assert list(summary.retried) == ["a"]


def test_failed_attempts_written_as_passes_end_as_the_last_one_does(read: Read) -> None:
    cases = '<testcase name="a"/><testcase name="a"/><testcase name="a"><failure/></testcase>'
    assert read(suite(cases)).tests == {"a": "failed"}


def test_a_skip_never_hides_a_result(read: Read) -> None:
    skip = '<testcase name="a"><skipped/></testcase>'
    fail = '<testcase name="a"><failure/></testcase>'
    assert read(suite(fail + skip)).tests == read(suite(skip + fail)).tests == {"a": "failed"}


def test_an_error_of_a_suite_is_a_failure_without_a_test(read: Read) -> None:
    summary = read(suite('<testcase name="a"/><error message="Dubious"/>', name="t"))
    assert summary.counts() == {"executed": 1, "passed": 1, "failed": 1, "skipped": 0}


def test_a_suite_within_nothing_may_fail_too(read: Read) -> None:
    assert read("<testsuites><testsuite><failure/></testsuite></testsuites>").suite_errors == 1
    assert read("<testsuites><properties><error/></properties></testsuites>").suite_errors == 0


def test_no_cases_are_no_tests(read: Read) -> None:
    for text in ("<testsuites/>", '<testsuite tests="0"></testsuite>'):
        assert read(text).counts() == {"executed": 0, "passed": 0, "failed": 0, "skipped": 0}


def test_namespaces_are_looked_through(read: Read) -> None:
    text = '<j:testsuites xmlns:j="urn:j"><j:testcase name="a"><j:failure/></j:testcase></j:testsuites>'
    assert read(text).tests == {"a": "failed"}
    assert read('<testsuites xmlns="urn:j"><testcase name="a"/></testsuites>').tests == {
        "a": "passed"
    }


def test_control_characters_are_taken_out_and_that_is_said(read: Read) -> None:
    summary = read(suite('<testcase name="a\x1b[31m"><failure>\x00\x08</failure></testcase>'))
    assert summary.tests == {"a[31m": "failed"}
    assert list(summary.repairs) == ["control characters taken out"]


@pytest.mark.parametrize(
    "reference", ["&#x1B;", "&#27;", "&#xD800;", "&#xFFFE;", "&#0;", "&#99999999;"]
)
def test_references_to_what_xml_forbids_are_replaced(read: Read, reference: str) -> None:
    summary = read(suite(f'<testcase name="a{reference}&#10;&#x41;"/>'))
    assert list(summary.tests) == ["a�\\nA"]
    assert list(summary.repairs) == ["references to control characters replaced"]


def test_a_reference_cut_by_a_block_is_replaced_too(read: Read) -> None:
    for shift in range(14):
        filler = "x" * (xml_stream._HEAD - 150 + shift)
        text = suite(f"<system-out>{filler}</system-out>" + '<testcase name="a"/>' + "&#x1B;" * 30)
        assert read(text).tests == {"a": "passed"}


def test_bytes_that_are_not_utf8_are_read_as_latin1(read: Read) -> None:
    summary = read(b'<testsuite><testcase name="caf\xe9"/></testsuite>')
    assert summary.tests == {"café": "passed"}
    assert "iso-8859-1" in next(iter(summary.repairs))


@pytest.mark.parametrize("encoding", ["klingon", "shift_jis", "bogus-8859"])
def test_an_encoding_that_cannot_be_read_is_read_as_latin1(read: Read, encoding: str) -> None:
    head = f'<?xml version="1.0" encoding="{encoding}"?>'
    summary = read(head + '<testsuite><testcase name="a"/></testsuite>')
    assert summary.tests == {"a": "passed"}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "latin-1"])
def test_other_encodings_are_read(read: Read, encoding: str) -> None:
    name = encoding.removesuffix("-sig")
    text = f'<?xml version="1.0" encoding="{name}"?><testsuite><testcase name="é"/></testsuite>'
    data = codecs.encode(text, encoding)
    assert read(data).tests == {"é": "passed"}


def test_text_before_and_after_the_report_is_left_out(read: Read) -> None:
    summary = read("> npm test\n" + suite('<testcase name="a"/>') + "\ndone <b>")
    assert summary.tests == {"a": "passed"}
    assert len(summary.repairs) == 2
    assert summary.complete


def test_blank_lines_before_the_report_are_nothing(read: Read) -> None:
    text = b"\n\n" + suite('<testcase name="a"/>').encode()
    summary = read(text)
    assert summary.tests == {"a": "passed"}
    assert not summary.repairs


def test_a_report_that_breaks_off_is_incomplete(read: Read) -> None:
    summary = read('<testsuite>\n<testcase name="a"/><testcase name="b"><fail')
    assert summary.tests == {"a": "passed"}
    assert not summary.complete
    assert list(summary.repairs) == ["broken off in line 2 (unclosed token)"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no JUnit report"),
        ("plain text", "no JUnit report"),
        ("<html><body/></html>", "the first element is <html>"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><testsuite/>', "holds a DTD, which is refused"),
        ('<!DOCTYPE x SYSTEM "http://example.invalid/x.dtd"><testsuite/>', "holds a DTD"),
        ("<testsuite>" * 300, "nested deeper than 256"),
    ],
)
def test_what_is_no_report_is_refused_in_one_line(read: Read, text: str, reason: str) -> None:
    with pytest.raises(ReportError, match=reason) as refused:
        read(text)
    assert "\n" not in str(refused.value)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "absent.xml", tmp_path):
        with pytest.raises(ReportError, match="cannot be read"):
            FORMAT.read(str(path), False)


def test_too_many_tests_are_refused(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(junit, "TEST_LIMIT", 1)
    with pytest.raises(ReportError, match="more than 1 tests"):
        read(suite('<testcase name="a"/><testcase name="b"/>'))


def test_a_tag_without_end_is_refused(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml_stream, "_TOKEN_LIMIT", 1 << 16)
    with pytest.raises(ReportError, match="a tag of more than"):
        read('<testsuite><testcase name="' + "x" * (1 << 20))


def test_a_long_id_is_cut(read: Read) -> None:
    (name,) = read(suite(f'<testcase name="{"x" * 10000}"/>')).tests
    assert len(name) == junit.ID_LIMIT


def test_memory_does_not_grow_with_text(tmp_path: Path) -> None:
    path = tmp_path / "big.xml"
    with path.open("wb") as file:
        file.write(b'<testsuite><testcase name="a"/><system-out>')
        for _ in range(64):
            file.write(b"line of output &amp; more\n" * 40000)
        file.write(b"</system-out></testsuite>")
    tracemalloc.start()
    assert FORMAT.read(str(path), False).tests == {"a": "passed"}
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert path.stat().st_size > 60 << 20
    assert peak < 8 << 20


@pytest.mark.large
def test_a_gigabyte_needs_no_more_memory_than_its_ids(tmp_path: Path) -> None:
    path = tmp_path / "huge.xml"
    output = b"<system-out>" + b"a line of &lt;output&gt;\n" * 400_000 + b"</system-out>"
    with path.open("wb") as file:
        file.write(b'<testsuite name="s">')
        for number in range(55):
            file.write(b'<testcase name="t%d"><failure>' % number + output[12:-13] + b"</failure>")
            file.write(b"</testcase>" + output)
        file.write(b"</testsuite>")
    size = path.stat().st_size
    script = """
import re, sys
from proctor.results.read import read_summary
found = read_summary(sys.argv[1], "junit", detailed=True)
print(len(found.tests), re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
"""
    done = subprocess.run([sys.executable, "-c", script, path], capture_output=True, check=True)
    path.unlink()
    tests, peak = map(int, done.stdout.split())
    assert size > 1 << 30
    assert tests == 55
    assert peak < 64 << 10


def test_the_time_of_the_outermost_suite_is_that_of_the_run(read: Read) -> None:
    assert read('<testsuites time="1.5"><testsuite time="9"/></testsuites>').seconds == 1.5


def test_a_count_of_many_digits_is_none(read: Read) -> None:
    assert read(suite('<testcase name="a"/>', tests="9" * 5000)).tests == {"a": "passed"}


@pytest.mark.parametrize("seed", range(40))
def test_a_mangled_report_is_read_or_refused_and_nothing_else(read: Read, seed: int) -> None:
    chance = random.Random(seed)
    whole = suite(
        '<testcase name="a" time="1"><failure message="m">t</failure></testcase>'
        '<testcase name="b"><skipped/></testcase><system-out>ok 1 # skip</system-out>',
        name="pytest",
        tests="2",
        failures="1",
    ).encode()
    for _ in range(50):
        data = bytearray(whole)
        for _ in range(chance.randrange(1, 6)):
            at = chance.randrange(len(data))
            kind = chance.randrange(3)
            if kind == 0:
                data[at] = chance.randrange(256)
            elif kind == 1:
                del data[at : at + chance.randrange(1, 20)]
            else:
                data[at:at] = chance.choice([b"<", b">", b"&", b"]]>", b"<!DOCTYPE x>", b"\x00"])
        with contextlib.suppress(ReportError):
            read(bytes(data))
