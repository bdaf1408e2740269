"""Where secrets stand in a text, whatever the text is.

On the light path. Shell lines, JSON, Python, query strings and connection
strings are all read the same way: by what stands beside a value, never by
parsing the whole.
"""

from proctor._secrets.names import (
    NAME_CHARACTERS,
    ends_secret,
    is_secret_name,
    looks_random,
    shape_spans,
)

_BLANKS = " \t"
_SPACE = frozenset(" \t\r\n\f\v\0")
_BARE_ENDS = _SPACE | frozenset("&;\"'")
_SCHEMES = frozenset(
    ("apikey", "aws4-hmac-sha256", "basic", "bearer", "digest", "negotiate", "token")
)
"""First words of an `Authorization` value that are no secret themselves."""
_HEADERS = frozenset(("authorization", "cookie"))
_PLAIN = frozenset(("", "0", "1", "false", "no", "none", "null", "off", "on", "true", "yes", "***"))
"""Values that hide nothing."""
_USERS_ONLY = frozenset(("ssh", "sftp", "scp", "rsync", "svn", "ftp"))
"""URL schemes whose lone user-info is a user's name."""
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_FILLERS = frozenset(("", "x", "x-oauth-basic"))
"""Passwords that stand beside a token used as user name."""

Span = tuple[int, int]


def shaped_spans(text: str) -> "list[Span]":
    """Return the places of tokens, private keys and user-info of URLs, sorted, disjoint."""
    return _merged(shape_spans(text) + _urls(text) + _keys(text))


def named_spans(text: str, names: "tuple[str, ...]" = ()) -> "list[Span]":
    """Return the places of values that something beside them calls secret, as above."""
    return _merged(_bearers(text) + _members(text, names))


def _merged(found: "list[Span]") -> "list[Span]":
    found.sort()
    merged: list[Span] = []
    for start, end in found:
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif end > start:
            merged.append((start, end))
    return merged


def is_plain(value: str) -> bool:
    """Return whether a value hides nothing: empty, a truth value, masked already."""
    return value.lower() in _PLAIN


def is_test_id(word: str) -> bool:
    """Return whether `word` is the id of a parametrised test, `t.py::f[token=1]`."""
    name = word.partition("[")[0]
    return "::" in name[1:] and word.endswith("]") and _SPACE.isdisjoint(name)


def is_scheme(word: str) -> bool:
    """Return whether `word` is the scheme in front of a header's secret, as `Bearer`."""
    return word.lower() in _SCHEMES


def header_start(text: str, names: "tuple[str, ...]" = ()) -> int:
    """Return where the value begins if `text` is a header that holds a secret, else -1."""
    colon = text.find(":")
    if colon < 1 or text[colon + 1 : colon + 2] == ":" or not _is_header(text[:colon], names):
        return -1
    return _skip(text, colon + 1, _BLANKS)


def name_start(text: str, end: int) -> int:
    """Return where the name begins that ends before `end`; `end` if there is none."""
    start = end
    while start > 0 and text[start - 1] in NAME_CHARACTERS:
        start -= 1
    return start


def _is_header(name: str, names: "tuple[str, ...]") -> bool:
    if name_start(name, len(name)) != 0:
        return False
    return name.lower() in _HEADERS or ("-" in name.strip("-") and is_secret_name(name, names))


def _keys(text: str) -> "list[Span]":
    """Return the bodies of private keys in PEM's form."""
    spans = []
    at = text.find("-----BEGIN ")
    while at >= 0:
        start = text.find("-----", at + 11)
        if start < 0:
            break
        start += 5
        end = text.find("-----END", start)
        end = len(text) if end < 0 else end
        if "PRIVATE KEY" in text[at:start] and text[start:end].strip("\\nr \r\n") != "***":
            spans.append((start, end))
        at = text.find("-----BEGIN ", end)
    return spans


