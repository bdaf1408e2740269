"""What a secret looks like: its name, its shape, its place, the option before it."""
