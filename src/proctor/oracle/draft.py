"""Drafts policy entries for what a report flags; a person has to finish them.

An entry per kind of change, its reason empty and marked as drafted, so that it allows
nothing yet. A model may be asked whether a change looks intended or collateral; its
answer stands beside the entry and decides nothing.
"""

import json
import os
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from proctor.errors import OracleError, UsageError
from proctor.oracle.atoms import first_word
from proctor.oracle.cluster import Cluster
from proctor.oracle.delta import Delta, Field
from proctor.oracle.result import Report

KEY_VARIABLE = "PROCTOR_MODEL_KEY"
"""The environment variable that holds the endpoint's key."""
LONGEST = 300
_LARGEST_ANSWER = 1 << 20
_ASK = (
    "A patch changed a command-line program. One observed change of behaviour follows. Say in one "
    "line whether it looks INTENDED (what the patch set out to do) or COLLATERAL (a side effect), "
    "and why. Begin with that word."
)

Ask = Callable[[Cluster], str]


def draft(report: Report, ask: Ask | None = None) -> list[dict[str, Any]]:
    """Return entries for everything that `report` flags, change by change, roots first."""
    entries: list[dict[str, Any]] = []
    for cluster in sorted(report.clusters, key=lambda one: one.follows is not None):
        if not cluster.flagged:
            continue
        said = ask(cluster) if ask is not None else ""
        members = [one for one in report.deltas if cluster.number in one.clusters]
        own: dict[tuple[str | None, ...], dict[str, Any]] = {}
        for delta, field in _flagged(members, cluster):
            key = (first_word(delta.command), field.path, field.old, field.new)
            own.setdefault(key, _entry(delta, field, cluster, said))
        entries += own.values()
    return entries


def _flagged(deltas: list[Delta], cluster: Cluster) -> Iterator[tuple[Delta, Field]]:
    for delta in deltas:
        for field in delta.changed:
            if field.allowed is None and (field.path in cluster.paths or len(delta.clusters) == 1):
                yield delta, field


def _entry(delta: Delta, field: Field, cluster: Cluster, said: str) -> dict[str, Any]:
    follows = f", follows from change {cluster.follows}" if cluster.follows is not None else ""
    entry: dict[str, Any] = {
        "command": first_word(delta.command),
        "path": field.path,
        "from": field.old,
        "to": field.new,
        "reason": "",
        "owner": "",
        "drafted": True,
        "cluster": f"change {cluster.number} ({cluster.deltas} steps){follows}",
    }
    if said:
        entry["intent"] = said
    return entry


def render(entries: list[dict[str, Any]]) -> str:
    """Return the entries as the text of a policy file."""
    whole = {"schema": "proctor.policy/1", "allowed": entries}
    return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode("utf-8") + "\n"


def model_at(url: str, model: str) -> Ask:
    """Return what asks the endpoint at `url`, which speaks as OpenAI's does.

    Only what a cluster says is sent: commands, values, reproducer.

    Raises:
        UsageError: `url` is no http address.
    """
    if not url.startswith(("http://", "https://")):
        raise UsageError("--model takes the address of an endpoint: http://localhost:8080/v1")
    address = url.rstrip("/") + ("" if url.endswith("/chat/completions") else "/chat/completions")

    def ask(cluster: Cluster) -> str:
        told = {
            "commands": cluster.commands,
            "what": cluster.what,
            "steps": cluster.deltas,
            "reproducer": cluster.reproducer,
            "patch": cluster.causes,
        }
        body = {
            "model": model,
            "temperature": 0,
            "messages": [
                {"role": "system", "content": _ASK},
                {"role": "user", "content": json.dumps(told, ensure_ascii=False)},
            ],
        }
        return " ".join(_post(address, body).split())[:LONGEST]

    return ask


def _post(address: str, body: dict[str, Any]) -> str:
    headers = {"Content-Type": "application/json"}
    key = os.environ.get(KEY_VARIABLE)
    if key:
        headers["Authorization"] = f"Bearer {key}"
    request = urllib.request.Request(address, json.dumps(body).encode(), headers)  # noqa: S310 - checked
    try:
        with urllib.request.urlopen(request, timeout=120) as answer:  # noqa: S310 - as above
            data = json.loads(answer.read(_LARGEST_ANSWER))
        return str(data["choices"][0]["message"]["content"])
    except (urllib.error.URLError, OSError) as error:
        reason = getattr(error, "reason", error)
        raise OracleError(f"{address}: no answer: {reason}; drafts need no model") from None
    except (ValueError, LookupError, TypeError):
        raise OracleError(f"{address}: not the answer of a chat endpoint") from None
