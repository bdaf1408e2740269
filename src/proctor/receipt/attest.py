"""Signed receipts: DSSE envelopes around in-toto statements, one a line.

The statement's subject is the receipt's file, by the digest of its bytes, beside
commit and tree; its predicate is in-toto's test-result v0.1, with the receipt itself
in a member of our own. securesystemslib writes; what it wrote is verified with
nothing but `cryptography`, as any other tool can.

https://github.com/secure-systems-lab/dsse/blob/v1.0.2/envelope.md
https://github.com/in-toto/attestation/blob/main/spec/predicates/test-result.md
"""

import base64
import binascii
import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from proctor.errors import EvidenceError, ReportError
from proctor.receipt.keys import signer_of
from proctor.results.read import read_summary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

PAYLOAD_TYPE = "application/vnd.in-toto+json"
PAYLOAD_TYPES = (PAYLOAD_TYPE, "application/vnd.in-toto.test-result+json")
STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "https://in-toto.io/attestation/test-result/v0.1"
OWN = "proctorReceipt"
"""The member of the predicate that holds the whole receipt."""
MOST_NAMES = 20_000
"""Tests that a predicate names one by one; of more it names none."""
_SMALL = 1000
"""Bytes that may stand in a descriptor as they are."""


class Verified(msgspec.Struct, frozen=True, kw_only=True):
    """What the signatures beside a receipt show."""

    key: str | None = None
    """The trusted key that signed just this receipt; null: none did."""
    doubts: tuple[str, ...] = ()
    """Why envelopes that are there do not count."""
    lies: tuple[str, ...] = ()
    """What a trusted key signed that is not about this receipt, though it stands beside it."""


def predicate_of(members: dict[str, Any], names: dict[str, str] | None = None) -> dict[str, Any]:
    """Return the predicate for a receipt; `names` maps tests to outcomes.

    It can be given to any tool that wraps predicates, GitHub's attestation action
    among them.
    """
    argv = json.dumps(members["argv"]).encode()
    command: dict[str, Any] = {"name": "argv", "mediaType": "application/json"}
    command["digest"] = {"sha256": hashlib.sha256(argv).hexdigest()}
    if len(argv) < _SMALL:
        command["content"] = base64.b64encode(argv).decode()
    found: dict[str, Any] = {
        "result": "PASSED" if members["exit_code"] == 0 else "FAILED",
        "configuration": [command],
        OWN: members,
    }
    if names and len(names) <= MOST_NAMES:
        red = ("failed", "error")
        found["passedTests"] = sorted(n for n, o in names.items() if o in ("passed", "xfailed"))
        found["failedTests"] = sorted(n for n, o in names.items() if o in red)
    return found


def statement_of(data: bytes, name: str, names: dict[str, str] | None = None) -> dict[str, Any]:
    """Return the statement about the receipt whose file's bytes are `data`."""
    members = json.loads(data)
    digests = {"sha256": hashlib.sha256(data).hexdigest()}
    for kind, member in (("gitCommit", "git_head"), ("gitTree", "git_tree")):
        if members.get(member):
            digests[kind] = members[member]
    return {
        "_type": STATEMENT,
        "subject": [{"name": name, "digest": digests}],
        "predicateType": PREDICATE,
        "predicate": predicate_of(members, names),
    }


def sign(
    data: bytes, name: str, key: "Ed25519PrivateKey", names: dict[str, str] | None = None
) -> bytes:
    """Return the line with the signed statement about a receipt's file.

    Raises:
        EvidenceError: the extra is not installed.
    """
    try:
        from securesystemslib.dsse import Envelope
        from securesystemslib.signer import (  # type: ignore[attr-defined]  # it lists no names
            CryptoSigner,
        )
    except ImportError:
        raise EvidenceError(
            "signing needs an extra; install it: pip install '.[sign]' in Proctor's clone"
        ) from None
    payload = json.dumps(statement_of(data, name, names), separators=(",", ":")).encode()
    envelope = Envelope(payload, PAYLOAD_TYPE, {})
    envelope.sign(CryptoSigner(key))
    return json.dumps(envelope.to_dict(), separators=(",", ":")).encode() + b"\n"


