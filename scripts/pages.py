"""Writes the pages of docs/ that are made from the code.

`python scripts/pages.py` writes them; with `--check` it says which differ from
the code and exits with 1 if any does.
"""

import sys
from pathlib import Path

from proctor.gate.base import explain, rule_names

DOCS = Path(__file__).parent.parent / "docs"
_HEAD = """\
# The rules of the gate

Made by `make pages` from the docstrings in `src/proctor/gate/rules`; the same
text as `proctor explain RULE`. A rule's level can be raised or lowered in
`proctor.toml`:

```toml
[gate.levels]
odd-environment = "error"
```

| level | what a finding does |
| --- | --- |
| error | the outcome is *fail* |
| unproven | the outcome is at best *unproven* |
| warning | worth a look; changes no outcome |
| note | worth knowing; changes no outcome |
"""


def rules_page() -> str:
    """Return docs/rules.md."""
    parts = [_HEAD]
    for name in rule_names():
        entry = explain(name)
        parts.append(
            f"## {name}\n\n*{entry.level.value}* · {entry.summary}\n\n{entry.proves}\n\n"
            f"**Likely cause:** {entry.cause}\n\n**Next:** {entry.next}\n"
        )
    return "\n".join(parts)


PAGES = {"rules.md": rules_page}


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
