"""One file for each kind of test suite that `proctor init` finds; each binds `SUITE`."""
