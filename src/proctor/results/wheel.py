"""Packs what counts tests as a wheel file that can stand on `PYTHONPATH`.

pytest finds the plugin by its entry point inside the wheel; for unittest Python itself
loads the wheel's `sitecustomize`, which hands over to the one that it stands before; `pip list` and
`pip freeze` pass over wheels on the path; whatever strips `PYTHONPATH` only
loses the count. On the light path where the wheel has been built already.
"""

import os

from proctor._digest import sha256_hex
from proctor._whole import write_whole
from proctor.records.place import make_private

NAME = "proctor_report-1-py3-none-any.whl"
_START = "sitecustomize.py"
_MODULES = {
    "proctor_report.py": "pytest_report.py",
    "proctor_unittest.py": "unittest_report.py",
    _START: "python_start.py",
}
"""Module of the wheel → our file."""
_INFO = "proctor_report-1.dist-info/"
_METADATA = """\
Metadata-Version: 2.1
Name: proctor-report
Version: 1
Summary: Tells Proctor which tests pytest executed
Requires-Python: >=3.8
License: Apache-2.0
"""
_WHEEL = """\
Wheel-Version: 1.0
Generator: proctor
Root-Is-Purelib: true
Tag: py3-none-any
"""
_ENTRY_POINTS = "[pytest11]\nproctor_report = proctor_report\n"


def ensure_wheel(state_folder: str) -> str:
    """Return the path of the wheel, built in `state_folder` if it is not there.

    The folder's name holds the digest of its modules, so another version of
    Proctor has another wheel. The same modules give the same bytes.

    Raises:
        OSError: it cannot be written, or its path holds a colon and so cannot
            stand in a search path.
    """
    sources = _sources()
    folder = os.path.join(state_folder, _folder_name(sources))
    path = os.path.join(folder, NAME)
    if os.pathsep in path:
        raise OSError(f"{path}: a path with a colon cannot stand in a search path")
    if not os.path.isfile(path):
        make_private(folder)
        write_whole(path, _pack(sources))
    return path


def folder_name() -> str:
    """Return the name of the folder that holds this version's wheel."""
    return _folder_name(_sources())


def _folder_name(sources: "dict[str, bytes]") -> str:
    whole = b"".join(sources.values())
    return f"plugin-{sha256_hex(whole)[:12]}"


def _sources() -> "dict[str, bytes]":
    package = os.path.dirname(os.path.dirname(__file__))
    found = {}
    for name, ours in _MODULES.items():
        with open(os.path.join(package, ours), "rb") as file:
            found[name] = file.read()
    return found


def _pack(sources: "dict[str, bytes]") -> bytes:
    import io
    import zipfile

    files = {
        **sources,
        _INFO + "METADATA": _METADATA.encode(),
        _INFO + "WHEEL": _WHEEL.encode(),
        _INFO + "entry_points.txt": _ENTRY_POINTS.encode(),
    }
    files[_INFO + "RECORD"] = _record(files)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.external_attr = 0o100644 << 16
            archive.writestr(info, content)
    return packed.getvalue()


def _record(files: dict[str, bytes]) -> bytes:
    import base64

    lines = []
    for name, content in files.items():
        if name == _START:
            # NOTE: pytest would warn that what it stands before comes too late to rewrite.
            continue
        digest = base64.urlsafe_b64encode(bytes.fromhex(sha256_hex(content))).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(content)}\n")
    lines.append(f"{_INFO}RECORD,,\n")
    return "".join(lines).encode()
