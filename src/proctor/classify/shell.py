"""Finds the test runners of a shell line, and what becomes of their exit codes.

For a witness that sees only the line: the direct witness, and transcripts.
Where every process is seen (the tree witness) nothing here is needed.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from tree_sitter import Node

from proctor.classify import index
from proctor.classify.base import Classification
from proctor.classify.classify import classify_image, classify_layers
from proctor.classify.options import split_words
from proctor.classify.shell_builtins import BUILTINS, with_options
from proctor.classify.shell_machine import Machine, Met, Site
from proctor.classify.shell_state import ANY, BAD, OK, RUN, State, Value, verdict
from proctor.classify.shell_tree import RESERVED, UnreadableError, parse
from proctor.classify.shell_words import words_of
from proctor.classify.wrappers import Layer, peel_all

_EFFECTS = {"own": RUN, "altered": BAD, "masked": OK, "unknown": ANY}
_DIALECTS = {"bash": "bash", "zsh": "zsh"}
_MOST_RUNS = 40
_LONGEST_SIMPLE = 4096
_LEADING = frozenset(
    ("time", "!", "{", "coproc", "eval", "if", "while", "until", "then", "do", "else")
)
_OPERATORS = re.compile(r"[;&|\n(){}]+")
_SIMPLE = re.compile(
    r"[ \t]*[A-Za-z0-9_./-][A-Za-z0-9_./:@%+,-]*(?:[ \t]+[A-Za-z0-9_./:@%+,=-]+)*[ \t]*"
)
"""A line of one command whose words stand for themselves: most lines, by far."""
_NOT_PROGRAMS = frozenset((*BUILTINS, *RESERVED, *_LEADING, "exec", "command", "builtin"))
_TEXT = -3
"""Marks, in a site, the step from a command into the shell text it is given."""


class ShellRun(NamedTuple):
    """One test runner of a shell line.

    It says what the line's text promises. Whether the runner ran at all, and
    what it returned, only a witness can tell.
    """

    argv: tuple[str, ...]
    """The runner's own arguments, wrappers peeled, known variables put in."""
    found: Classification
    status: str
    """own: where the runner returns N, not zero, so does the line; altered: the
    line then returns another number that is not zero; masked: it may return
    zero; unknown: only running can tell."""
    masked_by: str | None
    """What stands between the runner and the line's status, as written."""
    conditional: bool
    """Whether this runner stands where the shell may not come."""
    bypassed: bool = False
    """Whether the line may return zero without this runner having started; where it
    may not, and the status is its own, a zero is the runner's."""

    @property
    def wrappers(self) -> tuple[str, ...]:
        """What the runner was wrapped in, outermost first."""
        return self.found.wrappers


