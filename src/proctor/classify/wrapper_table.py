"""Wrappers whose options stand before the command: which take a value, what they change.

On the light path: no imports.
"""


class Spec:
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
        """Options that take the next arg."""
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
DOCKER_RUN = (
    "-v --volume -w --workdir -e --env --env-file -u --user --name --network --net -p --publish"
    " --entrypoint --platform --mount -h --hostname -l --label --cpus -m --memory --add-host"
    " --tmpfs --ulimit --gpus --device --ipc --pid --shm-size --cap-add --cap-drop --security-opt"
    " --restart --log-driver --log-opt --dns --cidfile --pull --runtime --volumes-from --expose"
    " --link --init-path --stop-signal --group-add --userns --detach-keys -a --attach"
)
DOCKER_EXEC = "-e --env --env-file -u --user -w --workdir --detach-keys --index"
_NPM = "-p --package -w --workspace --prefix -C --loglevel --cache --registry --userconfig"

SPECS: dict[str, Spec] = {
    "timeout": Spec("-k --kill-after -s --signal", skip=1),
    "gtimeout": Spec("-k --kill-after -s --signal", skip=1),
    "nice": Spec("-n --adjustment"),
    "ionice": Spec("-c --class -n --classdata -p --pid"),
    "chrt": Spec(skip=1),
    "taskset": Spec(skip=1),
    "nohup": Spec(),
    "stdbuf": Spec("-i --input -o --output -e --error"),
    "time": Spec("-f --format -o --output"),
    "setsid": Spec(),
    "xvfb-run": Spec(
        "-e --error-file -f --auth-file -n --server-num -p --xauth-protocol -s --server-args"
        " -w --wait"
    ),
    "dbus-run-session": Spec("--config-file --dbus-daemon"),
    "sudo": Spec("-u --user -g --group -C --close-from -D --chdir -h --host -p --prompt -R -T -U"),
    "doas": Spec("-u -C"),
    "uv": Spec(_UV, subcommands="run"),
    "uvx": Spec(_UV),
    "poetry": Spec("-C --directory -P --project", subcommands="run"),
    "pipenv": Spec("--python", subcommands="run"),
    "hatch": Spec("-e --env -p --project --data-dir --cache-dir --config", subcommands="run"),
    "pdm": Spec("-p --project -s --site-packages -c --config", subcommands="run"),
    "rye": Spec("--pyproject", subcommands="run"),
    "pixi": Spec("-e --environment --manifest-path -x --executable", subcommands="run"),
    "conda": Spec("-n --name -p --prefix --cwd", subcommands="run"),
    "mamba": Spec("-n --name -p --prefix --cwd", subcommands="run"),
    "micromamba": Spec("-n --name -p --prefix --cwd -r --root-prefix", subcommands="run"),
    "npx": Spec(_NPM, after="-c --call"),
    "bunx": Spec("-p --package"),
    "corepack": Spec(),
    "bundle": Spec("--gemfile", subcommands="exec"),
    "xargs": Spec(
        "-a --arg-file -d --delimiter -E -I --replace -L --max-lines -n --max-args -P --max-procs"
        " -s --max-chars --process-slot-var",
        status="altered",
    ),
    "parallel": Spec("-j --jobs -a --arg-file -S --sshlogin --timeout", status="altered"),
    "rtk": Spec(),
    "strace": Spec("-o -e -p -s -u -E -a -b -I -O -P -S -U -X"),
    "valgrind": Spec(),
    "catchsegv": Spec(),
    "unbuffer": Spec(),
    "tini": Spec("-p -e"),
    "dumb-init": Spec("-r --rewrite"),
    "chronic": Spec(),
    "dotenv": Spec("-f --file -e", subcommands="run"),
    "direnv": Spec(subcommands="exec", skip=1),
    "flock": Spec("-w --wait --timeout -E --conflict-exit-code", skip=1, after="-c --command"),
    "mise": Spec("-C --cd -E --env -j --jobs", subcommands="exec x", needs_dashes=True),
    "asdf": Spec(subcommands="exec"),
    "pyenv": Spec(subcommands="exec"),
    "rbenv": Spec(subcommands="exec"),
    "proctor": Spec(
        "--log --parent --claims --timeout --report --receipt --hash-limit --witness --keep",
        subcommands="run watch",
    ),
    "kubectl": Spec(
        "-n --namespace -c --container --context --kubeconfig",
        subcommands="exec",
        needs_dashes=True,
        remote=True,
    ),
    "command": Spec(),
    "builtin": Spec(),
    "exec": Spec("-a"),
    "noglob": Spec(),
}

NODE_EXEC = {
    "npm": ("exec", "x"),
    "pnpm": ("exec", "dlx", "x"),
    "yarn": ("exec", "dlx"),
    "bun": ("x",),
}
NODE_WORDS = frozenset(
    (
        *("test", "t", "tst", "run", "run-script", "install", "i", "add", "ci", "remove", "rm"),
        *("update", "up", "upgrade", "publish", "pack", "link", "list", "ls", "why", "init"),
        *("create", "build", "workspaces", "workspace", "start", "config", "cache", "audit"),
    )
)
