"""Factories of evidence: spans, what their argv is, whole verdicts."""

import itertools
import shlex
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from proctor.classify.base import Classification
from proctor.config import RequireTable
from proctor.findings import Finding, Verdict
from proctor.gate.case import Case
from proctor.gate.evidence import (
    Call,
    Difference,
    Evidence,
    Known,
    LineRun,
    LogFacts,
    Policy,
    Requirement,
    Run,
    Seen,
    TreeFacts,
)
from proctor.gate.judge import judge
from proctor.join.toolcall import Told, ToolCall
from proctor.records.span import Git, Report, Runner, Span
from proctor.requirements import Selecting, Selection

ROOT = "/work/app"
CLONE = ("c0ffee", "0123456789abcdef")
NOW = "t1"
_ids = itertools.count(1)


def covers(a: Classification, b: Classification) -> bool:
    """Whether the folders and files of `a` hold those of `b`, narrowed no further."""
    if not set(a.narrowing) | set(a.narrowing_env) <= set(b.narrowing) | set(b.narrowing_env):
        return False
    if not a.selectors or "." in a.selectors:
        return True
    return bool(b.selectors) and all(
        any(one == word or one.startswith((f"{word}/", f"{word}::")) for word in a.selectors)
        for one in b.selectors
    )


def is_narrowed(what: Classification) -> bool:
    return bool(what.narrowing or what.narrowing_env)


def selects_whole(what: Classification, files: Sequence[str]) -> bool:
    if not what.selectors or "." in what.selectors:
        return True
    if not files:
        return False
    return all(any(f == s or f.startswith(f"{s}/") for s in what.selectors) for f in files)


SELECTING = Selecting(covers=covers, is_narrowed=is_narrowed, selects_whole=selects_whole)

_DRIVERS = {"make": "make test", "tox": "tox", "npm": "npm test", "go": "go test"}


def what(argv: Sequence[str] | str, **members: Any) -> Any:
    """A small classification of what these tests run."""
    words = shlex.split(argv) if isinstance(argv, str) else list(argv)
    if not words:
        return None
    if words[0] in _DRIVERS:
        found = Classification(words, _DRIVERS[words[0]], "test", "driver")
    elif words[0] in ("ruff", "ls"):
        found = Classification(words, words[0], "lint" if words[0] == "ruff" else "other", None)
    elif words[0].rpartition("/")[2] in ("pytest", "jest", "node"):
        name = words[0].rpartition("/")[2]
        name = "node --test" if name == "node" else name
        found = Classification(words, name, "test", "leaf")
        found.selectors = tuple(word for word in words[1:] if not word.startswith("-"))
        found.narrowing = tuple(word for word in words[1:] if word.startswith(("-k", "-m")))
        found.not_a_run = next((w for w in words if w in ("--version", "--collect-only")), None)
        found.updates = tuple(word for word in words if word == "-u")
    else:
        return None
    for key, value in members.items():
        setattr(found, key, value)
    return found


def make_report(executed: int = 3, **members: Any) -> Report:
    failed = members.get("failed", 0)
    return Report(
        **{
            "path": "/state/reports/1.json",
            "sha256": "aa",
            "format": "proctor_pytest",
            "executed": executed,
            "passed": executed - failed,
            "failed": failed,
            "skipped": 0,
            "ids_sha256": f"ids-{executed}",
            **members,
        }
    )


def make_git(tree: str | None = NOW, **members: Any) -> Git:
    return Git(
        **{
            "root": ROOT,
            "repository": CLONE,
            "head": "h1",
            "tree": tree,
            "tree_after": tree,
            **members,
        }
    )


def make_span(argv: Sequence[str] | str = "pytest -q", **members: Any) -> Span:
    number = next(_ids)
    words = tuple(shlex.split(argv)) if isinstance(argv, str) else tuple(argv)
    return Span(
        **{
            "span_id": f"{number:016x}",
            "run_id": f"run-{number}",
            "argv": words,
            "cwd": ROOT,
            "exit_code": 0,
            "started_at": f"2026-03-01T10:{number // 60 % 60:02d}:{number % 60:02d}.000000Z",
            "duration_ms": 1200,
            "duration_floor_ms": 0,
            "duration_ok": True,
            "denied_binary": False,
            "stdout_sha256": None,
            "stderr_sha256": None,
            "stdout_bytes": None,
            "stderr_bytes": None,
            "env_names": (),
            "witness": "tree",
            "pid": number,
            **members,
        }
    )


def make_seen(argv: Sequence[str] | str = "pytest -q", **members: Any) -> Seen:
    """A span and its classification; a leaf has a tree and a report of 3 tests."""
    found = members.pop("what", None) or what(argv)
    line = members.pop("line", None)
    if found is not None and found.kind == "leaf":
        members.setdefault("git", make_git(members.pop("tree", NOW)))
        members.setdefault("report", make_report(failed=1 if members.get("exit_code") else 0))
    return Seen(span=make_span(argv, **members), what=found, line=line)


