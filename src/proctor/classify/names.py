"""What a target, script, session or recipe is for, judged by its name.

On the light path: no imports.
"""

TEST = frozenset(("test", "tests", "testing", "pytest", "unittest", "jest", "vitest", "mocha"))
TEST_MORE = frozenset(("spec", "specs", "e2e", "tst", "unit", "integration", "smoke", "coverage"))
LINT = frozenset(
    (
        *("lint", "linter", "format", "fmt", "style", "type", "types", "typing", "mypy", "ruff"),
        *("flake8", "black", "isort", "prettier", "eslint", "typecheck", "tsc", "pylint", "docs"),
        *("doc", "pyright", "clippy", "vet", "audit", "spelling", "codespell", "fix"),
    )
)
BUILD = frozenset(
    ("build", "compile", "dist", "all", "bundle", "package", "dev", "start", "serve", "watch")
)
INSTALL = frozenset(("install", "setup", "deps", "bootstrap", "requirements", "init"))


def role_of(name: str) -> str | None:
    """Return the role that a name speaks of, none if it says nothing.

    A name is taken apart at every character that is no letter or digit, so
    `test:unit` and `unit-tests` are tests and `typecheck` is not.
    """
    words = _words(name)
    if words & TEST:
        return "test"
    for role, known in (("lint", LINT), ("build", BUILD), ("install", INSTALL)):
        if words & known:
            return role
    return "test" if words & TEST_MORE else None


def role_of_all(names: "tuple[str, ...] | list[str]", default: str) -> str:
    """Return `test` if one name is a test, else the one role they share, else `default`."""
    roles = {role_of(name) for name in names}
    if "test" in roles:
        return "test"
    if len(roles) == 1:
        return roles.pop() or default
    return default if None in roles or not roles else "other"


def _words(name: str) -> set[str]:
    spaced = "".join(char if char.isalnum() else " " for char in name)
    parts: list[str] = []
    for word in spaced.split():
        parts.append(word.lower())
        for at in range(1, len(word)):
            if word[at].isupper() and word[at - 1].islower():
                parts += (word[:at].lower(), word[at:].lower())
    return set(parts)
