"""mix test: in Elixir's virtual machine, which its scripts become by exec."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.index import base_name
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    valued=(
        *("--exclude", "--include", "--only", "--formatter", "--max-cases", "--max-failures"),
        *("--max-requires", "--partitions", "--seed", "--slowest", "--slowest-modules"),
        *("--timeout", "--export-coverage", "--exit-status", "--repeat-until-failure"),
        *("--name-pattern", "--breakpoints"),
    ),
    flags=(
        *("--color", "--no-color", "--cover", "--force", "--listen-on-stdin", "--no-compile"),
        *("--no-deps-check", "--no-start", "--preload-modules", "--raise", "--trace"),
        *("--no-archives-check", "--no-elixir-version-check", "--warnings-as-errors"),
        *("--all-warnings", "--profile-require"),
    ),
    narrowing=("--only", "--failed", "--stale", "--partitions", "--name-pattern", "--exit-status"),
    excluding=("--exclude",),
    not_a_run=("--help", "--profile-require", "--dry-run"),
)
_MACHINES = ("beam.smp", "beam", "erlexec")


def _read(tokens: "Sequence[str]") -> Classification | None:
    words = list(tokens)
    if base_name(words[0]) in _MACHINES:
        # `beam.smp … -extra /usr/bin/mix test`: what follows is mix's own.
        words = words[words.index("-extra") + 1 :] if "-extra" in words else []
    while words and base_name(words[0]) != "mix":
        words.pop(0)
    if words[1:2] not in (["test"], ["test.all"]):
        return None
    found = Classification(tokens, "mix test", "test", "leaf")
    return fill(found, parse(words[2:], OPTIONS), OPTIONS)


RUNNER = Runner(
    command_class="mix test",
    kind="leaf",
    programs=("mix", "elixir", "beam.smp", "erlexec"),
    read=_read,
    environment=("MIX_TEST_PARTITION",),
    read_environment=lambda name, _value: [name],
    test_files=("*_test.exs",),
    harness=(
        "mix.exs~test",
        "test_helper.exs",
    ),
)
