"""Languages whose test files are read by their grammar, one file each."""
