"""Everything that reads what Proctor did not write itself."""

import asyncio
import contextlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import msgspec

from proctor import _family, approvals, config, mcp, redact
from proctor.assess.oracle_reports import read_from
from proctor.capture.show import show
from proctor.classify.classify import classify_argv
from proctor.classify.shell import read_line
from proctor.errors import Error, OracleError
from proctor.flakes import quarantine
from proctor.flakes.reports import read_attempts
from proctor.join.reading import read_transcript
from proctor.oracle.corpus import read_corpus
from proctor.oracle.difference import Ask, diff
from proctor.oracle.lock import parse_lock
from proctor.oracle.policy import parse_policy
from proctor.receipt.attest import verify
from proctor.receipt.bundle import read_bundle, unpack
from proctor.receipt.fields import read_receipt
from proctor.records.log import read_log
from proctor.records.starts import read_pending
from proctor.results.read import FORMATS, keep_report, read_report
from proctor.setup import jsonc
from proctor.setup.edit import append_blocks, read_own
from proctor.setup.find import find_suites

HERE = Path(__file__).parent
CORPUS = HERE / "corpus"
TRANSCRIPTS = HERE.parent / "assets" / "transcripts"
KEY = "ed25519:" + "A" * 43 + "="


@dataclass(frozen=True)
class Target:
    """One reader. `read` takes a file whose content is hostile, and a folder to work in."""

    name: str
    seeds: tuple[Path, ...]
    read: Callable[[Path, Path], object]
    refuses: tuple[type[Exception], ...] = (Error,)
    file: str = "input"
    extra: tuple[bytes, ...] = field(default=())

    def inputs(self) -> list[bytes]:
        """What is mutated; never nothing."""
        return [path.read_bytes() for path in self.seeds] + list(self.extra)


def _files(name: str) -> tuple[Path, ...]:
    found = tuple(sorted(path for path in (CORPUS / name).glob("*") if path.is_file()))
    assert found, f"put an input into tests/fuzz/corpus/{name}"
    return found


def _log(path: Path, _: Path) -> None:
    log = read_log(str(path))
    for _span in log:
        pass
    assert log.problem_count >= len(log.problems)


def _pending(path: Path, work: Path) -> None:
    folder = work / "log.pending"
    folder.mkdir(exist_ok=True)
    (folder / "a.jsonl").write_bytes(path.read_bytes())
    read_pending(str(work / "log"))


def _bundle(path: Path, work: Path) -> None:
    out = work / "deep" / "out"
    before = sorted(os.walk(work))
    bundle = read_bundle(str(path))
    unpack(bundle, str(out))
    outside = [entry for entry in sorted(os.walk(work)) if not entry[0].startswith(str(out))]
    allowed = {str(work), str(work / "deep")}
    assert [e for e in outside if e[0] not in allowed] == [e for e in before if e[0] not in allowed]


def _manifest(path: Path, work: Path) -> None:
    folder = work / "evidence"
    folder.mkdir(exist_ok=True)
    (folder / "manifest.json").write_bytes(path.read_bytes())
    show(str(folder))


def _toolchain(path: Path, work: Path) -> None:
    folder = work / "evidence"
    folder.mkdir(exist_ok=True)
    for name in ("toolchain.txt", "toolchain.json", "pytest.exit", "freeze.txt", "lock.copy"):
        (folder / name).write_bytes(path.read_bytes())
    show(str(folder))


def _trace(path: Path, work: Path) -> None:
    old = work / "old"
    if not old.exists():
        old.write_bytes(_files("trace")[0].read_bytes())
    diff(Ask(str(path), str(path)))
    with contextlib.suppress(OracleError):  # of another form
        diff(Ask(str(old), str(path)))


def _format(name: str) -> Callable[[Path, Path], object]:
    def read(path: Path, work: Path) -> None:
        read_report(str(path), name)
        read_attempts(str(path), name)
        keep_report(str(path), name, state_folder=str(work / "state"), started_ns=0)

    return read


def _transcript(path: Path, _: Path) -> None:
    for _entry in read_transcript(str(path)).entries:
        pass


def _hook(agent: str, event: str) -> Callable[[Path, Path], object]:
    hook = _family.member("proctor.hooks.agents", agent, "HOOK")

    def read(path: Path, _: Path) -> None:
        given = msgspec.json.decode(path.read_bytes())
        if isinstance(given, dict) and "cwd" in given:
            given["cwd"] = "/nonexistent"
        if isinstance(given, dict):
            json.dumps(hook.events[event](given, []))  # type: ignore[attr-defined]

    return read


async def _waited(tool: mcp.Tool, takes: msgspec.Struct) -> None:
    await tool.call(takes, {})


