"""One recording: decides what is kept, sets helpers to work, writes spans.

The witnesses tell it what happens; nothing here waits for a process.
"""

import os
import time

from proctor._digest import encode
from proctor.classify.index import may_matter
from proctor.errors import RecorderError
from proctor.recorder import proc
from proctor.recorder.image import (
    Image,
    is_denied,
    is_shell_line,
    nearest_kept,
    rfc3339,
    shell_text,
    span_of,
)
from proctor.recorder.leaf import Helpers, look_at_end, look_at_start
from proctor.recorder.process import PARENT_VARIABLE
from proctor.records.append import LogWriter
from proctor.records.pending import Marker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from proctor.recorder.options import Options
    from proctor.settings import Settings

_ANSWERS = 200
"""Answers about secrets that are kept."""
HELPER_WORDS = ["--no-replace-objects", "--no-optional-locks"]
"""How the arguments of the git that Proctor runs begin (`proctor.repo.git`)."""


class Session:
    """A recording from its pending marker to its root span.

    `folder` is the clone's state folder, `live` the folder that the offered
    pytest plugin writes to (none: it is not offered).

    Raises:
        RecorderError: the log or the marker cannot be written.
    """

    def __init__(
        self,
        options: "Options",
        settings: "Settings",
        log: str,
        folder: str,
        warn: "Callable[[str], None]",
    ) -> None:
        self.options = options
        self.settings = settings
        self.folder = folder
        self.live: str | None = None
        self.witness = "direct"
        self.injected: list[str] = []
        self.run_id = os.urandom(16).hex()
        self.timed_out = False
        self.failed = False
        self.log = log
        self.programs: dict[str, None] = {}
        """Executables of runners that were seen."""
        self.kept = 0
        self.marker_ns = 0
        """How long the marker beside the log took to write."""
        self._warn = warn
        self._masked: dict[Any, Any] = {}
        self._writer = LogWriter(log, warn)
        self._helpers = Helpers([self._writer.fileno()], warn)
        self._marker: Marker | None = None
        self.root = Image(os.getpid(), options.argv, None)
        self.root.keep()
        self.root.tool_span = options.parent or os.environ.get(PARENT_VARIABLE) or None

    def open_marker(self) -> None:
        """Write down that a command is about to start.

        Raises:
            RecorderError: it cannot be written; nothing may start then.
        """
        start: dict[str, object] = {
            "schema": "proctor.pending/1",
            "run_id": self.run_id,
            "argv": self._redacted(self.options.argv)[0],
            "cwd": _cwd(),
            "started_at": rfc3339(time.time_ns()),
            "boot_id": _boot_id(),
            "pid": os.getpid(),
            "witness": self.witness,
        }
        began = time.monotonic_ns()
        self._marker = Marker(self._writer.path, self.run_id, start)
        self.marker_ns = time.monotonic_ns() - began
        self._helpers.keep_out(self._marker.fileno())

    def abandon(self) -> None:
        """Take the marker back: nothing was started."""
        if self._marker is not None:
            self._marker.remove()

    # ── what the tree witness tells ─────────────────────────────────────────

    def started(self, image: Image) -> bool:
        """Decide about an image at its first instruction; true: it is held."""
        self._classify(image)
        image.denied = is_denied(image.argv, image.exe, self.settings.deny)
        wanted = (
            image.kept
            or image.classification is not None
            or image.denied
            or self.options.keep_all
            or self._is_telling_shell(image.argv)
        )
        if not wanted or _is_own(image.argv) or _is_helper(image):
            return False
        self._keep(image)
        found = image.classification
        if found is not None and found.role == "test":
            self._keep_ancestors(image)
        if image.is_test_leaf and not image.has_leaf_above():
            return self.hold_at_start(image) != 0
        return False

    def running(self, image: Image) -> None:
        """Note when the process of a kept image began."""
        if image.kept and image.pid_start is None:
            image.pid_start = proc.start_of(image.pid)

    def leaving(self, image: Image) -> bool:
        """Set a helper to work on what is about to exit; true: it is held.

        A leaf, or a driver that writes a report itself, as gotestsum does.
        """
        found = image.classification
        tells = found is not None and found.role == "test" and found.report is not None
        if not (image.is_test_leaf or tells) or image.has_leaf_above():
            return False
        return self.hold_at_end(image) != 0

    def ended(self, image: Image) -> None:
        """Write the span of an image that has ended; the root's comes last."""
        if image is not self.root and not image.written:
            self.write(image)

    def helper_done(self, pid: int) -> "tuple[int, Image] | None":
        """Take a helper's answer."""
        image = self._helpers.done(pid)
        return None if image is None else (image.pid, image)

    def not_started(self, image: Image, pid: int, code: int) -> None:
        """Record a shell's child that found no program to become."""
        if nearest_kept(image) is None or image is not self._kept_shell(image):
            return
        child = Image(pid, [], image)
        child.keep()
        child.exit_code = code
        child.ended_by = "exit"
        child.tool_span = image.tool_span
        self.write(child)

    # ── keeping and writing ─────────────────────────────────────────────────

    def keep(self, image: Image) -> None:
        """Make sure that an image becomes a span; it is alive, or its facts are null."""
        self._keep(image)
        self.running(image)

    def _keep(self, image: Image) -> None:
        image.keep()
        self.kept += 1
        image.note_environment(keep_names=self.settings.env_names, leave_out=self._ours())

    def hold_at_start(self, image: Image) -> int:
        """Note the leaf in the marker and look at its tree and program; 0: no room to."""
        environ = proc.environ_of(image.pid) or {}
        self._note_leaf(image)
        return self._helpers.start(image, lambda: look_at_start(image, environ, self.folder))

    def hold_at_end(self, image: Image) -> int:
        """Look at the tree again and at the report; 0: there is no room to."""
        live, folder = self.live, self.folder
        report = self.options.report
        named = None if report in ("auto", "junit", "off") else os.path.abspath(report)
        return self._helpers.start(image, lambda: look_at_end(image, live, folder, named))

    def wait_for(self, helper: int) -> None:
        """Wait for one helper, where no tracer does."""
        self._helpers.wait(helper)

    def write(self, image: Image, **more: object) -> bytes | None:
        """Append an image's span; `more` are members of the root, whose line is returned.

        A span that cannot be written is said once, and the recording has failed.
        """
        image.written = True
        found = image.classification
        if found is not None and found.role == "test" and image.exe:
            self.programs[image.exe] = None
        span = span_of(image, self.settings, self._redacted(image.argv))
        span["run_id"] = self.run_id
        span["witness"] = self.witness
        span["timed_out"] = self.timed_out and (image is self.root or image.signal is not None)
        if image is self.root or image.is_test_leaf:
            span["injected"] = list(self.injected)
        self._redact_members(span)
        span.update(more)
        try:
            digest = self._writer.append(span)
            return encode({**span, "digest": digest}) if image is self.root else None
        except RecorderError as error:
            if not self.failed:
                self._warn(str(error))
            self.failed = True
            return None

    def close(self) -> None:
        """End the recording: the marker goes if everything was written."""
        if self._marker is not None and not self.failed:
            self._marker.remove()
        self._writer.close()

    def look_around(self) -> None:
        """Identify the tree before anything starts, whatever the command is.

        A test leaf is looked at again when it starts.
        """
        self.wait_for(self._helpers.start(self.root, self._tree_before))

    def look_back(self) -> "dict[str, object]":
        """Return what a receipt needs of the root: the tree now, and the toolchain."""
        from proctor.recorder.toolchain import toolchain_of

        git = self.root.facts.get("git")
        if isinstance(git, dict) and git.get("tree_after") is None:
            self.wait_for(self._helpers.start(self.root, self._tree_after))
        seen = [*self.programs, self.root.exe or ""]
        found = toolchain_of(filter(None, (*seen, *self.options.argv[:1])))
        return {"toolchain": found, "git": self.root.facts.get("git")}

    def _tree_before(self) -> "dict[str, object]":
        from proctor.repo.snapshot import snapshot

        return {"git": snapshot(os.getcwd(), state_folder=self.folder)}

    def _tree_after(self) -> "dict[str, object]":
        from proctor.repo.snapshot import finish_snapshot

        root = self.root
        git = root.facts["git"]
        assert isinstance(git, dict)  # noqa: S101 - asked by the caller
        return {"git": finish_snapshot(git, os.getcwd(), started_ns=root.started_wall)}

    def classify_root(self) -> None:
        """Read the root's argv as a line, where no tree will be seen."""
        self._classify(self.root, environ=dict(os.environ))
        self.root.denied = is_denied(self.root.argv, None, self.settings.deny)

    # ── private ─────────────────────────────────────────────────────────────

    def _classify(self, image: Image, environ: "dict[str, str] | None" = None) -> None:
        """Classify one image, or with `environ` the line that only the root shows."""
        peel = environ is not None
        if peel or may_matter(image.argv, self.settings.programs):
            from proctor.classify.classify import classify_argv

            image.classification = classify_argv(
                image.argv,
                peel=peel,
                environ=environ if peel else proc.environ_of(image.pid),
                classes=self.settings.classes,
                table=self.settings.table,
            )

    def _is_telling_shell(self, argv: "list[str]") -> bool:
        """Whether a shell's text names a program that matters, ran or not."""
        if not is_shell_line(argv):
            return False
        text = shell_text(argv) or ""
        for mark in "|&;()`\n\t'\"":
            text = text.replace(mark, " ")
        words = {word.rpartition("/")[2] for word in text.split(" ")}
        return not words.isdisjoint(self.settings.programs | self.settings.deny)

    def _keep_ancestors(self, image: Image) -> None:
        above = image.parent
        while above is not None:
            if not above.kept and not _is_own(above.argv):
                self.keep(above)
                if above.exit_code is not None and not above.written:
                    self.write(above)
            above = above.parent

    def _kept_shell(self, image: Image) -> Image | None:
        return image if image.kept and is_shell_line(image.argv) else None

    def _ours(self) -> "tuple[str, ...]":
        """Return the variables that the caller had not set; they stand in `injected`."""
        ours = ["PROCTOR_REPORT", "PROCTOR_WITNESS", "PROCTOR_JUNIT", "PROCTOR_SHUFFLE"]
        names = [word.partition("+=")[0] for word in self.injected if "+=" in word]
        return (*ours, *(name for name in names if not os.environ.get(name)))

    def _note_leaf(self, image: Image) -> None:
        if self._marker is None:
            return
        found = image.classification
        try:
            self._marker.add(
                {
                    "leaf": self._redacted(image.argv)[0],
                    "command_class": found.command_class if found else None,
                    "span_id": image.span_id,
                }
            )
        except OSError as error:
            if not self.failed:
                self._warn(f"{self._marker.path}: {error.strerror}")
            self.failed = True

    def _redacted(self, argv: "list[str]") -> "tuple[list[str], int]":
        """Return argv with secrets masked, and how many; the last answers are kept.

        NOTE: a shell in a loop starts the same commands: a look costs as much as all else
        that is written of one.
        """
        key = tuple(argv)
        found = self._masked.get(key)
        if found is None:
            from proctor.redact import redact_argv

            flags, names = self.settings.redact_flags, self.settings.redact_names
            found = redact_argv(argv, flags=flags, names=names)
            self._keep_masked(key, found)
        return list(found[0]), found[1]

    def _keep_masked(self, key: object, found: object) -> None:
        if len(self._masked) >= _ANSWERS:
            self._masked.clear()
        self._masked[key] = found

    def _redacted_text(self, text: str) -> str:
        found = self._masked.get(text)
        if found is None:
            from proctor.redact import redact_text

            flags, names = self.settings.redact_flags, self.settings.redact_names
            found = redact_text(text, flags=flags, names=names)
            self._keep_masked(text, found)
        return str(found)

    def _redact_members(self, span: dict[str, object]) -> None:
        for name in ("selectors", "narrowing", "narrowing_env"):
            words = span[name]
            if isinstance(words, list) and words:
                span[name] = [self._redacted_text(str(word)) for word in words]
        for name in ("cwd", "script"):
            if isinstance(span[name], str):
                span[name] = self._redacted_text(str(span[name]))
        report = span["report"]
        if isinstance(report, dict):
            also = [{**one, **self._source_redacted(one)} for one in report.get("also") or ()]
            span["report"] = {**report, **self._source_redacted(report), "also": also}

    def _source_redacted(self, kept: "dict[str, Any]") -> "dict[str, Any]":
        """Return where a kept file came from, as argv named it, secrets masked."""
        source = kept.get("source")
        return {"source": self._redacted_text(source)} if isinstance(source, str) else {}


def _is_own(argv: "list[str]") -> bool:
    """Whether this is an inner `proctor run` that hands over to us."""
    head = [word.rpartition("/")[2] for word in argv[:4]]
    return "proctor" in head[:2] or any("proctor.cli.main" in word for word in argv[:4])


def _is_helper(image: Image) -> bool:
    """Whether this is the git of an inner `proctor run` with a log of its own."""
    above = image.parent
    while above is not None and above.pid == image.pid:
        above = above.parent
    return image.argv[1:3] == HELPER_WORDS and above is not None and _is_own(above.argv)


def _cwd() -> str | None:
    try:
        return os.fsencode(os.getcwd()).decode("utf-8", "backslashreplace")
    except OSError:
        return None


def _boot_id() -> str | None:
    data = proc.read("/proc/sys/kernel/random/boot_id")
    return data.decode("ascii").strip() if data is not None else None
