"""Rust: compiler and target, and the packages that cargo would build offline."""

import json
from collections.abc import Sequence

from proctor.capture.base import Ecosystem, Probe, Toolbox


def _installed(tools: Toolbox) -> Sequence[str] | None:
    cargo = tools.find("cargo")
    words = ("metadata", "--format-version", "1", "--offline", "--locked")
    said = None if cargo is None else tools.ask((cargo, *words))
    try:
        packages = json.loads((said or "").partition("\n")[0])["packages"]
        return [f"{package['name']} {package['version']}" for package in packages]
    except (ValueError, KeyError, TypeError):
        return None


ECOSYSTEM = Ecosystem(
    order=4,
    markers=("Cargo.toml",),
    locks=("Cargo.lock",),
    probes=(
        Probe(("rustc", "-vV"), rust=r"^release: (\S+)", rust_platform=r"^host: (\S+)"),
        Probe(("cargo", "--version"), cargo=r"^cargo (\S+)"),
    ),
    installed=_installed,
)
