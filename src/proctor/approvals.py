"""`approvals.toml`: what a person has looked at and let pass, each entry with an end.

An entry names the digest of a finding set, which holds for one rule and for the
content that the findings are about, whatever commits or lines it stands in. That
an entry is in the file does not show who wrote it: the gate asks where it stands.
"""

import tomllib
from datetime import date
from typing import Annotated

import msgspec

from proctor._digest import encode
from proctor.errors import ConfigError

FILE = "approvals.toml"
_KIND = b"application/vnd.proctor.approval+json"

Digest = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}$")]
Signature = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{128}$")]
Text = Annotated[str, msgspec.Meta(pattern=r"\S")]


class Approval(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[[approval]]`: one finding set that may pass."""

    digest: Digest
    """The finding set, as the gate prints it."""
    reason: Text
    owner: Text
    """Who answers for it: a name or an address."""
    expires: date
    """The last day on which it counts, UTC."""
    signature: Signature | None = None
    """Over all of the above, by a key whose public half the base may trust."""

    def message(self) -> bytes:
        """Return the bytes that a signature is made over."""
        members = {
            "digest": self.digest,
            "expires": self.expires.isoformat(),
            "owner": self.owner,
            "reason": self.reason,
        }
        body = encode(members)
        return b"DSSEv1 %d %s %d %s" % (len(_KIND), _KIND, len(body), body)


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    approval: tuple[Approval, ...] = ()


def parse(data: bytes, path: str) -> tuple[Approval, ...]:
    """Return the entries in `data`; `path` is for messages.

    Raises:
        ConfigError: one line that names the file, the entry and the cure.
    """
    try:
        document = tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ConfigError(f"{path}:{line}: not UTF-8; save the file as UTF-8") from None
    except (ValueError, RecursionError) as error:  # a number of 5,000 digits, too
        raise ConfigError(f"{path}: not TOML: {error}") from None
    try:
        return msgspec.convert(document, _File).approval
    except msgspec.ValidationError as error:
        raise ConfigError(
            f"{path}: {_lower(str(error))}; an [[approval]] has digest, reason, owner, expires "
            "(`proctor approve` writes one)"
        ) from None


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
