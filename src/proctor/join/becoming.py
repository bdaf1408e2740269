"""Whether a shell may have made one command into another."""

from proctor.classify.base import Classification

_DYNAMIC = frozenset("$`*?[{~\\")
"""What a shell replaces by other words."""
_SPREADING = ("xargs", "find", "parallel")
"""Wrappers that add words of their own."""
_MASK = "***"


def may_become(asked: Classification, ran: Classification) -> bool:
    """Return whether what a text asks for may be what ran.

    Variables, patterns and braces stand for any words, as a secret does. This does
    **not** show that they stood for these.
    """
    if asked.command_class != ran.command_class:
        return False
    if any(word.startswith(_SPREADING) for word in asked.wrappers):
        return True
    if bool(asked.not_a_run or asked.updates) != bool(ran.not_a_run or ran.updates):
        return False
    return _words(asked.selectors, ran.selectors) and _words(asked.narrowing, ran.narrowing)


def _words(asked: tuple[str, ...], ran: tuple[str, ...]) -> bool:
    if any(map(_is_open, (*asked, *ran))):
        plain = {word for word in asked if not _is_open(word)}
        return plain <= set(ran) or any(_MASK in word for word in ran)
    return sorted(asked) == sorted(ran)


def _is_open(word: str) -> bool:
    return bool(_DYNAMIC & set(word)) or _MASK in word
