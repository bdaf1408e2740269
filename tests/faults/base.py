"""What every fault of the battery is played on, and how it is judged."""

import itertools
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.conftest import PROCTOR, Proctor

OTHERS = itertools.count(os.getpid() * 20)
"""For users that own nothing: one for each scene, for limits count by user."""
LONGEST = 60


class UnavailableError(Exception):
    """What the fault needs is not to be had here."""


@dataclass
class Seen:
    """What came of it: Proctor's exit code, and what was written to stderr."""

    code: int
    stderr: str

    @property
    def told(self) -> list[str]:
        """The lines that are Proctor's."""
        return [line for line in self.stderr.splitlines() if line.startswith("proctor:")]


@dataclass(frozen=True)
class Fault:
    """One fault. `lost` and `said` are what the table promises; `said` is found in stderr.

    `play` brings it about, asserts that no more is lost than `lost` says, and
    returns what was seen.
    """

    name: str
    lost: str
    said: str
    code: int
    play: Callable[["Scene"], Seen]
    needs: tuple[str, ...] = ()
    heavy: bool = False

    @property
    def missing(self) -> tuple[str, ...]:
        """The programs that it needs and that are not installed."""
        return tuple(name for name in self.needs if shutil.which(name) is None)

    def wrong(self, scene: "Scene") -> str | None:
        """Play it; return in words what broke a promise, none if all were kept."""
        scene.warm_up()
        seen = self.play(scene)
        if "Traceback" in seen.stderr:
            return f"a traceback: {seen.stderr}"
        if seen.code != self.code:
            return f"exit code {seen.code}, not {self.code}: {seen.stderr}"
        if len(seen.told) != bool(self.said) or self.said not in "".join(seen.told):
            return f"said {seen.told}, not {self.said!r}"
        return scene.broken_chain()


class Scene(Proctor):
    """A recorder with a log of its own, and what brings faults about."""

    def warm_up(self) -> None:
        """Record one command: caches and compiled files exist, the log has a line."""
        assert self("run", "--", "sh", "-c", "exit 0").returncode == 0

    def seen(self, *words: str, **more: Any) -> Seen:
        """Run `proctor WORDS` and return what was seen."""
        done = self(*words, **{"timeout": LONGEST, **more})
        return Seen(done.returncode, done.stderr)

    def shell(self, line: str, **more: Any) -> Seen:
        """Run a line of bash that knows the recorder as $P."""
        env = {**self.env, "P": PROCTOR, **more.pop("env", {})}
        more = {"capture_output": True, "text": True, "timeout": LONGEST, **more}
        done = subprocess.run(["bash", "-c", line], env=env, check=False, **more)
        return Seen(done.returncode, done.stderr)

    def codes(self) -> list[int | None]:
        """The exit codes of the log, without the first command's."""
        return [span["exit_code"] for span in self.spans()[1:]]

    def markers(self) -> list[Path]:
        """The pending markers beside the log."""
        return list(Path(f"{self.log}.pending").glob("*"))

    def broken_chain(self) -> str | None:
        """Return what `proctor verify` finds wrong with the log, if anything."""
        done = self("verify", str(self.log))
        return None if done.returncode == 0 else done.stdout + done.stderr

    @contextmanager
    def disk(self, size: str = "64k") -> Iterator[Path]:
        """A small disk, and the log on it."""
        place = self.folder / "disk"
        place.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)]
        if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
            raise UnavailableError("a small disk needs root to mount it")
        before = self.log
        try:
            self.move_log(place / "spans.jsonl")
            yield place
            shutil.copy(self.log, before)
        finally:
            self.move_log(before)
            subprocess.run(["umount", "-l", str(place)], check=True)

    def move_log(self, log: Path) -> None:
        """Go on with the log at another place."""
        if not log.exists():
            shutil.copy(self.log, log)
        self.log = log
        self.env["PROCTOR_LOG"] = str(log)

    @contextmanager
    def other_user(self) -> Iterator[tuple[str, ...]]:
        """Words that run what follows as another user, who owns the log now."""
        if os.geteuid() != 0:
            raise UnavailableError("another user needs root to become one")
        user = 60_000 + next(OTHERS) % 5_000
        with tempfile.TemporaryDirectory(prefix="proctor-fault-") as name:
            home = Path(name)
            before = (self.log, self.env["PROCTOR_STATE_DIR"])
            self.env |= {"HOME": name, "PROCTOR_STATE_DIR": f"{name}/state"}
            self.move_log(home / "spans.jsonl")
            for path in (home, self.log):
                os.chown(path, user, user)
            words = ("setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups")
            if subprocess.run([*words, PROCTOR, "run", "--", "true"], env=self.env, cwd="/",
                              capture_output=True, check=False).returncode:  # fmt: skip
                raise UnavailableError("another user cannot start Proctor here")
            try:
                yield words
                shutil.copy(self.log, before[0])
            finally:
                self.log, self.env["PROCTOR_STATE_DIR"] = before
                self.env["PROCTOR_LOG"] = str(self.log)


def last(path: Path) -> dict[str, Any]:
    """Return the last record of a log."""
    record: dict[str, Any] = json.loads(path.read_bytes().splitlines()[-1])
    return record