def _bearers(text: str) -> "list[Span]":
    """Return what follows `Bearer` or `Basic` and looks like no word of prose."""
    low = text.lower()
    spans = []
    for scheme in ("bearer ", "basic "):
        at = low.find(scheme)
        while at >= 0:
            start = at + len(scheme)
            end = _run(text, start, _BARE_ENDS)
            if looks_random(text[start:end].rstrip("\\),]}")):
                spans.append((start, end))
            at = low.find(scheme, start)
    return spans


def _urls(text: str) -> "list[Span]":
    spans = []
    at = text.find("://")
    while at >= 0:
        span = _user_info(text, at)
        if span is not None:
            spans.append(span)
        at = text.find("://", at + 3)
    return spans


def _user_info(text: str, at: int) -> "Span | None":
    """Return the secret part of the user-info of the URL whose `://` is at `at`."""
    begin = name_start(text, at)
    scheme = text[begin:at].lower()
    while begin > 1 and text[begin - 1] == "+":
        begin = name_start(text, begin - 1)
    stops = _SPACE | frozenset(text[begin - 1] if begin and text[begin - 1] in "\"'`" else "")
    start = at + 3
    # NOTE: never past the next URL, or a line of nothing but URLs takes minutes.
    following = text.find("://", start)
    end = _run(text, start, stops, following if following >= 0 else len(text))
    host = _run(text, start, stops | frozenset("/?#"), end)
    sign = text.rfind("@", start, host)
    if sign < 0 and not _is_host_and_port(text[start:host]):
        sign = text.rfind("@", start, end)
    if sign < 0:
        return None
    colon = text.find(":", start, sign)
    if colon < 0:
        lone = text[start:sign]
        hidden = scheme not in _USERS_ONLY and (scheme.startswith("http") or len(lone) >= 20)
        return (start, sign) if hidden and not is_plain(lone) else None
    if scheme.startswith("http") and text[colon + 1 : sign] in _FILLERS:
        return None if is_plain(text[start:colon]) else (start, colon)
    return colon + 1, sign


def _is_host_and_port(authority: str) -> bool:
    """Return whether no part of `authority` can be a password cut off by a slash."""
    _, colon, port = authority.rpartition(":")
    return not colon or port == "" or (port.isascii() and port.isdigit())


def _members(text: str, names: "tuple[str, ...]") -> "list[Span]":
    """Return the values of `name=value`, `"name": "value"` and their like."""
    spans = []
    at = _sign(text, 0)
    while at >= 0:
        span = _member(text, at, names)
        if span is not None:
            spans.append(span)
        at = _sign(text, at + 1 if span is None else max(at + 1, span[1]))
    return spans


def _sign(text: str, start: int) -> int:
    """Return the index of the next `=` or `:`, or -1."""
    equals, colon = text.find("=", start), text.find(":", start)
    return max(equals, colon) if equals < 0 or colon < 0 else min(equals, colon)


def _member(text: str, at: int, names: "tuple[str, ...]") -> "Span | None":
    end = at - 1 if text[at] == "=" and text[at - 1 : at] in tuple(":+?!<>") else at
    bare_end = _skip_back(text, end, _BLANKS)
    spaced = bare_end < end
    bare_end = _skip_back(text, bare_end, "])")
    name_end = _skip_back(text, bare_end, "\\\"'")
    start = name_start(text, name_end)
    name = text[start:name_end]
    if not name or not is_secret_name(name, names) or _in_test_id(text, start):
        return None
    if text[at] == "=":
        return _assigned(text, at, spaced=spaced)
    return _mapped(text, at, start, names, quoted=name_end < bare_end)


def _assigned(text: str, at: int, *, spaced: bool) -> "Span | None":
    start = at + 1 + (text[at + 1 : at + 2] in ("=", ">", "~"))
    value = _skip(text, start, _BLANKS)
    bare = text[value : value + 1] not in ("'", '"')
    if bare and (text[at + 1 : at + 2] == "=" or (value > start and not spaced)):
        # NOTE: `token == other` compares two names; in a shell `TOKEN= pytest`
        # assigns nothing and runs pytest.
        return None
    return _value(text, value, _BARE_ENDS)