class _Reading:
    """The settings of one reading, and what it has found so far."""

    def __init__(
        self,
        environ: Mapping[str, str] | None,
        classes: Mapping[str, Mapping[str, object]] | None,
        table: Mapping[str, str] | None,
        counts: Callable[[Classification], bool],
    ) -> None:
        self.environ = dict(environ or {})
        self.counts = counts
        self.classes = classes or {}
        self.table = index.table_or_built(table)
        self.runs: dict[Site, tuple[Classification, bool]] = {}
        self.notes: dict[Site, str] = {}
        self._met: dict[object, tuple[list[Layer], Classification | None]] = {}
        self.target: Site | None = None
        self.barred = False
        """Whether the ways that come to the target are left out."""
        self.around: tuple[Layer, ...] = ()

    def classify(self, layers: Sequence[Layer], met: Met) -> Classification | None:
        """Return the class of a command where it is a test run of some kind."""
        environ = {**self.environ, **met.environ}
        found = classify_layers(layers, environ, self.classes, self.table)
        if found is None:
            found = classify_image(met.argv, environ, self.classes, self.table)
        if found is None or not self.counts(found):
            return None
        found.wrappers = (*(layer.label for layer in self.around), *found.wrappers)
        remote = next((layer.remote for layer in self.around if layer.remote), None)
        found.remote = remote or found.remote
        return found

    def meet(self, machine: Machine, met: Met, state: State) -> list[State] | None:
        """Answer the machine: what may this command return?"""
        layers, found = self._looked_up(met)
        if layers and layers[-1].text is not None:
            return self._nested(machine, met, layers, state)
        if found is None:
            return None
        before = self.runs.get(met.site)
        self.runs[met.site] = (found, met.conditional and (before is None or before[1]))
        if met.shadowed:
            self.notes[met.site] = f"the line gives `{met.argv[0]}` another meaning"
        if self.barred and met.site == self.target:
            return []
        if met.site != self.target or state.failed:
            return [state.to(OK), state.to(BAD)]
        return [state.to(OK), _through(layers, state.to(RUN)._replace(failed=True))]

    def _looked_up(self, met: Met) -> tuple[list[Layer], Classification | None]:
        """Return a command's wrappers and class; every way comes by the same commands."""
        key = (met.argv, tuple(met.environ.items()), self.around)
        known = self._met.get(key)
        if known is None:
            layers = peel_all(met.argv)
            is_text = bool(layers) and layers[-1].text is not None
            known = self._met[key] = (layers, None if is_text else self.classify(layers, met))
        return known

    def _nested(
        self, machine: Machine, met: Met, layers: Sequence[Layer], state: State
    ) -> list[State]:
        layer = layers[-1]
        outside = (machine.functions, machine.aliases, machine.dialect, machine.site)
        around, environ = self.around, machine.environ
        machine.functions, machine.aliases = {}, set()
        machine.dialect = _DIALECTS.get(layer.label.partition(" ")[0], "sh")
        machine.site = (*met.site, _TEXT)
        machine.environ = {**met.environ}
        for one in layers:
            machine.environ.update(one.assigned)
        self.around = (*around, *layers)
        start = with_options(State(failed=state.failed), layer.flags)
        start = start.put("@", Value("list", "", tuple(layer.argv[1:])))
        for place, word in enumerate(layer.argv[:10]):
            start = start.put(str(place), Value("text", word))
        try:
            with machine.branch(sure=not met.conditional):
                ends = machine.script(layer.text or "", start)
        finally:
            machine.functions, machine.aliases, machine.dialect, machine.site = outside
            self.around, machine.environ = around, environ
        tainted = "" if met.literal else "the text is put together when the line runs"
        after = []
        for end in ends:
            inner = end._replace(tainted=state.tainted or end.tainted or tainted)
            passed = _through(layers, inner)
            after.append(
                state._replace(
                    status=passed.status,
                    failed=passed.failed,
                    why=tuple(dict.fromkeys((*state.why, *passed.why))),
                    tainted=passed.tainted,
                )
            )
        return after


def is_test(found: Classification) -> bool:
    """Return whether a command counts as a test run, if only as a script named so."""
    return found.role == "test" or found.command_class == "python script"


def read_line(
    text: str,
    *,
    environ: Mapping[str, str] | None = None,
    classes: Mapping[str, Mapping[str, object]] | None = None,
    table: Mapping[str, str] | None = None,
    dialect: str = "bash",
    counts: Callable[[Classification], bool] = is_test,
) -> list[ShellRun]:
    """Return every test runner of a shell line, in order.

    `dialect` is `bash`, `zsh` or `sh`. `counts` says what is looked for, test runners
    by default. Text that cannot be read gives runs whose
    status is unknown, never an error.
    """
    reading = _Reading(environ, classes, table, counts)
    simple = _simple(reading, text)
    if simple is not None:
        return simple
    try:
        _walk(reading, text, dialect, None)
    except (UnreadableError, RecursionError) as error:
        return _unread(reading, text, _reason(error))
    runs = dict(reading.runs)
    if not runs and "((" in text:
        # NOTE: arithmetic to bash, two subshells to dash.
        return _unread(reading, text, "not every shell reads `((` as arithmetic")
    found = []
    for number, (site, (what, conditional)) in enumerate(runs.items()):
        status: str = "unknown"
        why: tuple[str, ...] = ("more runners than are followed",)
        if site in reading.notes:
            why = (reading.notes[site],)
        elif number < _MOST_RUNS:
            status, why = _status(reading, text, dialect, site)
        bypassed = conditional and _is_bypassed(reading, text, dialect, site)
        masked_by = ", then ".join(why) or None
        found.append(ShellRun(what.argv, what, status, masked_by, conditional, bypassed))
    return found


