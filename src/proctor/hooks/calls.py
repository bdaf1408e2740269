"""Hands a tool call's id from the hook that learns it to the command it belongs to.

Where an agent lets a program run its shell text, that program is not told the id;
the hook before it is. A note in the state folder, named by session and text, takes
it across. A note that is not found costs the id, nothing else: the text remains.

NOTE: on the light path.
"""

import os

from proctor._digest import sha256_hex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_LONGEST = 256
"""Characters of an id that are believed."""


def leave(environ: "Mapping[str, str]", session: str, text: str, call_id: str) -> None:
    """Note the id of the tool call that is about to run `text`."""
    path = _place(environ, session, text)
    _private(os.path.dirname(path))
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    try:
        os.write(fd, call_id[:_LONGEST].encode())
    finally:
        os.close(fd)


def take(environ: "Mapping[str, str]", session: str, text: str) -> str:
    """Return the id noted for `text`, '' if there is none; the note is gone then.

    Without a session, that of whichever session is about to run just this text.
    """
    path = _place(environ, session, text)
    if not session and not os.path.exists(path):
        path = _anywhere(path)
    try:
        with open(path, "rb") as file:
            found = file.read(_LONGEST)
        os.unlink(path)
    except OSError:
        return ""
    return found.decode("utf-8", "replace")


def forget(environ: "Mapping[str, str]", session: str) -> None:
    """Remove what a session left behind: calls that were refused."""
    folder = os.path.dirname(_place(environ, session, ""))
    try:
        for name in os.listdir(folder):
            os.unlink(os.path.join(folder, name))
        os.rmdir(folder)
    except OSError:
        return


def _anywhere(path: str) -> str:
    """Return the one note of the same text in any session; `path` where not one has it."""
    calls, name = os.path.dirname(os.path.dirname(path)), os.path.basename(path)
    try:
        found = [os.path.join(calls, session, name) for session in os.listdir(calls)]
    except OSError:
        return path
    held = [place for place in found if os.path.exists(place)]
    return held[0] if len(held) == 1 else path


def _place(environ: "Mapping[str, str]", session: str, text: str) -> str:
    from proctor.records.place import state_folder

    names = [sha256_hex(part.encode("utf-8", "surrogatepass"))[:32] for part in (session, text)]
    return os.path.join(state_folder(dict(environ)), "calls", *names)


def _private(folder: str) -> None:
    from proctor.records.place import make_private

    make_private(folder)
