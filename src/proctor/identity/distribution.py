"""Which Python distribution a file belongs to, and whether its files are as installed.

The record of an installation is `RECORD` in its `*.dist-info` folder:
https://packaging.python.org/en/latest/specifications/recording-installed-packages/
"""

import base64
import csv
import json
import os
import re
from collections.abc import Iterator, Sequence
from urllib.parse import unquote, urlsplit

from proctor._digest import sha256

ALTERED_CAP = 10
_INFO = (".dist-info", ".egg-info")
_SIZE_LIMIT = 16 << 20


class Distribution:
    """An installed distribution, as its metadata folder tells.

    `site` is the folder that holds the metadata folder.
    """

    __slots__ = ("info", "name", "site", "version")

    def __init__(self, site: str, entry: str) -> None:
        self.site = site
        self.info = os.path.join(site, entry)
        stem = entry.rpartition(".")[0]
        name, _, version = stem.partition("-")
        self.name = normal_name(name)
        self.version = re.sub(r"-py\d.*\Z", "", version) or None

    def record(self) -> list[tuple[str, str]] | None:
        """Return path and digest (`sha256=…`, or nothing) of every file; none without RECORD."""
        data = _read(os.path.join(self.info, "RECORD"))
        if data is None:
            return None
        text = data.decode("utf-8", "surrogateescape")
        try:
            rows = list(csv.reader(text.splitlines()))
        except csv.Error:
            return None
        return [(row[0], row[1] if len(row) > 1 else "") for row in rows if row]

    def holds(self, path: str, record: Sequence[tuple[str, str]]) -> bool:
        """Return whether a record names a file."""
        wanted = os.path.relpath(path, self.site)
        if any(name == wanted for name, _ in record):
            return True
        base = os.path.basename(path)
        return any(
            os.path.realpath(os.path.join(self.site, name)) == path
            for name, _ in record
            if name.endswith(base)
        )

    def source(self) -> str | None:
        """Return the folder that an editable install stands for; none if it is no such."""
        data = _read(os.path.join(self.info, "direct_url.json"))
        if data is None:
            return None
        try:
            content = json.loads(data)
            if content["dir_info"].get("editable") is not True:
                return None
            parts = urlsplit(content["url"])
        except (ValueError, KeyError, TypeError, AttributeError):
            return None
        return os.path.realpath(unquote(parts.path)) if parts.scheme == "file" else None

    def altered(self, record: Sequence[tuple[str, str]]) -> list[str]:
        """Return the Python files that are not as they were installed, sorted, capped."""
        found = []
        for name, digest in record:
            algorithm, _, expected = digest.partition("=")
            if not name.endswith(".py") or algorithm != "sha256":
                continue
            data = _read(os.path.join(self.site, name))
            if data is None or _urlsafe(data) != expected.rstrip("="):
                found.append(name)
        return sorted(found)[:ALTERED_CAP]


def distributions_in(site: str, first: str = "") -> Iterator[Distribution]:
    """Yield the distributions whose metadata lies in a folder, one by name first."""
    try:
        entries = [entry for entry in os.listdir(site) if entry.endswith(_INFO)]
    except OSError:
        return
    found = [Distribution(site, entry) for entry in sorted(entries)]
    yield from sorted(found, key=lambda item: item.name != normal_name(first))


def normal_name(name: str) -> str:
    """Return a distribution's name as packaging tools compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _urlsafe(data: bytes) -> str:
    return base64.urlsafe_b64encode(sha256(data).digest()).rstrip(b"=").decode("ascii")


def _read(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read(_SIZE_LIMIT)
    except OSError:
        return None
