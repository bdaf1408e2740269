"""Executed tests by id, read from reports."""
