"""One file for each transcript format."""
