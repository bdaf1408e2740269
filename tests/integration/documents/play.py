"""Plays the commands of a page, one after the other, in one shell to a stage."""

import os
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.cheats.stage import Stage
from tests.integration.documents.page import Block, blocks
from tests.integration.documents.stages import NOT_PLAYED, make

SECONDS = 300
"""How long the commands of one stage may take together."""


@dataclass(frozen=True)
class Played:
    """One command that was run: where it stands, what it printed and returned."""

    line: int
    command: str
    owed: int
    code: int | None
    output: str

    def __str__(self) -> str:
        return (
            f"line {self.line}: {self.command.strip()}\n"
            f"  returned {self.code}, the page says {self.owed}\n{self.output}"
        )


def why_not(command: str) -> str | None:
    """Return the reason for which a command is not run, if there is one."""
    for reason, beginnings in NOT_PLAYED.items():
        if command.lstrip().startswith(beginnings):
            return reason
    return None


def play(page: Path, folder: Path) -> list[tuple[Block, list[Played]]]:
    """Run the page's `sh` blocks; return each block with what it printed."""
    played: list[tuple[Block, list[Played]]] = []
    waiting: list[Block] = []
    stage: Stage | None = None
    for block in blocks(page):
        if block.stage or stage is None:
            if stage is not None:
                played += _play(stage, waiting)
            stage = make(block.stage or "shop", folder / f"stage-{block.line}")
            waiting = []
        waiting.append(block)
    return played if stage is None else played + _play(stage, waiting)


def _play(stage: Stage, waiting: list[Block]) -> list[tuple[Block, list[Played]]]:
    """Run blocks in one shell, so that a `cd` or a variable lasts as it does for a reader."""
    out = stage.folder / "out"
    out.mkdir()
    script: list[str] = []
    told: list[tuple[Block, list[tuple[str, int, Path]]]] = []
    for block in waiting:
        commands = _commands(block)
        ends = block.ends or (0,) * len(commands)
        assert len(ends) == len(commands), f"line {block.line}: an exit code for each command"
        commands, ends = [*block.before, *commands], ((0,) * len(block.before) + ends)
        own: list[tuple[str, int, Path]] = []
        for command, code in zip(commands, ends, strict=True):
            if why_not(command):
                continue
            place = out / f"{len(script):03}"
            script.append(f"exec > {place} 2>&1\n{command.rstrip()}\necho $? > {place}.code\n")
            own.append((command, code, place))
        told.append((block, own))
    _run(stage, "".join(script))
    return [(block, [_read(block, *one) for one in own]) for block, own in told]


def _commands(block: Block) -> list[str]:
    if block.kind == "python" and "from proctor import" in block.text:
        return [f"python - <<'END'\n{block.text}END\n"]
    return block.commands if block.kind == "sh" else []


def _read(block: Block, command: str, owed: int, place: Path) -> Played:
    code = Path(f"{place}.code")
    output = place.read_text(errors="replace") if place.exists() else "(not reached)"
    return Played(
        block.line, command, owed, int(code.read_text()) if code.exists() else None, output
    )


def _run(stage: Stage, script: str) -> None:
    with subprocess.Popen(
        ["bash", "-c", script],
        cwd=stage.repo,
        env=stage.env,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    ) as shell:
        try:
            shell.wait(SECONDS)
        except subprocess.TimeoutExpired:
            # NOTE: the group: what still runs would go on after the test.
            os.killpg(shell.pid, signal.SIGKILL)
