"""Programs that run another program inside their own process.

`coverage run -m pytest` is one process image and it is pytest, and so is
`bundle exec rspec` rspec: unlike a wrapper, which starts another program, a host
is looked through even where every process is seen.

On the light path: no imports.
"""

from proctor.classify.index import base_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_COVERAGE = (
    *("--concurrency", "--context", "--data-file", "--debug", "--include", "--omit"),
    *("--rcfile", "--save-signal", "--source"),
)
_HOSTS: dict[str, tuple[str | None, tuple[str, ...]]] = {
    "coverage": ("run", _COVERAGE),
    "cProfile": (None, ("-o", "--outfile", "-s", "--sort")),
    "profile": (None, ("-o", "--outfile", "-s", "--sort")),
    "pdb": (None, ("-c", "--command")),
    "trace": (None, ("-f", "--file", "-C", "--coverdir", "--ignore-module", "--ignore-dir")),
    "debugpy": (None, ("--listen", "--connect", "--configure-subProcess", "--log-to")),
    "memray": ("run", ("-o", "--output", "--live-port", "-p")),
    "pyinstrument": (None, ("-o", "--outfile", "-r", "--renderer", "-i", "--interval", "-p")),
    "scalene": (None, ("--outfile", "--profile-interval", "--cpu-percent-threshold")),
    "viztracer": (None, ("-o", "--output_file", "--tracer_entries", "--max_stack_depth")),
    "bundle": ("exec", ("--gemfile",)),
    "bundler": ("exec", ("--gemfile",)),
    "kernprof": (None, ("-o", "--outfile", "-s", "--setup")),
}
"""Name → its subcommand, and the options that take the next arg."""

RUBY_HOSTS = frozenset(("bundle exec", "bundler exec"))
"""Labels of the hosts that run Ruby programs; the others run Python."""

NAMES = tuple(_HOSTS)


def look_through(tokens: "Sequence[str]") -> "tuple[str, list[str], bool] | None":
    """Return `(label, tokens of the program inside, whether a module)`.

    None where `tokens` (host first) is no host or starts nothing. In the tokens
    returned the module or script comes first.
    """
    name = base_name(tokens[0]).removesuffix(".py")
    if name not in _HOSTS:
        name = name.rstrip("0123456789.-")
    if name not in _HOSTS:
        return None
    subcommand, valued = _HOSTS[name]
    label = name
    at = 1
    if subcommand is not None:
        if tokens[1:2] != [subcommand] and tokens[1:2] != (subcommand,):
            return None
        label, at = f"{name} {subcommand}", 2
    while at < len(tokens):
        arg = tokens[at]
        if arg == "--module" or (arg == "-m" and at + 1 < len(tokens)):
            return label, list(tokens[at + 1 :]), True
        if arg.startswith("-m") and not arg.startswith("--") and len(arg) > 2:
            return label, [arg[2:], *tokens[at + 1 :]], True
        if not arg.startswith("-"):
            return label, list(tokens[at:]), False
        at += 2 if arg in valued else 1
    return None
