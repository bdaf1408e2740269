"""Roles of common tools that run no tests, so that a log reads well.

On the light path: no imports.
"""

from proctor.classify.base import Classification
from proctor.classify.index import base_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_LINT = (
    *("ruff", "mypy", "flake8", "black", "isort", "pylint", "pyright", "pyre", "bandit"),
    *("interrogate", "lint-imports", "codespell", "pre-commit", "eslint", "prettier", "biome"),
    *("oxlint", "stylelint", "golangci-lint", "gofmt", "staticcheck", "rubocop", "shellcheck"),
    *("hadolint", "yamllint", "rustfmt", "ktlint"),
)
_BUILD = ("tsc", "cmake", "ninja", "meson", "webpack", "rollup", "esbuild", "vite", "swc", "tsup")
_VCS = ("git", "hg", "svn", "jj")
_INSTALL = ("pip", "pipx", "apt-get", "apt", "apk", "dnf", "yum", "brew", "gem", "composer")

_ROLES = {
    **dict.fromkeys(_LINT, "lint"),
    **dict.fromkeys(_BUILD, "build"),
    **dict.fromkeys(_VCS, "vcs"),
    **dict.fromkeys(_INSTALL, "install"),
}
_SUBCOMMANDS = {
    ("uv", "pip"): "install",
    ("uv", "sync"): "install",
    ("uv", "add"): "install",
    ("uv", "lock"): "install",
    ("uv", "build"): "build",
    ("poetry", "install"): "install",
    ("poetry", "add"): "install",
    ("poetry", "build"): "build",
    ("pdm", "install"): "install",
    ("pipenv", "install"): "install",
    ("bundle", "install"): "install",
    ("docker", "build"): "build",
}

NAMES = (*_ROLES, *sorted({program for program, _ in _SUBCOMMANDS}))


def classify_tool(tokens: "Sequence[str]") -> Classification | None:
    """Return the class of a common tool, none if it is none."""
    name = base_name(tokens[0])
    if name not in _ROLES:
        name = name.rstrip("0123456789.")
    role = _ROLES.get(name)
    if role is not None:
        return Classification(tokens, name, role, None)
    for subcommand in tokens[1:2]:
        role = _SUBCOMMANDS.get((name, subcommand))
        if role is not None:
            return Classification(tokens, f"{name} {subcommand}", role, None)
    return None
