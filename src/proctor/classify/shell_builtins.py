"""The shell's own commands: `exit`, `set`, `trap`, `wait`, … and what they change."""

from collections.abc import Callable, Sequence

from tree_sitter import Node

from proctor.classify.shell_compound import decide
from proctor.classify.shell_machine import Machine
from proctor.classify.shell_state import ANY, BAD, OK, RUN, State, Value, number
from proctor.classify.shell_tree import UnreadableError, raw, short
from proctor.classify.shell_words import literal_text, value_of

_SOURCED = (
    *("activate", "nvm.sh", "env", "conda.sh", "asdf.sh", ".bashrc", ".profile", ".bash_profile"),
    *(".zshrc", "sdkman-init.sh", ".env", "profile", "bashrc"),
)
"""Files whose reading sets up an environment and nothing else."""


def _leave(flow: str) -> "Callable[[Machine, Sequence[Node], State], list[State]]":
    def leave(machine: Machine, nodes: Sequence[Node], state: State) -> list[State]:
        if flow == "return" and not machine.calls:
            raise UnreadableError("`return` outside of a function: some shells go on")
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
    if len(nodes) < 3:
        return [state.to(OK)]
    signals = [raw(node).removeprefix("SIG") for node in nodes[2:]]
    handler = literal_text(nodes[1], state)
    if {"DEBUG", "RETURN"} & set(signals):
        return [state.to(OK)._replace(tainted="trap … DEBUG or RETURN")]
    if "ERR" in signals and machine.dialect == "sh":
        return [state.to(OK)._replace(tainted="trap … ERR, which not every sh knows")]
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


BUILTINS: "dict[str, Callable[[Machine, Sequence[Node], State], list[State]]]" = {
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
