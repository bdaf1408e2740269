"""Proctor holds the operating system's record of what a coding agent really ran.

The recorder writes one span for each process, the gate reads only such spans.
Nothing here trusts prose.
"""

__version__ = "0.1.0"
