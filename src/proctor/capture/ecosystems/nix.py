"""Nix: its version, and the inputs that a flake is locked to."""

from proctor.capture.base import Ecosystem, Probe

ECOSYSTEM = Ecosystem(
    order=9,
    markers=("flake.nix",),
    locks=("flake.lock",),
    probes=(Probe(("nix", "--version"), nix=r"(\d+\.\S+)"),),
)
