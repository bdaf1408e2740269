"""Shows text from anywhere in messages: imports nothing, so that the light path may."""


def shown(text: str) -> str:
    r"""Return `text` with all that moves, hides or reorders written as an escape.

    A line feed becomes a space: a message is one line.
    """
    line = " ".join(text.splitlines())
    if line.isprintable():
        return line
    return "".join(one if one.isprintable() else _escape(one) for one in line)


def _escape(one: str) -> str:
    code = ord(one)
    if 0xDC80 <= code <= 0xDCFF:  # a byte that was not UTF-8
        return f"\\x{code - 0xDC00:02x}"
    return one.encode("unicode_escape", "surrogatepass").decode("ascii")
