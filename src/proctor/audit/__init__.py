"""Looks back at transcripts for people: what was told, and what of it is knowable."""
