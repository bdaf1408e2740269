"""Keys that receipts and approvals are signed with: ed25519, one file each.

A signature is worth what keeps the key from the agent: whoever can read the file
can sign anything. Where that is, only the user can say; `proctor doctor` warns if a
process of the same user could read it.
"""

import importlib.util
import os
import re
import stat
from collections.abc import Iterable, Mapping

from proctor.errors import EvidenceError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_HEX = re.compile(r"[0-9a-f]{64}\Z")
_MISSING = "keys and signatures need an extra; install it: pip install '.[sign]' in Proctor's clone"
_LARGEST = 1 << 16


def default_key(environ: Mapping[str, str]) -> str:
    """Return the path of the key that is used where none is named.

    `PROCTOR_KEY`, else `receipt.key` in Proctor's folder of settings.
    """
    chosen = environ.get("PROCTOR_KEY")
    if chosen:
        return os.path.abspath(chosen)
    base = environ.get("XDG_CONFIG_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(base, "proctor", "receipt.key")


def new_key(path: str) -> str:
    """Make a key, write it to a new file of mode 0600 and return its public half.

    Raises:
        UsageError: there is a file already.
        EvidenceError: it cannot be written, or the extra is not installed.
    """
    _require_library()
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ed25519

    key = ed25519.Ed25519PrivateKey.generate()
    data = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    try:
        os.makedirs(os.path.dirname(path) or ".", mode=0o700, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with open(os.open(path, flags, 0o600), "wb") as file:
            file.write(data)
    except FileExistsError:
        raise UsageError(
            f"{path}: there is a file already; name another: proctor key new FILE"
        ) from None
    except OSError as error:
        raise EvidenceError(f"{path}: cannot be written: {error.strerror}") from None
    return public_half(key)


def load_key(path: str) -> "Ed25519PrivateKey":
    """Return the key in a file; '' is the default one.

    Raises:
        EvidenceError: there is none, others may read it, or it is no such key.
    """
    path = os.path.abspath(path) if path else default_key(os.environ)
    _require_library()
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ed25519

    try:
        data = _read(path)
    except FileNotFoundError:
        raise EvidenceError(
            f"{path}: there is no key; name it with --sign=FILE, or make one: "
            f"proctor key new {path}"
        ) from None
    mode = os.stat(path).st_mode
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise EvidenceError(f"{path}: others may read this key; chmod 600 {path}")
    try:
        key = serialization.load_pem_private_key(data, None)
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, ed25519.Ed25519PrivateKey):
        raise EvidenceError(f"{path}: is no ed25519 key; make one: proctor key new FILE")
    return key


def public_half(key: "Ed25519PrivateKey") -> str:
    """Return the public key as 64 hex digits."""
    return key.public_key().public_bytes_raw().hex()


def read_public(text: str) -> str:
    """Return a public key as 64 hex digits: given so, or as a file that holds it.

    A file may hold the digits, or a PEM public key.

    Raises:
        UsageError: it is neither.
    """
    if _HEX.match(text.lower()):
        return text.lower()
    try:
        data = _read(text)
    except FileNotFoundError:
        raise UsageError(
            f"--key {text[:80]}: neither 64 hex digits nor a file; see: proctor key show"
        ) from None
    words = data.decode("ascii", "replace").split()
    if len(words) == 1 and _HEX.match(words[0].lower()):
        return words[0].lower()
    _require_library()
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ed25519

    try:
        key = serialization.load_pem_public_key(data)
    except ValueError:
        key = None
    if not isinstance(key, ed25519.Ed25519PublicKey):
        raise UsageError(f"--key {text}: holds no ed25519 public key; see: proctor key show")
    return key.public_bytes_raw().hex()


def is_signed(message: bytes, signature: bytes, public: str) -> bool:
    """Return whether a signature over a message was made with the key of this public half.

    Raises:
        EvidenceError: the extra is not installed.
    """
    _require_library()
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric import ed25519

    try:
        key = ed25519.Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def signer_of(message: bytes, signature: bytes, keys: Iterable[str]) -> str | None:
    """Return the first of the public keys that a signature was made with."""
    return next((key for key in keys if is_signed(message, signature, key)), None)


def _read(path: str) -> bytes:
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise EvidenceError(f"{path}: is no plain file")
            return file.read(_LARGEST)
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise EvidenceError(f"{path}: cannot be read: {reason}") from None


def _require_library() -> None:
    if importlib.util.find_spec("cryptography") is None:
        raise EvidenceError(_MISSING)
