"""What the light path needs to know, without reading TOML.

`run`, `watch` and the hooks start on every command that an agent runs. The part
of the configuration that they need is kept as JSON in the state folder, keyed
by the configuration file's stat; a miss reads the real file once.
"""

import os

from proctor._digest import encode, sha256_hex
from proctor._whole import write_whole
from proctor.records.place import Clone, make_private, state_folder

VERSION = "2"
DEFAULT_FLOORS = {"pytest": 500, "npm test": 800, "make": 200, "git": 20}
"""Milliseconds: the least believable duration of a command class."""

ODD_ENV = (
    "DYLD_INSERT_LIBRARIES",
    "LD_AUDIT",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "NODE_OPTIONS",
    "NODE_PATH",
    "PERL5OPT",
    "PHPRC",
    "PHP_INI_SCAN_DIR",
    "PYTHONHOME",
    "PYTHONOPTIMIZE",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "PYTHONUSERBASE",
    "RUBYOPT",
    "BASH_ENV",
    "ENV",
    "JAVA_TOOL_OPTIONS",
)
"""Variables that change what an interpreter runs; their names are recorded."""


class Settings:
    """The light path's view of the configuration.

    `programs`: base names and `-m` modules that may have a command class;
    anything else is passed over without classification. `table` says which
    runner's file knows each of them, so that no other file is imported.
    """

    __slots__ = (
        "classes",
        "deny",
        "env_names",
        "floors",
        "log",
        "programs",
        "redact_flags",
        "redact_names",
        "table",
    )

    def __init__(self, data: "dict[str, object]") -> None:
        self.log = _text_or_none(data["log"])
        self.env_names = bool(data["env_names"])
        self.floors = _numbers(data["floors"])
        self.deny = frozenset(_texts(data["deny"]))
        self.redact_flags = _texts(data["redact_flags"])
        self.redact_names = _texts(data["redact_names"])
        self.table = _names(data["programs"])
        self.programs = frozenset(self.table)
        self.classes = _classes(data["classes"])

    def floor_of(self, command_class: str | None) -> int:
        """Return the floor of a command class in milliseconds, 0 if none is set."""
        return self.floors.get(command_class or "", 0)


def light_settings(clone: Clone, environ: "os._Environ[str] | dict[str, str]") -> Settings:
    """Return the settings for a repository, from the cache where it is fresh.

    Raises:
        ConfigError: the configuration cannot be read or understood.
        RecorderError: no state folder can be found.
    """
    key = _key(clone.root)
    cache = os.path.join(state_folder(environ), "cache", f"settings-{sha256_hex(key)[:32]}.json")
    data = _read_cache(cache, key)
    if data is None:
        data = _from_config(clone.root)
        _write_cache(cache, key, data)
    return Settings(data)


def _from_config(root: str) -> "dict[str, object]":
    from proctor import _family, config

    found = config.load(root)
    # NOTE: found by name like the members of a family: settings lie below `classify`.
    build = _family.member("proctor.classify", "index", "build")
    assert callable(build)  # noqa: S101 - narrows the type
    programs: dict[str, str] = build()
    for item in found.classes.values():
        for words in item.match:
            programs.setdefault(os.path.basename(words[0]) if words else "", "")
    return {
        "log": found.log.path,
        "env_names": found.log.env_names,
        "floors": {
            **DEFAULT_FLOORS,
            **{name: item.floor_ms for name, item in found.classes.items() if item.floor_ms},
            **found.floors,
        },
        "deny": list(found.deny.binaries),
        "redact_flags": list(found.redact.flags),
        "redact_names": list(found.redact.names),
        "programs": programs,
        "classes": {
            name: {
                "match": [list(words) for words in item.match],
                "role": item.role,
                "kind": item.kind,
                "report": item.report,
            }
            for name, item in found.classes.items()
        },
    }


def _key(root: str) -> bytes:
    """Return bytes that differ whenever the settings may differ."""
    here = os.path.dirname(__file__)
    parts = [VERSION, root]
    for path in (
        os.path.join(root, "proctor.toml"),
        os.path.join(root, "pyproject.toml"),
        os.path.join(here, "config.py"),
        os.path.join(here, "classify"),
        os.path.join(here, "classify", "runners"),
    ):
        try:
            s = os.stat(path)
        except OSError:
            parts.append("-")
        else:
            parts.append(f"{s.st_dev}:{s.st_ino}:{s.st_size}:{s.st_mtime_ns}:{s.st_ctime_ns}")
    return os.fsencode("\n".join(parts))


def _read_cache(path: str, key: bytes) -> "dict[str, object] | None":
    from proctor._digest import decode

    try:
        with open(path, "rb") as file:
            head, _, body = file.read().partition(b"\n")
    except OSError:
        return None
    if head != sha256_hex(key).encode("ascii"):
        return None
    try:
        value = decode(body)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _write_cache(path: str, key: bytes, data: "dict[str, object]") -> None:
    """Keep `data`; a state folder that cannot be written only costs time."""
    content = sha256_hex(key).encode("ascii") + b"\n" + encode(data)
    try:
        make_private(os.path.dirname(path))
        write_whole(path, content, mode=0o600)
    except OSError:
        return


def _text_or_none(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _texts(value: object) -> "tuple[str, ...]":
    return tuple(str(item) for item in value) if isinstance(value, list) else ()


def _numbers(value: object) -> "dict[str, int]":
    return {str(k): int(v) for k, v in value.items()} if isinstance(value, dict) else {}


def _names(value: object) -> "dict[str, str]":
    return {str(k): str(v) for k, v in value.items()} if isinstance(value, dict) else {}


def _classes(value: object) -> "dict[str, dict[str, object]]":
    return dict(value) if isinstance(value, dict) else {}
