"""The light path: starts a command and writes down what the system says of it."""
