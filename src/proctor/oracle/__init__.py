"""What behaviour did a patch change? Old and new builds over a frozen corpus."""
