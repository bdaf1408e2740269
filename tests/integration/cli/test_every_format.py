"""Every command that judges, in every format: the same answer, in the shape of each."""

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from proctor.cli.main import run
from proctor.cli.output import Formats
from tests.cheats.stage import GREEN, RED, Stage
from tests.unit.oracle.traces import NEW, OLD

SCHEMAS = Path(__file__).parents[2] / "assets" / "schemas"
TRANSCRIPT = Path(__file__).parents[2] / "assets" / "transcripts" / "codex.jsonl"
HOSTILE = "\x1b[31m<b>%0A::error::x\u202e"

COMMANDS = {
    "gate": (("gate",), "proctor.verdict/1", 1),
    "receipt check": (("receipt", "check", "receipt.json"), "proctor.receipt-check/1", 3),
    "evidence show": (("evidence", "show", "kept"), "proctor.evidence/1", 1),
    "evidence compare": (("evidence", "compare", "a.txt", "b.txt"), "proctor.drift/1", 1),
    "oracle diff": (("oracle", "diff", "old.trace", "new.trace"), "proctor.oracle/1", 1),
    "flakes status": (("flakes", "status"), "proctor.flakes/1", 0),
    "audit": (("audit", "codex.jsonl"), "proctor.audit/1", 0),
}
FORMATS = list(Formats())


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    """A project in which each command has something to find."""
    made = Stage(tmp_path_factory.mktemp("formats"))
    made.put("tests/test_shop.py", GREEN)
    made.put(".gitignore", "*.trace\n*.txt\n*.json\n*.xml\n*.jsonl\nkept/\n")
    made.commit()
    made.proctor("receipt", "issue", "--output", "receipt.json", "--", "pytest", "-q")
    made.proctor("evidence", "capture", "--dir", "kept", "--", "pytest", "-q")
    made.put("kept/toolchain.txt", "python=3\n")
    made.put("a.txt", "python=3.11.0\nlibc=2\n")
    made.put("b.txt", f"python={HOSTILE}\nlibc=3\n")
    made.put("old.trace", OLD + f"D|1|set|value={HOSTILE}1\n")
    made.put("new.trace", NEW + f"D|1|set|value={HOSTILE}2\n")
    for number, word in enumerate(("", "<failure message='no'/>") * 2):
        case = f"<testcase classname='tests.t' name='n&lt;b&gt;%0A'>{word}</testcase>"
        made.put("junit.xml", f"<testsuite tests='1'>{case}</testsuite>")
        made.proctor(
            "flakes", "import", "junit.xml", "--tree", "a" * 40, "--run-id", f"r{number}",
            "--time", f"2026-11-2{number}T10:00:00Z", "--command", "pytest", "--toolchain", "x",
        )  # fmt: skip
    made.put("codex.jsonl", TRANSCRIPT.read_text())
    made.put("tests/test_shop.py", RED)
    made.line("python -m pytest -q 2>&1 | tail -3")
    return made


def is_text(text: str) -> None:
    assert len(text.strip()) > 10


def is_page(text: str) -> None:
    assert text.startswith("<!doctype html>")
    assert "<h1" in text
    assert "<b>%0A" not in text


def is_json(text: str) -> None:
    assert isinstance(json.loads(text), dict)


def is_markdown(text: str) -> None:
    assert text.count("<details>") == text.count("</details>")
    assert "<b>" not in re.sub(r"`+[^`]*`+", "", text)


def is_annotations(text: str) -> None:
    head, *lines = text.splitlines()
    assert head.startswith("Proctor")
    assert all(re.match(r"::(error|warning|notice) [^:]*::", line) for line in lines)


def is_quality(text: str) -> None:
    found = json.loads(text)
    assert all(
        {"description", "fingerprint", "severity", "location"} <= one.keys() for one in found
    )
    assert len({one["fingerprint"] for one in found}) == len(found)


def is_sarif(text: str) -> None:
    schema = json.loads((SCHEMAS / "sarif-2.1.0.json").read_bytes())
    found = list(jsonschema.Draft202012Validator(schema).iter_errors(json.loads(text)))
    assert [error.message for error in found] == []
    rules = json.loads(text)["runs"][0]["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules if "help" not in rule] == []


def is_junit(text: str) -> None:
    import xmlschema  # half a second, which no collection should wait for

    xmlschema.XMLSchema(str(SCHEMAS / "junit.xsd")).validate(text)
    (suite,) = ET.fromstring(text)
    assert int(suite.attrib["tests"]) == len(suite) > 0


SHAPES: dict[str, Callable[[str], None]] = {
    "text": is_text, "json": is_json, "html": is_page, "markdown": is_markdown,
    "github": is_annotations, "gitlab": is_quality, "sarif": is_sarif, "junit": is_junit,
}  # fmt: skip


def test_these_are_all_the_formats() -> None:
    assert sorted(FORMATS) == sorted(SHAPES)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_answers_in_every_format(
    stage: Stage, command: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words, schema, code = COMMANDS[command]
    monkeypatch.chdir(stage.repo)
    for variable, value in stage.env.items():
        monkeypatch.setenv(variable, value)
    target = tmp_path / "answer"
    assert run([*words, "--format", name, "--output", str(target)]) == code
    text = target.read_text()
    assert "\x1b" not in text
    SHAPES[name](text)
    if name == "json":
        assert json.loads(text)["schema"] == schema
    else:
        assert "\u202e" not in text
