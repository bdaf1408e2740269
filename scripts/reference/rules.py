"""docs/rules.md: what each rule of the gate proves, and what cures a finding."""

from proctor.gate.base import explain, rule_names

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


def page() -> str:
    """Return the page."""
    parts = [_HEAD]
    for name in rule_names():
        entry = explain(name)
        parts.append(
            f"## {name}\n\n*{entry.level.value}* · {entry.summary}\n\n{entry.proves}\n\n"
            f"**Likely cause:** {entry.cause}\n\n**Next:** {entry.next}\n"
        )
    return "\n".join(parts)
