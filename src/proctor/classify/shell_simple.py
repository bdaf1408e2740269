"""Simple commands of a shell: assignments, its own commands, functions, programs."""

from collections.abc import Callable, Sequence

from tree_sitter import Node

from proctor.classify.shell_compound import decide, test
from proctor.classify.shell_machine import Machine, Met, literal_text
from proctor.classify.shell_state import ANY, BAD, OK, RUN, State, Value, merged, number
from proctor.classify.shell_tree import Command, UnreadableError, raw, short
from proctor.classify.shell_words import Word, value_of, words_of

SUCCEEDING = frozenset(
    (
        *("echo", "printf", "cat", "head", "tail", "tee", "wc", "sort", "uniq", "sed", "tr", "cut"),
        *("sleep", "date", "mkdir", "touch", "pwd", "pushd", "popd", "cd", "nl", "fold", "column"),
        *("ts", "less", "more", "paste", "rev", "tac", "clear", "ulimit", "umask", "hash"),
    )
)
"""Programs that are taken to succeed; they change a status only by standing last."""
_SOURCED = (
    *("activate", "nvm.sh", "env", "conda.sh", "asdf.sh", ".bashrc", ".profile", ".bash_profile"),
    *(".zshrc", "sdkman-init.sh", ".env", "profile", "bashrc"),
)
"""Files whose reading sets up an environment and nothing else."""
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
    nodes = [c for c in node.children if c.type != "variable_assignment" and c.type != "$"]
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
    own = _BUILTINS.get(name)
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
    with machine.at(command.node):
        ends = machine.nodes([body], [inner], guarded=guarded)
    after = []
    for end in ends:
        kept = {k: v for k, v in end.variables if k != "@" and not k.isdigit()}
        old = {k: v for k, v in state.variables if k == "@" or k.isdigit()}
        variables = tuple(sorted({**kept, **old}.items()))
        flow = "" if end.flow == "return" else end.flow
        after.append(end._replace(flow=flow, variables=variables))
    return merged(after)


# ── the shell's own commands ────────────────────────────────────────────────


def _leave(flow: str) -> "Callable[[Machine, Sequence[Node], State], list[State]]":
    def leave(machine: Machine, nodes: Sequence[Node], state: State) -> list[State]:
        status = state.status
        if len(nodes) > 1:
            held = value_of(nodes[1], state, dialect=machine.dialect)
            status = held.text if held.kind == "status" else ANY
            if held.kind == "text":
                status = number(held.text)
        reason = short(nodes[0].parent or nodes[0])
        after = state.to(status)._replace(flow=flow)
        return [after.because(reason) if state.status == RUN != status else after]

    return leave


def _break(machine: Machine, nodes: Sequence[Node], state: State) -> list[State]:
    del machine
    if len(nodes) > 1:
        raise UnreadableError("`break` or `continue` over several loops")
    return [state.to(OK)._replace(flow=raw(nodes[0]))]


def _wait(machine: Machine, nodes: Sequence[Node], state: State) -> list[State]:
    if len(nodes) == 1:
        return [state.to(OK)]
    text = raw(nodes[-1])
    held = value_of(nodes[-1], state, dialect=machine.dialect)
    if held.kind == "job":
        return [state.to(held.text)]
    if text in ("-n", "%1", "%%", "%+", "%-"):
        return [state.to(ANY)]
    return [state.to(OK), state.to(BAD), state.to(ANY)]


def _trap(machine: Machine, nodes: Sequence[Node], state: State) -> list[State]:
    del machine
    if len(nodes) < 3:
        return [state.to(OK)]
    signals = [raw(node).removeprefix("SIG") for node in nodes[2:]]
    handler = literal_text(nodes[1], state)
    if {"DEBUG", "RETURN"} & set(signals):
        return [state.to(OK)._replace(tainted="trap … DEBUG or RETURN")]
    for signal in signals:
        if signal not in ("EXIT", "0", "ERR"):
            continue
        if handler is None:
            return [state.to(OK)._replace(tainted="a trap whose text is only known when run")]
        text = None if handler in ("-", "") else handler
        change = {"err_trap": text} if signal == "ERR" else {"exit_trap": text}
        state = state._replace(**change)  # type: ignore[arg-type]
    return [state.to(OK)]


