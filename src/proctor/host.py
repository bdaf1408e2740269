"""Facts about the machine that a root span carries.

On the light path: no process is started.
"""

import os
import sys

BOOT_ID = "/proc/sys/kernel/random/boot_id"


def facts() -> dict[str, str]:
    """Return what identifies this machine, its kernel and the recorder's Python.

    Keys: `hostname`, `system`, `kernel`, `machine`, `libc`, `python`, and
    `boot_id` where the kernel has one. Nothing here says which toolchain a test
    used.
    """
    system = os.uname()
    found = {
        "hostname": system.nodename,
        "system": system.sysname,
        "kernel": system.release,
        "machine": system.machine,
        "libc": _libc(),
        "python": "{}.{}.{}".format(*sys.version_info[:3]),
        "boot_id": boot_id(),
    }
    return {name: value for name, value in found.items() if value is not None}


def boot_id() -> str | None:
    """Return the id of this boot, the same until the machine starts anew."""
    try:
        with open(BOOT_ID, "rb") as file:  # as text it would import a codec
            return file.read().decode("ascii").strip() or None
    except (OSError, ValueError):  # pragma: no cover - a system without Linux's /proc
        return None


def _libc() -> str | None:
    try:
        return os.confstr("CS_GNU_LIBC_VERSION")
    except (ValueError, OSError):  # pragma: no cover - a C library other than GNU's
        return None
