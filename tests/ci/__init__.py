"""The CI files and git hooks, executed as the services would."""
