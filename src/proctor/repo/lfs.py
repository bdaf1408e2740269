"""git LFS without its filter: the pointer that stands for a large file.

The pointer is a function of the file's bytes, so its id can be worked out
without running a program, and a commit of that file has the same one.

Format: https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
"""

import hashlib

_VERSION = b"version https://git-lfs.github.com/spec/v1\n"
_POINTER_LIMIT = 1024


def pointer_id(path: bytes, id_bytes: int) -> str | None:
    """Return the blob id of a file's pointer; none if the file is a pointer already, or empty.

    Raises:
        OSError: the file cannot be read.
    """
    content = hashlib.sha256()
    size = 0
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            if not size and len(block) < _POINTER_LIMIT and block.startswith(_VERSION[:-2]):
                return None
            content.update(block)
            size += len(block)
    if not size:
        return None
    pointer = _VERSION + f"oid sha256:{content.hexdigest()}\nsize {size}\n".encode("ascii")
    name = "sha1" if id_bytes == 20 else "sha256"
    return hashlib.new(name, b"blob %d\0" % len(pointer) + pointer).hexdigest()
