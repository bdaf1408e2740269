"""Every case there is: a module of this folder binds `CAUGHT`, `HONEST` or both."""

import importlib
import pkgutil

import tests.cheats
from tests.cheats.stage import Case


def _collected(binds: str) -> list[Case]:
    modules = sorted(module.name for module in pkgutil.iter_modules(tests.cheats.__path__))
    members = (
        importlib.import_module(f"tests.cheats.{name}")
        for name in modules
        if name not in ("__main__", "stage", "table", "test_cheats")
    )
    return [case for member in members for case in getattr(member, binds, ())]


CAUGHT = _collected("CAUGHT")
HONEST = _collected("HONEST")
