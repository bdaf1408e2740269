"""Simple commands of a shell: assignments, its own commands, functions, programs."""

from collections.abc import Callable, Sequence

from tree_sitter import Node

from proctor.classify.shell_builtins import BUILTINS
from proctor.classify.shell_compound import test
from proctor.classify.shell_machine import Machine, Met
from proctor.classify.shell_state import BAD, OK, RUN, State, Value, merged
from proctor.classify.shell_tree import Command, UnreadableError, raw, short
from proctor.classify.shell_words import Word, literal_text, value_of, words_of

SUCCEEDING = frozenset(
    (
        *("echo", "printf", "cat", "head", "tail", "tee", "wc", "sort", "uniq", "sed", "tr", "cut"),
        *("sleep", "date", "mkdir", "touch", "pwd", "pushd", "popd", "cd", "nl", "fold", "column"),
        *("ts", "less", "more", "paste", "rev", "tac", "clear", "ulimit", "umask", "hash"),
    )
)
"""Programs that are taken to succeed; they change a status only by standing last."""
_EVALUATED = (
    "pyenv",
    "conda",
    "direnv",
    "mise",
    "fnm",
    "nvm",
    "rbenv",
    "brew",
    "ssh-agent",
    "zoxide",
)


def run(machine: Machine, command: Command, states: list[State], *, guarded: bool) -> list[State]:
    """Run a simple command in each state."""
    ends: list[State] = []
    for state in states:
        ends += _one(machine, command, state, guarded=guarded)
    return merged(ends)


def _one(machine: Machine, command: Command, state: State, *, guarded: bool) -> list[State]:
    node = command.node
    prefix = [c for c in node.children if c.type == "variable_assignment"]
    nodes = [c for c in node.children if c.type not in ("variable_assignment", "$")]
    nodes = [c for c in nodes if not c.type.endswith("_redirect")] + list(command.extra)
    states = [state]
    for part in (*prefix, *nodes):
        states = machine.substitutions(part, states)
    before = state.status
    ends: list[State] = []
    for start in states:
        expanded = words_of(nodes, start)
        ends += _named(machine, command, nodes, expanded, start.to(before), prefix, guarded=guarded)
    return ends


def _named(  # noqa: PLR0913 - what one command consists of
    machine: Machine,
    command: Command,
    nodes: Sequence[Node],
    expanded: Sequence[Word],
    state: State,
    prefix: Sequence[Node],
    *,
    guarded: bool,
) -> list[State]:
    if not expanded:
        return [state.to(OK)]
    name = expanded[0].text
    skipped = 0
    while name in ("command", "builtin") and len(expanded) > skipped + 1:
        if expanded[skipped + 1].text.startswith("-"):
            break
        skipped += 1
        name = expanded[skipped].text
    if not skipped and name in machine.functions:
        return _call(machine, command, expanded, state, guarded=guarded)
    own = BUILTINS.get(name)
    if own is not None:
        return own(machine, nodes[skipped:], state)
    if name in ("eval", "exec"):
        run_text = _eval if name == "eval" else _exec
        return run_text(machine, command, nodes[skipped:], state, guarded=guarded)
    return _program(machine, command, expanded, state, prefix)


def _program(
    machine: Machine,
    command: Command,
    expanded: Sequence[Word],
    state: State,
    prefix: Sequence[Node],
) -> list[State]:
    argv = [word.text for word in expanded]
    if not expanded[0].literal and argv[1:2] == ["-m"]:
        argv[0] = "python"
    met = Met(
        site=(*machine.site, command.node.start_byte),
        argv=tuple(argv),
        literal=all(word.literal or word.harmless for word in expanded),
        shadowed=argv[0] in machine.aliases,
        environ={**machine.environ, **_prefixed(prefix, state)},
        conditional=machine.conditional > 0,
    )
    found = machine.meet(machine, met, state)
    if found is not None:
        return found
    if command.heredoc is not None and argv[0] in ("bash", "sh", "zsh"):
        raise UnreadableError("a here-document is run as a script")
    if argv[0] == "false":
        return [state.to(BAD)]
    if argv[0] in SUCCEEDING:
        return [state.to(OK)]
    return [state.to(OK), state.to(BAD)]


def _prefixed(prefix: Sequence[Node], state: State) -> dict[str, str]:
    found = {}
    for node in prefix:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        text = literal_text(value, state) if value is not None else ""
        if name is not None and text is not None:
            found[raw(name)] = text
    return found


