"""What a run leaves behind: toolchain, lock files, packages, reports."""
