"""Python: the interpreter that the tests ran on, with its platform and wheel tags."""

import json
import os
from collections.abc import Mapping, Sequence

from proctor.capture.base import Ecosystem, Toolbox

_LIBRARY = ("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP")
_SCRIPT = r"""
import json, os, platform, sys, sysconfig
from importlib import metadata
tag = sysconfig.get_platform()
libc, version = platform.libc_ver()
machine = platform.machine()
if sys.platform == "linux":
    if libc == "glibc":
        wheel = "manylinux_%s_%s" % ("_".join(version.split(".")[:2]), machine)
    else:
        wheel = "linux_" + machine
        for line in open("/proc/self/maps", errors="replace"):
            if "ld-musl" in line:
                wheel, libc = "musllinux_1_x_" + machine, "musl"
                break
else:
    wheel = tag.replace("-", "_").replace(".", "_")
number = "%d%d" % sys.version_info[:2]
name = {"cpython": "cp", "pypy": "pp"}.get(sys.implementation.name, sys.implementation.name)
abi = name + number + getattr(sys, "abiflags", "")
seen = {}
for dist in metadata.distributions():
    title = dist.metadata["Name"]
    if not title or title.lower() in seen:
        continue
    line = "%s==%s" % (title, dist.version)
    try:
        direct = json.loads(dist.read_text("direct_url.json") or "{}")
    except ValueError:
        direct = {}
    if direct.get("url"):
        commit = direct.get("vcs_info", {}).get("commit_id")
        line = "%s @ %s%s" % (title, direct["url"], "@" + commit if commit else "")
        if direct.get("dir_info", {}).get("editable"):
            line = "-e " + line
    seen[title.lower()] = line
print(json.dumps({
    "toolchain": {
        "python": platform.python_version(),
        "python_executable": sys.executable,
        "python_implementation": sys.implementation.name,
        "python_platform_tag": tag,
        "python_wheel_tag": "-".join((name + number, abi, wheel)),
        "python_libc": ("%s %s" % (libc, version)).strip(),
    },
    "packages": list(seen.values()),
}))
"""


def interpreter(tools: Toolbox) -> str | None:
    """Return the interpreter that the project's tests run on.

    The one that they ran on, else that of the project's environment, else the first
    on the path.
    """
    active = tools.environ.get("VIRTUAL_ENV")
    places = [os.path.join(tools.root, name) for name in (".venv", "venv")]
    for folder in [*places, *([active] if active else [])]:
        path = os.path.join(folder, "bin", "python")
        if tools.python is None and os.access(path, os.X_OK):
            return path
    return tools.python or tools.find("python3") or tools.find("python")


def _ask(tools: Toolbox) -> Mapping[str, object]:
    python = interpreter(tools)
    # NOTE: not in the project's folder, whose modules would come before the library's.
    said = None if python is None else tools.ask((python, "-c", _SCRIPT), cwd="/", without=_LIBRARY)
    try:
        found = json.loads((said or "").strip().partition("\n")[0])
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _describe(tools: Toolbox) -> Mapping[str, str]:
    found = _ask(tools).get("toolchain")
    return {k: str(v) for k, v in found.items()} if isinstance(found, dict) else {}


def _installed(tools: Toolbox) -> Sequence[str] | None:
    found = _ask(tools).get("packages")
    return [str(line) for line in found] if isinstance(found, list) else None


ECOSYSTEM = Ecosystem(
    order=1,
    markers=(
        *("pyproject.toml", "setup.py", "setup.cfg", "pytest.ini", "tox.ini", "noxfile.py"),
        *("conftest.py", "test_*.py", "*_test.py", "Pipfile"),
    ),
    locks=(
        *("requirements*.txt", "requirements*.lock", "uv.lock", "poetry.lock", "Pipfile.lock"),
        *("pdm.lock", "pylock.toml", "pylock.*.toml"),
    ),
    describe=_describe,
    installed=_installed,
)
