"""Proctor holds the operating system's record of what a coding agent really ran.

The recorder writes one span for each process, the gate reads only such spans.
Nothing here trusts prose.

The public names below are imported when they are first used, so that the
recorder, which starts on every command an agent runs, pays for none of them.
"""

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from proctor.api import arun_recorded, check_receipt, read_spans, run_recorded
    from proctor.classify.classify import classify_argv
    from proctor.findings import Finding, Verdict
    from proctor.gate.judge import judge
    from proctor.records.span import Span

_HOME = {
    "Finding": "proctor.findings",
    "Span": "proctor.records.span",
    "Verdict": "proctor.findings",
    "arun_recorded": "proctor.api",
    "check_receipt": "proctor.api",
    "classify_argv": "proctor.classify.classify",
    "judge": "proctor.gate.judge",
    "read_spans": "proctor.api",
    "run_recorded": "proctor.api",
}

__all__ = [
    "Finding",
    "Span",
    "Verdict",
    "arun_recorded",
    "check_receipt",
    "classify_argv",
    "judge",
    "read_spans",
    "run_recorded",
]


def __getattr__(name: str) -> object:
    """Import a public name when it is first used."""
    import importlib

    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'proctor' has no attribute {name!r}")
    return getattr(importlib.import_module(home), name)


def __dir__() -> list[str]:
    """Return the public names."""
    return [*__all__, "__version__"]