def _mapped(
    text: str, at: int, start: int, names: "tuple[str, ...]", *, quoted: bool
) -> "Span | None":
    if ":" in (text[at + 1 : at + 2], text[at - 1 : at]):
        return None
    value = _skip(text, at + 1, _BLANKS)
    before = text[_skip_back(text, start, _BLANKS) - 1 : start].strip()
    if quoted or text[value : value + 1] in ("'", '"') or before in ("{", ","):
        return _value(text, value, _BARE_ENDS | frozenset(",}]"))
    if _is_header(text[start:at], names):
        return _header_value(text, start, value)
    span = _value(text, value, _BARE_ENDS) if value > at + 1 else None
    if span is None:
        return None
    found = text[span[0] : span[1]]
    odd = looks_random(found) or (
        ends_secret(text[start:at]) and not found.strip(".,!?)").isalpha()
    )
    return span if odd or _is_alone(text, start, span[1]) else None


def _is_alone(text: str, start: int, end: int) -> bool:
    """Return whether nothing but blanks or a dash shares the line with `start:end`."""
    begin = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    after = text[end:] if line_end < 0 else text[end:line_end]
    return text[begin:start].strip() in ("", "-") and not after.strip()


def _header_value(text: str, start: int, value: int) -> "Span | None":
    """Return a header's value within a longer text: a word, for cookies the line."""
    if text[start:value].lower().startswith(("cookie", "set-cookie")):
        return value, _run(text, value, frozenset("\"'\n"))
    end = _run(text, value, _BARE_ENDS)
    if is_scheme(text[value:end]):
        value = _skip(text, end, _BLANKS)
        end = _run(text, value, _BARE_ENDS)
    return None if is_plain(text[value:end]) else (value, end)


def _in_test_id(text: str, start: int) -> bool:
    """Return whether the name stands in the brackets of a test's id, `t.py::f[token=1]`."""
    begin = max(text.rfind(space, 0, start) for space in " \t\n\r") + 1
    place = text.find("::", begin, start)
    return place >= 0 and text.find("[", place, start) >= 0


def _value(text: str, start: int, ends: "frozenset[str]") -> "Span | None":
    """Return the value that begins at `start`, its quotes or brackets left out."""
    at = start
    while at < start + 2 and text[at : at + 1] in tuple("bBfFrRuU$") and _has_quote(text, at + 1):
        at += 1
    if _has_quote(text, at):
        begin, end = _quoted(text, at)
    elif text[at : at + 1] in _BRACKETS:
        begin, end = at + 1, _bracket_end(text, at)
    else:
        begin, end = start, _run(text, start, ends)
        if text[end - 1 : end] == "\\" and end < len(text):
            end -= 1
    return None if is_plain(text[begin:end]) else (begin, end)


def _has_quote(text: str, at: int) -> bool:
    return text[at : at + 1] in ("'", '"') or text[at : at + 2] in ("\\'", '\\"')


def _quoted(text: str, at: int) -> Span:
    """Return what stands between the quote at `at` and its fellow, or the end."""
    mark = text[at : at + 2] if text[at] == "\\" else text[at]
    if text[at : at + 3] == mark * 3:
        mark *= 3
    start = at + len(mark)
    end = text.find(mark, start)
    while end > start and text[end - 1] == "\\":
        end = text.find(mark, end + 1)
    return start, len(text) if end < 0 else end


def _bracket_end(text: str, at: int) -> int:
    closing = _BRACKETS[text[at]]
    depth = 0
    for index in range(at, len(text)):
        depth += (text[index] == text[at]) - (text[index] == closing)
        if depth == 0:
            return index
    return len(text)


def _run(text: str, start: int, ends: "frozenset[str]", limit: "int | None" = None) -> int:
    end, limit = start, len(text) if limit is None else limit
    while end < limit and text[end] not in ends:
        end += 1
    return end


def _skip(text: str, start: int, characters: str) -> int:
    while start < len(text) and text[start] in characters:
        start += 1
    return start


def _skip_back(text: str, end: int, characters: str) -> int:
    while end > 0 and text[end - 1] in characters:
        end -= 1
    return end
