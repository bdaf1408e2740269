"""Masks secrets in argv before the first byte of a record is written.

On the light path: it looks at every recorded argv, so a cheap search settles
the usual one. What is masked:

1. the value of an option whose name announces a secret (`--token x`,
   `--token=x`), and of the short options that mean one to a tool (`mysql -px`,
   `curl -u a:b`; `-p` is a plugin to pytest and stays);
2. `NAME=value` and `"name": "value"` where the name announces a secret;
3. headers such as `Authorization:`, and what follows `Bearer` and `Basic`;
4. the user-info of URLs;
5. private keys, and tokens of a known shape wherever they stand;
6. all of these within shell lines, JSON and other arguments that hold a text.

A secret that neither its name, its place nor its shape gives away is **not**
found: `login hunter2` is recorded as it stands.
"""

from proctor._secrets.names import may_hold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def redact_argv(
    argv: "Sequence[str]",
    *,
    flags: "tuple[str, ...]" = (),
    names: "tuple[str, ...]" = (),
    command: str | None = None,
) -> "tuple[list[str], int]":
    """Return argv with secrets masked, and how many masks were set.

    `flags` and `names` are those of `[redact]` in the configuration. `command`
    names the program where argv does not begin with it.
    """
    words = list(argv)
    extra = tuple(name.lower() for name in names)
    anchors = extra + tuple(flag.lower() for flag in flags)
    if not may_hold("\n".join(words), anchors) and not (command and may_hold(command)):
        return words, 0
    from proctor._secrets.masking import Redactor

    redactor = Redactor(frozenset(flags), extra)
    while (masked := redactor.words(words, command)) != words:
        words = masked
    return words, redactor.count


def redact_text(text: str, *, flags: "tuple[str, ...]" = (), names: "tuple[str, ...]" = ()) -> str:
    """Return a shell line, or any other text, with secrets masked."""
    extra = tuple(name.lower() for name in names)
    if not may_hold(text, extra + tuple(flag.lower() for flag in flags)):
        return text
    from proctor._secrets.masking import Redactor

    redactor = Redactor(frozenset(flags), extra)
    while (masked := redactor.text(text)) != text:
        text = masked
    return text
