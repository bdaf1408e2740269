"""One process image while it runs, and the span that is written at its end.

The members and their order are those of `proctor.records.span.Span`; a test
holds the two together.
"""

import os
import time

from proctor._digest import without_value
from proctor.recorder import proc
from proctor.settings import ODD_ENV

SCHEMA = "proctor.span/1"
SHELLS = frozenset(("sh", "bash", "dash", "zsh", "ksh", "ash"))

CALL_VARIABLES = ("CODEX_TOOL_CALL_ID",)
"""Variables in which agents tell the commands they start the id of the tool call."""
_second: "dict[int, str]" = {}
"""The last second that was written, as text: most times are in the same one."""

_Noted = tuple[list[str], list[str], "str | None", "str | None"]
_environ: dict[tuple[bytes, tuple[str, ...]], _Noted] = {}
"""The last environment that was looked at: its names, the odd ones, its trace context."""
_random: "list[str]" = []
"""Ids that nobody has yet."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from proctor.classify.base import Classification
    from proctor.settings import Settings


class Image:
    """A process image: what runs between one exec and the next, or the exit."""

    __slots__ = (
        "argv",
        "classification",
        "cwd",
        "denied",
        "end",
        "ended_by",
        "env_names",
        "exe",
        "exit_code",
        "facts",
        "finished_wall",
        "kept",
        "left_running",
        "odd_env",
        "parent",
        "pid",
        "pid_start",
        "rusage",
        "signal",
        "span_id",
        "start",
        "started_wall",
        "told_by_agent",
        "tool_span",
        "traceparent",
        "waiting",
        "written",
    )

    def __init__(self, pid: int, argv: "list[str]", parent: "Image | None") -> None:
        self.pid = pid
        self.argv = argv
        self.parent = parent
        """The image that forked this process, or that exec'ed this image."""
        self.span_id = ""
        """Made when it is known that the image is kept: most are not."""
        self.cwd: str | None = None
        self.exe: str | None = None
        self.classification: Classification | None = None
        self.kept = False
        self.denied = False
        self.written = False
        self.pid_start: int | None = None
        self.env_names: list[str] = []
        self.odd_env: list[str] = []
        self.tool_span: str | None = None
        self.told_by_agent: str | None = None
        """The tool call that an agent's own variable names."""
        self.traceparent: str | None = None
        self.exit_code: int | None = None
        self.signal: str | None = None
        self.ended_by = ""
        self.left_running = False
        self.rusage: tuple[int, int] | None = None
        self.facts: dict[str, object] = {}
        """What helpers found out: git, runner, report."""
        self.waiting = 0
        """Helpers that have not answered yet."""
        self.start = self.end = time.monotonic_ns()
        self.started_wall = self.finished_wall = time.time_ns()

    def keep(self) -> None:
        """Make sure that this becomes a span."""
        self.kept = True
        self.span_id = self.span_id or _new_id()

    def restart_clock(self) -> None:
        """Count from now: the image was held before its first instruction."""
        self.start = time.monotonic_ns()
        self.started_wall = time.time_ns()

    def stop_clock(self) -> None:
        """Count to now."""
        self.end = time.monotonic_ns()
        self.finished_wall = time.time_ns()

    def asked_by(self) -> str | None:
        """Return the tool call that asked for this.

        As the recorder was told, else as the agent's own variable says, else the span
        of its trace context.
        """
        told = self.tool_span if self.tool_span is not None else self.told_by_agent
        if told is not None:
            return _readable(told)
        return None if self.traceparent is None else self.traceparent.split("-")[2]

    @property
    def is_test_leaf(self) -> bool:
        """Whether this executes tests itself, by what its argv says."""
        found = self.classification
        return found is not None and found.kind == "leaf" and found.role == "test"

    def has_leaf_above(self) -> bool:
        """Whether a test leaf started this, so that it is that leaf's own business.

        An image that this one replaced by exec started nothing: it became this.
        """
        above = self.parent
        while above is not None:
            if above.is_test_leaf and above.pid != self.pid:
                return True
            above = above.parent
        return False

    def note_environment(self, *, keep_names: bool, leave_out: "tuple[str, ...]" = ()) -> None:
        """Note the names in the environment, and which of them are odd, but those left out."""
        data = proc.read_environ(self.pid)
        key = (data, leave_out)
        if key not in _environ:
            # NOTE: what a program starts mostly has one and the same environment.
            environ = proc.parse_environ(data)
            names = [name for name in environ if name not in leave_out]
            odd = [name for name in ODD_ENV if name in names]
            _environ.clear()
            told = next((environ[n] for n in CALL_VARIABLES if environ.get(n)), None)
            parent = valid_traceparent(environ.get("TRACEPARENT"))
            _environ[key] = (sorted(names), odd, parent, told)
        names, odd, self.traceparent, self.told_by_agent = _environ[key]
        if keep_names:
            self.env_names = list(names)
        self.odd_env = list(odd)


