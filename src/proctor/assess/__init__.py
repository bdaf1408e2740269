"""Gathers logs, the working tree and the configuration, and has them judged."""
