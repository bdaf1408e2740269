"""One file per ecosystem: its lock files, its tools, its packages."""
