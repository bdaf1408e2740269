"""Keeps what runs left behind: toolchain, lock files, packages, reports, exit codes."""

import os
import platform
import re
from collections.abc import Iterator, Sequence
from datetime import datetime

import msgspec

from proctor import _family
from proctor.capture.base import Ecosystem, Toolbox
from proctor.capture.folder import Folder
from proctor.capture.manifest import Command, Counts, Manifest, read_file, size_of
from proctor.host import facts
from proctor.records.span import Report, Span
from proctor.redact import redact_argv

FAMILY = "proctor.capture.ecosystems"
NO_LOCKFILE = "NO_LOCKFILE"
NO_LAYOUT = "NO_PYTEST_LAYOUT"
VENUES = ("scratch", "ci")
LARGEST_LOCK = 64 << 20
"""Bytes; what is larger is not copied."""
_PINNED = re.compile(r"^\s*(?:-e\s+)?[^#\s-][^#]*(?:==|@)")


class Ran(msgspec.Struct, frozen=True, kw_only=True):
    """A command that was recorded, with all its spans."""

    argv: tuple[str, ...]
    root: Span
    spans: tuple[Span, ...]

    @property
    def leaves(self) -> tuple[Span, ...]:
        """The test leaves and what else wrote a report, in the order of their start."""
        return tuple(
            sorted(
                (s for s in self.spans if s.role == "test" and (s.kind == "leaf" or s.report)),
                key=lambda span: (span.started_at, span.span_id),
            )
        )


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be captured, and where to."""

    root: str
    """The project's folder."""
    target: str
    venue: str
    now: datetime
    environ: dict[str, str]


