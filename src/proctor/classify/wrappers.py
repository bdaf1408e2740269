"""Takes wrappers off an argv, token by token: `env X=1 timeout 60 pytest` is pytest.

On the light path: no imports.
"""

from proctor.classify.index import base_name, interpreter_of
from proctor.classify.options import split_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MOST = 16
"""Wrappers taken off at most; deeper nesting is nobody's honest command."""


class Layer:
    """One wrapper taken off."""

    __slots__ = ("argv", "assigned", "flags", "label", "remote", "status", "text")

    def __init__(self, label: str, argv: "Sequence[str]") -> None:
        self.label = label
        """As the wrapper is called, `env`, `uv run`, `bash -c`."""
        self.argv = list(argv)
        """What it starts; for shell text the positional parameters, `$0` first."""
        self.text: str | None = None
        """Shell text that it runs instead."""
        self.flags: tuple[str, ...] = ()
        """The shell's own options, `-e`, `-o pipefail`."""
        self.assigned: dict[str, str] = {}
        """Variables it sets."""
        self.status = "own"
        """What becomes of the command's exit code: own, altered, masked, unknown."""
        self.remote: str | None = None
        """The client's name, where the command runs elsewhere."""


class _Spec:
    """How a wrapper with plain options is read."""

    __slots__ = (
        "after",
        "label",
        "needs_dashes",
        "remote",
        "skip",
        "status",
        "subcommands",
        "valued",
    )

    def __init__(  # noqa: PLR0913 - a table with as many columns
        self,
        valued: str = "",
        *,
        subcommands: str = "",
        skip: int = 0,
        status: str = "own",
        remote: bool = False,
        needs_dashes: bool = False,
        after: str = "",
        label: str | None = None,
    ) -> None:
        self.valued = frozenset(valued.split())
        """Options that take the next token."""
        self.subcommands = frozenset(subcommands.split())
        """One of these words must stand before the command."""
        self.skip = skip
        """Positionals before the command."""
        self.status = status
        self.remote = remote
        self.needs_dashes = needs_dashes
        """Whether the command begins only behind `--`."""
        self.after = frozenset(after.split())
        """Options whose value is shell text to run."""
        self.label = label


_UV = (
    "--with --with-editable --with-requirements -p --python --extra --no-extra --group --no-group"
    " --only-group --env-file --index --default-index -i --index-url --extra-index-url -f"
    " --find-links --index-strategy --keyring-provider --resolution --prerelease --fork-strategy"
    " --exclude-newer --link-mode -C --config-setting --refresh-package --cache-dir --package"
    " --directory --project --config-file --color -P --upgrade-package --reinstall-package"
    " --no-build-package --no-binary-package --python-platform -w --from --torch-backend"
    " --allow-insecure-host"
)
_DOCKER_RUN = (
    "-v --volume -w --workdir -e --env --env-file -u --user --name --network --net -p --publish"
    " --entrypoint --platform --mount -h --hostname -l --label --cpus -m --memory --add-host"
    " --tmpfs --ulimit --gpus --device --ipc --pid --shm-size --cap-add --cap-drop --security-opt"
    " --restart --log-driver --log-opt --dns --cidfile --pull --runtime --volumes-from --expose"
    " --link --init-path --stop-signal --group-add --userns --detach-keys -a --attach"
)
_DOCKER_EXEC = "-e --env --env-file -u --user -w --workdir --detach-keys --index"
_NPM = "-p --package -w --workspace --prefix -C --loglevel --cache --registry --userconfig"

