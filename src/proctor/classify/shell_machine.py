"""Walks through shell text, every way it may go, without running it.

The walk answers one question: when this runner returns N, not zero, what does
the line return? Commands that are not known may succeed or fail; both ways are
followed. What is not understood raises `UnreadableError`: nothing is guessed.
"""

from collections.abc import Callable, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from tree_sitter import Node

from proctor.classify.shell_dialects import refuse_last, refuse_redirects
from proctor.classify.shell_state import (
    FAILING,
    OK,
    RUN,
    State,
    Value,
    forked,
    inverted,
    merged,
)
from proctor.classify.shell_tree import (
    AndOr,
    Command,
    Pipeline,
    UnreadableError,
    parse,
    raw,
    sequence_of,
    short,
    within,
)
from proctor.classify.shell_words import value_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_STEPS = 20_000
_MOST_DEPTH = 24
_MOST_WAYS = 512
_SUBSTITUTIONS = frozenset(("command_substitution", "process_substitution"))

_TRAP = -1
"""Marks, in a site, the text of a trap."""

Site = tuple[int, ...]
"""Where a command stands: offsets, from the outermost text inwards."""


class Met(NamedTuple):
    """A simple command that the walk met, expanded."""

    site: Site
    argv: tuple[str, ...]
    literal: bool
    """Whether no word of it depends on anything outside the line."""
    shadowed: bool
    """Whether the line itself has replaced the program by a function or alias."""
    environ: dict[str, str]
    conditional: bool


