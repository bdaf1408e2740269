"""Reads words, lines and texts, and puts a mask where a secret stands.

On the light path, loaded only once an argv is worth a look. A text is read three
ways, each blind to what the others see: by the shape of what stands in it, as a
shell line, and by the names within it. A second reading of the result changes
nothing.
"""

from proctor._secrets.names import ends_secret, is_folder, is_odd, is_secret_name
from proctor._secrets.options import Context, cluster_start, is_option
from proctor._secrets.places import (
    header_start,
    is_plain,
    is_scheme,
    is_test_id,
    name_start,
    named_spans,
    shaped_spans,
)
from proctor._secrets.words import (
    BETWEEN,
    QUOTES,
    SEPARATORS,
    is_quoted,
    quote,
    unquote,
    word_end,
)

MASK = "***"
"""What stands in a secret's place."""


class Redactor:
    """Masks words and counts what it masks.

    `flags` are further options whose value is a secret, `names` further parts
    of names, in lower case, that announce one.
    """

    __slots__ = ("count", "flags", "names")

    def __init__(self, flags: "frozenset[str]", names: "tuple[str, ...]") -> None:
        self.count = 0
        self.flags = flags
        self.names = names

    def words(self, words: "list[str]", command: str | None = None) -> "list[str]":
        """Return an argv, masked; `command` names the program if the first word does not."""
        context = Context(command)
        return [self.word(word, context) for word in words]

    def word(self, word: str, context: Context) -> str:
        """Return one argument, masked; `context` knows the words before it."""
        is_code = " " in word and (context.code or context.remote)
        start = -1 if is_code else self._secret_start(word, context)
        masked = word[:start] + self._mask(word[start:]) if start >= 0 else self.text(word)
        context.see(word)
        return masked

    def text(self, text: str) -> str:
        """Return a text, masked: by shape, then read as a line, then by names within."""
        text = self._cover(text, shaped_spans(text))
        if is_test_id(text):
            return text
        if not _LOOSE.isdisjoint(text):
            text = self._line(text)
        text = self._cover(text, named_spans(text, self.names))
        return text if _CUTS.isdisjoint(text) else self._loose(text)

    def _cover(self, text: str, spans: "list[tuple[int, int]]") -> str:
        parts = []
        at = 0
        for start, end in spans:
            parts += [text[at:start], self._mask(text[start:end])]
            at = end
        return "".join([*parts, text[at:]])

    def _line(self, text: str) -> str:
        """Return a shell line with the secrets of its commands masked."""
        parts = []
        context = Context()
        at = 0
        while at < len(text):
            if text[at] in BETWEEN and not (text[at] == "`" and context.expects):
                if text[at] in SEPARATORS:
                    context = Context()
                parts.append(text[at])
                at += 1
                continue
            end = word_end(text, at)
            masked, end = self._shell_word(text, at, end, context)
            parts.append(masked)
            at = end
        return "".join(parts)

    def _shell_word(self, text: str, at: int, end: int, context: Context) -> "tuple[str, int]":
        """Return the word at `at`, masked, and where the line goes on."""
        raw = text[at:end]
        first = min((raw.find(mark) for mark in QUOTES if mark in raw), default=-1)
        if first >= 0 and is_quoted(raw[first:]):
            before, quoted = raw[:first], raw[first:]
            masked = self.word(before + unquote(quoted), context)
            if masked.startswith(before):
                return before + quote(masked[len(before) :], quoted), end
            return masked, end
        # NOTE: a backtick ends the word, but what it begins is the value.
        start = self._secret_start(raw + ("`" if text[end : end + 1] == "`" else ""), context)
        if start < 0:
            context.see(raw)
            return (raw if raw == text else self.text(raw)), end
        context.see(raw)
        end = word_end(text, at + start, whole=True)
        return raw[:start] + self._mask(text[at + start : end]), end

    def _loose(self, text: str) -> str:
        """Return `text` with masks set as if quotes and brackets were blanks.

        This finds `"--token", "x"` in JSON and in program code.
        """
        parts = []
        context = Context()
        at = 0
        while at < len(text):
            end = _run_of(text, at)
            if end > at:
                if not SEPARATORS.isdisjoint(text[at:end].replace("(", "").replace(")", "")):
                    context = Context()
                elif '""' in text[at:end] or "''" in text[at:end]:
                    context.expects = ""
                parts.append(text[at:end])
            else:
                end = _word_of(text, at)
                word = text[at:end]
                start = self._secret_start(word, context)
                parts.append(word[:start] + self._mask(word[start:]) if start >= 0 else word)
                context.see(word)
            at = end
        return "".join(parts)

    def _mask(self, value: str) -> str:
        if value == MASK:
            return value
        self.count += 1
        return MASK

    def _secret_start(self, word: str, context: Context) -> int:
        """Return where in `word` a secret begins that reaches to its end, or -1."""
        if context.in_key(word):
            return -1 if word == MASK else 0
        if context.expects:
            kind, context.expects = context.expects, ""
            if kind == "header" and is_scheme(word):
                context.expects = kind
                return -1
            if not is_option(word):
                return -1 if is_plain(word) or (kind == "pwd" and is_folder(word)) else 0
        if word[:1] == "-" and len(word) > 1:
            return self._option_start(word, context)
        start = self._assigned_start(word, context)
        if start < 0 and context.keeps and "=" not in word and is_secret_name(word, self.names):
            context.expects = "value"
        return start

    def _option_start(self, word: str, context: Context) -> int:
        header = header_start(word[2:], self.names)
        if header >= 0:
            return -1 if is_plain(word[header + 2 :]) else header + 2
        start = cluster_start(word, context)
        if start >= 0 or context.expects:
            return start
        name, equals, value = word.partition("=")
        is_secret = context.is_secret_option(name, self.flags, self.names)
        if name.lower() == "--pwd" and not is_secret:
            # NOTE: a password, or the folder to work in.
            context.expects = "" if equals else "pwd"
            return -1 if is_folder(value) else len(name) + 1
        if not equals:
            context.expects = "value" if is_secret else ""
            return -1
        if is_secret or is_secret_name(name[2:], self.names):
            return -1 if is_plain(value) else len(name) + 1
        start = self._assigned_start(value, context)
        return start if start < 0 else start + len(name) + 1

    def _assigned_start(self, word: str, context: Context) -> int:
        start = header_start(word, self.names)
        if start >= 0:
            if start == len(word):
                context.expects = "header"
            return start if not is_plain(word[start:]) else -1
        if context.program == "openssl" and word.startswith("pass:"):
            return 5
        name, equals, value = word.partition("=")
        if not equals or not _MESSY.isdisjoint(name):
            return _after_colon(word)
        begin = name_start(name, len(name))
        if begin < len(name) and (context.secrets or is_secret_name(name[begin:], self.names)):
            # NOTE: `secrets==1.4` is a requirement of pip's.
            is_version = value[:1] == "=" and value[1:2].isdigit()
            return -1 if is_plain(value) or is_version else len(name) + 1
        inner = self._assigned_start(value, context) if BETWEEN.isdisjoint(value) else -1
        if inner < 0:
            inner = header_start(value, self.names)
        return -1 if inner < 0 or is_plain(value[inner:]) else inner + len(name) + 1


_CUTS = frozenset("'\"[]{},")
_LOOSE = BETWEEN | _CUTS
_MESSY = frozenset("?&'\"{}[]() \t\n;,")
"""In front of `=` these say that the word is more than a name."""


def _after_colon(word: str) -> int:
    """Return where the secret of `token:x` begins, or -1."""
    name, colon, value = word.partition(":")
    is_secret = name.isidentifier() and (ends_secret(name) or name.lower() == "pw")
    return len(name) + 1 if colon and is_secret and is_odd(value) else -1


def _run_of(text: str, at: int) -> int:
    while at < len(text) and (text[at] in _LOOSE or text[at : at + 2] in ("\\'", '\\"')):
        at += 1
    return at


def _word_of(text: str, at: int) -> int:
    while at < len(text) and text[at] not in _LOOSE and text[at : at + 2] not in ("\\'", '\\"'):
        at += 1
    return at
