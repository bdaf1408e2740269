"""Verdicts where forges read them: valid by the official schemas, inert, and red enough."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
import xmlschema
from markdown_it import MarkdownIt

from proctor.findings import Level, Outcome, Verdict
from proctor.report.base import Format, format_of
from proctor.report.markup import as_cell, as_code, as_words
from proctor.report.said import step_of
from proctor.report.style import Style
from tests.unit.report.test_verdict_formats import CASES, HOSTILE, MASKED

SCHEMAS = Path(__file__).parents[2] / "assets" / "schemas"


def rendered(name: str, verdict: Verdict) -> str:
    return format_of(name, Format).render(verdict, Style())


def sarif(verdict: Verdict) -> Any:
    return json.loads(rendered("sarif", verdict))


def changed(case: str, **members: Any) -> Verdict:
    return msgspec.structs.replace(CASES[case], **members)


# ── the official schemas ────────────────────────────────────────────────────


def test_the_schemas_are_those_that_were_taken_over() -> None:
    rows = re.findall(r"^\| `(.+?)` \| `(.+?)`", (SCHEMAS / "README.md").read_text(), re.MULTILINE)
    assert len(rows) == 2
    for name, digest in rows:
        assert hashlib.sha256((SCHEMAS / name).read_bytes()).hexdigest() == digest


@pytest.fixture(scope="module")
def sarif_schema() -> Any:
    schema = json.loads((SCHEMAS / "sarif-2.1.0.json").read_bytes())
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("case", CASES)
def test_sarif_is_valid(case: str, sarif_schema: Any) -> None:
    assert [error.message for error in sarif_schema.iter_errors(sarif(CASES[case]))] == []


@pytest.fixture(scope="module")
def junit_schema() -> Any:
    return xmlschema.XMLSchema(str(SCHEMAS / "junit.xsd"))


@pytest.mark.parametrize("case", CASES)
def test_junit_is_valid(case: str, junit_schema: Any) -> None:
    junit_schema.validate(rendered("junit", CASES[case]))


# ── SARIF ───────────────────────────────────────────────────────────────────


def test_a_sarif_result_names_the_rule_the_place_and_the_command() -> None:
    (run,) = sarif(CASES["fail"])["runs"]
    masked = run["results"][0]
    assert run["tool"]["driver"]["rules"][masked["ruleIndex"]]["id"] == "masked-exit"
    assert masked["level"] == "error"
    (place,) = masked["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "proctor.toml"
    assert place["logicalLocations"][0]["fullyQualifiedName"] == "pytest -q"
    assert [one["level"] for one in run["results"]] == ["error", "warning", "note"]


def test_a_finding_about_a_line_stands_there() -> None:
    where = msgspec.structs.replace(MASKED, paths=("src/a b.py",), line=7)
    (run,) = sarif(changed("fail", findings=(where,)))["runs"]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "src/a%20b.py", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {"startLine": 7}
    outside = msgspec.structs.replace(MASKED, paths=("/evidence/junit.xml",))
    (run,) = sarif(changed("fail", findings=(outside,)))["runs"]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "file:///evidence/junit.xml"}


def test_what_keeps_a_verdict_from_a_pass_is_an_error_in_sarif() -> None:
    assert sarif(CASES["unproven"])["runs"][0]["results"][0]["level"] == "error"
    assert sarif(CASES["observed"])["runs"][0]["results"][0]["level"] == "warning"


def test_results_that_say_alike_are_told_apart() -> None:
    results = sarif(CASES["many"])["runs"][0]["results"]
    assert len({one["partialFingerprints"]["proctor/v1"] for one in results}) == len(results) == 9


def test_a_rule_of_another_version_is_named_without_its_explanation() -> None:
    unknown = msgspec.structs.replace(MASKED, rule="of-tomorrow")
    rules = sarif(changed("fail", findings=(unknown,)))["runs"][0]["tool"]["driver"]["rules"]
    assert rules == [{"id": "of-tomorrow"}]


# ── annotations of GitHub ───────────────────────────────────────────────────


def test_an_honest_pull_request_gets_one_line() -> None:
    for name in ("github", "markdown"):
        (line,) = rendered(name, CASES["pass"]).splitlines()
        assert "Proctor: pass" in line
    assert not rendered("github", CASES["pass"]).startswith("::")


def test_an_annotation_has_file_line_and_title() -> None:
    where = msgspec.structs.replace(MASKED, paths=("src/a,b:c%.py",), line=7)
    line = rendered("github", changed("fail", findings=(where,))).splitlines()[1]
    head = "::error file=src/a%2Cb%3Ac%25.py,line=7,title=Proctor%3A masked-exit (error)::"
    assert line.startswith(head)
    assert line.endswith("%0ANext: mend what fails, then run it unmasked: proctor run -- pytest -q")


def test_an_annotation_without_a_cure_is_its_message() -> None:
    bare = msgspec.structs.replace(MASKED, cure="", message="x")
    assert rendered("github", changed("fail", findings=(bare,))).endswith("(error)::x\n")


def test_a_file_cannot_start_a_command_of_its_own() -> None:
    lines = rendered("github", CASES["hostile"]).splitlines()
    assert len(lines) == 2
    assert "##[" not in lines[0]
    assert [line.startswith("::error file=") for line in lines] == [False, True]
    properties = lines[1].split("::")[1]
    assert "\r" not in properties
    assert properties.count(",") == 2


def test_warnings_of_a_pass_stay_warnings_and_notes_stay_unsaid() -> None:
    lines = rendered("github", CASES["fail"]).splitlines()
    assert [line.partition(" ")[0] for line in lines[1:]] == ["::error", "::warning"]
    assert rendered("github", CASES["observed"]).splitlines()[1].startswith("::warning ")
    assert rendered("github", CASES["unproven"]).splitlines()[1].startswith("::error ")


# ── code quality of GitLab ──────────────────────────────────────────────────


def test_every_gitlab_issue_has_a_fingerprint_of_its_own_that_stays() -> None:
    issues = json.loads(rendered("gitlab", CASES["many"]))
    prints = [issue["fingerprint"] for issue in issues]
    assert len(set(prints)) == len(prints) == 9
    assert issues[0]["location"] == {"path": "proctor.toml", "lines": {"begin": 1}}
    assert json.loads(rendered("gitlab", CASES["many"])) == issues
    assert json.loads(rendered("gitlab", CASES["pass"])) == []


def test_gitlab_knows_every_level() -> None:
    for level in Level:
        one = msgspec.structs.replace(MASKED, level=level)
        (issue,) = json.loads(rendered("gitlab", changed("fail", findings=(one,))))
        assert issue["severity"] in {"info", "minor", "major", "critical", "blocker"}


# ── JUnit ───────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("case", "failures", "errors"),
    [("pass", 0, 0), ("fail", 2, 0), ("unproven", 0, 1), ("observed", 0, 0), ("hostile", 1, 1)],
)
def test_no_verdict_but_a_pass_is_green_in_junit(case: str, failures: int, errors: int) -> None:
    text = rendered("junit", CASES[case])
    assert f'failures="{failures}" errors="{errors}"' in text
    assert text.count("<testcase") >= 1
    assert (text.count("<failure"), text.count("<error")) == (failures, errors)


def test_junit_reads_back_what_was_said() -> None:
    from xml.etree import ElementTree as ET

    root = ET.fromstring(rendered("junit", CASES["fail"]))
    failure = root.find("testsuite/testcase[@name='verdict']/failure")
    assert failure is not None
    assert failure.get("message") == CASES["fail"].sentence
    assert "error masked-exit: " in (failure.text or "")
    ET.fromstring(rendered("junit", CASES["hostile"]))


# ── Markdown ────────────────────────────────────────────────────────────────

INERT = re.compile(r"<(?!/?(?:p|ul|li|strong|code|br|details|summary|table|t[hdr]|thead|tbody)\b)")


@pytest.mark.parametrize("case", CASES)
def test_nothing_in_markdown_is_markup_that_we_did_not_write(case: str) -> None:
    html = MarkdownIt("gfm-like").render(rendered("markdown", CASES[case]))
    assert INERT.search(html) is None, html
    outside = re.sub(r"<code>.*?</code>", "", html, flags=re.DOTALL)
    for sign in ("@", "#1", "www.", "javascript:", ":tada:", "\u202e", "\x1b", "octocat"):
        assert sign not in outside


@pytest.mark.parametrize("text", ["`", "``x`", "a`b``c", " ", "", "x\ny", "a|b", "\\", HOSTILE])
def test_code_holds_any_text(text: str) -> None:
    html = MarkdownIt().renderInline(f"a {as_code(text)} b")
    assert html.startswith("a <code>")
    assert html.endswith("</code> b")
    assert html.count("<code>") == 1


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a test command failed", "a test command failed"),
        ("`pytest -q` returned 1, twice", "`pytest -q` returned 1, twice"),
        ("ask @ann and @bob now", "ask `@ann` and `@bob` now"),
        ("see #12 www.x.org", "see `#12 www.x.org`"),
        ("", ""),
        ("x  y", "x  y"),
        ("1,234 tests (of 5)", "1,234 tests (of 5)"),
        ("end @x ", "end `@x` "),
    ],
)
def test_odd_words_become_code_and_others_stay(text: str, shown: str) -> None:
    assert as_words(text) == shown


def test_a_cell_keeps_its_columns() -> None:
    table = f"| a |\n| --- |\n| {as_cell(as_code('x | y'))} |\n"
    html = MarkdownIt("gfm-like").render(table)
    assert "<code>x | y</code>" in html


def test_markdown_folds_what_is_long() -> None:
    many = changed("many", findings=tuple(CASES["many"].findings) * 30)
    text = rendered("markdown", many)
    assert "<details><summary>260 more findings</summary>" in text
    assert "and 70 more: `proctor gate --format json`" in text
    notes = (msgspec.structs.replace(MASKED, level=Level.NOTE),) * 2
    assert "2 notes" in rendered("markdown", changed("fail", findings=(MASKED, *notes)))


def test_a_pass_with_a_warning_tells_it() -> None:
    warned = msgspec.structs.replace(MASKED, level=Level.WARNING)
    text = rendered("markdown", changed("pass", findings=(warned,), outcome=Outcome.PASS))
    assert text.startswith("✅ **Proctor: pass**")
    assert "- **warning** `masked-exit`" in text


@pytest.mark.parametrize(
    ("cure", "words", "command"),
    [
        ("proctor run -- pytest -q", "", "proctor run -- pytest -q"),
        ("mend it, then: cd a && proctor run -- x", "mend it, then: ", "cd a && proctor run -- x"),
        ("wait for its end", "wait for its end", ""),
        ("see `proctor log`: it tells", "see `proctor log`: it tells", ""),
        ("", "", ""),
    ],
)
def test_the_command_of_a_cure_can_be_copied(cure: str, words: str, command: str) -> None:
    assert step_of(cure) == (words, command)