def _new_id() -> str:
    """Return 16 random hex digits."""
    if not _random:
        many = os.urandom(256).hex()
        _random.extend(many[at : at + 16] for at in range(0, len(many), 16))
    return _random.pop()


def valid_traceparent(text: str | None) -> str | None:
    """Return a W3C trace context if it is one: `00-<32 hex>-<16 hex>-<2 hex>`, no id all zeros.

    A later version may have more parts; only the first four are kept.
    """
    parts = (text or "").strip().split("-")
    if [len(part) for part in parts[:4]] != [2, 32, 16, 2] or parts[0] == "ff":
        return None
    if any(char not in "0123456789abcdef" for part in parts[:4] for char in part):
        return None
    if len(parts) > 4 and parts[0] == "00":
        return None
    if not parts[1].strip("0") or not parts[2].strip("0"):
        return None
    return "-".join(parts[:4])


def is_shell_line(argv: "list[str]") -> bool:
    """Return whether argv is a shell that was given its commands as text."""
    return len(argv) > 2 and _base(argv[0]) in SHELLS and shell_text(argv) is not None


def shell_text(argv: "list[str]") -> str | None:
    """Return the text that a shell is given with `-c`, if any.

    It is the first word that is no option, which need not follow `-c` at once.
    """
    given = False
    at = 1
    while at < len(argv):
        word = argv[at]
        if not word.startswith(("-", "+")):
            return word if given else None
        if word.startswith("--"):
            at += word in ("--rcfile", "--init-file")
        else:
            given = given or (word[0] == "-" and "c" in word)
            at += word[-1] in "oO"
        at += 1
    return None


def is_denied(argv: "list[str]", exe: str | None, deny: "frozenset[str]") -> bool:
    """Return whether this cannot be a test run: echo, true or `sh -c true`."""
    if not argv:
        return False
    if _base(exe or argv[0]) in deny:
        return True
    name = _base(argv[0])
    if name in deny and _base(exe or "") in ("busybox", "coreutils", "toybox"):
        return True
    if name in SHELLS:
        return _only_denied(shell_text(argv), deny)
    if name.startswith("python") and len(argv) > 2 and argv[1] == "-c":
        return argv[2].lstrip().startswith("print(") and "\n" not in argv[2].strip()
    return False


def _only_denied(text: str | None, deny: "frozenset[str]") -> bool:
    if text is None:
        return False
    words = text.split(None, 1)
    if not words or any(mark in text for mark in ("|", "&", ";", "\n", "$(", "`")):
        return False
    return words[0] in deny


def _base(path: str) -> str:
    return path.rpartition("/")[2].lstrip("-")


def rfc3339(wall_ns: int) -> str:
    """Return a wall clock time as RFC 3339 in UTC with microseconds."""
    seconds, rest = divmod(wall_ns, 1_000_000_000)
    if seconds not in _second:
        _second.clear()
        _second[seconds] = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    return f"{_second[seconds]}.{rest // 1000:06d}Z"