_SPECS: dict[str, _Spec] = {
    "timeout": _Spec("-k --kill-after -s --signal", skip=1),
    "gtimeout": _Spec("-k --kill-after -s --signal", skip=1),
    "nice": _Spec("-n --adjustment"),
    "ionice": _Spec("-c --class -n --classdata -p --pid"),
    "chrt": _Spec(skip=1),
    "taskset": _Spec(skip=1),
    "nohup": _Spec(),
    "stdbuf": _Spec("-i --input -o --output -e --error"),
    "time": _Spec("-f --format -o --output"),
    "setsid": _Spec(),
    "xvfb-run": _Spec(
        "-e --error-file -f --auth-file -n --server-num -p --xauth-protocol -s --server-args"
        " -w --wait"
    ),
    "dbus-run-session": _Spec("--config-file --dbus-daemon"),
    "sudo": _Spec("-u --user -g --group -C --close-from -D --chdir -h --host -p --prompt -R -T -U"),
    "doas": _Spec("-u -C"),
    "uv": _Spec(_UV, subcommands="run"),
    "uvx": _Spec(_UV),
    "poetry": _Spec("-C --directory -P --project", subcommands="run"),
    "pipenv": _Spec("--python", subcommands="run"),
    "hatch": _Spec("-e --env -p --project --data-dir --cache-dir --config", subcommands="run"),
    "pdm": _Spec("-p --project -s --site-packages -c --config", subcommands="run"),
    "rye": _Spec("--pyproject", subcommands="run"),
    "pixi": _Spec("-e --environment --manifest-path -x --executable", subcommands="run"),
    "conda": _Spec("-n --name -p --prefix --cwd", subcommands="run"),
    "mamba": _Spec("-n --name -p --prefix --cwd", subcommands="run"),
    "micromamba": _Spec("-n --name -p --prefix --cwd -r --root-prefix", subcommands="run"),
    "npx": _Spec(_NPM, after="-c --call"),
    "bunx": _Spec("-p --package"),
    "corepack": _Spec(),
    "bundle": _Spec("--gemfile", subcommands="exec"),
    "xargs": _Spec(
        "-a --arg-file -d --delimiter -E -I --replace -L --max-lines -n --max-args -P --max-procs"
        " -s --max-chars --process-slot-var",
        status="altered",
    ),
    "parallel": _Spec("-j --jobs -a --arg-file -S --sshlogin --timeout", status="altered"),
    "rtk": _Spec(),
    "strace": _Spec("-o -e -p -s -u -E -a -b -I -O -P -S -U -X"),
    "valgrind": _Spec(),
    "catchsegv": _Spec(),
    "unbuffer": _Spec(),
    "tini": _Spec("-p -e"),
    "dumb-init": _Spec("-r --rewrite"),
    "chronic": _Spec(),
    "dotenv": _Spec("-f --file -e", subcommands="run"),
    "direnv": _Spec(subcommands="exec", skip=1),
    "flock": _Spec("-w --wait --timeout -E --conflict-exit-code", skip=1, after="-c --command"),
    "mise": _Spec("-C --cd -E --env -j --jobs", subcommands="exec x", needs_dashes=True),
    "asdf": _Spec(subcommands="exec"),
    "pyenv": _Spec(subcommands="exec"),
    "rbenv": _Spec(subcommands="exec"),
    "proctor": _Spec(
        "--log --parent --claims --timeout --report --receipt --hash-limit --witness --keep",
        subcommands="run watch",
    ),
    "kubectl": _Spec(
        "-n --namespace -c --container --context --kubeconfig",
        subcommands="exec",
        needs_dashes=True,
        remote=True,
    ),
    "command": _Spec(),
    "builtin": _Spec(),
    "exec": _Spec("-a"),
    "noglob": _Spec(),
}


def peel_all(argv: "Sequence[str]") -> "list[Layer]":
    """Return the wrappers of `argv`, outermost first; shell text ends the list."""
    layers: list[Layer] = []
    while len(layers) < MOST:
        layer = peel(argv)
        if layer is None:
            break
        layers.append(layer)
        if layer.text is not None:
            break
        argv = layer.argv
    return layers


