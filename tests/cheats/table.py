"""Every case there is: a module of this folder binds `CAUGHT`, `HONEST` or both."""

import dataclasses
import importlib
import pkgutil

import tests.cheats
from tests.cheats.stage import Case

_QUICK = ("caught", "honest", "inputs")
"""Modules whose cases `make test` plays too; all the others are for `make check`."""


def _collected(binds: str) -> list[Case]:
    found: list[Case] = []
    for module in sorted(module.name for module in pkgutil.iter_modules(tests.cheats.__path__)):
        if module not in ("__main__", "stage", "table", "test_cheats"):
            cases = getattr(importlib.import_module(f"tests.cheats.{module}"), binds, ())
            heavy = module not in _QUICK
            found += [dataclasses.replace(case, heavy=case.heavy or heavy) for case in cases]
    return found


CAUGHT = _collected("CAUGHT")
HONEST = _collected("HONEST")
