"""`proctor log`, `verify` and `schema` as a person runs them."""

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from proctor.cli.schemas import NAMES, file_of
from tests.conftest import Proctor
from tests.records import Record, make_record

GOLDEN = Path(__file__).parents[2] / "golden"
SCHEMAS = Path(__file__).parents[3] / "src" / "proctor" / "schemas"
UTC = {"TZ": "UTC", "LC_ALL": "C.UTF-8"}


@pytest.fixture
def recorded(proctor: Proctor) -> Callable[[Iterable[Record]], Proctor]:
    """Proctor with a log that holds the given records."""
    from proctor.records.append import LogWriter

    def write(records: Iterable[Record]) -> Proctor:
        writer = LogWriter(str(proctor.log), pytest.fail)
        for one in records:
            writer.append(one)
        writer.close()
        return proctor

    return write


def a_session() -> list[Record]:
    """What an agent did: a masked failure, then an honest green run."""

    def span(number: int, parent: int | None, second: int, **members: Any) -> Record:
        return make_record(
            span_id=f"{number:016x}",
            parent_span_id=None if parent is None else f"{parent:016x}",
            started_at=f"2026-03-01T10:00:{second:02}.000000Z",
            pid=number,
            **members,
        )

    report = {"path": "r", "sha256": "", "format": "x", "ids_sha256": ""}
    red = report | {"executed": 5, "passed": 3, "failed": 2, "skipped": 0}
    green = report | {"executed": 5, "passed": 5, "failed": 0, "skipped": 0}
    leaf = {"command_class": "pytest", "role": "test", "kind": "leaf"}
    python = ["/work/app/.venv/bin/python", "/work/app/.venv/bin/pytest", "-q"]
    shell = ["bash", "-c", "cd app && pytest -q 2>&1 | tail -3"]
    return [
        span(3, 2, 2, argv=python, exit_code=1, report=red, **leaf),
        span(2, 1, 1, argv=shell, duration_ms=1350),
        span(4, 1, 9, argv=["git", "commit", "-qm", "fix\x1b[2K"], command_class="git", role="vcs", duration_ms=12),
        span(5, 1, 12, argv=python, report=green, **leaf),
        span(1, None, 0, argv=["agent", "--yes"], duration_ms=15_000),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "golden"),
    [
        (["log"], "log-table.txt"),
        (["log", "--tree"], "log-tree.txt"),
        (["log", "--tests", "--failing"], "log-failing.txt"),
    ],
)
def test_a_session_is_shown_as_published(
    words: list[str], golden: str, recorded: Callable[[Iterable[Record]], Proctor]
) -> None:
    done = recorded(a_session())(*words, env=UTC)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (GOLDEN / golden).read_text()


def test_json_can_be_piped_on(recorded: Callable[[Iterable[Record]], Proctor]) -> None:
    done = recorded(a_session())("log", "--format", "json", "--failing", env={"LC_ALL": "C"})
    (only,) = json.loads(done.stdout)
    assert only["exit_code"] == 1


def test_arguments_that_are_not_utf8_are_shown_everywhere(
    recorded: Callable[[Iterable[Record]], Proctor],
) -> None:
    proctor = recorded([make_record(argv=["cat", "b\udcff", "é"])])
    assert "cat 'b\\xff'" in proctor("log", env=UTC).stdout
    ascii_only = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    assert proctor("log", env=ascii_only).returncode == 0
    assert json.loads(proctor("log", "--format", "json", env=ascii_only).stdout)


