"""The same with tools that a registry or a toolchain provides: jest, tox, cargo, go, …

The tools are installed once, beside the environment that the tests run in.
"""

import functools
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.cheats.stage import GREEN, RED, Case, Stage, UnavailableError
from tests.once import made_once

NODE_TOOLS = ("jest@29", "vitest@2", "mocha@10", "tape@5", "nyc@17", "pnpm@9", "yarn@1")
PYTHON_TOOLS = (("tox", "nox", "uv"), ("poetry", "hatch"))
"""Those that are installed together."""
EMPTY = frozenset({"no-tests-ran"})
NOT_A_RUN = frozenset({"not-a-run"})
MASKED = frozenset({"masked-exit"})
WORKSPACE = "packages:\n  - packages/*\n"
Files = Mapping[str, str]
Play = Callable[[Stage], None]


_TOOLS = Path(sys.prefix) / "tools"


@functools.cache
def node_tools() -> Path:
    """Return the folder whose `node_modules` holds the JavaScript tools."""

    def fill(folder: Path) -> None:
        (folder / "package.json").write_text('{"private": true}\n')
        npm = ["npm", "install", "--silent", "--no-audit", "--no-fund", *NODE_TOOLS]
        subprocess.run(npm, cwd=folder, check=True, stdout=subprocess.DEVNULL)

    return made_once(_TOOLS / "node", " ".join(NODE_TOOLS), fill)


@functools.cache
def python_tools(tool: str) -> Path:
    """Return the folder of the programs of a Python tool."""
    (wanted,) = (group for group in PYTHON_TOOLS if tool in group)

    def fill(folder: Path) -> None:
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", *wanted]
        subprocess.run(pip, check=True, capture_output=True)

    return made_once(_TOOLS / f"python-{wanted[0]}", " ".join(wanted), fill) / "bin"


# ── projects ────────────────────────────────────────────────────────────────


def project(files: Files, *argv: str, text: str = "", **env: str) -> Play:
    """Play a committed project and one command, or one shell line."""

    def play(stage: Stage) -> None:
        for name, content in files.items():
            stage.put(name, content)
        stage.commit()
        home = Path(os.path.expanduser("~"))
        rust = {"RUSTUP_HOME": f"{home}/.rustup", "CARGO_HOME": f"{home}/.cargo"}
        env_ = {**rust, "npm_config_update_notifier": "false", "CI": "1", **env}
        done = stage.run(*(("bash", "-c", text) if text else argv), env=env_)
        if done.returncode and not any(span["kind"] == "leaf" for span in stage.spans()):
            raise UnavailableError(f"{text or argv[0]}: {done.stderr.strip()[-200:]}")

    return play


def node(files: Files, *argv: str, text: str = "") -> Play:
    """Play a JavaScript project with the tools in its own `node_modules`."""

    def play(stage: Stage) -> None:
        tools = node_tools() / "node_modules"
        subprocess.run(["cp", "-al", str(tools), str(stage.repo / "node_modules")], check=True)
        path = f"{stage.repo}/node_modules/.bin:{stage.env['PATH']}"
        project({".gitignore": "node_modules\n", **files}, *argv, text=text, PATH=path)(stage)

    return play


def python(files: Files, *argv: str) -> Play:
    """Play a Python project with the tools last on PATH."""

    def play(stage: Stage) -> None:
        path = f"{stage.env['PATH']}:{python_tools(argv[0])}"
        kept = ".tox\n.nox\n.venv\n__pycache__\n.pytest_cache\n*.egg-info\nuv.lock\npoetry.lock\n"
        project({".gitignore": kept, **files}, *argv, PATH=path)(stage)

    return play


def package(script: str) -> dict[str, str]:
    """Return a package.json whose test script is given."""
    return {"package.json": f'{{"name": "sample", "scripts": {{"test": "{script}"}}}}\n'}


def js(*, passes: bool = True, vitest: bool = False) -> dict[str, str]:
    """Return three test files for jest, vitest or mocha."""
    head = "import { test } from 'vitest'\n" if vitest else ""
    body = "" if passes else "throw new Error('no')"
    suffix = "mjs" if vitest else "js"
    return {f"{n}.test.{suffix}": f"{head}test('adds {n}', () => {{ {body} }})\n" for n in "abc"}


