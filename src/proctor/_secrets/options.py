"""Which words of a command announce a secret: options, tools, the words before.

On the light path. The same short option is a password to one tool and a plugin
to another, so the words are read in order, by a context that knows the tool.
"""

from proctor._secrets.names import is_secret_name, listed

_MYSQL = ("p", "", "ABbCEefGHiNnqrstvX")
_BOTH_P = ("p", "p", "")
_UPPER_P = ("P", "P", "")
_TOOLS = {
    **dict.fromkeys(("mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlshow"), _MYSQL),
    **dict.fromkeys(("mysqlcheck", "mysqlbinlog", "mysqlpump", "mysqlslap", "mysqlsh"), _MYSQL),
    **dict.fromkeys(("mariadb", "mariadb-dump", "mariadb-admin", "mariadb-import"), _MYSQL),
    **dict.fromkeys(("mongo", "mongosh", "mongodump", "mongorestore"), _BOTH_P),
    **dict.fromkeys(("mongoexport", "mongoimport", "sshpass", "twine", "cqlsh"), _BOTH_P),
    **dict.fromkeys(("rabbitmqadmin", "ncftp", "ncftpput", "ncftpget"), _BOTH_P),
    **dict.fromkeys(("useradd", "usermod", "altool", "beeline"), _BOTH_P),
    **dict.fromkeys(("zip", "unzip", "sqlcmd", "bcp", "mosquitto_pub", "mosquitto_sub"), _UPPER_P),
    **dict.fromkeys(("7z", "7za", "7zr", "7zz"), ("p", "", "")),
    **dict.fromkeys(("ldapsearch", "ldapadd", "ldapmodify", "ldapdelete"), ("w", "w", "xZ")),
    **dict.fromkeys(("ldappasswd", "ldapwhoami", "ldapcompare"), ("was", "was", "xZ")),
    **dict.fromkeys(("snmpget", "snmpset", "snmpwalk", "snmpbulkwalk"), ("cAX", "cAX", "")),
    **dict.fromkeys(("http", "https", "xh", "xhs"), ("a", "a", "")),
    "curl": ("uUbE", "uUbE", "fsSLkvIiGgNOJRa0123456#q"),
    "redis-cli": ("a", "a", "ncx"),
    "influx": ("t", "t", ""),
    "lftp": ("u", "u", ""),
    "smbclient": ("U", "U", "gN"),
    "openssl": ("", "kK", ""),
    "ssh-keygen": ("NP", "NP", "q"),
    "security": ("pw", "pw", ""),
}
"""Program → its short options with a secret attached, with one following, without any."""

_LOGS_IN = "docker podman nerdctl buildah skopeo helm oras crane az oc cf"
_SUBCOMMANDS = {
    **{(client, "login"): _BOTH_P for client in listed(_LOGS_IN)},
}
_KEEPS_SECRETS = listed("doppler fly flyctl gh kubectl nomad oc supabase wrangler")
"""Their `secret` or `secrets` command takes secrets under any name."""
_CLIENTS = frozenset(client for client, _ in _SUBCOMMANDS) | _KEEPS_SECRETS
_TOOL_OPTIONS = {
    "curl": ("--user", "--proxy-user", "--cookie", "--cert", "--proxy-cert"),
    "gh": ("--body",),
}
"""Long options that hold a secret for one program only."""

_OPAQUE = frozenset(("pytest", "py.test"))
"""After these no short option is a secret, whatever tool is named."""

_INTERPRETERS = listed(
    "ash bash dash fish ksh sh zsh su runuser flock script env python python2 python3 pypy pypy3"
    " node deno bun perl ruby php"
)
_REMOTE = frozenset(("ssh", "eval", "watch", "parallel"))
"""Their arguments with blanks in them are shell lines."""

_CODE_OPTIONS = listed("-e -r -S -p --command --eval --session-command")
_KEEPERS = frozenset(("add", "config", "config:set", "configure", "machine", "set"))
"""After these words a secret's name is followed by the secret."""

_SINGLE_DASH = listed(
    "apikey auth credential credentials deststorepass destkeypass keypass pass passin passout"
    " passphrase passwd password pw pwd secret srckeypass srcstorepass storepass"
    " token"
)


