"""Go suites: every package of a module, where one has a test file."""

import os

from proctor.setup.suites.base import Found, Kind


def _find(folder: str) -> Found | None:
    if not os.path.isfile(os.path.join(folder, "go.mod")):
        return None
    for path, folders, files in os.walk(folder):
        folders[:] = [
            name
            for name in folders
            if not name.startswith((".", "_"))
            and name not in ("vendor", "testdata", "node_modules")
            and not os.path.isfile(os.path.join(path, name, "go.mod"))
        ]
        if any(name.endswith("_test.go") for name in files):
            return Found(command=("go", "test", "./..."))
    return None


SUITE = Kind(find=_find)
