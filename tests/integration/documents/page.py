"""A page of the documentation as blocks: what is typed, and what is then shown.

HTML comments directly before a block, which no reader sees, may say three things:

`<!-- in: NAME -->`       from here on the page is played on this stage, made anew
`<!-- before: LINE -->`   what has happened meanwhile; a shell line that is run first
`<!-- ends: 1 0 -->`      the exit code of each command of the block, where one is not 0
"""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")]
)
_BLOCK = re.compile(
    r"^(?P<notes>(?:<!-- [^\n]* -->\n)*)```(?P<kind>\w*)\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
_NOTE = re.compile(r"<!-- (in|before|ends): (.*?) -->")


@dataclass(frozen=True)
class Block:
    """One fenced block of a page."""

    kind: str
    text: str
    line: int
    stage: str
    """The stage that begins here; empty: the one before goes on."""
    before: tuple[str, ...]
    """Shell lines that are run first, and return 0."""
    ends: tuple[int, ...]
    """The exit code of each command; empty: all 0."""

    @property
    def commands(self) -> list[str]:
        """The commands, each with its continuation lines and here-document."""
        found: list[str] = []
        open_lines = ""
        for line in self.text.splitlines(keepends=True):
            open_lines += line
            if _is_whole(open_lines):
                if re.match(r"\s*[^\s#]", open_lines):
                    found.append(open_lines)
                open_lines = ""
        assert not open_lines, f"a command does not end: {open_lines}"
        return found


def _is_whole(text: str) -> bool:
    here = re.search(r"<<-?\s*'?(\w+)'?", text)
    if here is not None:
        return re.search(rf"^{here[1]}$", text, re.MULTILINE) is not None
    if text.rstrip("\n").endswith("\\"):
        return False
    try:
        shlex.split(text, comments=True)
    except ValueError:
        return False
    return True


def blocks(path: Path) -> list[Block]:
    """Return the fenced blocks of a page, in order."""
    text = path.read_text(encoding="utf-8")
    return [
        _block(match, text[: match.start("kind")].count("\n") + 1)
        for match in _BLOCK.finditer(text)
    ]


def _block(match: re.Match[str], line: int) -> Block:
    notes = _NOTE.findall(match["notes"])
    before = tuple(text for name, text in notes if name == "before")
    last = dict(notes)
    codes = tuple(int(word) for word in last.get("ends", "").split())
    return Block(match["kind"], match["text"], line, last.get("in", ""), before, codes)


_SCRUBBED = (
    (r"\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?Z?", "<time>"),
    (r"\b\d{4}-\d\d-\d\d\b", "<date>"),
    (r"\b\d+(?:\.\d+)? ?(?:ms|s|min)\b", "<span of time>"),
    (r"/[\w./-]+/bin/", "<folder>/"),
    (r"\b[0-9a-f]{7,64}\b|\b[0-9a-f]{4,}…", "<digest>"),
)


def scrubbed(text: str) -> list[str]:
    """Return the lines of an output without what differs from run to run.

    A note that a run was quick depends on the machine; pages do not show it.
    """
    text = re.sub(r"(?m)^note below-floor\b.*\n?", "", text)
    for pattern, name in _SCRUBBED:
        text = re.sub(pattern, name, text)
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def is_shown(expected: str, output: str) -> bool:
    """Whether a page shows what was printed; a line `…` stands for any lines."""
    parts = [
        r"(?:.*\n)*?" if line.strip() == "…" else re.escape(line) + "\n"
        for line in scrubbed(expected)
    ]
    return re.fullmatch("".join(parts), "\n".join(scrubbed(output)) + "\n") is not None