def peel(argv: "Sequence[str]") -> Layer | None:
    """Return the outermost wrapper of `argv`, none where it has none."""
    if not argv:
        return None
    if _assigns(argv[0]):
        return _assignments(argv)
    name = base_name(argv[0])
    if name in _SPECIAL:
        return _SPECIAL[name](argv)
    if name in _SPECS:
        return _plain(argv, _SPECS[name], name)
    kind = interpreter_of(name)
    if kind == "shell":
        return _shell(argv, name)
    if kind in ("python", "node"):
        return _interpreted(argv)
    return None


def _plain(argv: "Sequence[str]", spec: _Spec, name: str) -> Layer | None:
    at = _skip_options(argv, 1, spec.valued)
    label = name
    if spec.subcommands:
        if at >= len(argv) or argv[at] not in spec.subcommands:
            return None
        label = f"{name} {argv[at]}"
        at += 1
    start = at
    at = _skip_options(argv, start, spec.valued)
    text = _shell_text(argv[start:at], spec)
    if text is not None:
        layer = Layer(label, ())
        layer.text = text
        return layer
    if spec.needs_dashes:
        if "--" not in argv[start:]:
            return None
        at = start + list(argv[start:]).index("--") + 1
    rest = _after_positionals(argv, at, spec.skip)
    return _finish(name, label, argv[start:at], rest, spec) if rest else None


def _finish(
    name: str, label: str, options: "Sequence[str]", rest: "list[str]", spec: _Spec
) -> Layer | None:
    if name == "uv" and ("-m" in options or "--module" in options):
        rest = ["python", "-m", *rest]
    elif name in ("uv", "rye") and rest[0].endswith(".py"):
        rest = ["python", *rest]
    elif name == "hatch":
        rest[0] = rest[0].rpartition(":")[2]
    elif name in ("uvx", "npx", "bunx"):
        rest[0] = _without_version(rest[0])
    layer = Layer(label, rest)
    layer.status = spec.status
    layer.remote = name if spec.remote else None
    if name == "setsid" and not {"-w", "--wait"} & set(options):
        # NOTE: a setsid that leads its process group forks and returns 0 at once.
        layer.status = "masked" if {"-f", "--fork"} & set(options) else "unknown"
    if name in ("sudo", "doas"):
        _take_assignments(layer)
    return layer


def _skip_options(argv: "Sequence[str]", at: int, valued: "frozenset[str]") -> int:
    while at < len(argv):
        token = argv[at]
        if token == "--":
            return at + 1
        if not token.startswith("-") or token == "-":
            return at
        at += 2 if token in valued else 1
        if token in ("-m", "--module") and token not in valued:
            # What follows is the module itself.
            return at
    return at


def _after_positionals(argv: "Sequence[str]", at: int, skip: int) -> "list[str]":
    at += skip
    if skip and argv[at : at + 1] == ["--"]:
        at += 1
    return list(argv[at:])


def _shell_text(options: "Sequence[str]", spec: _Spec) -> str | None:
    for at, token in enumerate(options):
        name, bound, value = token.partition("=")
        if name in spec.after:
            return value if bound else " ".join(options[at + 1 : at + 2])
    return None


def _without_version(name: str) -> str:
    """Return `jest` for `jest@29`, `@scope/x` for `@scope/x@1`, `pytest` for `pytest==8`."""
    head, at, _ = name[1:].partition("@")
    name = name[0] + head if at else name
    return name.partition("==")[0]


def _assigns(token: str) -> bool:
    name, bound, _ = token.partition("=")
    return bool(bound) and name.isidentifier()


def _take_assignments(layer: Layer) -> None:
    at = 0
    while at < len(layer.argv) and _assigns(layer.argv[at]):
        name, _, value = layer.argv[at].partition("=")
        layer.assigned[name] = value
        at += 1
    layer.argv = layer.argv[at:]


def _assignments(argv: "Sequence[str]") -> Layer | None:
    layer = Layer("VAR=", argv)
    _take_assignments(layer)
    return layer if layer.argv else None


