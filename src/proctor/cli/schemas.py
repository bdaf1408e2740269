"""The JSON Schemas of everything that Proctor writes or reads."""

import msgspec

from proctor.audit.report import Report
from proctor.config import Config
from proctor.findings import Verdict
from proctor.oracle import lock, policy, result, trace
from proctor.oracle.corpus import Sequence
from proctor.receipt.fields import SCHEMA as RECEIPT_SCHEMA
from proctor.receipt.fields import Receipt
from proctor.records.header import SCHEMA as LOG_SCHEMA
from proctor.records.header import Header
from proctor.records.span import SCHEMA, Span
from proctor.records.starts import Pending
from proctor.report import captures, histories, receipts, replays

KINDS: dict[str, tuple[str, type[msgspec.Struct]]] = {
    "audit": ("proctor.audit/1", Report),
    "config": ("proctor.config/1", Config),
    "corpus": ("proctor.corpus/1", Sequence),
    "drift": ("proctor.drift/1", captures.ComparedDocument),
    "evidence": ("proctor.evidence/1", captures.ShownDocument),
    "flakes": ("proctor.flakes/1", histories.Document),
    "lock": (lock.SCHEMA, lock.Lock),
    "log": (LOG_SCHEMA, Header),
    "oracle": (result.SCHEMA, result.Report),
    "pending": ("proctor.pending/1", Pending),
    "policy": ("proctor.policy/1", policy.PolicyFile),
    "receipt": (RECEIPT_SCHEMA, Receipt),
    "receipt-check": ("proctor.receipt-check/1", receipts.Document),
    "replay": ("proctor.replay/1", replays.Document),
    "span": (SCHEMA, Span),
    "trace": (trace.SCHEMA, trace.Step),
    "verdict": ("proctor.verdict/1", Verdict),
}
NAMES = tuple(KINDS)


def file_of(name: str) -> str:
    """Return the file of the folder `proctor/schemas` that holds a schema, by its version."""
    kind, _, version = KINDS[name][0].removeprefix("proctor.").partition("/")
    return f"{kind}-{version}.json"


def schema_of(name: str) -> bytes:
    """Return the JSON Schema (2020-12) of what `name` names, indented.

    It is derived from the types that read the records, so it cannot differ from
    them. Readers ignore members that it does not name, except in `config`.
    """
    identifier, kind = KINDS[name]
    (reference,), components = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": identifier,
        **reference,
        "$defs": components,
    }
    return msgspec.json.format(msgspec.json.encode(whole), indent=2)
