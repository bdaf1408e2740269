"""A Makefile's `test`, or `check`, where no suite is known by itself."""

import re

from proctor.setup.suites.base import Found, Kind, text_of

_TARGET = r"^{0}\s*:(?![:=])"


def _find(folder: str) -> Found | None:
    for name in ("GNUmakefile", "makefile", "Makefile"):
        text = text_of(folder, name)
        for target in ("test", "check"):
            if re.search(_TARGET.format(target), text, re.MULTILINE):
                return Found(command=("make", target))
    return None


SUITE = Kind(find=_find, fallback=True)
