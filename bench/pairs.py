"""Replays documented changes of released tools: is each found, and each control the same?

    python bench/pairs.py PAIRS.jsonl [ID…]

A line of the file is a pair: `id`, `kind` (pypi or npm), `tool`, `old` and `new` (the
versions), and `cases`, each with `cmd` (a shell line), `files`, and `expect`: `same`,
`any`, or the field that changes (`rc`, `stdout`, `stderr`, `new_files`); `same` may
list fields that must not. Both versions
are installed into environments that are thrown away, and replayed as any other build.
Leaves with 1 if a documented change was missed or a control differs.
"""

import functools
import glob
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from proctor.assess.oracle import Request, checked
from proctor.oracle.result import Report

FIELDS = {
    "rc": ("exit_code", "signal"),
    "stdout": ("stdout",),
    "stderr": ("stderr",),
    "new_files": ("files",),
}


@functools.cache
def newest_python() -> str:
    """Return a Python 3.12 where there is one: some changes show only there; else our own."""
    kept = sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/3.12*/bin/python3.12")))
    for name in ("python3.12", *kept, sys.executable):
        say = [name, "-c", "import sys; print(sys.base_prefix, '%d.%d' % sys.version_info[:2])"]
        try:
            prefix, version = subprocess.run(
                say, capture_output=True, text=True, check=True
            ).stdout.split()
        except (OSError, ValueError, subprocess.CalledProcessError):
            continue
        return f"{os.path.realpath(prefix)}/bin/python{version}"
    raise SystemExit("no Python to install with")


def install(pair: dict[str, Any], version: str, folder: Path) -> None:
    """Install one version of a tool into a folder of its own."""
    spec = f"{pair['tool']}=={version}" if pair["kind"] == "pypi" else f"{pair['tool']}@{version}"
    if pair["kind"] == "pypi":
        subprocess.run([newest_python(), "-m", "venv", str(folder)], check=True)
        words = [
            str(folder / "bin" / "python"),
            "-m",
            "pip",
            "install",
            "-q",
            "--disable-pip-version-check",
            spec,
        ]
        words += pair.get("also", [])
    else:
        words = [
            "npm",
            "install",
            "--silent",
            "--no-audit",
            "--no-fund",
            "--prefix",
            str(folder),
            spec,
        ]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{pair['id']}: {spec} cannot be installed: {done.stderr.strip()[-300:]}")


def replay(pair: dict[str, Any], folder: Path) -> Report:
    """Install both versions and replay every case of a pair."""
    for side in ("old", "new"):
        install(pair, pair[side], folder / side)
    rows = [
        {"seed": f"case{n}", "steps": [{"shell": case["cmd"]}], "files": case.get("files", {})}
        for n, case in enumerate(pair["cases"])
    ]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "proctor.toml").write_text("[oracle]\ntimeout_s = 60\n")
    return checked(
        Request(
            folder=str(folder),
            environ={"PROCTOR_STATE_DIR": str(folder / "state"), "HOME": str(folder)},
            old=str(folder / "old"),
            new=str(folder / "new"),
            corpus=str(folder / "corpus.jsonl"),
        )
    )


def answer(case: dict[str, Any], found: set[str]) -> str:
    """Return what is wrong with what was found for a case; nothing if it is right."""
    if case["expect"] == "same":
        return f"the control differs in {', '.join(sorted(found))}" if found else ""
    if case["expect"] == "any":
        return "" if found else "missed"
    for name in case.get("same", []):
        if any(path.startswith(FIELDS[name]) for path in found):
            return f"{name} differs"
    wanted = FIELDS[case["expect"]]
    return "" if any(path.startswith(wanted) for path in found) else f"missed: {case['expect']}"


def main(words: list[str]) -> int:
    """Replay the pairs of a file and print a line for each case."""
    pairs = [
        json.loads(line)
        for line in Path(words[0]).read_text(encoding="utf-8").splitlines()
        if line.strip()
    ]
    wrong = changes = controls = 0
    for pair in pairs:
        if words[1:] and pair["id"] not in words[1:]:
            continue
        with tempfile.TemporaryDirectory(prefix="pair") as name:
            report = replay(pair, Path(name))
        by_seed: dict[str, set[str]] = {}
        for delta in report.deltas:
            by_seed.setdefault(delta.seed, set()).update(field.path for field in delta.changed)
        for number, case in enumerate(pair["cases"]):
            found = by_seed.get(f"case{number}", set())
            bad = answer(case, found)
            wrong += bool(bad)
            controls += case["expect"] == "same"
            changes += case["expect"] != "same"
            shown = ", ".join(sorted(found)) or "same"
            print(
                f"{'WRONG' if bad else 'ok   '} {pair['id']:28} {case['why'][:48]:50} {bad or shown}",
                flush=True,
            )
        print(
            f"      {pair['id']}: {report.sentence}; {report.replay and report.replay.sandbox}",
            flush=True,
        )
    print(f"{changes} changes, {controls} controls, {wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
