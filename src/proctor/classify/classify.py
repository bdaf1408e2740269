"""Says what an argv is, by its tokens alone.

On the light path: importing this imports no runner; a runner's file is imported
when its program is met.
"""

from proctor.classify import index
from proctor.classify.base import Classification, Runner
from proctor.classify.index import may_matter
from proctor.classify.interpreters import Program, resolve
from proctor.classify.options import split_words

__all__ = ["classify_argv", "may_matter"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from proctor.classify.wrappers import Layer

_UPDATE_WORDS = ("SNAPSHOT", "GOLDEN", "EXPECT", "FIXTURE", "BASELINE", "REFERENCE")


def classify_argv(
    argv: "Sequence[str]",
    *,
    peel: bool,
    environ: "Mapping[str, str] | None" = None,
    classes: "Mapping[str, Mapping[str, object]] | None" = None,
    table: "Mapping[str, str] | None" = None,
) -> Classification | None:
    """Return what `argv` is, or none where it has no class.

    With `peel`, wrappers (`env`, `uv run`, `bash -c`, …) are taken off first and
    shell text is read: for a witness that sees only the outermost process.
    Without it `argv` is one process image, and a wrapper is none of ours.
    `environ` fills `narrowing_env`; `classes` are the project's own; `table` is
    `Settings.programs`, which spares the import of every runner's file.

    The name is a claim: whether the program is what it says is not looked at.
    """
    if not argv or not argv[0]:
        return None
    table = index.table_or_built(table)
    found = _peeled(argv, environ, classes, table) if peel else None
    return found or classify_image(argv, environ, classes or {}, table)


def classify_image(
    argv: "Sequence[str]",
    environ: "Mapping[str, str] | None",
    classes: "Mapping[str, Mapping[str, object]]",
    table: "Mapping[str, str]",
) -> Classification | None:
    """Return the class of one process image, none where it has none."""
    program = resolve(argv)
    found = _own_class(argv, program, classes)
    if found is None:
        found = _built_in(argv, program, environ, table)
    if found is None:
        return None
    found.argv = tuple(argv)
    if program is not None:
        found.script = program.script
        found.wrappers = program.hosts
    return found


def _built_in(
    argv: "Sequence[str]",
    program: Program | None,
    environ: "Mapping[str, str] | None",
    table: "Mapping[str, str]",
) -> Classification | None:
    from proctor.classify.tools import classify_tool

    found = _by_runner(program.tokens, environ, table) if program is not None else None
    if found is not None and program is not None and program.interpreter == "shell":
        runner = index.find(program.tokens[0], table)
        if runner is None or not runner.scripted:
            # NOTE: a shell script named like a runner (a shim) starts it; the
            # runner itself is another image.
            found.kind = "driver"
    if found is None and (program is None or program.interpreter is not None):
        found = _by_runner(argv, environ, table)
    if found is None and program is not None and program.interpreter in (None, "python", "node"):
        found = classify_tool(program.tokens)
    return found


def _by_runner(
    tokens: "Sequence[str]",
    environ: "Mapping[str, str] | None",
    table: "Mapping[str, str]",
) -> Classification | None:
    runner = index.find(tokens[0], table)
    found = runner.read(tokens) if runner is not None else None
    if runner is None or environ is None:
        return found
    if found is None and runner.worker_variable in environ:
        found = Classification(tokens, runner.command_class, "test", "worker")
    if found is None:
        return None
    if found.kind is None:
        return found
    found.narrowing_env = tuple(_narrowing_env(runner, tokens[0], environ))
    found.updates += tuple(
        name
        for name in environ
        if "UPDATE" in name
        and any(word in name for word in _UPDATE_WORDS)
        and environ[name].lower() not in ("", "0", "false", "no", "none")
    )
    return found


def _narrowing_env(runner: Runner, program: str, environ: "Mapping[str, str]") -> "list[str]":
    entries = []
    for entry in runner.environment:
        name, _, option = entry.partition(":")
        value = environ.get(name)
        if not value:
            continue
        if option:
            value = " ".join(f"{option} {item}" for item in value.split(","))
        if runner.read_environment is not None:
            given = runner.read_environment(name, value)
        else:
            given = _as_arguments(runner, program, value)
        entries += [f"{name}: {option}" for option in given]
    return entries


def _as_arguments(runner: Runner, program: str, value: str) -> "list[str]":
    """Return what a variable adds to the arguments, in the words of `narrowing`.

    Only what the tables know is written out: a bare word may be anything, a
    secret included.
    """
    found = runner.read([program, *split_words(value)])
    if found is None:
        return []
    words = ["(arguments)" if s[:1] not in ("-", "@") else s for s in found.selectors]
    if found.not_a_run is not None:
        words.append(found.not_a_run)
    return list(dict.fromkeys((*found.narrowing, *words)))


def _own_class(
    argv: "Sequence[str]",
    program: Program | None,
    classes: "Mapping[str, Mapping[str, object]]",
) -> Classification | None:
    for name, item in classes.items():
        patterns = item.get("match")
        for pattern in patterns if isinstance(patterns, list | tuple) else ():
            rest = _match(argv, pattern)
            if rest is None and program is not None and program.interpreter is not None:
                rest = _match(program.tokens, pattern)
            if rest is None:
                continue
            kind, report = item.get("kind"), item.get("report")
            found = Classification(argv, name, str(item.get("role") or "test"), None)
            found.kind = kind if isinstance(kind, str) else None
            found.matching = "name"
            found.selectors = tuple(rest)
            found.report = ("junit", report) if isinstance(report, str) else None
            return found
    return None


def _match(tokens: "Sequence[str]", pattern: "Sequence[str]") -> "list[str] | None":
    """Return the tokens after `pattern`, none where they do not begin with it."""
    if not pattern or list(tokens[1 : len(pattern)]) != list(pattern[1:]):
        return None
    first, wanted = tokens[0], pattern[0].removeprefix("./")
    if first.removeprefix("./") != wanted and not first.endswith("/" + wanted):
        return None
    return list(tokens[len(pattern) :])


def _peeled(
    argv: "Sequence[str]",
    environ: "Mapping[str, str] | None",
    classes: "Mapping[str, Mapping[str, object]] | None",
    table: "Mapping[str, str]",
) -> Classification | None:
    """Return the class of what the wrappers of `argv` start, none without wrappers."""
    from proctor.classify import wrappers

    layers = wrappers.peel_all(argv)
    if layers and layers[-1].text is not None:
        from proctor.classify.shell import read_argv

        runs = read_argv(argv, environ=environ, classes=classes, table=table)
        return runs[0].found if runs else None
    return classify_layers(layers, environ, classes or {}, table)


def classify_layers(
    layers: "Sequence[Layer]",
    environ: "Mapping[str, str] | None",
    classes: "Mapping[str, Mapping[str, object]]",
    table: "Mapping[str, str]",
) -> Classification | None:
    """Return the class of the innermost command that has one, its wrappers named."""
    for count in range(len(layers), 0, -1):
        passed = layers[:count]
        known = environ
        for layer in passed:
            if layer.assigned:
                known = {**(known or {}), **layer.assigned}
        found = classify_image(passed[-1].argv, known, classes, table)
        if found is not None:
            found.wrappers = (*(layer.label for layer in passed), *found.wrappers)
            found.remote = next((layer.remote for layer in passed if layer.remote), None)
            return found
    return None
