"""Keeps the shards of a replay until it is whole, so that an interrupted one goes on."""

import os
import shutil
from collections.abc import Iterator, Sequence

from proctor._whole import write_whole
from proctor.errors import OracleError
from proctor.oracle.engine import Shard, shard_of
from proctor.oracle.trace import write_header
from proctor.records.place import make_private


class Shards:
    """A folder of shards, by number of the chunk and label of the run.

    Raises:
        OracleError: it cannot be written.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        try:
            make_private(folder)
        except OSError as error:
            raise OracleError(f"{folder}: cannot be written: {error.strerror}") from None

    def has(self, number: int, label: str) -> bool:
        """Return whether a shard is already there."""
        return os.path.exists(self._path(number, label))

    def put(self, number: int, label: str, data: bytes) -> None:
        """Keep a shard, whole or not at all."""
        path = self._path(number, label)
        try:
            write_whole(path, data)
        except OSError as error:
            raise OracleError(f"{path}: cannot be written: {error.strerror}") from None

    def get(self, number: int, label: str) -> Shard:
        """Return a shard."""
        path = self._path(number, label)
        try:
            with open(path, "rb") as file:
                return shard_of(file.read())
        except OSError as error:
            raise OracleError(f"{path}: cannot be read: {error.strerror}") from None
        except OracleError:
            os.unlink(path)
            raise

    def merge(self, label: str, count: int, corpus_sha256: str, path: str) -> str:
        """Write the trace that the shards of one run are, in order; return its path."""
        try:
            with open(path, "wb") as file:
                file.write(write_header(corpus_sha256))
                file.writelines(self.get(number, label).trace for number in range(count))
        except OSError as error:
            raise OracleError(f"{path}: cannot be written: {error.strerror}") from None
        return path

    def together(self, count: int, labels: Sequence[str]) -> Iterator[list[Shard]]:
        """Yield the shards of each chunk, one of each run."""
        for number in range(count):
            yield [self.get(number, label) for label in labels]

    def remove(self) -> None:
        """Remove them all: the replay is whole."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _path(self, number: int, label: str) -> str:
        return os.path.join(self.folder, f"{number:08d}.{label}")