class Context:
    """What the words of one command so far say about the next."""

    __slots__ = (
        "client",
        "code",
        "expects",
        "interpreter",
        "keeps",
        "opaque",
        "pem",
        "previous",
        "program",
        "remote",
        "secrets",
        "tool",
    )

    def __init__(self, command: str | None = None) -> None:
        self.program = self.client = self.previous = ""
        self.tool: tuple[str, str, str] = ("", "", "")
        self.expects = ""
        """`value` or `header`: the next word is one."""
        self.pem = ""
        """How far the words have come in a private key's `-----BEGIN … -----END`."""
        self.opaque = self.interpreter = self.keeps = self.code = self.remote = False
        self.secrets = False
        """Whether every `NAME=value` is a secret."""
        if command:
            self.see(command)

    def see(self, word: str) -> None:
        """Take note of a word, which is then the previous one."""
        base = word.rpartition("/")[2] if word[:1] in ("/", ".", "~") else word
        base = base.removesuffix(".exe").lower() if base.endswith(".exe") else base
        if not self.opaque:
            self._see_program(base)
        option = word[:1] == "-"
        self.code = self.interpreter and (
            word in _CODE_OPTIONS or (option and word[1:2] != "-" and word[-1:] == "c")
        )
        if base in _INTERPRETERS or _is_python(base):
            self.interpreter = True
        elif not option and self.previous not in ("-o", "+o", "-O", "-W", "-X"):
            self.interpreter = False
        self.previous = word

    def in_key(self, word: str) -> bool:
        """Return whether `word` is part of a private key that blanks have cut up."""
        if self.pem == "body":
            self.pem = "" if word.startswith("-----END") else "body"
            return self.pem == "body"
        if word == "-----BEGIN":
            self.pem = "label"
        elif self.pem == "label" and word == "PRIVATE":
            self.pem = "private"
        elif word.endswith("-----") and self.pem:
            self.pem = "body" if self.pem == "private" else ""
        elif "-----" in word:
            self.pem = ""
        return False

    def is_secret_option(
        self, name: str, flags: "frozenset[str]", names: "tuple[str, ...]"
    ) -> bool:
        """Return whether the value of the option `name` is a secret here."""
        if name in flags or name in _TOOL_OPTIONS.get(self.program, ()):
            return True
        if name[:2] == "--":
            return is_secret_name(name, names)
        if self.opaque:
            return False
        if name[1:].lower() in _SINGLE_DASH:
            return True
        return ("-" in name[1:] or "_" in name) and is_secret_name(name, names)

    def _see_program(self, base: str) -> None:
        if base in _OPAQUE:
            self.opaque, self.tool, self.program, self.keeps = True, ("", "", ""), base, False
        elif base in _TOOLS:
            self.tool, self.program = _TOOLS[base], base
        elif base in _CLIENTS:
            self.client = self.program = base
        elif (self.client, base) in _SUBCOMMANDS:
            self.tool = _SUBCOMMANDS[self.client, base]
        elif base in ("secret", "secrets") and self.client in _KEEPS_SECRETS:
            self.secrets = True
            self.tool = ("b", "b", "") if self.client == "gh" else self.tool
        elif base in _KEEPERS:
            self.keeps = True
        elif base in _REMOTE:
            self.remote = True


def _is_python(base: str) -> bool:
    return base.startswith("python3.")


def is_option(word: str) -> bool:
    """Return whether `word` after an option is another option rather than its value."""
    name = word.partition("=")[0].lstrip("-")
    if word[:1] != "-" or word in ("-", "--"):
        return word in ("-", "--")
    if word[:2] == "--":
        return name[:1].isalpha() and name.replace("-", "").replace("_", "").isalnum()
    return len(name) == 1 or (name.replace("-", "").isalpha() and name.islower())


def cluster_start(word: str, context: Context) -> int:
    """Return where the secret of a tool's short options begins: `-px`, `-sSu x`."""
    attached, following, bare = context.tool
    if word[1:2] == "-":
        return -1
    for index in range(1, len(word)):
        if index == len(word) - 1 and word[index] in following:
            context.expects = "value"
            return -1
        if index < len(word) - 1 and word[index] in attached:
            return index + 1
        if word[index] not in bare:
            return -1
    return -1
