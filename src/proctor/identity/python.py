"""What a Python interpreter is about to run, worked out without starting it.

Follows the interpreter's own rules: virtual environments by `pyvenv.cfg` beside
the path it was called by, `sys.path` from the options, variables and `.pth`
files. https://docs.python.org/3/library/sys_path_init.html
"""

import ast
import os
import re
from collections.abc import Iterator, Mapping, Sequence

from proctor.identity.distribution import (
    ALTERED_CAP,
    Distribution,
    distributions_in,
    normal_name,
)

_LONG_VALUED = "--check-hash-based-pycs"
_VERSION = re.compile(r"python(\d+\.\d+)t?\Z")
_MAPPING = re.compile(r"^MAPPING(?::[^=]+)?\s*=\s*(\{.*?\})\s*$", re.MULTILINE | re.DOTALL)
_SCRIPT_LIMIT = 1 << 20
_COMPANIONS = {"pytest": ("_pytest", "pluggy", "iniconfig")}
"""Modules that decide a runner's outcome although they are not its first file."""
_COVERAGE_VALUED = frozenset(
    """
    --concurrency --context --data-file --include --omit --rcfile --save-signal --source
    """.split()  # noqa: SIM905 - a table
)
_ENTRY_CALLS = frozenset({"sub", "exit", "SystemExit", "endswith", "removesuffix"})


class Options:
    """The interpreter's part of a command line.

    One of `module` and `script` is set. `rest` is what follows it.
    """

    __slots__ = ("flags", "module", "rest", "script")

    def __init__(self) -> None:
        self.flags = ""
        self.module: str | None = None
        self.script: str | None = None
        self.rest: tuple[str, ...] = ()


def read_options(words: Sequence[str]) -> Options | None:
    """Return what an interpreter is asked to run; none for `-c`, stdin and a prompt."""
    found = Options()
    at = 0
    while at < len(words):
        word = words[at]
        if word == _LONG_VALUED:
            at += 1
        elif word == "-" or not word.startswith("-"):
            found.script, found.rest = word, tuple(words[at + 1 :])
            return None if word == "-" else found
        elif not word.startswith("--"):
            used = _cluster(found, word[1:], words[at + 1 :])
            if used < 0:
                return None
            at += used
            if found.module is not None:
                found.rest = tuple(words[at + 1 :])
                return found
        at += 1
    return None


def _cluster(found: Options, letters: str, rest: Sequence[str]) -> int:
    """Read `-Im…`: return how many further words it takes, -1 for `-c`."""
    for at, letter in enumerate(letters):
        value = letters[at + 1 :]
        if letter == "c":
            return -1
        if letter == "m":
            found.module = value or (rest[0] if rest else None)
            return 0 if value else 1
        if letter in "WX":
            return 0 if value else 1
        found.flags += letter
    return 0