def _call(
    machine: Machine, command: Command, expanded: Sequence[Word], state: State, *, guarded: bool
) -> list[State]:
    """Call a function of the line; say so if it stands in for a known program."""
    name = expanded[0].text
    met = Met(
        site=(*machine.site, command.node.start_byte),
        argv=tuple(word.text for word in expanded),
        literal=True,
        shadowed=True,
        environ={},
        conditional=machine.conditional > 0,
    )
    machine.meet(machine, met, state)
    body = machine.functions[name]
    inner = state.put("@", Value("list", "", tuple(word.text for word in expanded[1:])))
    for place in range(1, 10):
        held = Value("text", expanded[place].text) if place < len(expanded) else Value("text")
        if place < len(expanded) and not expanded[place].literal:
            held = value_of(command.node.children[place], state, dialect=machine.dialect)
        inner = inner.put(str(place), held)
    if not state.errtrace:
        inner = inner._replace(err_trap=None)
    machine.calls += 1
    with machine.at(command.node):
        ends = machine.nodes([body], [inner], guarded=guarded)
    machine.calls -= 1
    after = []
    for end in ends:
        kept = {k: v for k, v in end.variables if k != "@" and not k.isdigit()}
        old = {k: v for k, v in state.variables if k == "@" or k.isdigit()}
        variables = tuple(sorted({**kept, **old}.items()))
        flow = "" if end.flow == "return" else end.flow
        err_trap = end.err_trap or state.err_trap
        after.append(end._replace(flow=flow, variables=variables, err_trap=err_trap))
    return merged(after)


def _eval(
    machine: Machine, command: Command, nodes: Sequence[Node], state: State, *, guarded: bool
) -> list[State]:
    texts = [literal_text(node, state) for node in nodes[1:]]
    if None in texts:
        inner = " ".join(raw(node) for node in nodes[1:]).lstrip('"$(`').split(" ", 1)[0]
        if inner.rpartition("/")[2] in _EVALUATED:
            return [state.to(OK)]
        tainted = state._replace(tainted="`eval` of text only known when run")
        return [tainted.to(OK), tainted.to(BAD)]
    with machine.at(command.node):
        return machine.text(" ".join(text or "" for text in texts), [state], guarded=guarded)


def _exec(
    machine: Machine, command: Command, nodes: Sequence[Node], state: State, *, guarded: bool
) -> list[State]:
    """Replace the shell: no trap is run any more."""
    del guarded
    if len(nodes) == 1:
        return [state.to(OK)]
    last = state._replace(exit_trap=None)
    ends = _program(machine, command, words_of(nodes, state), last, ())
    return [end._replace(flow="exit") for end in ends]


# ── other statements ────────────────────────────────────────────────────────


def _assignments(machine: Machine, node: Node, state: State) -> list[State]:
    """Run `A=1 B=$(…)`: the status is that of the last substitution, else zero."""
    parts = [node] if node.type == "variable_assignment" else node.children
    states = [state]
    substituted = False
    for part in parts:
        after = []
        for one in states:
            for end in machine.assign(part, one):
                keeps = substituted and not machine.has_substitution(part)
                after.append(end.to(one.status) if keeps else end)
        substituted = substituted or machine.has_substitution(part)
        states = merged(after)
    return states


def _declaration(machine: Machine, node: Node, state: State) -> list[State]:
    """Run `export X=…`, `local X=…`: the status of a substitution in it is lost."""
    states = [state]
    exports = node.children[0].type == "export"
    if exports and any(raw(child) == "-f" for child in node.children):
        states = [state._replace(tainted="`export -f` gives names another meaning")]
    for part in node.children[1:]:
        if part.type != "variable_assignment":
            states = machine.substitutions(part, states)
            continue
        after = []
        for one in states:
            for end in machine.assign(part, one):
                lost = end.because(short(node)) if end.status == RUN else end
                after.append(lost.to(one.status))
        states = merged(after)
        if exports:
            machine.environ.update(_prefixed([part], state))
    return [s.to(OK) for s in states]


def _unset(machine: Machine, node: Node, state: State) -> list[State]:
    del machine
    for child in node.children[1:]:
        if raw(child).isidentifier():
            state = state.put(raw(child), Value("unknown"))
    return [state.to(OK)]


OTHERS: "dict[str, Callable[[Machine, Node, State], list[State]]]" = {
    "variable_assignment": _assignments,
    "variable_assignments": _assignments,
    "declaration_command": _declaration,
    "unset_command": _unset,
    "test_command": test,
}
