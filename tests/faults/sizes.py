"""Something is very large, or very deep."""

import subprocess

from tests.conftest import PROCTOR
from tests.faults.base import Fault, Scene, Seen

MEBIBYTE = 1 << 20


def argv(scene: Scene) -> Seen:
    """Arguments of nearly 2 MiB, the most that the kernel takes."""
    words = ["x" * 100_000] * 20
    words[7] = f"--password={'s' * 100_000}"
    done = subprocess.run(
        [PROCTOR, "run", "--", "sh", "-c", "exit 3", *words], env=scene.env, capture_output=True,
        text=True, timeout=60, check=False,
    )  # fmt: skip
    assert len(scene.root["argv"]) == 23
    assert b"ssss" not in scene.log.read_bytes()
    return Seen(done.returncode, done.stderr)


def environment(scene: Scene) -> Seen:
    """An environment of 1.5 MiB."""
    more = {f"V{n}": "z" * 100_000 for n in range(15)}
    seen = scene.seen("run", "--", "sh", "-c", "exit 3", env=more)
    assert set(more) <= set(scene.root["env_names"])
    assert scene.log.stat().st_size < MEBIBYTE
    return seen


def chain(scene: Scene) -> Seen:
    """A thousand shells, each below the one before."""
    script = scene.folder / "deep.sh"
    script.write_text('[ "$1" = 0 ] && exit 3\nsh "$0" $(($1 - 1))\nexit $?\n')
    seen = scene.seen("run", "--keep", "all", "--", "sh", str(script), "1000")
    assert scene.codes().count(3) == 1001
    for words in (("log", "--tree"), ("gate", "--every"), ("report", "--format", "html")):
        assert "Traceback" not in scene(*words).stderr
    return seen


def flood(scene: Scene) -> Seen:
    """A hundred megabytes on both outputs at once, in bounded memory."""
    line = "head -c 50000000 /dev/zero & head -c 50000000 /dev/zero >&2; wait; exit 3"
    seen = scene.shell(
        f"exec 3> >(wc -c > {scene.folder}/n2); $P run -- sh -c '{line}' 2>&3 | wc -c > {scene.folder}/n1;"
        " exit ${PIPESTATUS[0]}"
    )
    assert (scene.root["stdout_bytes"], scene.root["stderr_bytes"]) == (50_000_000, 50_000_000)
    assert (scene.folder / "n1").read_text().strip() == "50000000"
    return seen


FAULTS = [
    Fault("arguments of 2 MB", "nothing", "", 3, argv),
    Fault("an environment of 1.5 MB", "nothing", "", 3, environment),
    Fault("a thousand nested shells", "nothing", "", 3, chain, heavy=True),
    Fault("a child that floods both its pipes", "nothing", "", 3, flood, heavy=True),
]  # fmt: skip
