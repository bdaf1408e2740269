"""What a file is, by its name alone: code, configuration, data, prose, output of tools.

One table for the recorder and the gate. A name is a guess: a program may read any file.
"""

import os


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


CODE = _words("""
    .bash .bat .bzl .c .cc .cjs .clj .cljs .cmake .cmd .cpp .cs .cts .cu .cxx .dart .erl .ex
    .exs .f90 .fish .fs .go .gradle .groovy .h .hh .hpp .hrl .hs .java .jbuilder .jl .js
    .jsx .kt .kts .lua .m .mjs .mk .ml .mli .mm .mts .nim .php .pl .pm .proto .ps1 .pth .pxd .py
    .pyd .pyi .pyx .r .rake .rb .rs .sbt .scala .sh .so .sol .sql .svelte .swift .t .tcl .tf .ts
    .tsx .vb .vue .wasm .zig .zsh
""")
"""Suffixes of what runs, or is built to run."""
CONFIG = _words("""
    .ambr .cfg .conf .csproj .env .feature .fsproj .graphql .ini .json .json5 .jsonc .lock .mod
    .properties .robot .sln .snap .sum .toml .work .xml .yaml .yml
""")
"""Suffixes of what tools, runners and programs are set up by."""
DATA = _words("""
    .approved .css .csv .cypher .d .ejs .expected .golden .hbs .html .in .ipynb .jinja .jinja2
    .jsonl .less .po .sass .scss .tpl .tsv .twig
""")
"""Suffixes of what code is often fed with, and people write as well: a scratch table or page
lies about in many a working tree."""
NAMES = _words("""
    .babelrc .coveragerc .dockerignore .env .envrc .gitattributes .gitmodules .mocharc .npmrc
    .nvmrc .nycrc .pnpmfile .python-version .rspec .swcrc .tool-versions .yarnrc BUILD
    BUILD.bazel Brewfile CMakeLists.txt Containerfile Dockerfile GNUmakefile Gemfile Jenkinsfile
    Justfile Makefile Pipfile Procfile Rakefile Taskfile Vagrantfile WORKSPACE constraints.txt
    gradlew justfile makefile meson.build mvnw
""")
"""Files that are code or configuration by their whole name."""
PROSE = _words("""
    .adoc .gif .jpeg .jpg .markdown .md .org .pdf .png .rst .txt .webp
""")
"""Suffixes of text and pictures for people."""
PROSE_NAMES = _words("""
    AUTHORS CHANGELOG COPYING LICENSE NOTICE README
""")
"""Files for people by their whole name."""
OUTPUT_FOLDERS = _words("""
    .cache .eggs .hypothesis .mypy_cache .nox .nyc_output .parcel-cache .pytest_cache
    .ruff_cache .tox .turbo .venv __pycache__ build coverage dist htmlcov node_modules out
    target test-results venv
""")
"""Folders that hold only what tools make."""
TEST_FOLDERS = _words("""
    __snapshots__ __tests__ e2e fixtures golden spec specs test test-data testdata testing tests
""")
"""Folders of tests and of what they read."""


def suffix_of(path: str) -> str:
    """Return the suffix of a file, in lower case."""
    return os.path.splitext(path)[1].lower()


def is_code(path: str) -> bool:
    """Return whether a file is code, or set up by its whole name."""
    return suffix_of(path) in CODE or os.path.basename(path) in NAMES


def is_configuration(path: str) -> bool:
    """Return whether a file sets something up, requirements of pip's among them."""
    base = os.path.basename(path)
    if base.endswith(".txt") and base.startswith(("requirements", "constraints")):
        return True
    return suffix_of(path) in CONFIG