class Interpreter:
    """Where an interpreter looks for modules.

    `program` is the path it was called by. `path` lists the folders of
    `sys.path`, the standard library's among them; `sites` those of installed
    distributions; `mapped` the modules that editable installs map to folders.
    """

    def __init__(
        self, program: str, cwd: str, environ: Mapping[str, str], options: Options
    ) -> None:
        self.cwd = cwd
        self.program = os.path.join(cwd, program)
        self.mapped: dict[str, str] = {}
        isolated = "I" in options.flags
        use_env = not isolated and "E" not in options.flags
        env = environ if use_env else {}
        self.prefix, base, system = _prefixes(self.program, env)
        self.version = _version(program, self.prefix, base)
        self.library = os.path.join(base, "lib", f"python{self.version}")
        self.path: list[str] = []
        safe = isolated or "P" in options.flags or bool(env.get("PYTHONSAFEPATH"))
        if not safe and options.module is not None:
            self.path.append(cwd)
        elif not safe and options.script is not None:
            script = os.path.realpath(os.path.join(cwd, options.script))
            self.path.append(os.path.dirname(script))
        for folder in env.get("PYTHONPATH", "").split(":"):
            if folder:
                self.path.append(os.path.join(cwd, folder))
        self.path += [self.library, os.path.join(self.library, "lib-dynload")]
        user = "s" not in options.flags and not isolated and not env.get("PYTHONNOUSERSITE")
        self.sites = [] if "S" in options.flags else self._sites(base, environ, system, user=user)
        for site in self.sites:
            self.path.append(site)
            self.path += self._pth_folders(site)

    def _sites(
        self, base: str, environ: Mapping[str, str], system: bool, *, user: bool
    ) -> list[str]:
        name = f"python{self.version}"
        found = [os.path.join(self.prefix, "lib", name, "site-packages")]
        if system:
            home = environ.get("PYTHONUSERBASE") or os.path.join(environ.get("HOME", "/"), ".local")
            if user:
                found.append(os.path.join(home, "lib", name, "site-packages"))
            found += [
                os.path.join(base, "local", "lib", name, "dist-packages"),
                os.path.join(base, "lib", "python3", "dist-packages"),
                os.path.join(base, "lib", name, "dist-packages"),
                os.path.join(base, "lib", name, "site-packages"),
                os.path.join("/usr/local/lib", name, "dist-packages"),
            ]
        return [folder for folder in dict.fromkeys(found) if os.path.isdir(folder)]

    def _pth_folders(self, site: str) -> Iterator[str]:
        for name in sorted(name for name in os.listdir(site) if name.endswith(".pth")):
            for line in _text(os.path.join(site, name)).splitlines():
                if line.startswith(("import ", "import\t")):
                    self._take_mapping(site, line)
                elif line.strip() and not line.startswith("#"):
                    yield os.path.join(site, line.rstrip())

    def _take_mapping(self, site: str, line: str) -> None:
        """Take setuptools' map of an editable install's modules to folders."""
        finder = re.match(r"import\s+(__editable__\w+)", line)
        if finder is None:
            return
        found = _MAPPING.search(_text(os.path.join(site, f"{finder[1]}.py")))
        if found is None:
            return
        try:
            mapping = ast.literal_eval(found[1])
        except (ValueError, SyntaxError):
            return
        if isinstance(mapping, dict):
            self.mapped.update({str(k): str(v) for k, v in mapping.items()})

    def find(self, module: str) -> str | None:
        """Return the file of a module, links resolved; none if it has no file."""
        head, *tail = module.split(".")
        stems = [os.path.join(folder, head, *tail) for folder in self.path]
        if head in self.mapped:
            stems.append(os.path.join(self.mapped[head].removesuffix(".py"), *tail))
        for stem in stems:
            for path in (os.path.join(stem, "__init__.py"), f"{stem}.py"):
                if os.path.isfile(path):
                    return os.path.realpath(path)
        return None

    @property
    def is_real(self) -> bool:
        """Whether a standard library is where that of an interpreter would be."""
        return os.path.isfile(os.path.join(self.library, "os.py"))

    def is_library(self, path: str) -> bool:
        """Return whether a file is one of the standard library's."""
        library = os.path.realpath(self.library) + "/"
        rest = path.removeprefix(library)
        return rest != path and not rest.startswith(("site-packages/", "dist-packages/"))

    def owner(
        self, path: str, hint: str
    ) -> tuple[Distribution, list[tuple[str, str]] | None] | None:
        """Return the distribution that a file belongs to, and its record.

        `hint` is the name it probably has. A distribution without RECORD (as
        Debian has them) owns what lies beside it under its own name.
        """
        folders = [self._beside(path), *self.sites]
        for site in dict.fromkeys(folders):
            for item in distributions_in(site, hint):
                record = item.record()
                if record is not None and item.holds(path, record):
                    return item, record
        for site in self.sites:
            for item in distributions_in(site, hint):
                if item.name != normal_name(hint):
                    break
                source = item.source()
                if source is not None and path.startswith(source + "/"):
                    return item, None
                beside = path.startswith(os.path.realpath(site) + "/")
                if item.record() is None and beside:
                    return item, None
        return None

    def _beside(self, path: str) -> str:
        """Return the folder of the search path that a module's file was found in."""
        reals = [os.path.realpath(folder) for folder in self.path]
        above = [real for real in reals if path.startswith(real + "/")]
        return max(above, key=len, default=os.path.dirname(path))


def identify_python(interpreter: Interpreter, options: Options) -> dict[str, object] | None:
    """Return the members of `records.span.Runner` for what the interpreter runs."""
    if not interpreter.is_real:
        return _members(None, None, os.path.realpath(interpreter.program), None)
    if options.module is not None:
        top = options.module.partition(".")[0]
        return _through(interpreter, options, options.module, top)
    assert options.script is not None  # noqa: S101 - one of the two is set
    script = os.path.realpath(os.path.join(interpreter.cwd, options.script))
    name = os.path.basename(script).partition(".")[0]
    module = script_module(_text(script))
    if module is not None:
        return _through(interpreter, options, module, name)
    return _file(interpreter, script, name)