def verify(envelopes: bytes, data: bytes, keys: Sequence[str]) -> Verified:
    """Return which of the trusted `keys` signed a statement about just these bytes.

    Lines that are no envelope are passed over, and their order does not matter. No
    envelope, no signature or no key is never a success.

    Raises:
        EvidenceError: the extra is not installed.
    """
    doubts: list[str] = []
    lies: list[str] = []
    for line in envelopes.splitlines():
        for payload, signer, kind in _signed(line, keys):
            if signer is None:
                doubts.append("a signature that no trusted key made")
                continue
            why = _mismatch(payload, kind, data)
            if why is None:
                return Verified(key=signer)
            lies.append(why)
    doubts += [f"a signature, but {lie}" for lie in lies]
    return Verified(doubts=tuple(dict.fromkeys(doubts)), lies=tuple(dict.fromkeys(lies)))


def pre_authentication(kind: str, payload: bytes) -> bytes:
    """Return the bytes that a DSSE signature is made over."""
    name = kind.encode()
    return b"DSSEv1 %d %s %d %s" % (len(name), name, len(payload), payload)


def _signed(line: bytes, keys: Iterable[str]) -> Iterator[tuple[bytes, str | None, str]]:
    """Yield the payload of each signature in a line, with the trusted key that made it."""
    try:
        envelope = json.loads(line)
    except (ValueError, RecursionError):
        return
    if not isinstance(envelope, dict) or not isinstance(envelope.get("signatures"), list):
        return
    kind, payload = envelope.get("payloadType"), _decoded(envelope.get("payload"))
    if not isinstance(kind, str) or payload is None:
        return
    try:
        message = pre_authentication(kind, payload)
    except UnicodeEncodeError:
        return
    for one in envelope["signatures"]:
        signature = _decoded(one.get("sig")) if isinstance(one, dict) else None
        if signature is not None:
            yield payload, signer_of(message, signature, keys), kind


def _decoded(text: Any) -> bytes | None:
    """Return the bytes of base64, in either of its alphabets."""
    if not isinstance(text, str):
        return None
    try:
        return base64.b64decode(text.replace("-", "+").replace("_", "/"), validate=True)
    except (binascii.Error, ValueError):
        return None


def _mismatch(payload: bytes, kind: str, data: bytes) -> str | None:
    """Return why a statement that a trusted key signed is not about this receipt."""
    if kind not in PAYLOAD_TYPES:
        return f"a trusted key signed something else: {kind[:60]!r}"
    try:
        statement = json.loads(payload)
        kinds = statement["_type"], statement["predicateType"]
        digests = [subject["digest"].get("sha256") for subject in statement["subject"]]
        predicate = statement["predicate"]
        result, own = predicate["result"], predicate[OWN]
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        return "a trusted key signed something that is no statement about a receipt"
    if kinds != (STATEMENT, PREDICATE):
        return f"a trusted key signed a statement of another kind: {kinds[1]!s:.60}"
    faults = {
        "is about a receipt with other bytes": hashlib.sha256(data).hexdigest() not in digests,
        "quotes another receipt than the one it is about": own != json.loads(data),
        f"says {result!s:.20} of another exit code": (result == "PASSED")
        != (isinstance(own, dict) and own.get("exit_code") == 0),
    }
    fault = next((name for name, is_so in faults.items() if is_so), None)
    return f"the signed statement {fault}" if fault else None


def tests_of(reports: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return test id → outcome from kept reports, each named by path and format.

    Reports that cannot be read are passed over.
    """
    found: dict[str, str] = {}
    for path, kind in reports:
        try:
            found |= read_summary(path, kind).tests
        except ReportError:
            continue
    return found