def _env(argv: "Sequence[str]") -> Layer | None:
    tokens = list(argv[1:])
    while tokens and tokens[0].startswith("-"):
        token = tokens.pop(0)
        if token == "--":
            break
        if token in ("-S", "--split-string"):
            tokens = split_words(tokens[0]) + tokens[1:] if tokens else []
        elif token.startswith(("-S", "--split-string=", "-vS")):
            text = token.partition("=")[2] if token.startswith("--") else token.partition("S")[2]
            tokens = split_words(text) + tokens if text else split_words(" ".join(tokens))
        elif token in ("-u", "--unset", "-C", "--chdir"):
            tokens = tokens[1:]
    layer = Layer("env", tokens)
    _take_assignments(layer)
    return layer if layer.argv else None


def _find(argv: "Sequence[str]") -> Layer | None:
    for at, token in enumerate(argv):
        if token in ("-exec", "-execdir", "-ok"):
            rest = list(argv[at + 1 :])
            ends = [end for end in (";", "\\;", "+") if end in rest]
            cut = min((rest.index(end) for end in ends), default=len(rest))
            layer = Layer("find -exec", rest[:cut])
            layer.status = "altered" if rest[cut : cut + 1] == ["+"] else "masked"
            return layer if layer.argv else None
    return None


def _docker(argv: "Sequence[str]") -> Layer | None:
    name = base_name(argv[0])
    globals_valued = frozenset("-H --host -c --context -f --file -p --project-name".split())
    at = _skip_options(argv, 1, globals_valued)
    words = [name]
    if argv[at : at + 1] and argv[at] in ("compose", "container"):
        words.append(argv[at])
        at = _skip_options(argv, at + 1, globals_valued | {"--profile", "--env-file"})
    action = argv[at] if at < len(argv) else ""
    if action not in ("exec", "run"):
        return None
    start = at + 1
    at = _skip_options(
        argv, start, frozenset((_DOCKER_EXEC if action == "exec" else _DOCKER_RUN).split())
    )
    options = argv[start:at]
    layer = Layer(" ".join((*words, action)), argv[at + 1 :])
    layer.remote = name
    entry = _value_of(options, "--entrypoint")
    if entry:
        layer.argv.insert(0, entry)
    if any(_detaches(token) for token in options):
        layer.status = "masked"
    return layer if layer.argv else None


def _detaches(token: str) -> bool:
    short = token.startswith("-") and not token.startswith("--") and token[1:].isalpha()
    return token == "--detach" or (short and "d" in token and set(token[1:]) <= set("ditPqT"))


def _value_of(options: "Sequence[str]", name: str) -> str | None:
    for at, token in enumerate(options):
        if token == name and at + 1 < len(options):
            return options[at + 1]
        if token.startswith(name + "="):
            return token.partition("=")[2]
    return None


def _ssh(argv: "Sequence[str]") -> Layer | None:
    valued = frozenset("-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w".split())
    at = _skip_options(argv, 1, valued) + 1
    if at >= len(argv):
        return None
    layer = Layer("ssh", ())
    layer.text = " ".join(argv[at:])
    layer.remote = "ssh"
    return layer


def _su(argv: "Sequence[str]") -> Layer | None:
    text = _value_of(argv, "-c") or _value_of(argv, "--command")
    if text is None:
        return None
    layer = Layer("su -c", ())
    layer.text = text
    return layer


def _script(argv: "Sequence[str]") -> Layer | None:
    for at, token in enumerate(argv[1:], 1):
        if token.startswith("-") and not token.startswith("--") and token.endswith("c"):
            layer = Layer("script -c", ())
            layer.text = " ".join(argv[at + 1 : at + 2])
            returns = any(t.startswith("-") and "e" in t for t in argv[1 : at + 1])
            layer.status = "own" if returns or "--return" in argv else "masked"
            return layer
    return None


