"""`proctor report`: a verdict or the records, written or sent."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cheats.stage import GREEN, RED, Stage
from tests.unit.report.test_otlp import collecting

TRACE, CALL = "5b8aa5a2d2c872e8321cf37308d69df2", "051581bf3cb55c13"


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    made = Stage(tmp_path)
    made.put("tests/test_app.py", GREEN)
    made.commit()
    return made


def spans(text: str) -> list[dict[str, Any]]:
    return [
        one
        for line in text.splitlines()
        for group in json.loads(line)["resourceSpans"]
        for one in group["scopeSpans"][0]["spans"]
    ]


def test_records_are_written_to_a_file_without_a_network(stage: Stage) -> None:
    secret = "ghp_" + "a1B2" * 9
    stage.run("pytest", "-q", "-p", "no:cacheprovider")
    stage.run("git", "status", "--token", secret)
    target = stage.folder / "spans.json"
    done = stage.proctor("report", "--format", "otlp", "--output", str(target))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    found = spans(target.read_text())
    assert len(found) == len(stage.spans())
    assert secret not in target.read_text()
    assert stage.proctor("report", "--format", "otlp").stdout == target.read_text()


@pytest.mark.heavy
def test_records_reach_a_collector(stage: Stage) -> None:
    stage.run("pytest", "-q", env={"TRACEPARENT": f"00-{TRACE}-{CALL}-01"})
    with collecting() as collector:
        done = stage.proctor("report", "--format", "otlp", "--endpoint", collector.url)
        assert done.returncode == 0, done.stderr
        assert done.stdout == f"{len(stage.spans())} spans sent to {collector.url}\n"
    assert {one.trace_id.hex() for one in collector.spans} == {TRACE}
    assert CALL in {one.parent_span_id.hex() for one in collector.spans}
    gone = stage.proctor("report", "--format", "otlp", "--endpoint", collector.url)
    assert gone.returncode == 65
    assert "cannot be reached" in gone.stderr


@pytest.mark.heavy
def test_an_agents_own_trace_tells_the_parents(stage: Stage) -> None:
    stage.proctor("run", "--parent", "call_1", "--", "bash", "-c", "pytest -q | tail -1")
    attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "bash",
        "gen_ai.tool.call.id": "call_1",
        "gen_ai.tool.call.arguments": '{"command": "pytest -q | tail -1"}',
    }
    tool = {
        "traceId": TRACE, "spanId": CALL, "name": "execute_tool bash", "kind": 1,
        "startTimeUnixNano": "1772359200000000000", "endTimeUnixNano": "1772359201000000000",
        "attributes": [{"key": k, "value": {"stringValue": v}} for k, v in attributes.items()],
    }  # fmt: skip
    scope = {"scopeSpans": [{"scope": {"name": "agent"}, "spans": [tool]}]}
    trace = stage.folder / "trace.json"
    trace.write_text(json.dumps({"resourceSpans": [{"resource": {"attributes": []}, **scope}]}))
    done = stage.proctor("report", "--format", "otlp", "--transcript", str(trace))
    found = {one["spanId"]: one for one in spans(done.stdout)}
    (root,) = [span for span in stage.spans() if span["parent_span_id"] is None]
    assert found[root["span_id"]]["parentSpanId"] == CALL
    assert {one["traceId"] for one in found.values()} == {TRACE}


def test_a_page_shows_the_run_that_was_masked(stage: Stage) -> None:
    stage.put("tests/test_app.py", RED)
    stage.line("pytest -q 2>&1 | tail -3")
    target = stage.folder / "report.html"
    done = stage.proctor("report", "--format", "html", "-o", str(target))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    text = target.read_text()
    assert "what really happened" in text
    assert text.index("what the caller was told") < text.index("What ran")
    assert all(span["span_id"] in text for span in stage.spans())
    assert stage.proctor("report", "--format", "html").stdout.startswith("<!doctype html>")


def test_a_page_takes_an_oracles_report(stage: Stage) -> None:
    old, new = (stage.put(name, text) for name, text in (("o", "a|1|x|1\n"), ("n", "a|1|x|2\n")))
    policy = stage.put("p", '{"allowed": []}')
    report = str(stage.folder / "oracle.json")
    words = ("oracle", "diff", str(old), str(new), str(policy), "--format", "json")
    assert stage.proctor(*words, "--output", report).returncode == 1
    done = stage.proctor("report", "--format", "html", "--oracle", report)
    assert "Behaviour, old beside new" in done.stdout
    for path in (str(stage.folder / "none.json"), str(old)):
        refused = stage.proctor("report", "--format", "html", "--oracle", path)
        assert (refused.returncode, refused.stderr.count("\n")) == (65, 1)
        assert "proctor oracle check" in refused.stderr


def test_a_page_of_nothing_recorded_is_unproven_and_not_empty(stage: Stage) -> None:
    done = stage.proctor("report", "--format", "html")
    assert done.returncode == 0
    assert "Unproven</h1>" in done.stdout
    assert stage.proctor("gate", "--format", "html").returncode == 2


def test_the_gate_writes_for_forges_and_keeps_its_exit_code(stage: Stage) -> None:
    for name in ("markdown", "github", "gitlab", "sarif", "junit"):
        done = stage.proctor("gate", "--format", name)
        assert done.returncode == 2
        assert "no-records" in done.stdout


def test_a_verdict_is_written_whatever_it_says(stage: Stage) -> None:
    done = stage.proctor("report", "--format", "json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["outcome"] == "unproven"
    stage.proctor("report", "--output", str(stage.folder / "v"))
    assert (stage.folder / "v").read_text().startswith("UNPROVEN")


def test_a_verdict_that_was_written_is_shown_again_and_not_judged_anew(stage: Stage) -> None:
    path = str(stage.folder / "v.json")
    assert stage.proctor("gate", "--format", "json", "--output", path).returncode == 2
    stage.run("pytest", "-q")
    for name in ("text", "markdown", "github", "gitlab", "sarif", "junit", "json"):
        done = stage.proctor("report", "--verdict", path, "--format", name)
        assert (done.returncode, "no-records" in done.stdout) == (0, True), name
    assert stage.proctor("report", "--verdict", path, "--exit-code").returncode == 2
    assert stage.proctor("report", "--exit-code").returncode == 0
    page = stage.proctor("report", "--format", "html", "-o", str(stage.folder / "p"), "--exit-code")
    assert page.returncode == 0


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "cannot be read: No such file"),
        ("[]", "holds no verdict"),
        ("", "holds no verdict"),
        ('{"outcome": "pass"}', "holds no verdict"),
    ],
)
def test_what_is_no_verdict_is_never_a_pass(stage: Stage, content: str | None, said: str) -> None:
    path = stage.folder / "v.json"
    if content is not None:
        path.write_text(content)
    done = stage.proctor("report", "--verdict", str(path), "--exit-code")
    assert (done.returncode, done.stderr.count("\n"), said in done.stderr) == (65, 1, True)


def test_a_verdict_of_another_version_is_refused(stage: Stage) -> None:
    path = stage.folder / "v.json"
    stage.proctor("gate", "--format", "json", "--output", str(path))
    path.write_text(path.read_text().replace("proctor.verdict/1", "proctor.verdict/9"))
    done = stage.proctor("report", "--verdict", str(path))
    assert (done.returncode, "'proctor.verdict/9', not" in done.stderr) == (65, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--verdict", "v", "--base", "main"), "judged already; drop --base"),
        (("--verdict", "v", "--format", "html"), "a page holds the records too"),
        (("--verdict", "v", "--format", "otlp"), "--verdict is for verdicts"),
        (("--bundle", "b", "--log", "l"), "--bundle brings a log of its own"),
        (("--format", "htlm"), "(did you mean 'html'?)"),
        (("--format", "json", "--endpoint", "http://x"), "--endpoint is for records"),
        (("--format", "otlp", "--base", "main"), "--base is for verdicts"),
        (("--format", "otlp", "--oracle", "f"), "--oracle is for verdicts"),
        (("--format", "otlp", "--log", "a", "--log", "b"), "takes one --log"),
        (("--format", "html", "--endpoint", "http://x"), "--endpoint is for records"),
        (("--format", "otlp", "--endpoint", "http://x", "--output", "f"), "not both"),
    ],
)
def test_words_that_do_not_fit_are_64(stage: Stage, words: tuple[str, ...], said: str) -> None:
    done = stage.proctor("report", *words)
    assert (done.returncode, said in done.stderr) == (64, True), done.stderr


def test_nothing_recorded_is_no_success(stage: Stage) -> None:
    done = stage.proctor("report", "--format", "otlp")
    assert (done.returncode, done.stdout) == (2, "")
    assert "nothing recorded yet" in done.stderr
    assert stage.proctor("report", "--format", "otlp", "--log", "nowhere").returncode == 65
    assert stage.proctor("gate", "--format", "otlp").returncode == 64


def test_an_output_that_cannot_be_written_is_one_line(stage: Stage) -> None:
    stage.run("true")
    (stage.folder / "no").touch()
    done = stage.proctor("report", "--format", "otlp", "--output", str(stage.folder / "no" / "x"))
    assert done.returncode == 65
    assert "the records cannot be written" in done.stderr
