"""docs/known.md: every runner, format, transcript, ecosystem and agent that is known."""

import sys

from proctor import _family
from reference.table import table

_HEAD = """\
# What Proctor knows by name

Made by `make pages` from the files that are there. Each is one file; adding another is one more.

"""
FAMILIES = (
    ("Test runners", "classify/runners", "How each is counted: [runners.md](runners.md)."),
    ("Formats of test reports", "results/formats", "What each can tell: [reports.md](reports.md)."),
    (
        "Transcripts of agents",
        "join/readers",
        "Where each is found, and what it can tell: [transcripts.md](transcripts.md).",
    ),
    (
        "Formats of a verdict and of the records",
        "report/formats",
        "`proctor gate --format NAME`, `proctor report`: [reports](reports-for-people.md).",
    ),
    ("Formats of the oracle's report", "report/deltas", "`proctor oracle check --format NAME`."),
    ("Formats of an audit", "audit/formats", "`proctor audit --format NAME`."),
    (
        "Ecosystems whose toolchain and lock files are kept",
        "capture/ecosystems",
        "`proctor evidence capture`: [evidence.md](evidence.md).",
    ),
    ("Suites that are found", "setup/suites", "`proctor init` writes them into `[[require]]`."),
    (
        "Agents that Proctor is installed into",
        "setup/agents",
        "`proctor init --agent NAME`: [agents](agents/index.md).",
    ),
    ("CI services", "setup/ci", "`proctor init --ci NAME`."),
    (
        "Languages whose tests are read",
        "outline/languages",
        "For the rules about a patch, such as `tests-weakened`.",
    ),
    ("Shells with completion", "cli/shells", "`proctor completion NAME`."),
)


def page() -> str:
    """Return the page."""
    return _HEAD + "\n".join(_family_of(*one) for one in FAMILIES)


def _family_of(title: str, folder: str, about: str) -> str:
    package = f"proctor.{folder.replace('/', '.')}"
    rows = [
        (f"`{name.replace('_', '-')}`", _first_line(package, name))
        for name in _family.names(package)
    ]
    return f"## {title}\n\n{about}\n\n{table(('name', 'what it is'), rows)}"


def _first_line(package: str, name: str) -> str:
    __import__(f"{package}.{name}")
    return (sys.modules[f"{package}.{name}"].__doc__ or "").partition("\n")[0]
