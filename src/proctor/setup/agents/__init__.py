"""One file per agent that Proctor can be installed into."""