def capture(request: Request, runs: Sequence[Ran], python: str | None = None) -> Manifest:
    """Write the evidence folder and return its manifest.

    `python` is the interpreter that the tests ran on, where it is known. Everything
    here is what this machine says of itself.

    Raises:
        EvidenceError: the folder cannot be written.
    """
    folder = Folder(request.target)
    tools = Toolbox(request.root, request.environ, python=python)
    used = _used(tools)
    absent = list(_keep_toolchain(request, folder, tools, used))
    absent += _keep_locks(folder, tools, used)
    absent += _keep_packages(folder, tools, used)
    commands = tuple(_keep_runs(folder, runs))
    if not commands:
        folder.put(NO_LAYOUT, b"nothing to run was found\n")
    elif not any(command.junit for command in commands):
        absent.append("junit.xml: no runner wrote one")
    git = next((s.git for ran in runs for s in ran.leaves if s.git is not None), None)
    manifest = Manifest(
        captured_utc=request.now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        venue=request.venue,
        root=request.root,
        head=git.head if git is not None else None,
        tree=git.tree if git is not None else None,
        commands=commands,
        files=tuple(folder.files),
        absent=tuple(absent),
    ).sealed()
    folder.seal(manifest, msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n")
    return manifest


def _used(tools: Toolbox) -> list[tuple[str, Ecosystem]]:
    every = []
    for name, found in _family.members(FAMILY, "ECOSYSTEM"):
        assert isinstance(found, Ecosystem)  # noqa: S101 - what the family's files bind
        if found.is_used(tools):
            every.append((name, found))
    return sorted(every, key=lambda item: item[1].order)


def _keep_toolchain(
    request: Request, folder: Folder, tools: Toolbox, used: Sequence[tuple[str, Ecosystem]]
) -> Iterator[str]:
    here = facts()
    found = {
        "date_utc": request.now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "pwd": request.root,
        "uname": " ".join(platform.uname()).strip(),
    }
    told: dict[str, str] = {}
    for name, ecosystem in used:
        own = ecosystem.toolchain(tools)
        if not own:
            yield f"toolchain of {name}: not installed here, or it does not answer"
        told |= own
    found |= {"python": told.pop("python")} if "python" in told else {}
    found |= {"platform": f"{here['system']}-{here['machine']}", "libc": here.get("libc", "")}
    found |= {**told, "venue": request.venue}
    lines = "".join(f"{name}={_one_line(value)}\n" for name, value in found.items())
    folder.put("toolchain.txt", lines.encode("utf-8", "backslashreplace"))
    document = {"schema": "proctor.toolchain/1", **found}
    folder.put("toolchain.json", msgspec.json.format(msgspec.json.encode(document)) + b"\n")


def _keep_locks(
    folder: Folder, tools: Toolbox, used: Sequence[tuple[str, Ecosystem]]
) -> Iterator[str]:
    first = True
    for _, ecosystem in used:
        for path in dict.fromkeys(tools.named(*ecosystem.locks)):
            whole = os.path.join(tools.root, path)
            if (size_of(whole) or 0) > LARGEST_LOCK:
                yield f"{path}: larger than {LARGEST_LOCK >> 20} MiB: that is no lock file"
                continue
            data = read_file(whole)
            if data is None:
                continue
            name = "lock.copy" if first else lock_name(path)
            folder.put(name, data, source=path, masks=True)
            first = False
            loose = _loose(path, data)
            if loose:
                yield f"{path}: {loose} of its lines name no exact version: it locks less than all"
    if first:
        folder.put(NO_LOCKFILE, b"no lock file of a known ecosystem was found\n")


def lock_name(path: str) -> str:
    """Return what the copy of a lock file is called that is not the first."""
    return f"lock.copy.{path.replace('/', '__')}"


def _loose(path: str, data: bytes) -> int:
    """Return how many requirements a pip file leaves open."""
    if not path.endswith(".txt"):
        return 0
    lines = [line.strip() for line in data.decode("utf-8", "replace").splitlines()]
    asked = [line for line in lines if line and not line.startswith(("#", "-", "\\"))]
    return sum(_PINNED.match(line) is None for line in asked)


def _keep_packages(
    folder: Folder, tools: Toolbox, used: Sequence[tuple[str, Ecosystem]]
) -> Iterator[str]:
    sections = []
    for name, ecosystem in used:
        packages = ecosystem.packages(tools)
        if packages is None:
            yield f"freeze.txt: what {name} has installed cannot be told"
        else:
            sections.append(f"# {name}\n" + "".join(f"{_one_line(one)}\n" for one in packages))
    if sections:
        text = "".join(sections)
        folder.put("freeze.txt", text.encode("utf-8", "backslashreplace"), masks=True)


def _keep_runs(folder: Folder, runs: Sequence[Ran]) -> Iterator[Command]:
    names: set[str] = set()
    kept = 0
    for ran in runs:
        name = _name_of(ran, names)
        names.add(name)
        code = ran.root.exit_code
        folder.put(f"{name}.exit", f"{'unknown' if code is None else code}\n".encode())
        junit = []
        for path in _junit_of(ran):
            data = read_file(path)
            if data is not None:
                kept += 1
                junit.append("junit.xml" if kept == 1 else f"junit.{kept}.xml")
                folder.put(junit[-1], data)
        yield Command(
            name=name,
            argv=tuple(redact_argv(ran.argv)[0]),
            exit_code=code,
            run_id=ran.root.run_id,
            span_id=ran.root.span_id,
            span_sha256=ran.root.digest,
            injected=ran.root.injected,
            junit=tuple(junit),
            counts=counts_of(ran),
        )


def _junit_of(ran: Ran) -> list[str]:
    """Return the kept reports in JUnit, each once."""
    found: dict[str, str] = {}
    for leaf in ran.leaves:
        report = leaf.report
        if report is None:
            continue
        every = [(report.format, report.sha256, report.path)]
        every += [(one.format, one.sha256, one.path) for one in report.also]
        for kind, sha256, path in every:
            if kind == "junit":
                found.setdefault(sha256, path)
    return list(found.values())


def counts_of(ran: Ran) -> tuple[Counts, ...]:
    """Return what each test leaf of a run counted."""
    return tuple(_counts(leaf.report) for leaf in ran.leaves if leaf.report is not None)


def _counts(report: Report) -> Counts:
    return Counts(
        executed=report.executed,
        passed=report.passed,
        failed=report.failed,
        skipped=report.skipped,
        ids_sha256=report.ids_sha256,
    )


def _name_of(ran: Ran, taken: set[str]) -> str:
    """Return what a run's exit code is filed under: the runner's class, or the program."""
    tests = [span.command_class for span in ran.spans if span.role == "test"]
    drivers = [s.command_class for s in ran.spans if s.role == "test" and s.kind == "driver"]
    known = (drivers or tests or [None])[-1] or os.path.basename(ran.argv[0])
    plain = re.sub(r"[^A-Za-z0-9_.-]+", "-", known).strip("-.") or "command"
    name, number = plain, 1
    while name in taken:
        number += 1
        name = f"{plain}-{number}"
    return name


def _one_line(text: str) -> str:
    return " ".join(text.split())
