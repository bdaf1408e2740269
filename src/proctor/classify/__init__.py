"""Understands what an argv is: wrappers, runners, selections, shell text."""