def test_a_default_log_that_is_missing_is_no_error_but_proves_nothing(
    proctor: Proctor, tmp_path: Path
) -> None:
    del proctor.env["PROCTOR_LOG"]
    done = proctor("log", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout.startswith("nothing recorded yet in ")
    assert json.loads(proctor("log", "--format", "json", cwd=tmp_path).stdout) == []


@pytest.mark.parametrize(
    ("words", "code", "line"),
    [
        (["log", "--log", "none.jsonl"], 65, "there is no such span log"),
        (["log"], 65, "there is no such span log"),
        (["verify", "."], 65, "a folder"),
        (["verify", "/bin/sh"], 65, "not a span log: it is binary"),
        (["log", "--last", "-1"], 64, "--last takes a number from 0"),
        (["log", "--tree", "--format", "json"], 64, "--tree is a picture"),
        (["log", "--last", "many"], 64, "invalid int value"),
    ],
)
def test_bad_input_is_one_line(
    words: list[str], code: int, line: str, proctor: Proctor, tmp_path: Path
) -> None:
    done = proctor(*words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (code, "")
    assert line in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_whole_chain_passes(recorded: Callable[[Iterable[Record]], Proctor]) -> None:
    proctor = recorded(a_session())
    done = proctor("verify")
    assert done.returncode == 0
    assert "5 records, the chain is whole; head " in done.stdout
    assert proctor("verify", str(proctor.log)).stdout == done.stdout


def test_a_broken_chain_names_its_first_bad_line(
    recorded: Callable[[Iterable[Record]], Proctor],
) -> None:
    proctor = recorded([make_record(exit_code=1) for _ in range(30)])
    text = proctor.log.read_text()
    proctor.log.write_text(text.replace('"exit_code":1', '"exit_code":0'))
    done = proctor("verify")
    assert done.returncode == 1
    assert done.stdout.splitlines()[0] == f"{proctor.log}: broken at line 1"
    assert done.stdout.splitlines()[-1] == "  and 10 more"
    proctor.log.write_text("".join([*text.splitlines(keepends=True)[:2], "{}\n"]))
    done = proctor("verify")
    assert (done.returncode, done.stdout.count("\n")) == (1, 2)


@pytest.mark.parametrize(
    ("text", "why"), [("", "it is empty"), (json.dumps(make_record()), "carry no digests")]
)
def test_what_holds_no_chain_has_nothing_to_verify(text: str, why: str, proctor: Proctor) -> None:
    proctor.log.write_text(text)
    done = proctor("verify")
    assert done.returncode == 2
    assert why in done.stdout


@pytest.mark.parametrize("name", NAMES)
def test_schemas_are_as_published(name: str, proctor: Proctor) -> None:
    done = proctor("schema", name)
    assert done.returncode == 0
    assert json.loads(done.stdout)["$schema"].endswith("2020-12/schema")
    assert done.stdout == (SCHEMAS / f"{name}-1.json").read_text()


def test_the_package_holds_the_schemas_and_nothing_beside_them() -> None:
    assert {path.name for path in SCHEMAS.iterdir()} == {file_of(name) for name in NAMES}


def test_what_is_wrong_with_a_log_goes_to_stderr(
    recorded: Callable[[Iterable[Record]], Proctor],
) -> None:
    proctor = recorded([make_record()])
    with proctor.log.open("a") as file:
        file.write("noise\n")
    done = proctor("log")
    assert (done.returncode, done.stdout.count("\n")) == (0, 2)
    assert done.stderr == f"proctor: {proctor.log}: line 2 is not JSON\n"


def test_a_masked_failure_shows_at_a_glance(proctor: Proctor, tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text("def test_a():\n    assert 0\n")
    line = f"{sys.executable} -m pytest -q -p no:cacheprovider 2>&1 | tail -3"
    assert proctor("run", "--", "bash", "-c", line, cwd=tmp_path).returncode == 0
    if proctor.root["witness"] != "tree":
        pytest.skip("the tree witness does not work here")
    above, below = proctor("log", "--tree", env=UTC).stdout.splitlines()
    assert "✓ 0  bash -c " in above
    assert below.startswith("  └─ ✗ 1  ")
    assert "1 test, 1 failed" in below
    assert below.endswith("← masked: the line above said 0")
