"""docs/rules.md: what each rule of the gate proves, and what cures a finding."""

from proctor.gate.base import rule_names
from proctor.report.rules import OTHERS, explain

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
_OTHERS = """\
---

What follows is found by `proctor audit`, `proctor flakes status` and `proctor receipt replay`;
no gate asks for it.
"""


def page() -> str:
    """Return the page."""
    return "\n".join([_HEAD, *map(_entry, rule_names()), _OTHERS, *map(_entry, sorted(OTHERS))])


def _entry(name: str) -> str:
    known = explain(name)
    return (
        f"## {name}\n\n*{known.level.value}* · {known.summary}\n\n{known.proves}\n\n"
        f"**Likely cause:** {known.cause}\n\n**Next:** {known.next}\n"
    )