def _set(machine: Machine, nodes: Sequence[Node], state: State) -> list[State]:
    del machine
    texts = [literal_text(node, state) for node in nodes[1:]]
    if None in texts:
        return [state.to(OK)._replace(tainted="`set` with options only known when run")]
    return [with_options(state, [text or "" for text in texts]).to(OK)]


def with_options(state: State, words: Sequence[str]) -> State:
    """Return the state after `set WORDS`, as they stand behind `bash` too."""
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word in ("--", "-") or word[:1] not in ("-", "+"):
            rest = words[at - 1 :] if word[:1] not in ("-", "+") else words[at:]
            return state.put("@", Value("list", "", tuple(rest)))
        on = word[0] == "-"
        for letter in word[1:]:
            name = letter
            if letter == "o" and at < len(words):
                name = words[at]
                at += 1
            state = _option(state, name, on=on)
    return state


def _option(state: State, name: str, *, on: bool) -> State:
    if name in ("e", "errexit", "err_exit", "ERR_EXIT"):
        return state._replace(errexit=on)
    if name.replace("_", "").lower() == "pipefail":
        return state._replace(pipefail=on)
    if name in ("E", "errtrace"):
        return state._replace(errtrace=on)
    if name in ("n", "noexec"):
        return state._replace(tainted="set -n: nothing is run")
    return state


def _shopt(machine: Machine, nodes: Sequence[Node], state: State) -> list[State]:
    texts = [raw(node) for node in nodes[1:]]
    if "lastpipe" in texts or "expand_aliases" in texts:
        return [state.to(OK)._replace(tainted="shopt changes how the line is run")]
    if "inherit_errexit" in texts and "-s" in texts:
        machine.inherits_errexit = True
    return [state.to(OK)]


def _setopt(machine: Machine, nodes: Sequence[Node], state: State) -> list[State]:
    del machine
    for node in nodes[1:]:
        state = _option(state, raw(node), on=True)
    return [state.to(OK)]


def _source(machine: Machine, nodes: Sequence[Node], state: State) -> list[State]:
    del machine
    path = raw(nodes[1]).strip("\"'") if len(nodes) > 1 else ""
    if path.rpartition("/")[2] in _SOURCED:
        return [state.to(OK), state.to(BAD)]
    tainted = state._replace(tainted=f"`{short(nodes[0].parent or nodes[0])}` may change anything")
    return [tainted.to(OK), tainted.to(BAD)]


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


def _alias(machine: Machine, nodes: Sequence[Node], state: State) -> list[State]:
    for node in nodes[1:]:
        machine.aliases.add(raw(node).partition("=")[0])
    return [state.to(OK)]


def _test_words(machine: Machine, nodes: Sequence[Node], state: State) -> list[State]:
    if len(nodes) == 4:
        left = value_of(nodes[1], state, dialect=machine.dialect)
        right = value_of(nodes[3], state, dialect=machine.dialect)
        return decide(left, raw(nodes[2]), right, state)
    return [state.to(OK), state.to(BAD)]


def _forget(machine: Machine, nodes: Sequence[Node], state: State) -> list[State]:
    """`read`, `getopts`, `let`, …: the variables named are not known any more."""
    del machine
    for node in nodes[1:]:
        name = raw(node).partition("=")[0].rstrip("+-*/|&")
        if name.isidentifier():
            state = state.put(name, Value("unknown"))
    return [state.to(OK), state.to(BAD)]


def _succeed(machine: Machine, nodes: Sequence[Node], state: State) -> list[State]:
    del machine, nodes
    return [state.to(OK)]


def _unfollowed(machine: Machine, nodes: Sequence[Node], state: State) -> list[State]:
    del machine
    return [state.to(OK)._replace(tainted=f"`{raw(nodes[0])}` is not followed")]


_BUILTINS: "dict[str, Callable[[Machine, Sequence[Node], State], list[State]]]" = {
    "exit": _leave("exit"),
    "return": _leave("return"),
    "break": _break,
    "continue": _break,
    "wait": _wait,
    "trap": _trap,
    "set": _set,
    "shopt": _shopt,
    "setopt": _setopt,
    "source": _source,
    ".": _source,
    "alias": _alias,
    "test": _test_words,
    "read": _forget,
    "let": _forget,
    "getopts": _forget,
    "mapfile": _forget,
    "readarray": _forget,
    "shift": _unfollowed,
    "enable": _unfollowed,
    "emulate": _unfollowed,
    ":": _succeed,
    "true": _succeed,
}


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
