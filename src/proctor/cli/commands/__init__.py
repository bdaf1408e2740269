"""One file for each command; each binds `COMMAND`."""
