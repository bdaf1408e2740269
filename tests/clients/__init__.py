"""Real agent clients, offline, before a model that says what it is told."""
