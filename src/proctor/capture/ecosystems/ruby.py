"""Ruby: the interpreter with its platform, and the gems of the bundle."""

import re
from collections.abc import Sequence

from proctor.capture.base import Ecosystem, Probe, Toolbox

_GEM = re.compile(r"^\s*\* (\S+) \(([^)]+)\)", re.MULTILINE)


def _installed(tools: Toolbox) -> Sequence[str] | None:
    bundle = tools.find("bundle")
    said = None if bundle is None else tools.ask((bundle, "list"))
    return None if said is None else [f"{name} {version}" for name, version in _GEM.findall(said)]


ECOSYSTEM = Ecosystem(
    order=5,
    markers=("Gemfile", "Rakefile", "*_spec.rb"),
    locks=("Gemfile.lock",),
    probes=(
        Probe(("ruby", "-v"), ruby=r"^ruby (\S+)", ruby_platform=r"\[(\S+)\]\s*$"),
        Probe(("bundle", "--version"), bundler=r"(\d+\.\S+)"),
    ),
    installed=_installed,
)
