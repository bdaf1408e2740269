"""Plays a sequence of the corpus on one build and writes down what was witnessed.

Each sequence has fresh folders, which its steps share. What a step says of its own
place (the sandbox's folders, the build's) is replaced, so that two builds and two
runs say the same.
"""

import os
import shlex
import shutil
from collections.abc import Callable, Sequence
from typing import NamedTuple

import pathspec

from proctor.errors import OracleError
from proctor.oracle import corpus
from proctor.oracle.begin import see_ends
from proctor.oracle.corpus import Command, Given, content_of
from proctor.oracle.files import NOTHING, Difference, Seen, State, Writes, differ, look
from proctor.oracle.forkserver import ForkServer
from proctor.oracle.keeper import Keeper
from proctor.oracle.sandbox import HOME, INSIDE, TEMP, WORK, Axes, Box, Build, Wrapper, environment
from proctor.oracle.session import play_session
from proctor.oracle.spawn import Ended, Start, spawn
from proctor.oracle.trace import Step, keep

MOST_TEXT = 1 << 20
"""Bytes of a stream that a trace keeps whole."""
_STEPS = ((1000, ">=1000s"), (100, "<1000s"), (10, "<100s"), (1, "<10s"))


class Playing(NamedTuple):
    """How sequences are played, the same for every one."""

    build: Build
    box: Box
    timeout_s: float
    mode: str
    fixtures: str = ""
    """The folder of the project's fixtures."""
    ignore: tuple[str, ...] = ()
    inside: str = INSIDE
    """Where the folders lie within bubblewrap."""


class Played(NamedTuple):
    """A sequence that was played."""

    steps: list[Step]
    seconds: list[float]


Runner = Callable[[Start], Ended]


