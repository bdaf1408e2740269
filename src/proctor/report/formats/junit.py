"""The verdict as JUnit: one case for the verdict, one for each suite or thing judged.

What failed is a failure, what is unproven an error: both are red wherever JUnit is
shown. The times and numbers of the tests themselves are in the runner's own report.
"""

from xml.etree import ElementTree as ET

from proctor.findings import Finding, Outcome, Suite, Verdict
from proctor.report.base import Format
from proctor.report.plain import visible, visible_argv
from proctor.report.said import blocks, command_of, executed_of, facts_of, told, word_of
from proctor.report.style import Style
from proctor.report.summary import Case, Summary

_MARKS = {Outcome.FAIL: "failure", Outcome.UNPROVEN: "error"}


def _render(verdict: Verdict, style: Style) -> str:
    del style
    cases = [_verdict_case(verdict), *(_suite_case(one, verdict) for one in verdict.suites)]
    if isinstance(verdict, Summary):
        cases += (_case(one, verdict) for one in verdict.cases)
    red = {name: sum(case.find(name) is not None for case in cases) for name in _MARKS.values()}
    suite = ET.Element(
        "testsuite",
        name=command_of(verdict),
        tests=str(len(cases)),
        failures=str(red["failure"]),
        errors=str(red["error"]),
    )
    suite.extend(cases)
    root = ET.Element("testsuites", name="proctor")
    root.append(suite)
    ET.indent(root)
    # NOTE: every text went through `visible`: no sign is left that XML forbids.
    text = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _verdict_case(verdict: Verdict) -> ET.Element:
    case = ET.Element("testcase", classname="proctor", name="verdict")
    red = [finding for finding in verdict.findings if blocks(finding, verdict)]
    _mark(case, verdict.outcome, verdict.sentence, [_told(finding) for finding in red])
    others = [finding for finding in verdict.findings if finding not in red]
    head = " · ".join((f"{word_of(verdict)}: {visible(verdict.sentence)}", *facts_of(verdict)))
    loosened = [visible(f"loosened: {text}") for text in verdict.loosened]
    _printed(case, [head, *loosened, *(_told(finding) for finding in others)])
    return case


def _suite_case(suite: Suite, verdict: Verdict) -> ET.Element:
    case = ET.Element("testcase", classname="proctor.suite", name=visible(suite.name))
    said = f"{visible_argv(suite.argv)}: {executed_of(suite.executed)}"
    attempts = f"attempts on this tree: {suite.attempts:,}, red {suite.red:,}"
    outcome = Outcome.PASS if verdict.would_block else suite.outcome
    _mark(case, outcome, said, [attempts])
    _printed(case, [f"{suite.outcome.value}: {said}", attempts])
    return case


def _case(one: Case, verdict: Summary) -> ET.Element:
    classname = f"proctor.{verdict.command.replace(' ', '.')}"
    case = ET.Element("testcase", classname=classname, name=visible(one.name))
    lines = [visible(line) for line in one.lines]
    _mark(case, Outcome.PASS if verdict.would_block else one.outcome, one.said, lines)
    _printed(case, [f"{one.outcome.value}: {visible(one.said)}", *lines])
    return case


def _mark(case: ET.Element, outcome: Outcome, message: str, lines: list[str]) -> None:
    if outcome in _MARKS:
        mark = ET.SubElement(case, _MARKS[outcome], type=outcome.value, message=visible(message))
        mark.text = "\n".join(lines)


def _printed(case: ET.Element, lines: list[str]) -> None:
    ET.SubElement(case, "system-out").text = "\n".join(lines)


def _told(finding: Finding) -> str:
    cure = f"\n    {visible(finding.cure)}" if finding.cure else ""
    return f"{finding.level.value} {finding.rule}: {visible(told(finding))}{cure}"


FORMAT = Format(render=_render)
