"""One file for each result format; each binds `FORMAT`."""
