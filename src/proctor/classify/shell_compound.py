"""Compound commands of a shell: groups, conditions, loops, functions."""

from collections.abc import Sequence
from typing import Protocol

from tree_sitter import Node

from proctor.classify.shell_machine import Machine
from proctor.classify.shell_state import BAD, OK, RUN, State, Value, compared, forked, merged
from proctor.classify.shell_tree import UnreadableError, raw
from proctor.classify.shell_words import expand, value_of

_ROUNDS = 3
"""Rounds of a loop that are followed: a failure in one, others before and after."""
_PUNCTUATION = frozenset(
    ("{", "}", "(", ")", "if", "then", "fi", "elif", "else", "while", "until", "do", "done", "case")
)


class _Run(Protocol):
    def __call__(
        self, machine: Machine, node: Node, state: State, *, guarded: bool
    ) -> list[State]: ...


def group(machine: Machine, node: Node, state: State, *, guarded: bool) -> list[State]:
    """Run `{ …; }`, or decide `(( … ))`."""
    if node.children and node.children[0].type == "((":
        return arithmetic(machine, node, state)
    return machine.nodes(_inside(node), [state], guarded=guarded)


def parentheses(machine: Machine, node: Node, state: State, *, guarded: bool) -> list[State]:
    """Run `( … )` in a child shell."""
    return machine.subshell(lambda s: machine.nodes(_inside(node), [s], guarded=guarded), state)


def arithmetic(machine: Machine, node: Node, state: State) -> list[State]:
    """Decide `(( rc != 0 ))` where it compares a known status with zero."""
    inner = [child for child in node.children if child.type not in ("((", "))")]
    return _decided(machine, inner[0] if len(inner) == 1 else None, state)


def test(machine: Machine, node: Node, state: State) -> list[State]:
    """Decide `[ $? -eq 0 ]` and `[[ … ]]` where they compare a known status with zero."""
    states = machine.substitutions(node, [state])
    inner = [child for child in node.children if child.type not in ("[", "]", "[[", "]]")]
    return [end for s in states for end in _decided(machine, inner[0] if inner else None, s)]


def decide(left: Value, operator: str, right: Value, state: State) -> list[State]:
    """Return the state after a comparison, both ways where it cannot be decided."""
    if left.kind != "status" and right.kind == "status":
        left, right = right, left
        operator = {"-lt": "-gt", "-gt": "-lt", "<": ">", ">": "<"}.get(operator, operator)
    answer = None
    if left.kind == "status" and right.kind == "text" and right.text == "0":
        answer = compared(left.text, operator)
    elif left.kind == "text" and right.kind == "text" and left.text.isdigit():
        answer = compared(OK if left.text == "0" else BAD, operator) if right.text == "0" else None
    if answer is None:
        return [state.to(OK), state.to(BAD)]
    return [state.to(OK if answer else BAD)]


def _decided(machine: Machine, node: Node | None, state: State) -> list[State]:
    if node is None:
        return [state.to(OK), state.to(BAD)]
    if node.type == "binary_expression" and len(node.children) == 3:
        left, operator, right = node.children
        return decide(
            _operand(machine, left, state), raw(operator), _operand(machine, right, state), state
        )
    held = _operand(machine, node, state)
    if held.kind == "status" and raw(node.parent or node).startswith("(("):
        return decide(held, "!=", Value("text", "0"), state)
    return [state.to(OK), state.to(BAD)]


def _operand(machine: Machine, node: Node, state: State) -> Value:
    text = raw(node)
    if node.type in ("variable_name", "word") and text.isidentifier():
        return state.get(text)
    if node.type == "number" or text.isdigit():
        return Value("text", text)
    return value_of(node, state, dialect=machine.dialect)


def if_statement(machine: Machine, node: Node, state: State, *, guarded: bool) -> list[State]:
    """Run `if …; then …; elif …; else …; fi`."""
    parts = _clauses(node)
    ends: list[State] = []
    waiting = [state]
    for condition, body in parts:
        if condition is None:
            with machine.branch():
                ends += machine.nodes(body, waiting, guarded=guarded)
            waiting = []
            break
        tested = _conditions(machine, condition, waiting)
        ends += [s for s in tested if s.flow]
        for way in (s for s in tested if not s.flow and s.status == OK):
            with machine.branch():
                ends += machine.nodes(body, [way], guarded=guarded)
        waiting = [s for s in tested if not s.flow and s.status != OK]
    ends += [(s.because("if") if s.status == RUN else s).to(OK) for s in waiting]
    return merged(ends)


def _conditions(machine: Machine, nodes: Sequence[Node], states: list[State]) -> list[State]:
    return [fork for s in machine.nodes(nodes, states, guarded=True) for fork in forked(s)]


