"""Finds the members of a family.

A family is a package whose modules each bind one name (`RULE`, `RUNNER`,
`FORMAT`, …). The file name is the member's identifier; nothing is registered
anywhere. `base.py` and names with a leading underscore are not members.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def names(package: str) -> list[str]:
    """Return the identifiers of a family's members, sorted."""
    import importlib
    import pkgutil

    path = importlib.import_module(package).__path__
    found = (module.name for module in pkgutil.iter_modules(path))
    return sorted(name for name in found if name != "base" and not name.startswith("_"))


def member(package: str, name: str, binds: str) -> object:
    """Return what the member called `name` binds.

    Raises `LookupError` when there is no such member. A member that exists and
    lacks something it imports raises as any import does.
    """
    module = f"{package}.{name}"
    try:
        __import__(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise LookupError(name) from error
    return getattr(sys.modules[module], binds)


def members(package: str, binds: str) -> "Iterator[tuple[str, object]]":
    """Yield each member's identifier and what it binds, sorted by identifier."""
    for name in names(package):
        yield name, member(package, name, binds)
