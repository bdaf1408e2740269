"""Looks at a test leaf while it is held.

The tree it runs on, what its program is, and the report that it left.

Each piece of work runs in a child forked from the recorder, so that the witness
never waits for git and never imports what only this needs. The answer comes
back through an anonymous file; a helper that fails leaves its fact null.
"""

import os
import time

from proctor._digest import decode, encode
from proctor.recorder import proc
from proctor.recorder.signals import prepare_helper

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from proctor.recorder.image import Image


_PATIENCE_S = 0.5
"""How long a leaf that ends is held for a report that is not finished."""
_PAUSE_S = 0.02


class Helpers:
    """The helpers at work, by process id. `close` are descriptors not theirs."""

    __slots__ = ("_at_work", "_close", "_warn", "warned")

    def __init__(self, close: "list[int]", warn: "Callable[[str], None]") -> None:
        self._at_work: dict[int, tuple[Image, int]] = {}
        self._close = close
        self._warn = warn
        self.warned = False

    def keep_out(self, fd: int) -> None:
        """Name another descriptor that is not the helpers'."""
        self._close.append(fd)

    def start(self, image: "Image", work: "Callable[[], dict[str, object]]") -> int:
        """Fork a helper whose answer is added to the image's facts; return its pid.

        0: there is no room for one, so these facts stay null.
        """
        try:
            answer = os.memfd_create("proctor-helper", os.MFD_CLOEXEC)
        except OSError as error:
            self._tell(error)
            return 0
        try:
            pid = os.fork()
        except OSError as error:
            os.close(answer)
            self._tell(error)
            return 0
        if pid == 0:
            _be_helper(answer, self._close, work)
        self._at_work[pid] = (image, answer)
        image.waiting += 1
        return pid

    def done(self, pid: int) -> "Image | None":
        """Take the answer of a helper that has ended; none if `pid` was no helper."""
        found = self._at_work.pop(pid, None)
        if found is None:
            return None
        image, answer = found
        image.waiting -= 1
        try:
            size = os.fstat(answer).st_size
            facts = decode(os.pread(answer, size, 0))
        except ValueError:
            facts = {"error": "a helper died"}
        finally:
            os.close(answer)
        if isinstance(facts, dict):
            error = facts.pop("error", None)
            if error is not None:
                self._say(str(error))
            _merge(image.facts, facts)
        return image

    def wait(self, pid: int) -> None:
        """Wait for one helper, for a witness that has nothing else to wait for."""
        if pid:
            os.waitpid(pid, 0)
            self.done(pid)

    def _tell(self, error: OSError) -> None:
        self._say(f"a test leaf could not be examined: {error.strerror}")

    def _say(self, error: str) -> None:
        if not self.warned:
            self.warned = True
            self._warn(f"{error}; the verdict will say what is missing")


def look_at_start(image: "Image", environ: "dict[str, str]", folder: str) -> "dict[str, object]":
    """Return git and runner of a leaf that has not run yet; `folder` is the clone's state."""
    from proctor.identity.identify import identify
    from proctor.repo.snapshot import snapshot

    cwd = image.cwd or os.getcwd()
    return {
        "git": snapshot(cwd, state_folder=folder, environ_pid=image.pid),
        "runner": None if _is_peeled(image) else identify(image.argv, image.exe, cwd, environ),
    }


def _is_peeled(image: "Image") -> bool:
    """Whether the image is a wrapper, seen alone, of the runner that it will start."""
    found = image.classification
    return found is not None and list(found.argv) != image.argv


def look_at_end(
    image: "Image", live: str | None, folder: str, named: str | None = None
) -> "dict[str, object]":
    """Return the rest of git and the report of a leaf that is about to exit.

    `live` is the folder that what Proctor injected writes to, `named` a report that
    the recorder's own options name.
    """
    from proctor.repo.snapshot import finish_snapshot

    cwd = image.cwd or os.getcwd()
    facts: dict[str, object] = {"report": _report_of(image, cwd, live, folder, named)}
    git = image.facts.get("git")
    if isinstance(git, dict):
        facts["git"] = finish_snapshot(git, cwd, started_ns=image.started_wall)
    return facts


def _report_of(
    image: "Image", cwd: str, live: str | None, folder: str, named: str | None
) -> "dict[str, object] | None":
    """Return what this very process reported, the plugin's word before files, and those."""
    found: list[tuple[dict[str, object], str | None]] = []
    if live is not None:
        name = _live_name(image)
        for kind, path in (
            ("proctor_pytest", f"{name}.json"),
            ("proctor_unittest", f"{name}.unittest.json"),
            ("junit", f"{name}.xml"),
            ("junit", "node.xml"),
            ("ctrf", f"{name}.ctrf.json"),
        ):
            report = _kept(image, kind, os.path.join(live, path), folder)
            if report is not None:
                found.append((report, None))
    asked = image.classification.report if image.classification is not None else None
    for kind, written in ([asked] if asked else []) + ([_kind_of(named)] if named else []):
        path = os.path.join(cwd, written)
        report = _kept_whole(image, kind, path, folder, patient=not found)
        if report is not None:
            found.append((report, path))
    if not found:
        return None
    first, _ = found[0]
    also = [
        {**{name: one[name] for name in ("path", "sha256", "format")}, "source": source}
        for one, source in found[1:]
    ]
    return {**first, "source": found[0][1], "also": also}


def _kind_of(path: str) -> tuple[str, str]:
    """Return the format that a report's name tells of, and its name."""
    formats = {".trx": "trx", ".tap": "tap", ".jsonl": "go_test_json", ".json": "ctrf"}
    return formats.get(os.path.splitext(path)[1].lower(), "junit"), path


def _kept_whole(
    image: "Image", kind: str, path: str, folder: str, *, patient: bool
) -> "dict[str, object] | None":
    # NOTE: bats ends while another process still writes its report.
    deadline = time.monotonic() + (_PATIENCE_S if patient else 0)
    report = _kept(image, kind, path, folder)
    while not (report and report["complete"]) and os.path.exists(path):
        if time.monotonic() >= deadline:
            break
        time.sleep(_PAUSE_S)
        report = _kept(image, kind, path, folder)
    return report


def _kept(image: "Image", kind: str, path: str, folder: str) -> "dict[str, object] | None":
    from proctor.errors import ReportError
    from proctor.results.read import keep_report

    try:
        return keep_report(path, kind, state_folder=folder, started_ns=image.started_wall)
    except ReportError:
        return None


def _live_name(image: "Image") -> str:
    """Return the name that the plugin gives its reports: its own pid and start.

    In a namespace of its own a process has another number, the last of `NSpid`.
    """
    numbers = proc.status_of(image.pid, ("NSpid",)).get("NSpid", str(image.pid)).split()
    return f"{numbers[-1]}-{image.pid_start}"


def _be_helper(answer: int, close: "list[int]", work: "Callable[[], dict[str, object]]") -> None:
    """Work, answer and end; never returns."""
    prepare_helper()
    for fd in close:
        os.close(fd)
    try:
        facts = work()
    except BaseException as error:  # noqa: BLE001 - nothing may escape a forked child
        facts = {"error": f"a test leaf could not be examined: {type(error).__name__}: {error}"}
    try:
        os.write(answer, encode(facts))
    finally:
        os._exit(0)


def _merge(into: "dict[str, object]", facts: "dict[str, object]") -> None:
    for name, value in facts.items():
        if value is not None:
            into[name] = value