def _simple(reading: _Reading, text: str) -> list[ShellRun] | None:
    """Return the runner of a line that no shell could read in two ways; none if it may be."""
    if len(text) > _LONGEST_SIMPLE or _SIMPLE.fullmatch(text) is None:
        return None
    words = tuple(text.split())
    if words[0] in _NOT_PROGRAMS:
        return None
    layers = peel_all(words)
    if any(layer.text is not None or layer.status != "own" for layer in layers):
        return None
    met = Met((), words, literal=True, shadowed=False, environ={}, conditional=False)
    found = reading.classify(layers, met)
    if found is None:
        return []
    return [ShellRun(found.argv, found, "own", None, conditional=False)]


def read_argv(
    argv: Sequence[str],
    *,
    environ: Mapping[str, str] | None = None,
    classes: Mapping[str, Mapping[str, object]] | None = None,
    table: Mapping[str, str] | None = None,
) -> list[ShellRun]:
    """Return every test runner that `argv` starts, wrappers and shell text read.

    As `read_line`, for arguments that no shell has to split.
    """
    line = " ".join(_quoted(word) for word in argv)
    return read_line(line, environ=environ, classes=classes, table=table)


def _walk(reading: _Reading, text: str, dialect: str, target: Site | None) -> list[State]:
    reading.target = target
    return Machine(reading.meet, dialect=dialect).script(text, State())


def _status(reading: _Reading, text: str, dialect: str, site: Site) -> tuple[str, tuple[str, ...]]:
    try:
        return verdict(_walk(reading, text, dialect, site))
    except (UnreadableError, RecursionError) as error:
        return "unknown", (_reason(error),)


def _is_bypassed(reading: _Reading, text: str, dialect: str, site: Site) -> bool:
    """Return whether a way through the line that leaves a runner out may end well."""
    reading.barred = True
    try:
        ends = _walk(reading, text, dialect, site)
    except (UnreadableError, RecursionError):
        return True
    finally:
        reading.barred = False
    return any(end.status in (OK, ANY) for end in ends)


def _reason(error: Exception) -> str:
    return "the line is nested too deep" if isinstance(error, RecursionError) else str(error)


def _through(layers: Sequence[Layer], state: State) -> State:
    """Return the state after the wrappers have passed the status on."""
    if state.status != RUN:
        return state
    for layer in reversed(layers):
        if layer.status != "own":
            return state.to(_EFFECTS[layer.status]).because(layer.label)
    return state


def _unread(reading: _Reading, text: str, reason: str) -> list[ShellRun]:
    """Return the runners of text whose course is not understood, all unknown."""
    words = [_plain_words(node) for node in _commands(parse(text))]
    runs = [run for argv in words for run in _unread_command(reading, argv, reason)]
    if not runs:
        # Not even commands could be made out: look at what stands between operators.
        pieces = [split_words(piece) for piece in _OPERATORS.split(text)]
        runs = [run for argv in pieces for run in _unread_command(reading, argv, reason)]
    return runs


def _unread_command(reading: _Reading, argv: list[str], reason: str) -> list[ShellRun]:
    while argv and argv[0] in _LEADING:
        argv = argv[1:]
    if not argv:
        return []
    layers = peel_all(argv)
    if layers and layers[-1].text is not None:
        return _unread(reading, layers[-1].text, reason)
    met = Met((), tuple(argv), literal=True, shadowed=False, environ={}, conditional=True)
    found = reading.classify(layers, met)
    if found is None:
        return []
    return [ShellRun(found.argv, found, "unknown", reason, conditional=True, bypassed=True)]


def _plain_words(node: Node) -> list[str]:
    words = [c for c in node.children if not c.type.endswith(("_redirect", "_assignment"))]
    return [word.text for word in words_of(words, State())]


def _commands(root: Node) -> Iterable[Node]:
    """Yield every command below a node, those inside others too."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type == "command":
            yield node
        waiting += reversed(node.children)


def _quoted(word: str) -> str:
    """Return a word as a shell reads it back."""
    if word and all(c.isalnum() or c in "-_./=:,@%+" for c in word):
        return word
    return "'" + word.replace("'", "'\\''") + "'"
