"""Writes the pages of docs/ that are made from the code.

`python scripts/pages.py` writes them; with `--check` it says which differ from
the code and exits with 1 if any does.
"""

import sys
from pathlib import Path

from reference import commands, families, proofs, rules, schemas, settings

DOCS = Path(__file__).parent.parent / "docs"
PAGES = {
    "commands.md": commands.page,
    "known.md": families.page,
    "rules.md": rules.page,
    "schemas.md": schemas.page,
    "settings.md": settings.page,
    "what-it-proves.md": proofs.page,
}


def main(words: list[str]) -> int:
    """Write or check every page."""
    stale = 0
    for name, make in PAGES.items():
        path = DOCS / name
        text = make()
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale += 1
        if "--check" in words:
            sys.stderr.write(f"{path} is not what the code says; run: make pages\n")
        else:
            path.write_text(text, encoding="utf-8")
    return int("--check" in words and stale > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
