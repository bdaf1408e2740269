"""Which witness works on this machine, found out by trying, and why not more."""

import os
import sys
from collections.abc import Mapping

import msgspec

YAMA = "/proc/sys/kernel/yama/ptrace_scope"
_CAP_SYS_PTRACE = 19


class Witness(msgspec.Struct, frozen=True, kw_only=True):
    """What recording sees here."""

    kind: str
    """tree or direct."""
    detail: str
    cure: str = ""
    facts: dict[str, str] = {}
    """What was looked at: yama, seccomp, tracer, cap_sys_ptrace, container."""


def find_witness(environ: Mapping[str, str]) -> Witness:
    """Seize a real child and say which witness works here.

    It shows that *this* process may trace its children. Inside an agent's
    sandbox the answer may be another one.
    """
    if sys.platform != "linux":  # pragma: other platform
        return Witness(kind="direct", detail="only the command itself: a tree needs Linux")
    from proctor.recorder.ptrace import probe

    facts = _facts()
    refusal = probe()
    if refusal is None:
        return Witness(kind="tree", detail="every process below a command is seen", facts=facts)
    if facts["tracer"] != "none" and environ.get("PROCTOR_WITNESS"):
        return Witness(
            kind="tree", detail="an outer Proctor sees every process here already", facts=facts
        )
    return Witness(
        kind="direct",
        detail=f"only the command itself is seen: {refusal}",
        cure=cure_of(facts),
        facts=facts,
    )


def cure_of(facts: Mapping[str, str]) -> str:
    """Return what makes the tree witness possible, judged by the facts."""
    if facts["tracer"] != "none":
        return f"another tracer is at work (process {facts['tracer']}); run Proctor outside of it"
    if facts["yama"] == "3":
        return "Yama forbids tracing until the next boot: set kernel.yama.ptrace_scope = 1, reboot"
    if facts["yama"] == "2" and facts["cap_sys_ptrace"] == "no":
        return "sudo sysctl kernel.yama.ptrace_scope=1"
    if facts["container"] == "yes":
        return "start the container with: docker run --cap-add SYS_PTRACE"
    if facts["seccomp"] != "0":
        return "this sandbox forbids tracing; start the agent from outside: proctor watch -- AGENT"
    return "start the agent from a plain shell: proctor watch -- AGENT"


def _facts() -> dict[str, str]:
    status = _status()
    tracer = status.get("TracerPid", "0")
    capabilities = int(status.get("CapEff", "0"), 16)
    return {
        "yama": _read(YAMA) or "absent",
        "seccomp": status.get("Seccomp", "0"),
        "tracer": "none" if tracer == "0" else tracer,
        "cap_sys_ptrace": "yes" if capabilities >> _CAP_SYS_PTRACE & 1 else "no",
        "container": "yes" if _in_container() else "no",
    }


def _status() -> dict[str, str]:
    pairs = (line.partition(":") for line in _read("/proc/self/status").splitlines())
    return {name: value.strip() for name, _, value in pairs}


def _in_container() -> bool:
    return any(os.path.exists(path) for path in ("/.dockerenv", "/run/.containerenv"))


def _read(path: str) -> str:
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return ""
