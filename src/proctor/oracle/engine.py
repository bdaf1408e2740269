"""Runs chunks of sequences: `map(chunks) -> shards`, on threads or on a cluster.

A chunk is some sequences for one build; its shard is their part of the trace as
bytes. Whatever runs them, the shards put in order are the same trace.
"""

import os
import tempfile
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, NamedTuple, Protocol

import msgspec

from proctor.errors import OracleError, UsageError
from proctor.oracle import corpus, spawn
from proctor.oracle.replay import Player, Playing
from proctor.oracle.sandbox import remove_root, temporary_root
from proctor.oracle.trace import write_step

CHUNK = 25
"""Sequences that are run together."""
_SEQUENCES = msgspec.json.Decoder(corpus.Sequence)


def chunked(sequences: Iterable[corpus.Sequence]) -> Iterator[bytes]:
    """Yield the lines of `CHUNK` sequences at a time."""
    lines: list[bytes] = []
    for sequence in sequences:
        lines.append(corpus.line_of(sequence))
        if len(lines) == CHUNK:
            yield b"".join(lines)
            lines = []
    if lines:
        yield b"".join(lines)


class Task(NamedTuple):
    """A chunk for one build."""

    number: int
    label: str
    """Which run of which build: `old1`, `new`, `old2`."""
    playing: Playing
    lines: bytes
    """Lines of the corpus."""
    serve: tuple[str, ...] = ()
    """Modules that a fork server loads; none: a fresh process for every step."""


class Shard(NamedTuple):
    """What a chunk came to."""

    trace: bytes
    """Lines of the trace, in the order of the chunk."""
    seconds: list[list[float]]
    """Of each sequence, how long each step took."""
    spawns: int


def run_chunk(task: Task) -> bytes:
    """Return the shard of a chunk, encoded, played in a place made for it.

    Raises:
        OracleError: a fixture is missing, or the folders cannot be written.
    """
    root = temporary_root()
    player = Player(task.playing, os.path.join(root, "s"), task.serve)
    try:
        return play_chunk(task, player)
    finally:
        player.close()
        remove_root(root)


def play_chunk(task: Task, player: Player) -> bytes:
    """Return the shard of a chunk, encoded.

    Raises:
        OracleError: as `run_chunk`.
    """
    trace = bytearray()
    seconds = []
    before = player.spawns
    for line in task.lines.splitlines():
        if STOP.is_set():
            raise KeyboardInterrupt
        played = player.play(_SEQUENCES.decode(line))
        for step in played.steps:
            trace += write_step(step)
        seconds.append(played.seconds)
    return msgspec.msgpack.encode((bytes(trace), seconds, player.spawns - before))


def shard_of(data: bytes) -> Shard:
    """Return an encoded shard.

    Raises:
        OracleError: it is none.
    """
    try:
        return msgspec.msgpack.decode(data, type=Shard)
    except (msgspec.DecodeError, ValueError):
        raise OracleError("a shard of the trace is damaged; run the check again") from None


STOP = threading.Event()
"""Set when the replay is to end before its time."""


class Engine(Protocol):
    """Runs chunks."""

    name: str
    jobs: int

    def map(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, bytes]]:
        """Yield each task with its shard, in the order in which they end."""
        ...

    def close(self) -> None:
        """Let go of what runs the chunks."""
        ...


class Threads:
    """Runs chunks on threads of this process, each step in a process of its own."""

    name = "threads"

    def __init__(self, jobs: int = 0) -> None:
        # NOTE: one more than there are processors: while one looks at what a step left,
        # another runs.
        self.jobs = jobs or (os.cpu_count() or 1) + 1
        STOP.clear()
        self._pool = ThreadPoolExecutor(self.jobs, thread_name_prefix="steps")
        self._root = temporary_root()
        self._own = threading.local()
        self._players: list[Player] = []

    def _play(self, task: Task) -> bytes:
        """Play a chunk in this thread's own place for its build."""
        kept: dict[object, Player] = self._own.__dict__.setdefault("players", {})
        key = (task.playing, task.serve)
        player = kept.get(key)
        if player is None:
            place = tempfile.mkdtemp(prefix="s", dir=self._root)
            player = kept[key] = Player(task.playing, place, task.serve)
            self._players.append(player)
        return play_chunk(task, player)

    def map(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, bytes]]:
        """Yield each task with its shard, in the order in which they end."""
        running: dict[Future[bytes], Task] = {}
        waiting = iter(tasks)
        try:
            while True:
                while len(running) < 2 * self.jobs:
                    task = next(waiting, None)
                    if task is None:
                        break
                    running[self._pool.submit(self._play, task)] = task
                if not running:
                    return
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield running.pop(future), future.result()
        finally:
            for future in running:
                future.cancel()
            if running:
                STOP.set()
                spawn.kill_all()

    def close(self) -> None:
        """End the threads; what they run is killed."""
        STOP.set()
        spawn.kill_all()
        self._pool.shutdown(wait=True, cancel_futures=True)
        STOP.clear()
        for player in self._players:
            player.close()
        remove_root(self._root)


class Cluster:
    """Runs chunks on the workers of a Dask cluster, which reach the builds by their paths."""

    name = "cluster"

    def __init__(self, address: str) -> None:
        try:
            import distributed
        except ImportError:
            raise UsageError(
                "--scheduler needs the extra `cluster`: pip install '.[cluster]' in Proctor's clone"
            ) from None
        self._dask: Any = distributed
        try:
            self._client = self._dask.Client(address, timeout=10)
        except (OSError, ValueError, TimeoutError) as error:
            raise OracleError(f"{address}: no scheduler answers there: {error}") from None
        workers = self._client.scheduler_info(n_workers=-1)["workers"]
        self.jobs = sum(int(one["nthreads"]) for one in workers.values())
        if not self.jobs:
            self._client.close()
            raise OracleError(f"{address}: the scheduler has no workers; start some first")

    def map(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, bytes]]:
        """Yield each task with its shard; a chunk whose worker dies goes to another."""
        waiting = iter(tasks)
        known: dict[str, Task] = {}
        ended = self._dask.as_completed()

        def submit() -> None:
            task = next(waiting, None)
            if task is not None:
                key = f"{task.label}-{task.number}-{id(task)}"
                known[key] = task
                ended.add(self._client.submit(run_chunk, task, key=key, pure=False, retries=3))

        for _ in range(4 * self.jobs):
            submit()
        for future in ended:
            yield known.pop(future.key), future.result()
            future.release()
            submit()

    def close(self) -> None:
        """Part from the cluster."""
        self._client.close()