def below(parent: Seen, argv: Sequence[str] | str, **members: Any) -> Seen:
    """A span that `parent` started."""
    return make_seen(argv, run_id=parent.span.run_id, parent_span_id=parent.span.span_id, **members)


def make_evidence(*seen: Seen, **members: Any) -> Evidence:
    runs: dict[str, list[Seen]] = {}
    for one in seen:
        runs.setdefault(one.span.run_id, []).append(one)
    facts = {
        "logs": (LogFacts(path="/state/spans.jsonl", records=len(seen)),),
        "runs": tuple(Run(run_id=name, seen=tuple(group)) for name, group in runs.items()),
        "tree": make_tree(),
        "root": ROOT,
        "known": {"pytest": Known(files=("tests/test_a.py", "tests/test_b.py"), tests=42)},
        "projects": frozenset(("",)),
        "now": "2026-03-01T12:00:00.000000Z",
        "boot_id": "boot",
        "records": len(seen),
    }
    return Evidence(**{**facts, **members})


def make_tree(*changes: Difference, **members: Any) -> TreeFacts:
    """The current tree `t1`, from which the tree `t0` differs by `changes`."""
    facts = {
        "root": ROOT,
        "repository": CLONE,
        "head": "h1",
        "tree": NOW,
        "since": {NOW: (), "t0": changes or (edited("src/a.py"),)},
    }
    return TreeFacts(**{**facts, **members})


def edited(path: str) -> Difference:
    return Difference(path=path, before="b0", after="b1")


def added(path: str) -> Difference:
    return Difference(path=path, before=None, after="b1")


def required(argv: str = "pytest", **members: Any) -> Requirement:
    item = RequireTable(**{"name": "checkout", "command": tuple(shlex.split(argv)), **members})
    found = what(argv)
    assert found is not None
    return Requirement(item=item, selection=Selection(what=found, where="", project=""))


def make_verdict(*seen: Seen, policy: Policy | None = None, **members: Any) -> Verdict:
    return judge(make_evidence(*seen, **members), policy or Policy(), SELECTING)


def make_case(*seen: Seen, policy: Policy | None = None, **members: Any) -> Case:
    return Case(make_evidence(*seen, **members), policy or Policy(), SELECTING)


def found_rules(verdict: Verdict) -> list[str]:
    return [finding.rule for finding in verdict.findings]


def only(verdict: Verdict, rule: str) -> Finding:
    """The verdict's one finding of a rule."""
    found = [finding for finding in verdict.findings if finding.rule == rule]
    assert len(found) == 1, verdict.findings
    return found[0]


def make_call(command: str | None = "pytest -q", *tests: Seen, **members: Any) -> Call:
    """A tool call that claims tests; joined by its text where `tests` belong to it."""
    number = next(_ids)
    found = what(command.partition("|")[0]) if command else None
    status = "masked" if command and "|" in command else "own"
    made = {
        "call_id": f"toolu_{number}",
        "agent": "claude_code",
        "session": "s1",
        "tool": "Bash",
        "command": command,
        "cwd": ROOT,
        "started_at": f"2026-03-01T10:{number // 60 % 60:02d}:{number % 60:02d}.000000Z",
        "finished_at": f"2026-03-01T10:{number // 60 % 60:02d}:{number % 60:02d}.500000Z",
        "told": Told(ending="ended"),
        "background": False,
        "argv": None,
    }
    spans = (*members.get("spans", ()), *(seen.span for seen in tests))
    fields = {
        "call": ToolCall(**{key: members.pop(key, value) for key, value in made.items()}),
        "how": "text" if tests else "",
        "claims": True,
        "line": (LineRun(what=found, status=status, masked_by="| tail"),) if found else (),
        "tests": tests,
        "members": tuple(span.span_id for span in spans),
    }
    return Call(**{**fields, **members})


class Bench:
    """Everything above, for tests that import nothing from here."""

    seen = staticmethod(make_seen)
    below = staticmethod(below)
    span = staticmethod(make_span)
    report = staticmethod(make_report)
    git = staticmethod(make_git)
    tree = staticmethod(make_tree)
    evidence = staticmethod(make_evidence)
    verdict = staticmethod(make_verdict)
    call = staticmethod(make_call)
    case = staticmethod(make_case)
    required = staticmethod(required)
    what = staticmethod(what)
    edited = staticmethod(edited)
    added = staticmethod(added)
    rules = staticmethod(found_rules)
    only = staticmethod(only)
    selecting = SELECTING

    @staticmethod
    def runner(**members: Any) -> Runner:
        return Runner(**{"distribution": "pytest", "path": "/x/pytest/__main__.py", **members})

    @staticmethod
    def replace(value: Any, **members: Any) -> Any:
        return msgspec.structs.replace(value, **members)


@pytest.fixture
def bench() -> Bench:
    """Factories of evidence and of verdicts upon it."""
    return Bench()


@pytest.fixture
def span() -> Callable[..., Span]:
    """A factory of spans: `span(exit_code=1)`."""
    return make_span
