"""What was witnessed: spans, the log that holds them, the chain between them."""
