"""Writes what is made from the code: pages of docs/, and the schemas that the wheel holds.

`python scripts/pages.py` writes them; with `--check` it says which differ from
the code and exits with 1 if any does.
"""

import sys
from pathlib import Path

from reference import commands, families, proofs, rules, schemas, settings

from proctor.cli.schemas import NAMES, file_of, schema_of

ROOT = Path(__file__).parent.parent
SCHEMAS = "src/proctor/schemas"
PAGES = {
    "commands.md": commands.page,
    "known.md": families.page,
    "rules.md": rules.page,
    "schemas.md": schemas.page,
    "settings.md": settings.page,
    "what-it-proves.md": proofs.page,
}


def pages() -> dict[str, str]:
    """Return path → content of everything that is made."""
    held = {f"{SCHEMAS}/{file_of(name)}": f"{schema_of(name).decode()}\n" for name in NAMES}
    return {**{f"docs/{name}": make() for name, make in PAGES.items()}, **held}


def main(words: list[str]) -> int:
    """Write or check every file."""
    stale = 0
    for name, text in pages().items():
        path = ROOT / name
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale += 1
        if "--check" in words:
            sys.stderr.write(f"{path} is not what the code says; run: make pages\n")
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return int("--check" in words and stale > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
