"""The verbs of `proctor oracle`, a file each."""