def _clauses(node: Node) -> list[tuple[list[Node] | None, list[Node]]]:
    """Return `(condition, body)` pairs; an `else` has no condition."""
    first: tuple[list[Node] | None, list[Node]] = ([], [])
    parts = [first]
    target = first[0]
    for child in node.children:
        if child.type == "then":
            target = parts[0][1]
        elif child.type == "elif_clause":
            parts += _clauses(child)
        elif child.type == "else_clause":
            parts.append((None, _inside(child)))
        elif child.type not in ("if", "elif", "fi") and target is not None:
            target.append(child)
    return parts


def while_loop(machine: Machine, node: Node, state: State, *, guarded: bool) -> list[State]:
    """Run `while` or `until`."""
    until = node.children[0].type == "until"
    body = next(child for child in node.children if child.type == "do_group")
    condition = [c for c in node.children if c.type not in ("while", "until", "do_group")]
    ends: list[State] = []
    rounds = [(state, OK)]
    for _ in range(_ROUNDS):
        following: list[tuple[State, str]] = []
        for before, last in rounds:
            for way in _conditions(machine, condition, [before]):
                if way.flow:
                    ends.append(way)
                elif (way.status == OK) == until:
                    lost = way.because(node.children[0].type) if way.status == RUN else way
                    ends.append(lost.to(last))
                else:
                    lost = way.because(node.children[0].type) if way.status == RUN else way
                    with machine.branch():
                        done, again = _body(machine, body, [lost], guarded=guarded)
                    ends += done
                    following += [(s, s.status) for s in again]
        rounds = list(dict.fromkeys(following))
        if not rounds:
            break
    return merged(ends)


def _body(
    machine: Machine, body: Node, states: list[State], *, guarded: bool
) -> tuple[list[State], list[State]]:
    """Run a loop's body once; return the states that left the loop and the others."""
    left, stay = [], []
    for end in machine.nodes(_inside(body), states, guarded=guarded):
        if end.flow == "break":
            left.append(end._replace(flow=""))
        elif end.flow in ("", "continue"):
            stay.append(end._replace(flow=""))
        else:
            left.append(end)
    return left, merged(stay)


def for_loop(machine: Machine, node: Node, state: State, *, guarded: bool) -> list[State]:
    """Run `for x in …`, `select`, `for ((…))`."""
    body = next((child for child in node.children if child.type == "do_group"), None)
    if body is None or node.children[0].type == "select":
        raise UnreadableError("a loop that is not understood")
    variable = node.child_by_field_name("variable")
    values = node.children_by_field_name("value")
    words = [expand(value, state) for value in values]
    plain = all(w.literal and not set(w.text) & set("*?[{") for w in words)
    exact = len(words) if plain and node.type == "for_statement" and words else None
    states = [state]
    for value in values:
        states = machine.substitutions(value, states)
    ends: list[State] = [] if exact else [s.to(OK) for s in states]
    for number in range(min(exact or _ROUNDS, _ROUNDS)):
        if variable is not None:
            held = Value("text", words[number].text) if exact == 1 else Value("unknown")
            states = [s.put(raw(variable), held) for s in states]
        after: list[State] = []
        for before in states:
            with machine.branch(sure=exact is not None):
                left, stay = _body(machine, body, [before], guarded=guarded)
            after += [_lost(before, s) for s in stay]
            ends += [_lost(before, s) for s in left]
        states = merged(after)
        if exact is None:
            ends += states
    return merged([*ends, *states])


def _lost(before: State, after: State) -> State:
    lost = before.status == RUN and after.status != RUN
    return after.because("the loop goes on") if lost else after


def case(machine: Machine, node: Node, state: State, *, guarded: bool) -> list[State]:
    """Run `case`, every item a way of its own."""
    ends = [state.to(OK)]
    for item in node.children:
        if item.type != "case_item":
            continue
        if any(child.type in (";&", ";;&") for child in item.children):
            raise UnreadableError("a case that falls through")
        closing = next(at for at, child in enumerate(item.children) if child.type == ")")
        body = [c for c in item.children[closing + 1 :] if c.type != ";;"]
        with machine.branch():
            ends += machine.nodes(body, [state if body else state.to(OK)], guarded=guarded)
    return merged(ends)


def function(machine: Machine, node: Node, state: State, *, guarded: bool) -> list[State]:
    """Note a function for later calls."""
    del guarded
    name = node.child_by_field_name("name")
    body = node.child_by_field_name("body")
    if name is None or body is None:
        raise UnreadableError("a function that is not understood")
    machine.functions[raw(name)] = body
    return [state.to(OK)]


def _inside(node: Node) -> list[Node]:
    return [child for child in node.children if child.type not in _PUNCTUATION]


KINDS: dict[str, _Run] = {
    "compound_statement": group,
    "subshell": parentheses,
    "if_statement": if_statement,
    "while_statement": while_loop,
    "for_statement": for_loop,
    "c_style_for_statement": for_loop,
    "case_statement": case,
    "function_definition": function,
}
