"""What a secret looks like: names that announce one, shapes that are one.

On the light path, so without regular expressions: a few substring searches find
the places worth a look, and only those are read character by character.
"""


def listed(text: str) -> "frozenset[str]":
    """Return the words of a list that is read as a line."""
    return frozenset(text.split())


_ENDINGS = (
    "token",
    "tokens",
    "secret",
    "secrets",
    "password",
    "passwords",
    "passwd",
    "passphrase",
    "passcode",
    "apikey",
    "accesskey",
    "privatekey",
    "secretkey",
    "credential",
    "credentials",
    "authorization",
)
"""A word of a name that ends so announces a secret: `token`, `GITHUBTOKEN`."""

_WORDS = frozenset(
    ("auth", "bearer", "cookie", "cookies", "cred", "creds", "jwt", "otp", "pat", "pw")
)
"""Announce a secret only as a whole word: `AUTH` does, `AUTHOR` does not."""

_KEYS = listed(
    "access account admin aes anthropic api app auth aws azure client datadog deploy encryption"
    " gemini google hmac license licence mailgun master openai private secret sendgrid service"
    " session shared signing ssh storage stripe"
)
"""`key` announces a secret after one of these: `API_KEY`, not `SORT_KEY`."""

_NOT_PASS = frozenset(("askpass", "bypass", "compass", "encompass", "surpass", "trespass"))

_ABOUT = listed(
    "algorithm audience backend check class cost count dir directory disabled enabled endpoint env"
    " expiration expires expiry file format helper host issuer len length limit method min minutes"
    " max mode name names parallelism path policy port prompt provider required rounds scope scopes"
    " seconds size sock stdin strategy timeout ttl type uri url user username verify"
    " version"
)
"""Last words that speak *about* a secret: `--password-file`, `TOKEN_TTL`."""

_SWITCHES = frozenset(("ask", "disable", "enable", "max", "min", "no", "num", "require", "skip"))
"""First words that do the same: `--no-auth`, `MAX_TOKENS`."""

_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_DIGITS = frozenset("0123456789")
_ALNUM = _LETTERS | _DIGITS
_UPPER = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ") | _DIGITS
_URLSAFE = _ALNUM | frozenset("_-")
_DOTTED = _URLSAFE | frozenset(".")
_BASE64 = _DOTTED | frozenset("+/=~")
NAME_CHARACTERS = _DOTTED

_SHAPES = (
    ("ghp_", _ALNUM, 16),
    ("gho_", _ALNUM, 16),
    ("ghu_", _ALNUM, 16),
    ("ghs_", _DOTTED, 16),
    ("ghr_", _ALNUM, 16),
    ("github_pat_", _URLSAFE, 16),
    ("glpat-", _DOTTED, 16),
    ("gldt-", _DOTTED, 16),
    ("glrt-", _DOTTED, 16),
    ("glptt-", _DOTTED, 16),
    ("xoxb-", _URLSAFE, 10),
    ("xoxp-", _URLSAFE, 10),
    ("xoxa-", _URLSAFE, 10),
    ("xoxr-", _URLSAFE, 10),
    ("xoxs-", _URLSAFE, 10),
    ("xoxe-", _URLSAFE, 10),
    ("xoxe.", _DOTTED, 10),
    ("xapp-", _URLSAFE, 10),
    ("hooks.slack.com/services/", _BASE64, 8),
    ("hooks.slack.com/workflows/", _BASE64, 8),
    ("hooks.slack.com/triggers/", _BASE64, 8),
    ("discord.com/api/webhooks/", _BASE64, 8),
    ("discordapp.com/api/webhooks/", _BASE64, 8),
    ("sk-ant-", _URLSAFE, 8),
    ("sk-proj-", _URLSAFE, 8),
    ("sk-", _URLSAFE, 16),
    ("sk_live_", _ALNUM, 8),
    ("sk_test_", _ALNUM, 8),
    ("rk_live_", _ALNUM, 8),
    ("rk_test_", _ALNUM, 8),
    ("whsec_", _BASE64, 16),
    ("AKIA", _UPPER, 16),
    ("ASIA", _UPPER, 16),
    ("AIza", _URLSAFE, 30),
    ("ya29.", _DOTTED, 16),
    ("GOCSPX-", _URLSAFE, 16),
    ("npm_", _ALNUM, 20),
    ("pypi-", _URLSAFE, 16),
    ("hf_", _ALNUM, 16),
    ("gsk_", _ALNUM, 16),
    ("nvapi-", _URLSAFE, 16),
    ("dop_v1_", _ALNUM, 16),
    ("doo_v1_", _ALNUM, 16),
    ("dckr_pat_", _URLSAFE, 16),
    ("shpat_", _ALNUM, 16),
    ("shpss_", _ALNUM, 16),
    ("hvs.", _URLSAFE, 16),
    ("lin_api_", _ALNUM, 16),
    ("rubygems_", _ALNUM, 16),
    ("ATATT3", _BASE64, 16),
    ("AGE-SECRET-KEY-1", _ALNUM, 16),
    ("SG.", _DOTTED, 30),
    ("eyJ", _DOTTED, 16),
)
"""Prefix, characters of the body, its least length."""

_ROOMY = frozenset(("sk-", "pypi-", "hf_", "npm_", "gsk_", "nvapi-", "SG.", "eyJ"))
"""Prefixes that ordinary words hold too (`task-…`): no letter or digit may stand
in front, and the body may not look like words with hyphens between them."""

