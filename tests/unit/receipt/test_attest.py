"""What a signature shows, told by other libraries than the one that made it."""

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import SSlibKey  # type: ignore[attr-defined]  # it lists no names

from proctor.receipt.attest import PREDICATE, STATEMENT, pre_authentication, sign, verify
from proctor.receipt.fields import Counts, Receipt, sealed
from proctor.receipt.keys import public_half

KEY = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
OTHER = Ed25519PrivateKey.from_private_bytes(b"o" * 32)
PUBLIC = public_half(KEY)
NAME = "artifacts/test-receipt.json"
TESTS = {"t.py::a": "passed", "t.py::b": "skipped", "t.py::c": "xfailed"}


def receipt(exit_code: int = 0) -> bytes:
    return sealed(
        Receipt(
            command="pytest", argv=("pytest",), git_head="a" * 40, git_tree="b" * 40, hostname="h",
            kernel="k", runtime="python 3.12", started_utc="2026-01-01T00:00:00Z",
            finished_utc="2026-01-01T00:00:01Z", exit_code=exit_code, level=2,
            executed=Counts(executed=2, passed=2, failed=0, skipped=1),
        )
    )  # fmt: skip


DATA = receipt()
LINE = sign(DATA, NAME, KEY, TESTS)


def signed_by(
    key: Ed25519PrivateKey, payload: bytes, kind: str = "application/vnd.in-toto+json"
) -> bytes:
    """Sign any payload with nothing but `cryptography`."""
    made = key.sign(pre_authentication(kind, payload))
    return json.dumps(
        {
            "payload": base64.b64encode(payload).decode(),
            "payloadType": kind,
            "signatures": [{"sig": base64.b64encode(made).decode()}],
        }
    ).encode()


def payload_of(line: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(base64.b64decode(json.loads(line)["payload"]))
    return found


def changed(change: Callable[[dict[str, Any]], object], key: Ed25519PrivateKey = KEY) -> bytes:
    """The statement with a change, signed properly."""
    statement = payload_of(LINE)
    change(statement)
    return signed_by(key, json.dumps(statement).encode())


def test_the_statement_is_in_totos_test_result() -> None:
    statement = payload_of(LINE)
    assert (statement["_type"], statement["predicateType"]) == (STATEMENT, PREDICATE)
    (subject,) = statement["subject"]
    assert subject["name"] == NAME
    assert subject["digest"].keys() == {"sha256", "gitCommit", "gitTree"}
    predicate = statement["predicate"]
    assert predicate["result"] == "PASSED"
    assert predicate["passedTests"] == ["t.py::a", "t.py::c"]
    assert predicate["failedTests"] == []
    (argv,) = predicate["configuration"]
    assert base64.b64decode(argv["content"]) == b'["pytest"]'
    assert payload_of(sign(receipt(1), NAME, KEY))["predicate"]["result"] == "FAILED"


def test_securesystemslib_verifies_it() -> None:
    key = SSlibKey.from_crypto(KEY.public_key())
    envelope = Envelope.from_dict(json.loads(LINE))
    assert list(envelope.verify([key], 1)) == [key.keyid]
    with pytest.raises(VerificationError):
        envelope.verify([SSlibKey.from_crypto(OTHER.public_key())], 1)


def test_bare_cryptography_verifies_it() -> None:
    envelope = json.loads(LINE)
    payload = base64.b64decode(envelope["payload"])
    kind = envelope["payloadType"].encode()
    signature = base64.b64decode(envelope["signatures"][0]["sig"])
    message = b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)
    KEY.public_key().verify(signature, message)
    with pytest.raises(InvalidSignature):
        KEY.public_key().verify(signature, message + b" ")


def test_our_own_verification_accepts_what_others_wrote() -> None:
    payload = base64.b64decode(json.loads(LINE)["payload"])
    bare = signed_by(KEY, payload)
    assert verify(LINE, DATA, [PUBLIC]).key == PUBLIC
    assert verify(bare, DATA, ["0" * 64, PUBLIC]).key == PUBLIC
    other = signed_by(KEY, payload, "application/vnd.in-toto.test-result+json")
    assert verify(other, DATA, [PUBLIC]).key == PUBLIC


def test_other_lines_are_passed_over_and_order_does_not_matter() -> None:
    noise = b'not json\n[]\n{}\n{"signatures": 1}\n{"payload": 1, "payloadType": "x", "signatures": [1]}\n'
    foreign = signed_by(OTHER, b"{}") + b"\n"
    for lines in (noise + foreign + LINE, LINE + foreign + noise):
        assert verify(lines, DATA, [PUBLIC]).key == PUBLIC


@pytest.mark.parametrize(
    "envelopes",
    [b"", b"\n\n", b"{}", b"[]", b"\xff\xfe", b'{"payload":"","payloadType":"","signatures":[]}'],
)
def test_the_verification_of_nothing_fails(envelopes: bytes) -> None:
    assert verify(envelopes, DATA, [PUBLIC]).key is None
    assert verify(LINE, DATA, []).key is None


def _with_signature(change: Callable[[dict[str, Any]], object]) -> bytes:
    envelope = json.loads(LINE)
    change(envelope)
    return json.dumps(envelope).encode()


TAMPERED = {
    "payload altered": _with_signature(
        lambda e: e.update(payload=base64.b64encode(json.dumps({**payload_of(LINE), "x": 1}).encode()).decode())
    ),
    "signature altered": _with_signature(
        lambda e: e["signatures"][0].update(sig=base64.b64encode(b"\1" * 64).decode())
    ),
    "type altered": _with_signature(lambda e: e.update(payloadType="application/json")),
    "signatures removed": _with_signature(lambda e: e.update(signatures=[])),
    "signed by another key": sign(DATA, NAME, OTHER),
    "signature of another length": _with_signature(lambda e: e["signatures"][0].update(sig="AA==")),
    "signature is no text": _with_signature(lambda e: e["signatures"][0].update(sig=7)),
}  # fmt: skip


@pytest.mark.parametrize("what", TAMPERED)
def test_tampering_with_the_envelope_is_refused(what: str) -> None:
    assert verify(TAMPERED[what], DATA, [PUBLIC]).key is None


LIES = {
    "another subject": changed(lambda s: s["subject"][0]["digest"].update(sha256="0" * 64)),
    "no subject": changed(lambda s: s.update(subject=[])),
    "another result": changed(lambda s: s["predicate"].update(result="FAILED")),
    "another predicate": changed(lambda s: s.update(predicateType="https://x.example/v1")),
    "an old statement": changed(lambda s: s.update(_type="https://in-toto.io/Statement/v0.1")),
    "another receipt quoted": changed(lambda s: s["predicate"]["proctorReceipt"].update(exit_code=3)),
    "no predicate": changed(lambda s: s.pop("predicate")),
    "no statement": signed_by(KEY, b"[]"),
    "no json": signed_by(KEY, b"hello"),
    "another payload type": signed_by(KEY, b"{}", "text/plain"),
}  # fmt: skip


@pytest.mark.parametrize("what", LIES)
def test_what_a_trusted_key_signed_must_be_about_this_receipt(what: str) -> None:
    found = verify(LIES[what], DATA, [PUBLIC])
    assert (found.key, len(found.lies)) == (None, 1)


def test_one_byte_of_the_receipt_decides() -> None:
    assert verify(LINE, DATA + b" ", [PUBLIC]).key is None
