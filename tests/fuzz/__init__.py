"""Inputs that nobody wrote: whatever they hold is judged, or refused in one line."""
