"""Times as records write them, for the rules."""

from proctor.records.moments import micros_of, moment, text_of

__all__ = ["micros_of", "moment", "text_of"]