def span_of(
    image: Image, settings: "Settings", redacted: "tuple[list[str], int]"
) -> dict[str, object]:
    """Return the span of an image that has ended, without `prev` and `digest`.

    `redacted` is the argv to be written and the number of secrets taken out.
    """
    argv, redactions = redacted
    found = image.classification
    span: dict[str, object] = {
        "schema": SCHEMA,
        "span_id": image.span_id,
        "run_id": "",
        "parent_span_id": nearest_kept(image.parent),
        "parent_tool_span": image.asked_by(),
        "traceparent": image.traceparent,
        "argv": [_readable(word) for word in argv],
    }
    if not _is_utf8(argv):
        span["argv_b64"] = [_base64(word) for word in argv]
    return span | {
        "cwd": _readable(image.cwd) if image.cwd is not None else None,
        "exe": _readable(image.exe) if image.exe is not None else None,
        "script": _readable(found.script) if found and found.script else None,
        "runner": image.facts.get("runner"),
        **_class_of(found),
        "odd_env": image.odd_env,
        "exit_code": image.exit_code,
        "signal": image.signal,
        "ended_by": image.ended_by,
        "timed_out": False,
        "left_running": image.left_running,
        **_times_of(image, settings.floor_of(found.command_class if found else None)),
        "denied_binary": image.denied,
        "stdout_sha256": None,
        "stderr_sha256": None,
        "stdout_bytes": None,
        "stderr_bytes": None,
        "hashed_bytes": None,
        "env_names": _all_readable(image.env_names),
        "cpu_ms": image.rusage[0] if image.rusage else None,
        "max_rss_kb": image.rusage[1] if image.rusage else None,
        "redactions": redactions,
        "claims": None,
        "injected": [],
        "report": image.facts.get("report"),
        "witness": "direct",
        "git": image.facts.get("git"),
        "host": None,
        "toolchain": None,
        "tree": None,
        "pid": image.pid,
        "pid_start": image.pid_start,
    }


def _class_of(found: "Classification | None") -> dict[str, object]:
    """Return the members that say what an argv is."""
    if found is None:
        return {
            "command_class": None,
            "role": None,
            "kind": None,
            "selectors": [],
            "narrowing": [],
            "narrowing_env": [],
        }
    return {
        "command_class": found.command_class,
        "role": found.role,
        "kind": found.kind,
        "selectors": [_readable(word) for word in found.selectors],
        "narrowing": [_readable(word) for word in found.narrowing],
        "narrowing_env": [without_value(word) for word in found.narrowing_env],
    }


def _times_of(image: Image, floor: int) -> dict[str, object]:
    """Return the members that say when an image ran and how long."""
    lost = image.ended_by == "lost"
    duration = None if lost else max(0, round((image.end - image.start) / 1_000_000))
    return {
        "started_at": rfc3339(image.started_wall),
        "finished_at": None if lost else rfc3339(image.finished_wall),
        "duration_ms": duration,
        "duration_floor_ms": floor,
        "duration_ok": None if duration is None else duration >= floor,
    }


def nearest_kept(image: "Image | None") -> str | None:
    """Return the id of the nearest kept image from here upwards."""
    while image is not None and not image.kept:
        image = image.parent
    return image.span_id if image is not None else None


def _is_utf8(words: "list[str]") -> bool:
    try:
        "".join(words).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _all_readable(words: "list[str]") -> "list[str]":
    return words if _is_utf8(words) else [_readable(word) for word in words]


def _readable(text: str) -> str:
    r"""Return `text` with bytes that are not UTF-8 as `\xNN`."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return os.fsencode(text).decode("utf-8", "backslashreplace")
    return text


def _base64(word: str) -> str:
    from binascii import b2a_base64

    return b2a_base64(os.fsencode(word), newline=False).decode("ascii")
