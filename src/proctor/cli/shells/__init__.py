"""Completion for shells, one file for each shell."""