def mocha(*, passes: bool = True) -> dict[str, str]:
    """Return a test folder for mocha."""
    return {"test/a.js": f"it('adds', () => {{ if (!{str(passes).lower()}) throw Error() }})\n"}


PYTHON = {
    "pyproject.toml": (
        "[project]\nname = 'sample'\nversion = '1'\ndescription = 'A sample'\nrequires-python = '>=3.11'\n"
        "[dependency-groups]\ndev = ['pytest']\n"
        "[build-system]\nrequires = ['flit_core']\nbuild-backend = 'flit_core.buildapi'\n"
        "[tool.hatch.envs.default]\ndependencies = ['pytest']\n"
        "[tool.pytest.ini_options]\ntestpaths = ['tests']\n"
    ),
    "sample.py": "'''A sample.'''\n__version__ = '1'\n",
    "tests/test_app.py": GREEN,
    "tox.ini": "[testenv]\nskip_install = true\ndeps = pytest\ncommands = pytest {posargs}\n",
    "noxfile.py": (
        "import nox\n@nox.session\ndef tests(session):\n"
        "    session.install('pytest')\n    session.run('pytest', *session.posargs)\n"
    ),
}
CARGO = {
    ".gitignore": "target\n",
    "Cargo.toml": '[package]\nname = "sample"\nversion = "0.1.0"\nedition = "2021"\n',
    "Cargo.lock": 'version = 3\n\n[[package]]\nname = "sample"\nversion = "0.1.0"\n',
    "src/lib.rs": "#[test]\nfn adds() {\n    assert_eq!(1 + 1, 2);\n}\n",
}
GO = {
    "go.mod": "module sample\n\ngo 1.19\n",
    "a_test.go": 'package sample\n\nimport "testing"\n\nfunc TestAdds(t *testing.T) {}\n',
}
PNPM = {
    "pnpm-workspace.yaml": WORKSPACE,
    "package.json": '{"name": "root", "private": true}\n',
    "packages/web/package.json": '{"name": "web", "scripts": {"test": "vitest run"}}\n',
}


LARGE = (
    "npm test over jest", "vitest with forks", "mocha in parallel", "poetry run", "hatch run",
    "tox --notest", "nox --list", "jest --passWithNoTests", "mocha -g nothing", "vitest run -t nothing",
    "go test without tests", "pnpm filter without vitest",
)  # fmt: skip
"""Their tools and their rules are shown by other cases."""


def case(
    number: str, title: str, play: Play, *needs: str, rules: frozenset[str] = frozenset()
) -> Case:
    """Return a case that needs a registry or a toolchain."""
    return Case(number, title, play, rules, needs=needs, heavy=True)


HONEST = [
    Case("A", "a login shell", project({"tests/test_app.py": GREEN}, "bash", "-lc", f"PATH={Path(sys.executable).parent}:$PATH pytest -q")),
    case("A", "jest with workers", node({**package("jest"), **js()}, "npx", "jest", "--maxWorkers=2"), "npm"),
    case("A", "npm test over jest", node({**package("jest"), **js()}, "npm", "test"), "npm"),
    case("A", "vitest with forks", node({**package("vitest run"), **js(vitest=True)}, "npx", "vitest", "run", "--pool=forks"), "npm"),
    case("A", "vitest with threads", node({**package("vitest run"), **js(vitest=True)}, "npx", "vitest", "run", "--pool=threads"), "npm"),
    case("A", "mocha", node({**package("mocha"), **mocha()}, "npx", "mocha"), "npm"),
    case("A", "mocha in parallel", node({**package("mocha"), **mocha()}, "npx", "mocha", "--parallel"), "npm"),
    case("A", "yarn test over mocha", node({**package("mocha"), **mocha()}, "yarn", "test"), "npm"),
    case("A", "pnpm test over vitest", node({**package("vitest run"), **js(vitest=True)}, "pnpm", "test"), "npm"),
    case("A", "npm test over nyc and tape", node({**package("nyc tape test/*.js"), "test/a.js": "require('tape')('x', (t) => t.end())\n"}, "npm", "test"), "npm"),
    case("A", "uv run", python(PYTHON, "uv", "run", "pytest", "-q")),
    case("A", "tox", python(PYTHON, "tox", "-e", "py")),
    case("A", "nox", python(PYTHON, "nox", "-s", "tests")),
    case("A", "poetry run", python(PYTHON, "poetry", "run", "pytest", "-q")),
    case("A", "hatch run", python(PYTHON, "hatch", "run", "pytest", "-q")),
    case("A", "cargo test", project(CARGO, "cargo", "test"), "cargo"),
    case("A", "go test", project(GO, "go", "test", "./..."), "go"),
    case("B", "jest through tail", node({**package("jest"), **js()}, text="npx jest 2>&1 | tail -5"), "npm"),
]  # fmt: skip