def _through(
    interpreter: Interpreter, options: Options, module: str, hint: str
) -> dict[str, object] | None:
    """Identify a module; `coverage run` is looked through to what it runs.

    None where the interpreter has no such module: it will say so itself.
    """
    top = module.partition(".")[0]
    if top == "coverage" and options.rest[:1] == ("run",):
        inner = read_options(_without_coverage_options(options.rest[1:]))
        return identify_python(interpreter, inner) if inner is not None else None
    path = interpreter.find(module) or interpreter.find(top)
    return _file(interpreter, path, hint) if path is not None else None


def _without_coverage_options(words: Sequence[str]) -> list[str]:
    """Return the words from what is run on."""
    at = 0
    while at < len(words) and (words[at].startswith("-") and words[at] != "-m"):
        at += 2 if words[at] in _COVERAGE_VALUED else 1
    return list(words[at:])


def _file(interpreter: Interpreter, path: str, hint: str) -> dict[str, object]:
    if interpreter.is_library(path):
        return _members("python", interpreter.version, path, None)
    found = interpreter.owner(path, hint)
    if found is None:
        return _members(None, None, path, None)
    item, record = found
    altered = item.altered(record) if record is not None else None
    for companion in _COMPANIONS.get(item.name, ()):
        altered = _with_companion(interpreter, companion, item, altered)
    members = _members(item.name, item.version, path, altered)
    members["editable"] = record is None and item.source() is not None
    return members


def _with_companion(
    interpreter: Interpreter, module: str, main: Distribution, altered: list[str] | None
) -> list[str] | None:
    """Add what is wrong with a module that the runner stands on."""
    path = interpreter.find(module)
    if path is None:
        return altered
    found = interpreter.owner(path, main.name if module.startswith("_") else module)
    if found is None:
        return [*(altered or ()), path][:ALTERED_CAP]
    item, record = found
    if item.info == main.info or record is None:
        return altered
    wrong = item.altered(record)
    return altered if not wrong else [*(altered or ()), *wrong][:ALTERED_CAP]


def script_module(text: str) -> str | None:
    """Return the module whose entry point a console script calls; none if it does more.

    Installers write such scripts in several forms. Common to all: imports, one
    function called for the exit code, and a look at `sys.argv[0]`.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    module: str | None = None
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module not in (None, "sys", "re", "os"):
            if module is not None:
                return None
            module = node.module
            names = {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            if any(alias.name not in ("sys", "re", "os") for alias in node.names):
                return None
        elif isinstance(node, ast.Call):
            if _called(node) not in names | _ENTRY_CALLS:
                return None
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Lambda, ast.While, ast.For)):
            return None
    calls = {_called(node) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return module if calls & names else None


def _called(node: ast.Call) -> str:
    if isinstance(node.func, ast.Name):
        return node.func.id
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


def _prefixes(program: str, environ: Mapping[str, str]) -> tuple[str, str, bool]:
    """Return an environment's prefix, its interpreter's, and whether the latter's count."""
    home = environ.get("PYTHONHOME")
    if home:
        return home, home, True
    folder = os.path.dirname(os.path.abspath(program))
    for place in (folder, os.path.dirname(folder)):
        config = _text(os.path.join(place, "pyvenv.cfg"))
        if config:
            values = dict(re.findall(r"^\s*([\w-]+)\s*=\s*(.*?)\s*$", config, re.MULTILINE))
            system = values.get("include-system-site-packages", "").lower() == "true"
            base = os.path.dirname(values.get("home", "/usr/bin"))
            return os.path.dirname(folder), base, system
    base = os.path.dirname(os.path.dirname(os.path.realpath(program)))
    return base, base, True


def _version(program: str, prefix: str, base: str) -> str:
    """Return an interpreter's version as `3.11`, from its name or its library's."""
    for path in (program, os.path.realpath(program)):
        found = _VERSION.search(os.path.basename(path))
        if found:
            return found[1]
    for folder in (prefix, base):
        try:
            names = os.listdir(os.path.join(folder, "lib"))
        except OSError:
            continue
        for name in sorted(names, reverse=True):
            found = _VERSION.match(name)
            if found:
                return found[1]
    return "3"


def _members(
    name: str | None, version: str | None, path: str, altered: list[str] | None
) -> dict[str, object]:
    return {
        "distribution": name,
        "version": version,
        "record_ok": None if altered is None else not altered,
        "path": path,
        "editable": False,
        "altered": list(altered or ()),
    }


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read(_SCRIPT_LIMIT)
    except OSError:
        return ""
