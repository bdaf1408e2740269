"""One file for each rule; each binds `RULE`."""
