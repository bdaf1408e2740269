"""What agents are asked for, in a text that stands between marks in AGENTS.md or CLAUDE.md."""

from collections.abc import Collection

from proctor.errors import ConfigError

BEGIN = "<!-- proctor:begin (written by `proctor init`) -->"
END = "<!-- proctor:end -->"
_OPENING = "<!-- proctor:begin"


def contract(commands: Collection[str]) -> str:
    """Return the contract, its sentences on commands that do not exist left out."""
    receipts, evidence = "receipt" in commands, "evidence" in commands
    proof = (
        "a receipt exists that matches the tree\n  with exit code 0, and paste it"
        if receipts
        else "`proctor gate` says PASS for this tree,\n  and paste its first line"
    )
    lines = [
        "## Tests and what you say about them",
        "",
        "Test runs are recorded by Proctor: arguments, exit code, executed tests, the files they",
        "ran on. The record counts, not what is said about it.",
        "",
        "- You may edit sources and tests.",
        "- Run tests through Proctor, unpiped: `proctor run -- pytest -q`. What stands behind",
        "  a `|`, `||` or `;` hides the exit code.",
        f"- Do not claim that tests passed unless {proof}.",
    ]
    if receipts:
        lines += [
            "  `proctor receipt issue -- pytest -q` runs them and writes it;",
            "  `proctor receipt check` says whether it matches.",
        ]
    lines.append("- If the suite cannot run, say NO RECEIPT and why, and stop: a good answer.")
    if evidence:
        lines += [
            "- Leave the evidence files (exit code, JUnit, toolchain, lock file or NO_LOCKFILE)",
            "  where `proctor evidence capture` puts them.",
        ]
    lines.append(
        "- Do not edit receipts, logs, quarantine, policy (`proctor.toml`) or these hooks."
    )
    return "\n".join(lines) + "\n"


def with_contract(text: str, name: str, body: str) -> str:
    """Return a document with the contract between its marks, the rest as it was.

    Raises:
        ConfigError: the marks do not stand once each, in order.
    """
    end = "\r\n" if "\r\n" in text else "\n"
    block = f"{BEGIN}\n{body}{END}".replace("\n", end)
    begins, ends = text.count(_OPENING), text.count(END)
    if not begins and not ends:
        gap = "" if not text else end if text.endswith("\n") else end * 2
        return f"{text}{gap}{block}{end}"
    start, stop = text.find(_OPENING), text.find(END)
    if (begins, ends) != (1, 1) or stop < start:
        raise ConfigError(f"{name}: the marks of Proctor's part are damaged; remove them first")
    return f"{text[:start]}{block}{text[stop + len(END) :]}"
