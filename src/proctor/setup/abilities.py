"""What recording can do on this machine, each thing tried for real, nothing left behind."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from importlib import metadata

from proctor.repo.git import find_git
from proctor.results.wheel import ensure_wheel
from proctor.setup.check import Check

_PATIENCE_S = 30
_OLDEST_GIT = (2, 30)
_DIRECT = "proctor run --witness direct -- CMD"
_ARUN = """
import asyncio, sys
from proctor.api import arun_recorded
done = asyncio.run(arun_recorded(["true"], log=sys.argv[1], report="off"))
print(done.span.witness, done.returncode)
"""


def abilities(root: str, environ: Mapping[str, str]) -> Iterator[Check]:
    """Yield what was tried: processes, terminals, calls from Python, git, extras, pytest."""
    if sys.platform == "linux":
        yield _own_proc()
        yield _let_go()
    yield _terminal()
    yield _from_python(environ)
    yield _git()
    yield _extras()
    plugin = _plugin(root, environ)
    if plugin is not None:
        yield plugin


def _own_proc() -> Check:
    from proctor.recorder import proc

    if proc.is_own():
        return Check(name="/proc", state="ok", detail="shows the processes that are recorded")
    return Check(
        name="/proc",
        state="hint",
        detail="shows another pid namespace: only the command itself can be seen",
        cure="mount one of its own: unshare --pid --fork --mount-proc, or docker without --pid",
    )


def _let_go() -> Check:
    """Let a child go as the tree witness does with gdb, and read its exit."""
    from proctor.recorder.untraced import Watched, is_supported

    name = "sudo, gdb, sanitizers"
    if is_supported():
        try:
            code = _exit_by_descriptor(Watched)
        except OSError as error:
            code = f"{error.strerror}"
        if code == 7:
            return Check(name=name, state="ok", detail="are let go, their exit read by a pidfd")
        detail = f"the exit of what is let go cannot be read: {code}"
    else:
        release = os.uname().release
        detail = f"Linux {release} does not tell the exit of what is let go (6.15 and newer do)"
    return Check(name=name, state="hint", detail=detail, cure=f"for these: {_DIRECT}")


def _exit_by_descriptor(watched: type) -> object:
    child = os.fork()
    if child == 0:
        os._exit(7)
    process = watched(child)
    try:
        os.waitpid(child, 0)
        status = process.wait(1000)
    finally:
        process.close()
    return None if status is None else os.waitstatus_to_exitcode(status)


def _terminal() -> Check:
    try:
        for fd in os.openpty():
            os.close(fd)
    except OSError as error:
        return Check(
            name="--pty",
            state="hint",
            detail=f"no terminal can be made: {error.strerror}",
            cure="mount /dev/pts, or run without --pty",
        )
    return Check(name="--pty", state="ok", detail="a terminal of its own can be made")


def _from_python(environ: Mapping[str, str]) -> Check:
    """Record `true` from a loop of asyncio, into a temporary folder."""
    name = "arun_recorded"
    with tempfile.TemporaryDirectory(prefix="proctor-doctor-") as folder:
        env = {**environ, "PROCTOR_STATE_DIR": os.path.join(folder, "state")}
        argv = [sys.executable, "-I", "-c", _ARUN, os.path.join(folder, "spans.jsonl")]
        code, said = _answer(argv, folder, env)
    words = said.split()
    if code == 0 and words[-1:] == ["0"]:
        return Check(name=name, state="ok", detail=f"recorded `true`, witness {words[-2]}")
    return Check(
        name=name,
        state="hint",
        detail=f"recording from Python fails: {_last(said)}",
        cure="call the command instead: proctor run -- CMD",
    )


def _git() -> Check:
    program = find_git()
    if program is None:
        detail = "not installed: the files that tests ran on cannot be identified"
        return Check(name="git", state="hint", detail=detail, cure="install git")
    _, said = _answer([program, "version"], "/", {"PATH": os.defpath})
    found = re.search(r"(\d+)\.(\d+)", said)
    if found is None or (int(found[1]), int(found[2])) < _OLDEST_GIT:
        oldest = ".".join(map(str, _OLDEST_GIT))
        detail = f"{program}: {_last(said)}: older than what is tried"
        return Check(name="git", state="hint", detail=detail, cure=f"install git {oldest} or newer")
    return Check(name="git", state="ok", detail=f"{program}, {_last(said)}")


def _extras() -> Check:
    """Which of the extras that this version declares are installed, as a whole."""
    missing: dict[str, list[str]] = {}
    extras: set[str] = set()
    try:
        wanted = metadata.requires("proctor") or []
    except metadata.PackageNotFoundError:
        wanted = []
    for line in wanted:
        extra = re.search(r"extra\s*==\s*['\"]([\w-]+)['\"]", line)
        name = re.match(r"[\w.-]+", line)
        if extra is None or name is None:
            continue
        extras.add(extra[1])
        try:
            metadata.version(name[0])
        except metadata.PackageNotFoundError:
            missing.setdefault(extra[1], []).append(name[0])
    if not missing:
        return Check(name="extras", state="ok", detail=", ".join(sorted(extras)) or "none declared")
    detail = "; ".join(f"{extra}: no {', '.join(names)}" for extra, names in missing.items())
    cure = f"pip install '.[{','.join(sorted(missing))}]' in Proctor's clone where you need them"
    return Check(name="extras", state="hint", detail=detail, cure=cure)


def _plugin(root: str, environ: Mapping[str, str]) -> Check | None:
    """Ask the project's own pytest for its plugins; none where it has no pytest."""
    program = _pytest(root, environ)
    if program is None:
        return None
    name = "tests counted"
    with tempfile.TemporaryDirectory(prefix="proctor-doctor-") as folder:
        before = environ.get("PYTHONPATH")
        wheel = ensure_wheel(folder)
        env = {
            **environ,
            "PYTHONPATH": f"{before}{os.pathsep}{wheel}" if before else wheel,
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        code, said = _answer([program, "--version", "--version"], root, env)
    if re.search(r"^\s*proctor-report-\d", said, re.MULTILINE):
        return Check(name=name, state="ok", detail=f"{program} loads the plugin that is offered")
    if environ.get("PYTEST_DISABLE_PLUGIN_AUTOLOAD"):
        detail, cure = "PYTEST_DISABLE_PLUGIN_AUTOLOAD keeps the plugin out", "unset it"
    elif code:
        detail, cure = f"{program}: {_last(said)}", f"see: {program} --version --version"
    else:
        detail = f"{program} does not load the plugin that is offered"
        cure = "name a report, the count is read from it: pytest --junitxml=FILE"
    return Check(name=name, state="hint", detail=detail, cure=cure)


def _pytest(root: str, environ: Mapping[str, str]) -> str | None:
    for folder in (".venv/bin", "venv/bin"):
        path = os.path.join(root, folder, "pytest")
        if os.access(path, os.X_OK):
            return path
    return shutil.which("pytest", path=environ.get("PATH"))


def _answer(argv: Sequence[str], cwd: str, env: Mapping[str, str]) -> tuple[int, str]:
    """Return exit code and output of a program, 1 and the reason where it cannot be run."""
    try:
        done = subprocess.run(
            argv,
            cwd=cwd,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_PATIENCE_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return 1, f"no answer in {_PATIENCE_S} s"
    except OSError as error:
        return 1, f"{error.strerror}"
    return done.returncode, done.stdout.decode("utf-8", "replace")


def _last(said: str) -> str:
    lines = said.strip().splitlines()
    return lines[-1] if lines else "nothing was said"
