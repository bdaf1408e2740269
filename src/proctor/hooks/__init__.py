"""Called by agents: before a command runs, in its place, and before the agent stops."""
