"""Faults that are brought about for real, and what each costs."""
