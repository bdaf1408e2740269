"""The files of an evidence folder: written whole, each digested as it is written."""

import os

from proctor._digest import sha256_hex
from proctor._whole import write_whole
from proctor.capture.manifest import NAME, OWN, KeptFile, Manifest
from proctor.errors import EvidenceError
from proctor.redact import redact_text


class Folder:
    """An evidence folder that is being written. What an earlier capture left goes first.

    Raises:
        EvidenceError: it cannot be written to.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.files: list[KeptFile] = []
        try:
            os.makedirs(path, exist_ok=True)
            for name in os.listdir(path):
                if OWN.fullmatch(name):
                    os.unlink(os.path.join(path, name))
        except OSError as error:
            raise _unwritable(path, error) from None

    def put(
        self, name: str, data: bytes, *, source: str | None = None, masks: bool = False
    ) -> None:
        """Write one file; `masks` takes secrets out of it first."""
        masked = _masked(data) if masks else data
        self._write(name, masked)
        self.files.append(
            KeptFile(
                name=name,
                sha256=sha256_hex(masked),
                bytes=len(masked),
                source=source,
                source_sha256=sha256_hex(data) if masked != data else None,
            )
        )

    def seal(self, manifest: Manifest, data: bytes) -> None:
        """Write the manifest, last of all."""
        assert manifest.digest  # noqa: S101 - sealed by the caller
        self._write(NAME, data)

    def _write(self, name: str, data: bytes) -> None:
        path = os.path.join(self.path, name)
        try:
            write_whole(path, data)
        except OSError as error:
            raise _unwritable(path, error) from None


def check_writable(path: str) -> None:
    """Find out before the run, not after it, whether evidence can be written.

    Raises:
        EvidenceError: it cannot.
    """
    try:
        os.makedirs(path, exist_ok=True)
        probe = os.path.join(path, f".proctor.{os.getpid()}")
        os.close(os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        os.unlink(probe)
    except OSError as error:
        raise _unwritable(path, error) from None


def _masked(data: bytes) -> bytes:
    """Return a text with its secrets masked; what is no text stays as it is."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return data
    return "".join(redact_text(line) for line in text.splitlines(keepends=True)).encode()


def _unwritable(path: str, error: OSError) -> EvidenceError:
    return EvidenceError(
        f"{path}: evidence cannot be written: {error.strerror}; choose another folder with --dir"
    )
