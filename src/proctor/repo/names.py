"""Which paths can change a test's outcome, and which are Proctor's own.

Names only: nothing here looks at a file.
"""

import os
import re

_CODE = frozenset(
    """
    .bash .bat .c .cc .cfg .cjs .clj .cljs .cmake .cmd .cpp .cs .csproj .css .cts .cu .cxx .cypher
    .d .dart .ejs .erl .ex .exs .f90 .feature .fs .fsproj .go .gradle .graphql .groovy .h .hbs .hh
    .hpp .hs .html .in .ini .ipynb .java .jbuilder .jinja .jinja2 .jl .js .json .json5 .jsonl .jsx
    .kt .kts .less .lua .m .mjs .mk .ml .mm .mod .mts .nim .php .pl .pm .po .proto .ps1 .pth .pxd
    .py .pyi .pyx .r .rake .rb .robot .rs .sass .sbt .scala .scss .sh .sln .snap .sol .sql .sum
    .svelte .swift .t .tcl .tf .toml .tpl .ts .tsv .tsx .twig .vb .vue .xml .yaml .yml .zig .zsh
    .csv .golden .approved .expected .lock .env .properties .conf
    """.split()  # noqa: SIM905 - a table reads better than two hundred quotes
)
_CODE_NAMES = frozenset(
    """
    Brewfile BUILD Containerfile Dockerfile Gemfile Jenkinsfile Justfile Makefile GNUmakefile
    Pipfile Procfile Rakefile Taskfile Vagrantfile WORKSPACE justfile makefile meson.build
    requirements.txt constraints.txt CMakeLists.txt pytest.ini tox.ini gradlew mvnw .npmrc .mocharc
    .rspec .coveragerc .gitattributes .gitmodules .python-version .tool-versions .nvmrc
    """.split()  # noqa: SIM905 - as above
)
_PROSE = re.compile(rb"(?i)(^|/)(docs?|changelog\.d|newsfragments)/.*\.(md|rst|txt|html|css)$")
_TEST_FOLDER = re.compile(
    rb"(?i)(^|/)(tests?|__tests__|specs?|testdata|test-data|fixtures|testing|e2e)/"
)
_HARNESS = re.compile(
    rb"(?:conftest\.py|(?:site|user)customize\.py|[^/]*\.pth|\.?pytest\.(?:ini|toml)|tox\.ini"
    rb"|setup\.cfg|(?:jest|vitest|vite|playwright|karma|cypress)\.config\.[cm]?[jt]sx?"
    rb"|\.mocharc(?:\.[a-z]+)?)\Z"
)
_OWN = re.compile(
    rb"(?:artifacts/test-receipt(?:\.[\w-]+)?\.(?:json|intoto\.jsonl)"
    rb"|evidence/(?:toolchain\.(?:txt|json)|lock\.copy(?:\.[^/]+)?|NO_LOCKFILE|freeze\.txt"
    rb"|junit\.xml|[^/]+\.exit|NO_PYTEST_LAYOUT|manifest\.json))\Z"
)
_OWN_IN_STATE = re.compile(
    rb"(?:objects/|reports/|index-[0-9a-f]{16}/|plugin-[0-9a-f]{12}/|logs\Z|[^/]+\.jsonl(?:\.pending/|\.|\Z)).*"
)


def may_change_tests(path: bytes) -> bool:
    """Return whether a file of this name is code, a test, test data or configuration.

    Everything in a folder of tests counts; prose in documentation folders does
    not. A name is a guess: a program may read any file.
    """
    if _TEST_FOLDER.search(path):
        return True
    base = path.rpartition(b"/")[2].decode("utf-8", "replace")
    if _PROSE.search(path):
        return False
    return base in _CODE_NAMES or os.path.splitext(base)[1].lower() in _CODE


def decides_tests(path: bytes) -> bool:
    """Return whether a test runner or interpreter reads a file of this name unasked."""
    return _HARNESS.match(path.rpartition(b"/")[2]) is not None


class Own:
    """Tells Proctor's own outputs apart, which are no part of a tree's content.

    Only the names that Proctor writes: other files beside them count. `state`
    is the log's folder, which matters where it lies in the tree.
    """

    __slots__ = ("_state",)

    def __init__(self, root: str, state: str) -> None:
        inside = os.path.relpath(os.path.realpath(state), root)
        if inside.split("/", 1)[0] == "..":
            self._state: bytes | None = None
        else:
            self._state = b"" if inside == "." else os.fsencode(inside) + b"/"

    def holds(self, path: bytes) -> bool:
        """Return whether Proctor wrote the file at `path`, relative to the root."""
        if _OWN.match(path):
            return True
        if self._state is None or not path.startswith(self._state):
            return False
        return _OWN_IN_STATE.match(path[len(self._state) :]) is not None


def is_receipt(path: bytes) -> bool:
    """Return whether Proctor writes receipts or evidence under this name."""
    return _OWN.match(path) is not None
