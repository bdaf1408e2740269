"""Whether another process sees other files under the same paths."""

import os


def other_mounts(pid: int, cwd: str, root: str) -> list[str]:
    """Return what a process sees mounted differently below `root`.

    An empty string stands for the folder `cwd` itself. An empty list means that
    no difference was found, or that `/proc` does not tell: a process that may
    not be looked at, another system than Linux.
    """
    try:
        if os.readlink(f"/proc/{pid}/ns/mnt") == os.readlink("/proc/self/ns/mnt"):
            return []
        theirs = os.stat(f"/proc/{pid}/cwd")
    except OSError:
        return []
    try:
        ours = os.stat(cwd)
    except OSError:
        return [""]
    if (theirs.st_dev, theirs.st_ino) != (ours.st_dev, ours.st_ino):
        return [""]
    return sorted(_mount_points(str(pid), root) - _mount_points("self", root))


def _mount_points(pid: str, root: str) -> set[str]:
    """Return the mount points below `root`, relative to it, that a process sees."""
    base = root.rstrip("/") + "/"
    found = set()
    try:
        with open(f"/proc/{pid}/mountinfo", "rb") as file:
            for line in file:
                point = os.fsdecode(_unescaped(line.split(b" ")[4]))
                if point.startswith(base):
                    found.add(point[len(base) :])
    except (OSError, IndexError):
        return set()
    return found


def _unescaped(field: bytes) -> bytes:
    """Return a path of `mountinfo` with its octal escapes undone."""
    for octal, plain in ((b"\\040", b" "), (b"\\011", b"\t"), (b"\\012", b"\n"), (b"\\134", b"\\")):
        field = field.replace(octal, plain)
    return field
