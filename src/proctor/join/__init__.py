"""Joins what an agent asked for to what ran: transcripts read, claims matched to spans."""
