"""Verdicts written down."""