class Machine:
    """A shell that decides nothing it cannot know.

    `meet` is asked about each simple command that is not the shell's own; it
    returns the statuses that the command may have, none for an unknown one.
    """

    def __init__(
        self, meet: "Callable[[Machine, Met, State], list[State] | None]", *, dialect: str = "bash"
    ) -> None:
        self.meet = meet
        self.dialect = dialect
        self.functions: dict[str, Node] = {}
        self.aliases: set[str] = set()
        self.environ: dict[str, str] = {}
        self.site: Site = ()
        self.conditional = 0
        self.calls = 0
        self.inherits_errexit = False
        self._steps = 0

    # ── texts ───────────────────────────────────────────────────────────────

    def script(self, text: str, start: State) -> list[State]:
        """Return the ends of a whole script, traps included."""
        return self.ended(self.text(text, [start], guarded=False))

    def text(self, text: str, states: list[State], *, guarded: bool) -> list[State]:
        """Run more text in the same shell."""
        root = parse(text)
        if root.has_error:
            raise UnreadableError("the line is not shell text that can be read")
        return self.nodes(root.children, states, guarded=guarded)

    def nodes(self, nodes: Sequence[Node], states: list[State], *, guarded: bool) -> list[State]:
        """Run the commands that stand in `nodes`."""
        for number, item in enumerate(sequence_of(nodes)):
            after: list[State] = []
            for state in states:
                if state.flow:
                    after.append(state)
                    continue
                ends = self._and_or(item, state, guarded=guarded)
                after += [_noting(state, end, f"; {item.text}") if number else end for end in ends]
            states = merged(after)
            if len(states) > _MOST_WAYS:
                raise UnreadableError("the line has too many ways through it")
        return states

    def ended(self, states: list[State]) -> list[State]:
        """Return the states at the very end of a shell, its EXIT trap run."""
        ends: list[State] = []
        for state in states:
            if state.exit_trap is None:
                ends.append(state._replace(flow=""))
                continue
            start = state._replace(flow="", exit_trap=None, errexit=False)
            for end in self._handler(state.exit_trap, start):
                kept = end if end.flow == "exit" else end.to(state.status)
                ends.append(_noting(state, kept._replace(flow=""), "trap … EXIT"))
        return merged(ends)

    # ── lists and pipelines ─────────────────────────────────────────────────

    def _and_or(self, item: AndOr, state: State, *, guarded: bool) -> list[State]:
        if item.background:
            return self._background(item, state)
        states = self._pipeline(item.first, state, guarded=guarded or bool(item.rest))
        for number, (operator, pipeline) in enumerate(item.rest, 1):
            inner = guarded or number < len(item.rest)
            before = item.rest[number - 2][1] if number > 1 else item.first
            sure = operator == "&&" and _surely_succeeds(before)
            after: list[State] = []
            for way in (fork for one in states for fork in forked(one)):
                goes_on = (way.status == OK) == (operator == "&&")
                if way.flow or not goes_on:
                    after.append(way)
                    continue
                with self.branch(sure=sure):
                    ends = self._pipeline(pipeline, way, guarded=inner)
                reason = f"{operator} {pipeline.commands[0].text}"
                after += [_noting(way, end, reason) for end in ends]
            states = merged(after)
        return states

    def _background(self, item: AndOr, state: State) -> list[State]:
        plain = item._replace(background=False)
        if item.first.negated and not item.rest:
            # NOTE: bash drops the `!` of a simple command that it sends off.
            raise UnreadableError("`!` before a command in the background")
        ends = []
        for end in self.subshell(lambda s: self._and_or(plain, s, guarded=True), state):
            after = end.to(OK)._replace(job=end.status)
            ends.append(after.because("&") if end.status == RUN else after)
        return ends

    def _pipeline(self, pipeline: Pipeline, state: State, *, guarded: bool) -> list[State]:
        inner = guarded or pipeline.negated
        if len(pipeline.commands) == 1:
            states = self._command(pipeline.commands[0], state, guarded=inner)
            known = self._sets_pipestatus(pipeline.commands[0].node)
            states = [s._replace(pipe=(s.status,) if known else ()) for s in states]
            checked = _is_checked(pipeline.commands[0].node)
        else:
            states = self._joined(pipeline.commands, state, guarded=inner)
            checked = True
        if pipeline.negated:
            after = [s if s.flow else s.to(inverted(s.status)) for s in states]
            return [_noting(a, b, "!") for a, b in zip(states, after, strict=True)]
        return states if guarded or not checked else self._checked(states)

    def _sets_pipestatus(self, node: Node) -> bool:
        """Return whether `PIPESTATUS` is surely that of this command alone afterwards."""
        if not _is_checked(node) or node.type == "compound_statement":
            return False
        return self._name_of(node) not in ("eval", "source", ".", *self.functions)

    def _name_of(self, node: Node) -> str:
        return raw(node).split(None, 1)[0] if node.type == "command" else ""

    def _joined(self, commands: Sequence[Command], state: State, *, guarded: bool) -> list[State]:
        if state.errexit and any(self._name_of(c.node) == "eval" for c in commands):
            # NOTE: bash then returns 1, whatever the evaluated command returned.
            raise UnreadableError("`eval` in a pipeline under `set -e`")
        refuse_last(commands[-1], self.dialect, self.functions)
        ways: list[tuple[State, tuple[str, ...]]] = [(state, ())]
        for command in commands:
            run = partial(self._guarded_command, command, guarded)
            ways = list(
                dict.fromkeys(
                    (end.to(way.status), (*statuses, end.status))
                    for way, statuses in ways
                    for end in self.subshell(run, way)
                )
            )
            if len(ways) > _MOST_WAYS:
                raise UnreadableError("the line has too many ways through it")
        states = []
        for way, statuses in ways:
            end = way._replace(status=_status_of(statuses, way), pipe=statuses)
            if RUN in statuses and end.status != RUN:
                rest = commands[statuses.index(RUN) + 1 :] or commands[:1]
                end = end.because(" ".join(f"| {command.text}" for command in rest))
            states.append(end)
        return merged(states)

    def _checked(self, states: list[State]) -> list[State]:
        """Do what the shell does after a command that failed: ERR trap, `set -e`."""
        after: list[State] = []
        for state in states:
            if state.flow or not (state.errexit or state.err_trap):
                after.append(state)
                continue
            for way in forked(state):
                after += self._failed(way) if way.status in FAILING else [way]
        return merged(after)

    def _handler(self, text: str, start: State) -> list[State]:
        before = self.site
        self.site = (*before, _TRAP)
        try:
            return self.text(text, [start], guarded=True)
        finally:
            self.site = before

    def _failed(self, state: State) -> list[State]:
        states = [state]
        if state.err_trap is not None:
            start = state._replace(err_trap=None, errexit=False)
            states = [
                end._replace(
                    err_trap=state.err_trap,
                    errexit=state.errexit,
                    pipe=(),
                    status=end.status if end.flow == "exit" else state.status,
                )
                for end in self._handler(state.err_trap, start)
            ]
            states = [_noting(state, end, "trap … ERR") for end in states]
        if not state.errexit:
            return states
        return [s if s.flow else s._replace(flow="exit") for s in states]

    def _guarded_command(self, command: Command, guarded: bool, state: State) -> list[State]:
        return self._command(command, state, guarded=guarded)

    def _guarded_nodes(self, nodes: Sequence[Node], guarded: bool, state: State) -> list[State]:
        return self.nodes(nodes, [state], guarded=guarded)

    # ── commands ────────────────────────────────────────────────────────────

    def _command(self, command: Command, state: State, *, guarded: bool) -> list[State]:
        self._steps += 1
        if self._steps > _MOST_STEPS or len(self.site) > _MOST_DEPTH:
            raise UnreadableError("the line is too long to follow")
        from proctor.classify import shell_compound, shell_simple

        states = [state]
        refuse_redirects(command, self.dialect)
        for redirect in (*command.redirects, *filter(None, [command.heredoc])):
            states = self.substitutions(redirect, states)
        kind = command.node.type
        if kind == "command":
            return shell_simple.run(self, command, states, guarded=guarded)
        if kind in shell_simple.OTHERS:
            return merged(
                end for s in states for end in shell_simple.OTHERS[kind](self, command.node, s)
            )
        if kind in shell_compound.KINDS:
            run = shell_compound.KINDS[kind]
            return merged(
                end for s in states for end in run(self, command.node, s, guarded=guarded)
            )
        if kind.endswith("_redirect"):
            return [s.to(OK) for s in states]
        raise UnreadableError(f"`{short(command.node)}` is not understood")

    def subshell(
        self, run: Callable[[State], list[State]], state: State, *, substitution: bool = False
    ) -> list[State]:
        """Return `state` after a child shell, with the child's status."""
        inner = state._replace(exit_trap=None, pipe=())
        if not state.errtrace:
            inner = inner._replace(err_trap=None)
        starts = [inner]
        if substitution and state.errexit and not self.inherits_errexit:
            # NOTE: bash switches errexit off inside `$(…)`, other shells do not.
            starts = [inner._replace(errexit=False)]
            if self.dialect != "bash":
                starts.append(inner)
        functions = dict(self.functions)
        ends = [end for start in starts for end in self.ended(run(start))]
        self.functions = functions
        return merged(
            state._replace(status=end.status, failed=end.failed, why=end.why, tainted=end.tainted)
            for end in ends
        )

    def substitutions(self, node: Node, states: list[State]) -> list[State]:
        """Run the `$(…)` and `<(…)` inside a word; their status is lost here."""
        for inner in within(node, _SUBSTITUTIONS):
            after = []
            for state in states:
                for end in self.substitution(inner, state):
                    lost = end.because(short(inner)) if end.status == RUN else end
                    after.append(lost.to(state.status))
            states = merged(after)
        return states

    def substitution(self, node: Node, state: State) -> list[State]:
        """Run one `$(…)`; return the states with its status."""
        body = [c for c in node.children if c.type not in ("$(", "`", ")", "<(", ">(", "${")]
        # NOTE: whether a failure inside counts for ERR depends on where `$(…)` stands.
        ways = (False, True) if state.err_trap and state.errtrace else (False,)
        with self.at(node):
            return merged(
                end
                for guarded in ways
                for end in self.subshell(
                    partial(self._guarded_nodes, body, guarded), state, substitution=True
                )
            )

    def assign(self, node: Node, state: State) -> list[State]:
        """Carry out `NAME=value`; the status becomes that of a substitution in it."""
        name = node.child_by_field_name("name")
        value = node.child_by_field_name("value")
        variable = raw(name) if name is not None else ""
        if not self.has_substitution(node):
            held = value_of(value, state, dialect=self.dialect)
            if "+=" in raw(node) or not variable.isidentifier():
                held = Value("unknown")
            return [state.put(variable, held).to(OK)]
        states = [state]
        for inner in within(node, _SUBSTITUTIONS):
            states = [end for s in states for end in self.substitution(inner, s)]
        return [s.put(variable, Value("unknown")) for s in merged(states)]

    def has_substitution(self, node: Node) -> bool:
        """Return whether a `$(…)` stands in a word."""
        return next(within(node, _SUBSTITUTIONS), None) is not None

    # ── where the walk is ───────────────────────────────────────────────────

    @contextmanager
    def at(self, node: Node) -> "Iterator[None]":
        """Go inwards: what is met from here stands inside `node`."""
        before = self.site
        self.site = (*before, node.start_byte)
        try:
            yield
        finally:
            self.site = before

    @contextmanager
    def branch(self, *, sure: bool = False) -> "Iterator[None]":
        """Go where the shell may not come."""
        self.conditional += not sure
        try:
            yield
        finally:
            self.conditional -= not sure


def _noting(before: State, after: State, reason: str) -> State:
    """Return `after`, with a reason if the runner's status was lost on the way."""
    lost = before.status == RUN != after.status and before.why == after.why
    return after.because(reason) if lost else after


def _status_of(statuses: Sequence[str], state: State) -> str:
    if not state.pipefail:
        return statuses[-1]
    return next((status for status in reversed(statuses) if status != OK), OK)


def _is_checked(node: Node) -> bool:
    """Return whether `set -e` looks at a command: a group's status was looked at inside."""
    return node.type in (
        *("command", "subshell", "test_command", "variable_assignment", "variable_assignments"),
        *("declaration_command", "unset_command"),
    ) or (node.type == "compound_statement" and raw(node).startswith("(("))


def _surely_succeeds(pipeline: Pipeline) -> bool:
    """Return whether a pipeline is one that nobody expects to fail, like `cd x`."""
    if len(pipeline.commands) != 1 or pipeline.negated:
        return False
    node = pipeline.commands[0].node
    if node.type in ("declaration_command", "variable_assignment", "variable_assignments"):
        return True
    name = raw(node).split(None, 1)[0] if node.type == "command" else ""
    return name in ("cd", "set", "source", ".", "export", ":", "true", "echo", "mkdir", "trap")
