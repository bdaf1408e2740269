"""One file per agent that calls us: its events, what it sends, what it wants to hear."""
