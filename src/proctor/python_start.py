"""Runs first in each Python process below a recorder, as `sitecustomize` of the wheel.

Loads what counts unittest's tests where argv asks for unittest, and hands over to the
`sitecustomize` that would have run without it. Imports nothing of Proctor's; its syntax
is one that every Python reads.
"""

import os
import sys


def asks_for_unittest(words):  # noqa: ANN001, ANN201 - read by any Python
    # type: (list[str]) -> bool
    """Return whether an interpreter's argv starts unittest, or Django's tests."""
    for at, word in enumerate(words[1:], 1):
        if word in ("-m", "-munittest"):
            module = words[at + 1 : at + 2] if word == "-m" else ["unittest"]
            return module == ["unittest"] or (module == ["django"] and "test" in words[at + 2 :])
        if not word.startswith("-"):
            name = os.path.basename(word)
            return name in ("manage.py", "django-admin") and "test" in words[at + 1 :]
    return False


def _argv():  # noqa: ANN202 - read by any Python
    # type: () -> list[str]
    try:
        with open("/proc/self/cmdline", "rb") as file:
            return [word.decode("utf-8", "replace") for word in file.read().split(b"\0")[:-1]]
    except OSError:
        return []


def _hand_over():  # noqa: ANN202 - read by any Python
    # type: () -> None
    """Run the next `sitecustomize` on the path."""
    here = os.path.dirname(__file__)
    place = sys.path.index(here) if here in sys.path else None
    own = sys.modules.pop(__name__, None)
    if place is not None:
        del sys.path[place]
    try:
        import sitecustomize  # type: ignore[import-not-found] # noqa: F401
    except ImportError as error:
        if getattr(error, "name", "sitecustomize") != "sitecustomize":
            raise
        if own is not None:
            sys.modules[__name__] = own
    finally:
        if place is not None:
            sys.path.insert(place, here)


if __name__ == "sitecustomize":  # pragma: another process
    if os.environ.get("PROCTOR_REPORT") and asks_for_unittest(_argv()):
        try:
            import proctor_unittest  # type: ignore[import-not-found]

            proctor_unittest.begin(os.environ["PROCTOR_REPORT"])
        except Exception:  # noqa: BLE001, S110 - the tests run as they would have
            pass
    _hand_over()