def _mcp(path: Path, work: Path) -> None:
    given = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
    name = str(given.get("name"))
    tool = mcp.TOOLS.get(name)
    arguments = given.get("arguments")
    if tool is None or name == "run_tests" or not isinstance(arguments, dict):
        return
    takes = msgspec.convert({**arguments, "cwd": str(work)}, tool.takes)
    asyncio.run(_waited(tool, takes))


def _shown(path: Path, _: Path) -> None:
    """Every argument of a record is shown in every format without a control character."""
    words = path.read_bytes().decode("utf-8", "surrogateescape").split("\n")
    argv, count = redact.redact_argv(words)
    assert count >= 0
    assert redact.redact_argv(argv)[0] == argv, "masking twice changes nothing"
    text = redact.redact_text(" ".join(words))
    assert redact.redact_text(text) == text, "masking twice changes nothing"


def _argv(path: Path, _: Path) -> None:
    words = path.read_bytes().decode("utf-8", "surrogateescape").split("\n")
    classify_argv(words, peel=True, environ={"PYTEST_ADDOPTS": words[0], "GOFLAGS": words[-1]})


def _shell(path: Path, _: Path) -> None:
    for run in read_line(path.read_bytes().decode("utf-8", "surrogateescape")):
        assert run.status in ("own", "masked", "altered", "unknown")


PROJECT = [
    "pyproject.toml", "setup.cfg", "tox.ini", "package.json", "Cargo.toml", "go.mod", "Makefile", "pytest.ini",
    "proctor.toml", "test_a.py", "conftest.py", ".gitmodules",
]  # fmt: skip


def _project(path: Path, work: Path) -> None:
    """What `init` looks at in a repository."""
    for name in PROJECT:
        (work / name).write_bytes(path.read_bytes())
    find_suites(str(work))
    with contextlib.suppress(Error):
        for place, before in [read_own(str(work), "x = 1")]:
            append_blocks(place, before, "require", [{"name": "x"}])
    (work / "proctor.toml").unlink()


def _jsonc(path: Path, _: Path) -> None:
    text = path.read_bytes().decode("utf-8", "replace")
    jsonc.read(text, "settings.json")
    again = jsonc.add(text, "settings.json", ("hooks", "x"), [1])
    jsonc.read(again, "settings.json")


TODAY = date(2026, 11, 29)
TARGETS = [
    Target("span log", _files("span_log"), _log),
    Target("pending marker", _files("pending"), _pending),
    Target("receipt", _files("receipt"), lambda p, _: read_receipt(p.read_bytes(), str(p))),
    Target("envelopes", _files("dsse"), lambda p, _: verify(p.read_bytes(), b"{}", [KEY])),
    Target("bundle", _files("bundle"), _bundle),
    Target("evidence manifest", _files("manifest"), _manifest),
    Target("evidence files", _files("toolchain"), _toolchain),
    Target("configuration", _files("config"), lambda p, _: config.parse(p.read_bytes(), str(p))),
    Target("pyproject", _files("config"), lambda p, _: config.parse(p.read_bytes(), str(p)),
           file="pyproject.toml", extra=(b"[tool.proctor.gate]\nenforce = 'observe'\n", b"tool = 1\n")),
    Target("project files", _files("project"), _project),
    Target("policy", _files("policy"), lambda p, _: parse_policy(p.read_bytes(), str(p), TODAY)),
    Target("corpus", _files("oracle_corpus"), lambda p, _: list(read_corpus(str(p)))),
    Target("trace", _files("trace"), _trace),
    Target("oracle lock", _files("oracle_lock"), lambda p, _: parse_lock(p.read_bytes(), str(p))),
    Target("oracle report", _files("oracle_report"), lambda p, _: read_from(str(p))),
    Target("quarantine", _files("quarantine"),
           lambda p, _: quarantine.parse(quarantine.read_text(str(p)), str(p))),
    Target("approvals", _files("approvals"), lambda p, _: approvals.parse(p.read_bytes(), str(p))),
    *(
        Target(f"results {name}", _files(f"results_{name}"), _format(name))
        for name in _family.names(FORMATS)
    ),
    *(
        Target(f"transcript {path.name}", (path,), _transcript, file=path.name)
        for path in sorted(TRANSCRIPTS.rglob("*"))
        if path.is_file()
    ),
    Target("hook claude-code", _files("hook"), _hook("claude_code", "pre-tool-use"), (Error, ValueError)),
    Target("hook codex", _files("hook"), _hook("codex", "pre-tool-use"), (Error, ValueError)),
    Target("hook gemini-cli", _files("hook"), _hook("gemini_cli", "before-tool"), (Error, ValueError)),
    Target("mcp", _files("mcp"), _mcp, (Error, ValueError)),
    Target("redaction", _files("argv"), _shown, ()),
    Target("argv", _files("argv"), _argv, ()),
    Target("shell text", _files("shell"), _shell, ()),
    Target("agent settings", _files("jsonc"), _jsonc),
]  # fmt: skip
