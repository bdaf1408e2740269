"""Writes what is made from the code: pages of docs/, and the schemas that the wheel holds.

`python scripts/pages.py` writes them; with `--check` it says which differ from
the code and exits with 1 if any does.
"""

import sys
from pathlib import Path

from proctor.cli.schemas import NAMES, file_of, schema_of
from proctor.gate.base import explain, rule_names

ROOT = Path(__file__).parent.parent
SCHEMAS = "src/proctor/schemas"
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


def pages() -> dict[str, str]:
    """Return path → content of everything that is made."""
    schemas = {f"{SCHEMAS}/{file_of(name)}": f"{schema_of(name).decode()}\n" for name in NAMES}
    return {"docs/rules.md": rules_page(), **schemas}


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
