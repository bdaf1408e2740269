"""What an argv is, read anew with the project's configuration.

Stored classes are never trusted: what a record says its command was is not asked.
Two facts that argv does not hold are taken from the record, because they can only
tighten: the options found in the environment, and that a process was a worker.
"""

import functools
from collections.abc import Mapping

import msgspec

from proctor.classify.base import Classification
from proctor.classify.classify import classify_argv, may_matter
from proctor.classify.index import table_or_built
from proctor.config import Config
from proctor.gate.evidence import LineRun, Seen
from proctor.recorder.image import is_shell_line
from proctor.records.span import Span

MOST_ANSWERS = 50_000
"""Answers kept; the commands of one repository are far fewer."""

Argv = tuple[str, ...]


class ArgvReader:
    """Classifies argv; each different one once."""

    def __init__(self, config: Config) -> None:
        self._classes: Mapping[str, Mapping[str, object]] = msgspec.to_builtins(config.classes)
        self._table = {
            **table_or_built(None),
            **{
                words[0].rpartition("/")[2]: ""
                for item in config.classes.values()
                for words in item.match
                if words
            },
        }
        kept = functools.lru_cache(MOST_ANSWERS)
        self.image = kept(self._image)
        """What one process image is, wrappers not taken off."""
        self.outermost = kept(self._outermost)
        """What a whole command is, wrappers taken off and shell text read."""
        self.line = kept(self._line)
        """The test runners that a shell's text names."""

    def _image(self, argv: Argv) -> Classification | None:
        if not may_matter(argv, self._table):
            return None
        return classify_argv(argv, peel=False, classes=self._classes, table=self._table)

    def _outermost(self, argv: Argv) -> Classification | None:
        return classify_argv(argv, peel=True, classes=self._classes, table=self._table)

    def _line(self, argv: Argv) -> tuple[LineRun, ...]:
        from proctor.classify.shell import read_argv

        runs = read_argv(argv, classes=self._classes, table=self._table)
        return tuple(
            LineRun(
                what=run.found,
                status=run.status,
                masked_by=run.masked_by or "",
                conditional=run.conditional,
                bypassed=run.bypassed,
            )
            for run in runs
        )

    def runs_of(self, span: Span) -> tuple[LineRun, ...]:
        """Return the test runners that a span is, or whose line is all that was witnessed."""
        if not span.argv:
            return ()
        if span.witness != "tree" and is_shell_line(list(span.argv)):
            return self.line(span.argv)
        what = self.image(span.argv)
        if what is None and span.witness != "tree":
            what = self.outermost(span.argv)
        return () if what is None else (LineRun(what=what, status="own"),)

    def see(self, span: Span, *, read_text: bool) -> Seen:
        """Return a span with what its argv is.

        `read_text`: its shell text says what nothing below it shows.
        """
        line = self.line(span.argv) if read_text else None
        if line is not None and span.witness != "tree":
            return Seen(span=span, line=line)
        what = self.image(span.argv) if span.argv else None
        if what is None and span.witness != "tree" and span.argv:
            what = self.outermost(span.argv)
        if what is None and span.kind == "worker":
            what = Classification(span.argv, span.command_class or "", "test", "worker")
        if what is not None and span.narrowing_env:
            what = _narrowed(what, span.narrowing_env)
        return Seen(span=span, what=what, line=line)


def _narrowed(what: Classification, options: tuple[str, ...]) -> Classification:
    copy = Classification(what.argv, what.command_class, what.role, what.kind)
    for name in Classification.__slots__:
        setattr(copy, name, getattr(what, name))
    copy.narrowing_env = options
    return copy
