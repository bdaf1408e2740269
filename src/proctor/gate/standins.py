"""What a patch puts in the place of the code that its tests are about."""

from collections.abc import Iterator, Sequence

from proctor.gate.weakening import File, Weakening

KINDS = {
    "optional": "is skipped where its module cannot be imported",
    "replaced": "is about a copy of its own",
    "overridden": "puts its own in the place of what is tested",
}
"""What it is → what is said about the file."""


def standins(files: Sequence[File]) -> Iterator[Weakening]:
    """Yield what the new side of each test file does that the old one did not."""
    for file in files:
        for module, text in file.new.optional.items():
            if module in file.old.imported.values() and module not in file.old.optional:
                yield _found(file, "optional", f"import {module}", text)
        spoken = {name for test in file.new.tests for name in test.names}
        for name, module in file.old.imported.items():
            is_own = name in file.new.defined and name not in file.new.imported
            if is_own and name in spoken and module not in file.new.imported.values():
                yield _found(file, "replaced", f"from {module} import {name}", f"{name} = …")
        for text in file.new.overridden:
            if text not in file.old.overridden:
                yield _found(file, "overridden", "", text)


def _found(file: File, kind: str, before: str, after: str) -> Weakening:
    return Weakening(kind=kind, path=file.path, line=1, test="the file", before=before, after=after)
