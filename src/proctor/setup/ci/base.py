"""What a CI service's file says, and where its jobs get Proctor from."""

import importlib.metadata
import json
import re
from collections.abc import Callable, Sequence

import msgspec

_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_ON_GITHUB = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?/?")


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """The commit that this Proctor was installed from; its CI file installs the same."""

    url: str = ""
    commit: str = ""

    @property
    def action(self) -> str:
        """The action at that commit as `uses` takes it, empty where it is not on GitHub."""
        found = _ON_GITHUB.fullmatch(self.url)
        return f"{found[1]}@{self.commit}" if found and self.commit else ""

    @property
    def package(self) -> str:
        """What pip installs, empty where it is not known."""
        return f"git+{self.url}@{self.commit}" if self.commit else ""


class Service(msgspec.Struct, frozen=True, kw_only=True):
    """What a CI service's file binds to `SERVICE`; the file's name is the service's."""

    path: str
    """Relative to the repository's root."""
    text: Callable[[Sequence[str], Origin], str]
    """The file, from the shell lines that a change owes and where Proctor comes from."""
    then: Callable[[Origin], tuple[str, ...]]
    """What people have to do themselves, a line each."""


def installed_from(text: str | None = None) -> Origin:
    """Return what an installer noted (`direct_url.json`) of where Proctor came from.

    Nothing is known of a wheel, a folder, or a place that names no commit.
    """
    if text is None:
        try:
            text = importlib.metadata.distribution("proctor").read_text("direct_url.json")
        except importlib.metadata.PackageNotFoundError:
            text = None
    try:
        noted = json.loads(text or "{}")
        url, commit = str(noted["url"]), str(noted["vcs_info"]["commit_id"])
    except (ValueError, KeyError, TypeError):
        return Origin()
    plain = re.fullmatch(r"https://[\w./~:-]+", url) and _COMMIT.fullmatch(commit)
    return Origin(url=url, commit=commit) if plain else Origin()
