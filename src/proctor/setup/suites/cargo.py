"""Rust suites: a package, or a workspace with all its members."""

import tomllib

from proctor.setup.suites.base import Found, Kind, text_of


def _find(folder: str) -> Found | None:
    text = text_of(folder, "Cargo.toml")
    try:
        manifest = tomllib.loads(text)
    except (ValueError, RecursionError):
        return None
    if "workspace" in manifest:
        return Found(command=("cargo", "test", "--workspace"), whole=True)
    return Found(command=("cargo", "test")) if "package" in manifest else None


SUITE = Kind(find=_find)
