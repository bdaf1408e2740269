"""Go: the toolchain that `go` chooses in this folder, and the modules it would build."""

from collections.abc import Sequence

from proctor.capture.base import Ecosystem, Probe, Toolbox


def _installed(tools: Toolbox) -> Sequence[str] | None:
    go = tools.find("go")
    said = None if go is None else tools.ask((go, "list", "-mod=readonly", "-m", "all"))
    if said is None:
        return None
    words = [line.split() for line in said.splitlines()]
    return [f"{word[0]} {word[1]}" for word in words if len(word) > 1]


ECOSYSTEM = Ecosystem(
    order=3,
    markers=("go.mod", "go.work", "*_test.go"),
    locks=("go.sum", "go.work.sum"),
    probes=(
        Probe(("go", "version"), go=r"\bgo(\d\S*)", go_platform=r"\bgo\d\S* (\S+/\S+)"),
        Probe(("gotestsum", "--version"), gotestsum=r"version v?(\S+)"),
    ),
    installed=_installed,
)
