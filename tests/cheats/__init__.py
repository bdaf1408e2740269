"""Every cheat that must be caught and every honest run that must pass.

Each case is a small real repository and real commands. `python -m tests.cheats`
prints the table; `make test` runs the same cases as tests.
"""
