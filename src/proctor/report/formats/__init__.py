"""One file for each report format; each binds `FORMAT`."""
