"""What the program of a test leaf is, whatever it is called and wherever it lies."""
