"""Which call of an agent's own trace each recorded process belongs to."""

from collections.abc import Sequence

from proctor.assess.joining import Joining
from proctor.assess.reading import ArgvReader
from proctor.config import load
from proctor.records.place import find_clone


def parents_of(
    folder: str, transcripts: Sequence[str], log: str
) -> dict[str, tuple[str, str | None]]:
    """Return by span id the trace, and the span there, of the tool call that started it.

    Of the topmost spans of each call alone, and only where the transcript is a trace.

    Raises:
        ConfigError: the configuration cannot be understood.
        TranscriptError: a transcript cannot be read, or is in no known format.
        LogError: the log cannot be read.
    """
    if not transcripts:
        return {}
    clone = find_clone(folder)
    config = load(clone.root)
    joins = Joining(config, clone, ArgvReader(config), "").matches(transcripts, [log]).joins
    return {
        span_id: (call.trace_id, call.tool_span)
        for join in joins
        if (call := join.asked.call).trace_id and call.tool_span
        for span_id in join.spans
    }
