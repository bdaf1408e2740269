"""Every case there is: a module of this folder binds `CAUGHT`, `HONEST` or both.

`LARGE` of a module names the titles that the build leaves to `make cheats`: cases that take
long, and whose rule and way another case shows.
"""

import dataclasses
import importlib
import pkgutil

import tests.cheats
from tests.cheats.stage import Case

_QUICK = ("caught", "honest", "inputs")
"""Modules of which `make test` plays the first case of each kind too, by the number or
letter that its name begins with; all the others are for `make check`."""


def _collected(binds: str) -> list[Case]:
    found: list[Case] = []
    kinds: set[tuple[str, str]] = set()
    for module in sorted(module.name for module in pkgutil.iter_modules(tests.cheats.__path__)):
        if module not in ("__main__", "stage", "table", "test_cheats"):
            held = importlib.import_module(f"tests.cheats.{module}")
            for case in getattr(held, binds, ()):
                kind = (module, case.id.partition("-")[0])
                heavy = case.heavy or module not in _QUICK or kind in kinds
                if not heavy:
                    kinds.add(kind)
                large = case.large or case.title in getattr(held, "LARGE", ())
                found.append(dataclasses.replace(case, heavy=heavy, large=large))
    return found


CAUGHT = _collected("CAUGHT")
HONEST = _collected("HONEST")