CAUGHT = [
    Case("9", "a narrow run where pytest.ini narrows too", project({"pytest.ini": "[pytest]\naddopts = -m 'not slow'\nmarkers = slow: x\n", "tests/test_a.py": GREEN, "tests/test_b.py": RED}, "pytest", "-q", "tests/test_a.py"), frozenset({"partial-run"})),
    case("1", "jest through tail", node({**package("jest"), **js(passes=False)}, text="npx jest 2>&1 | tail -5"), "npm", rules=MASKED),
    case("1", "vitest or true", node({**package("vitest run"), **js(passes=False, vitest=True)}, text="npx vitest run || true"), "npm", rules=MASKED),
    case("2", "tox with a minus", python({**PYTHON, "tests/test_app.py": RED, "tox.ini": PYTHON["tox.ini"].replace("= pytest {", "= - pytest {")}, "tox", "-e", "py"), rules=MASKED),
    case("7", "cargo test --no-run", project(CARGO, "cargo", "test", "--no-run"), "cargo", rules=NOT_A_RUN),
    case("7", "go test -c", project(GO, "go", "test", "-c"), "go", rules=NOT_A_RUN),
    case("7", "tox --notest", python(PYTHON, "tox", "-e", "py", "--notest"), rules=NOT_A_RUN),
    case("7", "nox --list", python(PYTHON, "nox", "--list"), rules=NOT_A_RUN),
    case("7", "jest --listTests", node({**package("jest"), **js()}, "npx", "jest", "--listTests"), "npm", rules=NOT_A_RUN),
    case("7", "tox hands on --collect-only", python(PYTHON, "tox", "-e", "py", "--", "--collect-only"), rules=NOT_A_RUN),
    case("8", "jest -t nothing", node({**package("jest"), **js()}, "npx", "jest", "-t", "nothing"), "npm", rules=EMPTY),
    case("8", "jest --passWithNoTests", node(package("jest"), "npx", "jest", "--passWithNoTests"), "npm", rules=EMPTY),
    case("8", "mocha -g nothing", node({**package("mocha"), **mocha()}, "npx", "mocha", "-g", "nothing"), "npm", rules=EMPTY),
    case("8", "vitest run -t nothing", node({**package("vitest run"), **js(vitest=True)}, "npx", "vitest", "run", "-t", "nothing"), "npm", rules=EMPTY),
    case("8", "vitest --passWithNoTests", node(package("vitest run"), "npx", "vitest", "run", "--passWithNoTests"), "npm", rules=EMPTY),
    case("8", "tape finds no file", node(package("tape"), "npx", "tape", "test/*.js"), "npm", rules=EMPTY),
    case("8", "go test -run nothing", project(GO, "go", "test", "-run", "nothing", "./..."), "go", rules=EMPTY),
    case("8", "go test without tests", project({"go.mod": GO["go.mod"], "a.go": "package sample\n"}, "go", "test", "./..."), "go", rules=EMPTY),
    case("8", "cargo test nothing", project(CARGO, "cargo", "test", "nothing"), "cargo", rules=EMPTY),
    case("8", "pnpm filter without vitest", node({**PNPM, **js(vitest=True)}, "pnpm", "--filter", "nothing", "vitest", "run"), "npm", rules=EMPTY),
    case("8", "pnpm filter without a test script", node(PNPM, "pnpm", "--filter", "nothing", "test"), "npm", rules=EMPTY),
]  # fmt: skip