_ANCHORS = (
    *("token", "secret", "pass", "key", "cred", "auth", "bearer", "cookie", "jwt", "otp", "pw"),
    *("sig=", "sig\n", "sig ", "signature", "-keygen", "useradd", "usermod", "security"),
    *("altool", "beeline", "pat=", "pat\n", "pat ", 'pat"', "pat'", "basic ", "-----begin"),
    *("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    *(
        "github_pat",
        "glpat-",
        "gldt-",
        "glrt-",
        "glptt-",
        "xox",
        "xapp-",
        "hooks.slack",
        "webhooks",
    ),
    *("sk-", "k_live_", "k_test_", "whsec_", "akia", "asia", "aiza", "ya29.", "gocspx", "npm_"),
    *("pypi-", "hf_", "gsk_", "nvapi-", "doo_v1", "dop_v1", "shpss_", "shpat_", "hvs.", "lin_api"),
    *("rubygems_", "atatt3", "sg.", "eyj"),
    *("mysql", "mariadb", "curl", "redis", "login", "zip", "7z", "ldap", "mongo", "sqlcmd", "bcp"),
    *("twine", "ftp", "smbclient", "mosquitto", "snmp", "http", "xh\n", "xh ", "rabbitmq", "cqlsh"),
    *("influx", "openssl"),
)


def may_hold(text: str, extra: "tuple[str, ...]" = ()) -> bool:
    """Return whether `text` is worth a look; a few microseconds.

    False is certain: no rule of this module or of `proctor.redact` masks
    anything in it. `extra` holds further anchors in lower case.
    """
    low = text.lower()
    for anchor in _ANCHORS:
        if anchor in low:
            return True
    if "://" in low and "@" in low:
        return True
    for anchor in extra:  # noqa: SIM110 - a generator costs more than the search
        if anchor in low:
            return True
    return False


def is_secret_name(name: str, extra: "tuple[str, ...]" = ()) -> bool:
    """Return whether the value of an option or variable of this name is a secret.

    Dashes in front do not count. `extra` holds parts of names, in lower case,
    that mark a secret wherever they stand.
    """
    low = name.lower()
    if any(part in low for part in extra):
        return True
    words = _words(name)
    if not words or words[-1] in _ABOUT or (len(words) > 1 and words[0] in _SWITCHES):
        return False
    return any(_announces(words, index) for index in range(len(words)))


def ends_secret(name: str) -> bool:
    """Return whether a name ends in a word that means nothing else: `db_password`."""
    return name.lower().rstrip("0123456789").endswith(_ENDINGS)


def is_folder(value: str) -> bool:
    """Return whether a value can be a folder, which `pwd` alone stands for."""
    return value[:1] in ("/", ".", "~", "$", "")


def is_odd(value: str) -> bool:
    """Return whether a value behind `token:` is more than a word or a version.

    `token:refresh` is a script of npm's, `token:1.2` an image of docker's.
    """
    is_version = value.removeprefix("v").replace(".", "").replace("-", "").isdigit()
    return len(value) >= 6 and has_digit(value) and not is_version and "/" not in value


def _announces(words: "list[str]", index: int) -> bool:
    word = words[index].rstrip("0123456789")
    if word.endswith(_ENDINGS):
        return True
    if word in ("pwd", "sig"):
        # NOTE: alone, `pwd` is a folder; beside other words `sig` is anything.
        return (len(words) > 1) == (word == "pwd")
    if word in ("key", "keys"):
        return index > 0 and words[index - 1] in _KEYS
    if word.endswith("pass"):
        # NOTE: only at the end: --passWithNoTests is no secret.
        return index == len(words) - 1 and word not in _NOT_PASS
    return word in _WORDS


def _words(name: str) -> "list[str]":
    """Split `X-Api-Key`, `apiKey`, `API_KEY` and `APIKey` alike, in lower case."""
    words: list[str] = []
    start = 0
    for index in range(len(name) + 1):
        here = name[index : index + 1]
        if here not in _ALNUM:
            if index > start:
                words.append(name[start:index].lower())
            start = index + 1
        elif index > start and here.isupper() and _starts_word(name, index):
            words.append(name[start:index].lower())
            start = index
    return words


def _starts_word(name: str, index: int) -> bool:
    """Return whether the capital at `index` begins a word: `apiKey`, `APIKey`."""
    return not name[index - 1].isupper() or name[index + 1 : index + 2].islower()


def shape_spans(text: str) -> "list[tuple[int, int]]":
    """Return start and end of every token of a known shape, sorted, not overlapping."""
    found: list[tuple[int, int]] = []
    for prefix, body, least in _SHAPES:
        at = text.find(prefix)
        while at >= 0:
            start = at + len(prefix)
            end = _run_end(text, start, body)
            if end - start >= least and _fits(text, at, start, end, prefix):
                found.append((start if "/" in prefix else at, end))
            at = text.find(prefix, max(end, start))
    found.sort()
    merged: list[tuple[int, int]] = []
    for start, end in found:
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _run_end(text: str, start: int, body: "frozenset[str]") -> int:
    end = start
    while end < len(text) and text[end] in body:
        end += 1
    return end


def _fits(text: str, at: int, start: int, end: int, prefix: str) -> bool:
    if prefix not in _ROOMY:
        return True
    if at > 0 and text[at - 1] in _ALNUM:
        return False
    body = text[start:end]
    if has_digit(body) or body.lower() != body:
        return True
    return len(body) >= 20 and "-" not in body and "_" not in body


def has_digit(text: str) -> bool:
    """Return whether an ASCII digit stands in `text`."""
    return any(character in _DIGITS for character in text)


def looks_random(word: str) -> bool:
    """Return whether `word` could be a token rather than a word of prose.

    Eight characters or more of base64's alphabets, a digit or padding among
    them, or capitals within.
    """
    if len(word) < 8 or any(character not in _BASE64 for character in word):
        return False
    return has_digit(word) or word.endswith("=") or word[1:].lower() != word[1:]