class Player:
    """Plays sequences on one build, one after the other, in a place of its own."""

    def __init__(self, playing: Playing, root: str, serve: Sequence[str] = ()) -> None:
        see_ends()
        self.playing = playing
        self.root = root
        self.spawns = 0
        self._wrapper = Wrapper(playing.box, playing.build, root, playing.inside)
        self._server = self._serving(serve) if serve else None
        within = os.path.join(self._wrapper.inner, WORK)
        self._keeper = Keeper(self._wrapper.keeper, within) if self._wrapper.keeper else None
        self._run: Runner = self._server or self._keeper or spawn
        self._axes: Axes | None = None
        self._env: dict[str, str] = {}
        self._writes = Writes()
        self._roots = {"": os.path.join(root, WORK), "~/": os.path.join(root, HOME)}
        spec = pathspec.GitIgnoreSpec.from_lines(playing.ignore)
        self._ignored: Callable[[str], bool] = spec.match_file if playing.ignore else _never
        self._clean = False
        self._untouched = False
        self._made: dict[str, int] = {}
        self._contained = playing.box.kind == "bubblewrap"
        inner = self._wrapper.inner
        self._hidden = [
            (os.fsencode(os.path.join(at, name)), f"<{name}>".encode())
            for at in dict.fromkeys((inner, root))
            for name in (WORK, HOME, TEMP)
        ]
        if playing.build.folder:
            self._hidden.append((os.fsencode(playing.build.folder), b"<build>"))

    def _serving(self, modules: Sequence[str]) -> ForkServer:
        os.makedirs(self.root, exist_ok=True)
        for name in (WORK, HOME, TEMP):
            os.makedirs(os.path.join(self.root, name), exist_ok=True)
        env = environment(self.playing.build, Axes(), self._wrapper.inner)
        front = self._wrapper.argv([], env)
        return ForkServer(front, env, self.root, self._wrapper.inner, modules)

    @property
    def forked(self) -> int:
        """Steps that were forks of a server."""
        return self._server.forked if self._server is not None else 0

    def play(self, sequence: corpus.Sequence) -> Played:
        """Return what each step of a sequence did.

        Raises:
            OracleError: a fixture is not there, or the folders cannot be written.
        """
        try:
            return self._play(sequence)
        except OSError as error:
            raise OracleError(
                f"{self.root}: the folders of a step cannot be used: {error.strerror}"
            ) from None

    def _play(self, sequence: corpus.Sequence) -> Played:
        before = self._fresh(sequence)
        axes = Axes(
            sequence.tz, sequence.hash_seed, sequence.locale, tuple(sorted(sequence.env.items()))
        )
        env = self._environment(axes)
        if self.playing.mode == "session":
            return self._session(sequence, env, before)
        steps: list[Step] = []
        seconds: list[float] = []
        for number, command in enumerate(sequence.commands, 1):
            ended = self._run(self._start(command, env, tty=sequence.tty))
            self.spawns += 1
            after, what = self._looked(before)
            before = after
            steps.append(self._step(sequence.seed, number, command, ended, what))
            seconds.append(ended.seconds)
        return Played(steps, seconds)

    def _environment(self, axes: Axes) -> dict[str, str]:
        """Return the environment of a sequence: the last one again where it turns the same."""
        if axes != self._axes:
            self._env = environment(self.playing.build, axes, self._wrapper.inner)
            self._axes = axes
        return self._env

    def _start(self, command: Command, env: dict[str, str], *, tty: bool) -> Start:
        argv = list(self.playing.build.command) + list(command.argv)
        if command.shell is not None:
            argv = ["/bin/sh", "-c", command.shell]
        elif not argv:
            raise OracleError("a step of the corpus is empty, and [oracle] command names nothing")
        if not self._contained:
            argv[0] = self._found(argv[0], env)
        return Start(
            argv=self._wrapper.argv(argv, env),
            cwd=self._roots[""],
            env=env,
            stdin=None if command.stdin is None else command.stdin.encode("utf-8", "replace"),
            timeout_s=self.playing.timeout_s,
            tty=tty,
            inner=argv,
        )

    @staticmethod
    def _found(name: str, env: dict[str, str]) -> str:
        """Return the program as the step's own PATH has it, not as ours has."""
        return name if "/" in name else shutil.which(name, path=env["PATH"]) or name

    def _step(
        self, seed: str, number: int, command: Command, ended: Ended, what: Difference
    ) -> Step:
        return Step(
            seed=seed,
            step=number,
            argv=command.shown,
            exit_code=ended.exit_code,
            signal=ended.signal,
            timed_out=ended.timed_out,
            time_class=time_class(ended.seconds),
            stdout=keep(self._hide(ended.stdout), MOST_TEXT),
            stderr=keep(self._hide(ended.stderr), MOST_TEXT),
            created=what.created,
            changed=what.changed,
            deleted=what.deleted,
            left_running=ended.left_running,
        )

    def _hide(self, data: bytes) -> bytes:
        for path, name in self._hidden:
            if path in data:
                data = data.replace(path, name)
        return data

    def _looked(self, before: State) -> tuple[State, Difference]:
        """Return the files now, and what happened to them since `before`."""
        if not before and self._is_untouched():
            return before, NOTHING
        after: dict[str, Seen] = {}
        for prefix, root in self._roots.items():
            after |= look(root, prefix, self._ignored)
        writes = self._writes.counts()
        if not after and not before:
            return after, NOTHING
        for name, seen in after.items():
            if seen.kind == "folder" and name not in before:
                self._writes.watch(self._on_disk(name), f"{name}/")
        self._clean = self._clean and not after
        return after, differ(before, after, self._roots, writes, self._hide)

    def _on_disk(self, name: str) -> str:
        prefix = "~/" if name.startswith("~/") else ""
        return os.path.join(self._roots[prefix], name[len(prefix) :])

    # ── folders ─────────────────────────────────────────────────────────────

    def _fresh(self, sequence: corpus.Sequence) -> State:
        """Make the folders of a sequence anew and return what lies in them."""
        if not self._is_untouched():
            self._writes.stirred()
            if self._writes.lost or not self._clean or not self._is_empty():
                self._renew()
            self._untouched = True
        self._clean = True
        if not sequence.files and not sequence.fixtures:
            return {}
        self._clean = False
        work = self._roots[""]
        for name in sequence.fixtures:
            self._copy(name, work)
        for name, given in sequence.files.items():
            _put(os.path.join(work, name), given)
        state: State = look(work, "", self._ignored)
        for name, seen in state.items():
            if seen.kind == "folder":
                self._writes.watch(os.path.join(work, name), f"{name}/")
        self._writes.counts()
        return state

    def _is_untouched(self) -> bool:
        """Return whether nothing happened in the folders since they were found empty.

        NOTE: this can be told of empty ones only. What lies in one may be changed by
        another name, in a folder that nobody watches.
        """
        self._untouched = (
            self._untouched
            and not self._writes.stirred()
            and all(_inode(folder) == number for folder, number in self._made.items())
        )
        return self._untouched

    def _is_empty(self) -> bool:
        return all(_inode(at) == number and not os.listdir(at) for at, number in self._made.items())

    def _renew(self) -> None:
        self._writes.forget()
        for name in (WORK, HOME, TEMP):
            folder = os.path.join(self.root, name)
            _remove(folder)
            os.makedirs(folder, mode=0o755)
            self._made[folder] = _inode(folder)
        for prefix, folder in self._roots.items():
            self._writes.watch(folder, prefix)
        self._writes.watch(os.path.join(self.root, TEMP), None)

    def _copy(self, name: str, work: str) -> None:
        source, target = os.path.join(self.playing.fixtures, name), os.path.join(work, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        try:
            if os.path.isdir(source) and not os.path.islink(source):
                shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)
            else:
                shutil.copy2(source, target, follow_symlinks=False)
        except OSError as error:
            raise OracleError(
                f"{source}: the fixture cannot be read: {error.strerror or error}"
            ) from None

    def close(self) -> None:
        """Remove the folders."""
        if self._server is not None:
            self._server.close()
        if self._keeper is not None:
            self._keeper.close()
        self._writes.close()
        _remove(self.root)

    # ── one process a sequence ──────────────────────────────────────────────

    def _session(self, sequence: corpus.Sequence, env: dict[str, str], before: State) -> Played:
        start = self._start(Command(argv=()), env, tty=False)
        self.spawns += 1
        lines = [_typed(command) for command in sequence.commands]
        steps: list[Step] = []
        seconds: list[float] = []
        for number, ended in enumerate(play_session(start, lines), 1):
            before, what = self._looked(before)
            command = sequence.commands[number - 1]
            steps.append(self._step(sequence.seed, number, command, ended, what))
            seconds.append(ended.seconds)
        return Played(steps, seconds)


