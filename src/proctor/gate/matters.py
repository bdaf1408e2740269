"""Which files can change the result of a test: a rule of our own, by name.

A file that cannot is a scratch note, a picture, a cache or a build output. The
rule errs towards *can*: an unknown suffix on a tracked file counts by its
content like any other (see `proctor.gate.freshness`).
"""

import os

CODE = frozenset(
    (
        ".bash",
        ".bat",
        ".bzl",
        ".c",
        ".cc",
        ".cjs",
        ".clj",
        ".cmake",
        ".cmd",
        ".cpp",
        ".cs",
        ".cts",
        ".cxx",
        ".dart",
        ".erl",
        ".ex",
        ".exs",
        ".fish",
        ".fs",
        ".go",
        ".gradle",
        ".groovy",
        ".h",
        ".hh",
        ".hpp",
        ".hrl",
        ".hs",
        ".java",
        ".jl",
        ".js",
        ".jsx",
        ".kt",
        ".kts",
        ".lua",
        ".m",
        ".mjs",
        ".mk",
        ".ml",
        ".mli",
        ".mm",
        ".mts",
        ".php",
        ".pl",
        ".pm",
        ".proto",
        ".ps1",
        ".pth",
        ".pxd",
        ".py",
        ".pyd",
        ".pyi",
        ".pyx",
        ".r",
        ".rb",
        ".rs",
        ".scala",
        ".sh",
        ".so",
        ".sql",
        ".svelte",
        ".swift",
        ".t",
        ".tcl",
        ".ts",
        ".tsx",
        ".vue",
        ".wasm",
        ".zsh",
    )
)
CONFIG = frozenset(
    (
        ".ambr",
        ".cfg",
        ".conf",
        ".env",
        ".feature",
        ".graphql",
        ".ini",
        ".json",
        ".json5",
        ".jsonc",
        ".lock",
        ".mod",
        ".properties",
        ".robot",
        ".snap",
        ".sum",
        ".toml",
        ".work",
        ".xml",
        ".yaml",
        ".yml",
    )
)
NAMES = frozenset(
    (
        ".babelrc",
        ".coveragerc",
        ".dockerignore",
        ".env",
        ".envrc",
        ".gitattributes",
        ".gitmodules",
        ".mocharc",
        ".npmrc",
        ".nvmrc",
        ".nycrc",
        ".pnpmfile",
        ".python-version",
        ".swcrc",
        ".tool-versions",
        ".yarnrc",
        "BUILD",
        "BUILD.bazel",
        "CMakeLists.txt",
        "Dockerfile",
        "GNUmakefile",
        "Gemfile",
        "Jenkinsfile",
        "Justfile",
        "Makefile",
        "Pipfile",
        "Procfile",
        "Rakefile",
        "WORKSPACE",
        "constraints.txt",
        "gradlew",
        "justfile",
        "makefile",
        "mvnw",
    )
)
OUTPUT_FOLDERS = frozenset(
    (
        ".cache",
        ".eggs",
        ".hypothesis",
        ".mypy_cache",
        ".nox",
        ".nyc_output",
        ".parcel-cache",
        ".pytest_cache",
        ".ruff_cache",
        ".tox",
        ".turbo",
        ".venv",
        "__pycache__",
        "build",
        "coverage",
        "dist",
        "htmlcov",
        "node_modules",
        "out",
        "target",
        "test-results",
        "venv",
    )
)


PROSE = frozenset(
    (
        ".adoc",
        ".gif",
        ".jpeg",
        ".jpg",
        ".md",
        ".markdown",
        ".org",
        ".pdf",
        ".png",
        ".rst",
        ".txt",
        ".webp",
    )
)
PROSE_NAMES = frozenset(("AUTHORS", "CHANGELOG", "COPYING", "LICENSE", "NOTICE", "README"))
TEST_FOLDERS = frozenset(
    (
        "__snapshots__",
        "__tests__",
        "e2e",
        "fixtures",
        "golden",
        "spec",
        "specs",
        "test",
        "test-data",
        "testdata",
        "testing",
        "tests",
    )
)


def is_prose(path: str) -> bool:
    """Return whether the file at `path` is text or a picture for people, by its name alone.

    Nothing in a folder of tests is: it may be what a test reads.
    """
    folders, base = os.path.split(path)
    if can_change_tests(path) or TEST_FOLDERS & set(folders.lower().split("/")):
        return False
    return os.path.splitext(base)[1].lower() in PROSE or base in PROSE_NAMES


def is_code(path: str) -> bool:
    """Return whether the file at `path` is code, by its name alone."""
    base = os.path.basename(path)
    return os.path.splitext(base)[1].lower() in CODE or base in NAMES


def can_change_tests(path: str) -> bool:
    """Return whether the file at `path` is code, a test or configuration.

    Files in folders that hold only what tools make (`node_modules`, `build`, …)
    are none of these; where they are tracked, their content counts all the same.
    """
    folders, base = os.path.split(path)
    if any(part in OUTPUT_FOLDERS or part.endswith(".egg-info") for part in folders.split("/")):
        return False
    if base.startswith("requirements") and base.endswith(".txt"):
        return True
    return is_code(path) or os.path.splitext(base)[1].lower() in CONFIG
