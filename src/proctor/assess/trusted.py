"""What the base revision says: its policy, its approvals, its code owners.

Everything here is read from blobs of the base's tree, each checked against its id;
nothing from the working tree has a say in it.
"""

from proctor import approvals, config
from proctor.assess.owners import owns
from proctor.config import Config
from proctor.errors import ConfigError
from proctor.gate.evidence import Approval, Base
from proctor.receipt.keys import signer_of
from proctor.repo.files import Files

CODE_OWNERS = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
"""Where platforms look for it; the first that exists counts."""


def config_in(files: Files, where: str) -> Config:
    """Return the configuration in a tree; `where` stands before file names in messages.

    Raises:
        ConfigError: it cannot be understood.
        RepositoryError: as `Files.read`.
    """
    return config.load_from(files.read(config.FILE), files.read("pyproject.toml"), where)


def approvals_of(
    base: Base, trusted: Files, current: Files, policy: Config
) -> tuple[Approval, ...]:
    """Return the approvals of the base, and those that the patch adds with their doubt.

    Raises:
        ConfigError: those of the base cannot be understood.
        RepositoryError: as `Files.read`.
    """
    at_base = _entries(trusted, f"{base.name}:{approvals.FILE}")
    try:
        here = _entries(current, approvals.FILE)
    except ConfigError:
        here = ()  # said as a change of the policy; what cannot be read does not count
    added = [entry for entry in here if entry not in at_base]
    doubt = _doubt(trusted, policy) if added else ""
    keys = policy.approvals.trusted_keys
    return (
        *(_plain(entry, "") for entry in at_base),
        *(_plain(entry, "" if is_signed_by(entry, keys) else doubt) for entry in added),
    )


def is_signed_by(entry: approvals.Approval, keys: tuple[str, ...]) -> bool:
    """Return whether one of the keys that the base trusts signed just this entry."""
    if entry.signature is None or not keys:
        return False
    return signer_of(entry.message(), bytes.fromhex(entry.signature), keys) is not None


def _entries(files: Files, path: str) -> tuple[approvals.Approval, ...]:
    data = files.read(approvals.FILE)
    return approvals.parse(data, path) if data is not None else ()


def _doubt(trusted: Files, policy: Config) -> str:
    """Return why approvals that the patch adds do not count."""
    if not policy.approvals.code_owners:
        return "the patch itself adds it"
    for path in CODE_OWNERS:
        data = trusted.read(path)
        if data is not None:
            if owns(data.decode("utf-8", "replace"), approvals.FILE):
                return ""
            return f"the patch itself adds it, and {path} gives {approvals.FILE} no owner"
    return "the patch itself adds it, and the base has no CODEOWNERS"


def _plain(entry: approvals.Approval, doubt: str) -> Approval:
    return Approval(
        digest=entry.digest,
        reason=entry.reason,
        owner=entry.owner,
        expires=entry.expires.isoformat(),
        doubt=doubt,
    )