def _typed(command: Command) -> bytes:
    """Return the line that a session is given for a step."""
    line = command.stdin if command.stdin is not None else shlex.join(command.argv)
    return line.rstrip("\n").encode("utf-8", "replace") + b"\n"


def _never(name: str) -> bool:
    del name
    return False


def _inode(path: str) -> int:
    """Return the number of a file, 0 where there is none."""
    try:
        return os.stat(path).st_ino
    except OSError:
        return 0


def _put(path: str, given: str | Given) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if isinstance(given, Given) and given.target is not None:
        os.symlink(given.target, path)
        return
    with open(path, "wb") as file:
        file.write(content_of(given))
    if isinstance(given, Given) and given.mode is not None:
        os.chmod(path, int(given.mode, 8) & 0o7777)


def _remove(folder: str) -> None:
    """Remove a folder, whatever modes a step left in it."""

    def again(function: Callable[[str], object], path: str, _: object) -> None:
        try:
            os.chmod(os.path.dirname(path), 0o700)
            os.chmod(path, 0o700)
            function(path)
        except OSError:
            return

    if os.path.islink(folder):
        os.unlink(folder)
    elif os.path.isdir(folder):
        shutil.rmtree(folder, onerror=again)


def time_class(seconds: float) -> str:
    """Return how long a step took, by powers of ten."""
    return next((name for least, name in _STEPS if seconds >= least), "<1s")