def _node_manager(argv: "Sequence[str]") -> Layer | None:
    """Take off `npm exec`, `pnpm exec|dlx`, `yarn exec|dlx`, `bun x` and their short forms."""
    name = base_name(argv[0]).partition(".")[0].rstrip("0123456789-")
    valued = frozenset("-C --dir --cwd --prefix -w --workspace -F --filter --loglevel".split())
    at = _skip_options(argv, 1, valued)
    action = argv[at] if at < len(argv) else ""
    if action == "workspace" and name == "yarn":
        at = _skip_options(argv, at + 2, valued)
        action = argv[at] if at < len(argv) else ""
    label = f"{name} {action}"
    if action in _EXEC[name]:
        start = at + 1
        at = _skip_options(argv, start, valued | {"-p", "--package", "-c", "--call"})
        text = _value_of(argv[start:at], "-c") or _value_of(argv[start:at], "--call")
        layer = Layer(label, argv[at:])
        layer.text = text if name == "npm" else None
    elif action and name in ("pnpm", "yarn", "bun") and action not in _OWN_WORDS:
        # A script or a program of node_modules/.bin: the script wins, if there is one.
        layer = Layer(name, argv[at:])
    elif action == "run" and name in ("yarn", "bun"):
        at = _skip_options(argv, at + 1, valued)
        layer = Layer(f"{name} run", argv[at:])
    else:
        return None
    if layer.argv:
        layer.argv[0] = _without_version(layer.argv[0])
    return layer if layer.argv or layer.text else None


_EXEC = {
    "npm": ("exec", "x"),
    "pnpm": ("exec", "dlx", "x"),
    "yarn": ("exec", "dlx"),
    "bun": ("x",),
}
_OWN_WORDS = frozenset(
    (
        *("test", "t", "tst", "run", "run-script", "install", "i", "add", "ci", "remove", "rm"),
        *("update", "up", "upgrade", "publish", "pack", "link", "list", "ls", "why", "init"),
        *("create", "build", "workspaces", "workspace", "start", "config", "cache", "audit"),
    )
)


def _shell(argv: "Sequence[str]", name: str) -> Layer | None:
    """Take off `bash -lc TEXT`."""
    flags: list[str] = []
    has_text = False
    at = 1
    while at < len(argv):
        token = argv[at]
        if token[:1] not in ("-", "+") or len(token) < 2:
            break
        at += 1
        if token == "--":
            break
        if token[:2] == "--":
            at += token in ("--rcfile", "--init-file")
            continue
        has_text = has_text or (token[0] == "-" and "c" in token)
        flags.append(token)
        if token[-1] in "oO":
            flags += argv[at : at + 1]
            at += 1
    if not has_text or at >= len(argv):
        return None
    layer = Layer(f"{name} -c", argv[at + 1 :])
    layer.text = argv[at]
    layer.flags = tuple(flags)
    return layer


def _interpreted(argv: "Sequence[str]") -> Layer | None:
    """Take off a wrapper that an interpreter runs, as `node …/npx-cli.js jest`."""
    from proctor.classify.interpreters import resolve

    program = resolve(argv)
    if program is None or not program.tokens:
        return None
    name = base_name(program.tokens[0])
    for suffix in (".js", ".cjs", ".mjs", ".py", "-cli"):
        name = name.removesuffix(suffix)
    if interpreter_of(name) is not None or name in ("test_",):
        return None
    return peel([name, *program.tokens[1:]])


_SPECIAL: "dict[str, Callable[[Sequence[str]], Layer | None]]" = {
    "env": _env,
    "find": _find,
    "docker": _docker,
    "podman": _docker,
    "docker-compose": _docker,
    "ssh": _ssh,
    "su": _su,
    "script": _script,
    "npm": _node_manager,
    "pnpm": _node_manager,
    "yarn": _node_manager,
    "bun": _node_manager,
}
