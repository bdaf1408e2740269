"""Ecosystems: which are in use, what their tools say, what is installed."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from proctor import _family
from proctor.capture import base
from proctor.capture.base import Ecosystem, Probe, Toolbox
from proctor.capture.ecosystems.python import interpreter
from proctor.capture.keep import FAMILY

Tools = Callable[..., Toolbox]

# What the tools print, of those that few machines have.
SAID = {
    "go": 'case "$1" in version) echo "go version go1.25.1 linux/amd64";; list) echo "example.org/app"; echo "golang.org/x/text v0.3.7";; esac',
    "gotestsum": "echo 'gotestsum version 1.12.0'",
    "rustc": "printf 'rustc 1.95.0 (f2d3ce0bd 2026-03-21)\\nbinary: rustc\\nhost: x86_64-unknown-linux-gnu\\nrelease: 1.95.0\\n'",
    "cargo": 'case "$1" in metadata) echo \'{"packages":[{"name":"serde","version":"1.0.2"}]}\';; *) echo "cargo 1.95.0 (f2d 2026)";; esac',
    "ruby": "echo 'ruby 3.3.1 (2024-04-23 revision c56cd86388) [x86_64-linux]'",
    "bundle": 'case "$1" in list) printf "Gems included by the bundle:\\n  * rake (13.2.1)\\n";; *) echo "Bundler version 2.5.9";; esac',
    "php": "echo 'PHP 8.3.6 (cli) (built: Apr 15 2024)'",
    "composer": 'case "$1" in show) echo \'{"installed":[{"name":"phpunit/phpunit","version":"9.6.1"}]}\';; *) echo "Composer version 2.7.1 2024-02-09";; esac',
    "java": "printf '    java.version = 21.0.2\\n    java.vendor = Eclipse Adoptium\\n    os.arch = amd64\\n' >&2",
    "mvn": "echo 'Apache Maven 3.9.6 (bc0240f)'",
    "dotnet": "printf '.NET SDK:\\n Version:           8.0.204\\n RID:         linux-x64\\n'",
    "nix": "echo 'nix (Nix) 2.21.1'",
    "node": "echo 'v20.11.0 linux-x64'",
    "npm": "echo 10.2.4",
    "pnpm": "echo 9.0.1",
}
EXPECTED: dict[str, tuple[str, dict[str, str], list[str] | None]] = {
    "go": ("go.mod", {"go": "1.25.1", "go_platform": "linux/amd64", "gotestsum": "1.12.0"}, ["golang.org/x/text v0.3.7"]),
    "rust": ("Cargo.toml", {"rust": "1.95.0", "rust_platform": "x86_64-unknown-linux-gnu", "cargo": "1.95.0"}, ["serde 1.0.2"]),
    "ruby": ("Gemfile", {"ruby": "3.3.1", "ruby_platform": "x86_64-linux", "bundler": "2.5.9"}, ["rake 13.2.1"]),
    "php": ("composer.json", {"php": "8.3.6", "composer": "2.7.1"}, ["phpunit/phpunit 9.6.1"]),
    "java": ("pom.xml", {"java": "21.0.2", "java_vendor": "Eclipse Adoptium", "java_platform": "amd64", "maven": "3.9.6"}, None),
    "dotnet": ("a/App.csproj", {"dotnet": "8.0.204", "dotnet_platform": "linux-x64"}, None),
    "nix": ("flake.nix", {"nix": "2.21.1"}, None),
    "node": ("package.json", {"node": "20.11.0", "node_platform": "linux-x64", "npm": "10.2.4"}, None),
}  # fmt: skip


@pytest.fixture
def tools(tmp_path: Path) -> Tools:
    """Return a function that makes a project with files, and programs that answer."""

    def make(*files: str, programs: dict[str, str] | None = None, **more: Any) -> Toolbox:
        root, found = tmp_path / "app", tmp_path / "bin"
        for name in files:
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        found.mkdir(exist_ok=True)
        for name, text in (programs or {}).items():
            (found / name).write_text(f"#!/bin/sh\n{text}\n")
            (found / name).chmod(0o755)
        return Toolbox(str(root), {"PATH": f"{found}:/usr/bin:/bin"}, **more)

    return make


def ecosystem(name: str) -> Ecosystem:
    found = _family.member(FAMILY, name, "ECOSYSTEM")
    assert isinstance(found, Ecosystem)
    return found


@pytest.mark.parametrize("name", EXPECTED)
def test_each_ecosystem_reads_what_its_tools_print(tools: Tools, name: str) -> None:
    marker, toolchain, packages = EXPECTED[name]
    found = tools(marker, programs=SAID)
    one = ecosystem(name)
    assert one.is_used(found)
    told = one.toolchain(found)
    assert {k: v for k, v in told.items() if not k.endswith("_executable")} == toolchain
    assert one.packages(found) == packages


@pytest.mark.parametrize("name", _family.names(FAMILY))
def test_an_empty_project_uses_none(tools: Tools, name: str) -> None:
    assert not ecosystem(name).is_used(tools())


@pytest.mark.parametrize("name", ["go", "rust", "ruby", "php"])
def test_what_tools_do_not_say_is_unknown(tools: Tools, name: str) -> None:
    silent = dict.fromkeys(("go", "rustc", "cargo", "ruby", "bundle", "php", "composer"), "exit 1")
    found = tools(EXPECTED[name][0], programs=silent)
    assert ecosystem(name).toolchain(found) == {}
    assert ecosystem(name).packages(found) is None


def test_every_lock_file_has_one_ecosystem() -> None:
    locks = [lock for _, one in _family.members(FAMILY, "ECOSYSTEM") for lock in one.locks]  # type: ignore[attr-defined]
    assert len(locks) == len(set(locks))
    for name in (
        *("uv.lock", "poetry.lock", "Pipfile.lock", "pdm.lock", "pylock.toml", "package-lock.json"),
        *("npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "go.sum", "Cargo.lock"),
        *("Gemfile.lock", "composer.lock", "gradle.lockfile", "packages.lock.json", "flake.lock"),
    ):
        assert name in locks


def test_a_shim_that_may_fetch_is_asked_only_where_it_is_used(tools: Tools) -> None:
    assert "pnpm" not in ecosystem("node").toolchain(tools("package.json", programs=SAID))
    assert "pnpm" in ecosystem("node").toolchain(tools("pnpm-lock.yaml", programs=SAID))


def test_packages_of_node_are_those_in_its_folders(tools: Tools, tmp_path: Path) -> None:
    found = tools("package.json", "node_modules/.bin/x", "node_modules/broken/package.json")
    for path, name in (("a", "a"), ("@s/b", "@s/b"), ("a/node_modules/c", "c")):
        folder = tmp_path / "app/node_modules" / path
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text(f'{{"name": "{name}", "version": "1.0.0"}}')
    assert ecosystem("node").packages(found) == ["@s/b@1.0.0", "a@1.0.0", "c@1.0.0"]


def test_python_tells_its_tags_and_packages(tools: Tools) -> None:
    found = tools("pyproject.toml", python=sys.executable)
    told = ecosystem("python").toolchain(found)
    assert told["python"] == ".".join(map(str, sys.version_info[:3]))
    assert told["python_executable"] == sys.executable
    assert told["python_wheel_tag"].startswith(f"cp3{sys.version_info[1]}-")
    packages = ecosystem("python").packages(found)
    assert packages is not None
    assert any(line.startswith("pytest==") for line in packages)
    assert any(line.startswith("-e proctor @ file://") for line in packages)


def test_a_module_of_the_project_is_not_asked_in_its_place(tools: Tools, tmp_path: Path) -> None:
    found = tools("json.py", python=sys.executable)
    (tmp_path / "app/json.py").write_text("raise SystemExit(1)")
    found.environ["PYTHONPATH"] = str(tmp_path / "app")
    assert ecosystem("python").toolchain(found)


@pytest.mark.parametrize("text", ["exit 1", "echo nonsense", "echo '[]'", "echo '{}'"])
def test_a_python_that_does_not_answer_is_unknown(tools: Tools, text: str) -> None:
    found = tools("setup.py", programs={"python3": text})
    assert ecosystem("python").toolchain(found) == {}
    assert ecosystem("python").packages(found) is None


def test_the_environment_of_the_project_is_asked_first(tools: Tools, tmp_path: Path) -> None:
    found = tools("setup.py", programs={"python3": "exit 1"})
    assert interpreter(found) == str(tmp_path / "bin/python3")
    active = tmp_path / "active/bin/python"
    active.parent.mkdir(parents=True)
    active.write_text("#!/bin/sh\n")
    active.chmod(0o755)
    found.environ["VIRTUAL_ENV"] = str(tmp_path / "active")
    assert interpreter(found) == str(active)
    own = tmp_path / "app/.venv/bin/python"
    own.parent.mkdir(parents=True)
    own.symlink_to("/bin/sh")
    assert interpreter(found) == str(own)


def test_a_tool_that_hangs_is_left_alone(tools: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "TIMEOUT_S", 0.1)
    assert Probe(("nix",), nix="(.)").ask(tools(programs={"nix": "exec sleep 5"})) == {}
    assert Probe(("absent-tool",), x="(.)").ask(tools()) == {}


def test_folders_of_packages_are_not_the_project(tools: Tools, tmp_path: Path) -> None:
    files = ("env/pyvenv.cfg", "env/uv.lock", ".hid/uv.lock", "vendor/uv.lock", "a/b/c/d/uv.lock")
    found = tools(*files, "a/b/c/go.sum", "a/go.sum")
    assert not found.has("uv.lock")
    assert list(found.named("go.sum")) == ["a/go.sum", "a/b/c/go.sum"]
    os.symlink(tmp_path, tmp_path / "app/loop")
    assert Toolbox(found.root, {}).files == found.files


def test_a_huge_project_is_looked_at_so_far(
    tools: Tools, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(base, "FOLDERS", 1)
    assert not tools("a/go.sum").has("go.sum")
    assert Toolbox(str(tmp_path / "absent"), {}).files == ()
